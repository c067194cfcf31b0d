"""Kills a running table with SIGKILL at random moments and starts it again: nothing acknowledged may be lost.

``python -m tests.kill_and_resume --times 20 --game gnav --seed 1`` prints one line a kill and ``N passed, N failed``.
What a table has acknowledged is what its board page was told, up to the moment of the kill; after each kill the journal
must hold at least that, and what it held before. At the end the table plays on, and must agree with the truth.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from controller.keep import read_journal

START_S = 60.0


def demo(folder: Path, game: str, players: int, seed: int, deals: int, *, as_json: bool) -> list[str]:
    """The command line of a table that is kept in *folder*."""
    command = [str(Path(sys.executable).with_name("gjok")), "demo", "--headless", "--fast", "--folder", str(folder)]
    command += ["--game", game, "--players", str(players), "--seed", str(seed), "--deals", str(deals), "--port", "0"]
    return [*command, "--json"] if as_json else command


def kill_once(command: list[str], folder: Path, rng: random.Random) -> tuple[int, int, str]:
    """Start, let it get going, kill it; gives events acknowledged, events kept, and what is wrong (empty: nothing)."""
    journal = folder / "table.journal"
    before = read_journal(journal)[1] if _events(journal) >= 0 else ()
    table = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    page = _Page(table)
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and table.poll() is None and _events(journal) <= len(before):
        time.sleep(0.01)
    time.sleep(rng.uniform(0, 1.5))
    table.kill()
    told = page.newest()
    assert table.stderr is not None
    complaints = table.stderr.read()
    table.wait()
    kept = read_journal(journal)[1]
    wrong = ""
    if kept[: len(before)] != before:
        wrong = f"{len(before)} events were there before, and they are not the first of the {len(kept)} now"
    elif told > len(kept):
        wrong = f"the page was told of {told} events, the journal has {len(kept)}"
    elif len(kept) <= len(before):
        wrong = f"it did not get going: {complaints[-300:]}"
    return told, len(kept), wrong


class _Page:
    """Reads the address of the board page off the terminal, and then the page's stream, in a thread."""

    def __init__(self, table: subprocess.Popen[str]) -> None:
        self._table = table
        self._newest = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def newest(self) -> int:
        """After the kill: the number of the newest event that the page was told of."""
        self._thread.join(10)
        return self._newest

    def _read(self) -> None:
        assert self._table.stdout is not None
        for line in self._table.stdout:
            if found := re.search(r"http://\S+", line):
                threading.Thread(target=self._table.stdout.read, daemon=True).start()  # or the table would block
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{found[0]}events") as stream:
                    for told in stream:
                        if told.startswith(b"id: "):
                            self._newest = int(told[4:])
                return


def _events(journal: Path) -> int:
    """How many events lie there; -1 without a journal."""
    try:
        return journal.read_bytes().count(b"\n") - 1
    except OSError:
        return -1


def soak(times: int, game: str, players: int, seed: int, deals: int) -> int:
    """Kill *times* times, then let it play on to *deals*; gives how many kills lost something."""
    rng = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for number in range(1, times + 1):
            told, kept, wrong = kill_once(demo(folder, game, players, seed, 10_000, as_json=False), folder, rng)
            failed += bool(wrong)
            print(f"kill {number}: {told} events told, {kept} kept {wrong}", flush=True)
        end = subprocess.run(
            demo(folder, game, players, seed, deals, as_json=True), capture_output=True, text=True, check=False
        )
        outcome = json.loads(end.stdout.splitlines()[-1]) if end.stdout else {}
        print(json.dumps(outcome))
        if end.returncode != 0 or not outcome.get("ledger_equal"):
            print(f"after the last start: exit code {end.returncode}, {end.stderr[-500:]}")
            failed += 1
    return failed


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--game", default="gnav")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    wishes = parser.parse_args()
    failed = soak(wishes.times, wishes.game, wishes.players, wishes.seed, 1)
    print(f"{wishes.times + 1 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
