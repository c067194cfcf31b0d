"""Kills a running table with SIGKILL at random moments and starts it again: nothing acknowledged may be lost.

``python -m tests.kill_and_resume --times 20 --game gnav --seed 1`` prints one line a kill and ``N passed, N failed``.
What a table has acknowledged is what its MQTT clients or its terminal heard; here it is what the journal's reader saw
between kills, and what the table said aloud (its standard output), both of which must be there after every start.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from controller.keep import read_journal

START_S = 60.0


def demo(folder: Path, game: str, players: int, seed: int, deals: int, *, as_json: bool) -> list[str]:
    """The command line of a table that is kept in *folder*."""
    command = [str(Path(sys.executable).with_name("gjok")), "demo", "--headless", "--fast", "--folder", str(folder)]
    command += ["--game", game, "--players", str(players), "--seed", str(seed), "--deals", str(deals), "--port", "0"]
    return [*command, "--json"] if as_json else command


def kill_once(command: list[str], folder: Path, rng: random.Random) -> tuple[int, str]:
    """Start, let it get going, kill it; gives events kept and what is wrong (empty: nothing)."""
    journal = folder / "table.journal"
    before = read_journal(journal)[1] if journal.exists() and journal.stat().st_size else ()
    table = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and table.poll() is None and _events(journal) <= len(before):
        time.sleep(0.01)
    time.sleep(rng.uniform(0, 1.5))
    table.kill()
    said = table.communicate()[0]
    kept = read_journal_torn(journal)
    if kept[: len(before)] != before:
        return len(kept), f"events that were there are not: {len(before)} before, {len(kept)} now"
    if "Traceback" in said:
        return len(kept), said[-300:]
    return len(kept), ""


def read_journal_torn(journal: Path) -> tuple[object, ...]:
    """The events that are wholly there; a torn last line was never acknowledged."""
    return read_journal(journal)[1]


def _events(journal: Path) -> int:
    try:
        return journal.read_bytes().count(b"\n") - 1
    except OSError:
        return 0


def soak(times: int, game: str, players: int, seed: int, deals: int) -> int:
    """Kill *times* times, then let it play on to *deals*; gives how many kills lost something."""
    rng = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for number in range(1, times + 1):
            kept, wrong = kill_once(demo(folder, game, players, seed, 10_000, as_json=False), folder, rng)
            failed += bool(wrong)
            print(f"kill {number}: {kept} events kept {wrong or 'all'}", flush=True)
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
