"""The journal on disk: whole after any cut, never silently wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.errors import Mendable
from controller.keep import Journal, read_journal, set_aside
from engine.cards import Card
from engine.events import CardPlayed, Corrected, Dealt, Event
from engine.journal import Header
from engine.seats import Seat

HEADER = Header("gurka", 3, Seat(1), {"cards": 6})
EVENTS: tuple[Event, ...] = (
    Dealt(Seat(1)),
    CardPlayed(Seat(2), Card.parse("Kh")),
    Corrected(2, (CardPlayed(Seat(2), Card.parse("Kd")),)),
)


def written(path: Path) -> bytes:
    journal = Journal.open(path, HEADER, now=lambda: "2026-11-30T20:00:00.000Z")
    for event in EVENTS:
        journal.add(event, "2026-11-30T20:00:01.000Z")
    journal.close()
    return path.read_bytes()


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    written(tmp_path / "j")
    journal = Journal.open(tmp_path / "j", HEADER)
    assert (journal.header, journal.events, journal.began) == (HEADER, EVENTS, "2026-11-30T20:00:00.000Z")
    journal.close()
    assert read_journal(tmp_path / "j") == (HEADER, EVENTS)


def test_any_torn_tail_leaves_the_lines_before_it(tmp_path: Path) -> None:
    whole = written(tmp_path / "j")
    starts = [0, *(place + 1 for place, byte in enumerate(whole) if byte == ord("\n"))]
    for cut in range(len(whole)):
        (tmp_path / "j").write_bytes(whole[:cut])
        journal = Journal.open(tmp_path / "j", HEADER)
        lines = sum(start <= cut for start in starts) - 1
        assert journal.events == EVENTS[: max(0, lines - 1)]
        journal.add(EVENTS[0], "2026-11-30T20:00:02.000Z")
        journal.close()
        assert read_journal(tmp_path / "j")[1] == (*EVENTS[: max(0, lines - 1)], EVENTS[0])


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_a_corrupt_line_is_named_and_nothing_changed(tmp_path: Path, line: int) -> None:
    lines = written(tmp_path / "j").split(b"\n")
    lines[line - 1] = (
        lines[line - 1].replace(b"K", b"Q").replace(b"gurka", b"gnav").replace(b'"dealer": 1', b'"dealer": 2')
    )
    broken = b"\n".join(lines)
    (tmp_path / "j").write_bytes(broken)
    with pytest.raises(Mendable, match=rf"j: line {line} is corrupt.*checksum"):
        Journal.open(tmp_path / "j", HEADER)
    assert (tmp_path / "j").read_bytes() == broken
    with pytest.raises(Mendable, match=f"line {line}"):
        read_journal(tmp_path / "j")


def test_a_second_program_is_refused(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", HEADER)
    with pytest.raises(Mendable, match="another Gjøk"):
        Journal.open(tmp_path / "j", HEADER)
    journal.close()
    Journal.open(tmp_path / "j", HEADER).close()


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Mendable, match="choose another folder"):
        Journal.open(tmp_path / "file" / "j", HEADER)


def test_set_aside_names_it_by_its_beginning(tmp_path: Path) -> None:
    whole = written(tmp_path / "j")
    assert set_aside(tmp_path / "j").name == "2026-11-30T200000.000Z.journal"
    written(tmp_path / "j")
    second = set_aside(tmp_path / "j")
    assert second.name == "2026-11-30T200000.000Z-2.journal"
    assert second.read_bytes() == whole


def test_killed_while_writing_every_acknowledged_event_is_there(tmp_path: Path) -> None:
    """A writer says each number only after ``add`` came back; it is killed in the middle."""
    program = (
        "import sys; from pathlib import Path; from controller.keep import Journal; from engine.journal import Header\n"
        "from engine.events import Knocked; from engine.seats import Seat\n"
        "journal = Journal.open(Path(sys.argv[1]), Header('gnav', 3, Seat(1), {}))\n"
        "for number in range(1, 10_000):\n"
        "    journal.add(Knocked(Seat(number)), '2026-11-30T20:00:00.000Z'); print(number, flush=True)\n"
    )
    path = tmp_path / "j"
    for round_ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(20 + 7 * round_)]
        writer.kill()
        said += [int(line) for line in writer.stdout.read().split("\n")[:-1] if line]
        writer.wait()
        kept = [event.seat for event in read_journal(path)[1]]  # type: ignore[union-attr]
        assert kept[: len(said)] == said
        os.unlink(path)


def test_a_full_disk_is_said_and_leaves_no_torn_line(tmp_path: Path) -> None:
    whole = written(tmp_path / "j")
    program = (
        "import resource, sys; from pathlib import Path; from controller.keep import Journal\n"
        "from controller.errors import Mendable; from engine.events import Dealt; from engine.seats import Seat\n"
        "from engine.journal import Header\n"
        "journal = Journal.open(Path(sys.argv[1]), Header('gurka', 3, Seat(1), {'cards': 6}))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)\n"
        "try: journal.add(Dealt(Seat(1)), '2026-11-30T20:00:02.000Z')\n"
        "except Mendable as said: print(said)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "j"), str(len(whole) + 20)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"{tmp_path / 'j'}: cannot write the journal (File too large); make room")
    assert (tmp_path / "j").read_bytes() == whole


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("my shopping list")
    with pytest.raises(Mendable, match="no journal of ours; nothing was changed"):
        Journal.open(tmp_path / "j", HEADER)
    assert (tmp_path / "j").read_text() == "my shopping list"
