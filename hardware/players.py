"""Where sound goes: the sound card, a folder of WAV files, or nowhere."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from pathlib import Path
from typing import Protocol

from hardware.voices import slug

SOUND_CARDS = Path("/proc/asound/cards")


class SpeakerMissing(Exception):
    """The player that was asked for cannot be had; the text is one line for the user."""


class SpeakerLost(Exception):
    """A sound was not played; the text is one line for the dealer."""


class Player(Protocol):
    """Plays one sound after the other."""

    @property
    def where(self) -> str:
        """Where the sound goes, in a few words."""
        ...

    async def play(self, wav: bytes, text: str) -> None:
        """Play a whole WAV file that says *text*, to its end; stops at once when cancelled.

        SpeakerLost when it fails.
        """
        ...


class AplayPlayer:
    """The sound card, by ALSA's aplay; *device* is ALSA's name for it, None its default."""

    def __init__(self, device: str | None = None, *, program: str = "aplay") -> None:
        self._command = [program, "-q", "-t", "wav", *(["-D", device] if device else []), "-"]
        self.where = f"sound card {device}" if device else "sound card"

    async def play(self, wav: bytes, text: str) -> None:
        """As ``Player.play``."""
        pipe = asyncio.subprocess.PIPE
        try:
            child = await asyncio.create_subprocess_exec(
                *self._command, stdin=pipe, stdout=asyncio.subprocess.DEVNULL, stderr=pipe, start_new_session=True
            )
        except OSError as wrong:
            raise SpeakerLost(f"{self._command[0]} does not start ({wrong.strerror})") from None
        try:
            _, said = await child.communicate(wav)
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
                await asyncio.shield(child.wait())
        if child.returncode:
            lines = said.decode(errors="replace").strip().splitlines()
            raise SpeakerLost(f"{self._command[0]}: {lines[-1] if lines else f'ended with {child.returncode}'}")


class WavFolderPlayer:
    """Writes numbered WAV files into *folder*: ``0001-stopp_for_gjok.wav``; goes on after those that lie there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.where = f"WAV files in {folder}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            numbers = [int(file.name[:4]) for file in folder.glob("[0-9][0-9][0-9][0-9]-*.wav")]
        except OSError as wrong:
            raise SpeakerMissing(f"cannot write sounds to {folder} ({wrong.strerror})") from None
        self._number = max(numbers, default=0)

    async def play(self, wav: bytes, text: str) -> None:
        """As ``Player.play``, in no time."""
        self._number += 1
        file = self.folder / f"{self._number:04}-{slug(text)}.wav"
        try:
            await asyncio.to_thread(file.write_bytes, wav)
        except OSError as wrong:
            raise SpeakerLost(f"cannot write {file} ({wrong.strerror})") from None


class SilentPlayer:
    """Plays nothing, and remembers what: *played* has (text, WAV) in order."""

    def __init__(self, *, keep: int = 1000) -> None:
        self.where = "nowhere"
        self.played: list[tuple[str, bytes]] = []
        self._keep = keep

    async def play(self, wav: bytes, text: str) -> None:
        """As ``Player.play``."""
        self.played.append((text, wav))
        del self.played[: -self._keep]


def open_player(kind: str, folder: Path | None = None, *, program: str = "aplay", cards: Path = SOUND_CARDS) -> Player:
    """The player *kind*: ``sound_card``, ``files`` (into *folder*), ``silent``, or ``auto``: the first that is there.

    SpeakerMissing when it is not; ValueError for another kind.
    """
    match kind:
        case "silent":
            return SilentPlayer()
        case "files" if folder is not None:
            return WavFolderPlayer(folder)
        case "sound_card" | "auto":
            problem = _sound_problem(program, cards)
            if not problem:
                return AplayPlayer(program=program)
            if kind == "sound_card":
                raise SpeakerMissing(f"{problem}; or set speaker.player in table.toml to files")
            return SilentPlayer() if folder is None else WavFolderPlayer(folder)
    raise ValueError(f"no player {kind!r}; there are auto, sound_card, files (with a folder), silent")


def _sound_problem(program: str, cards: Path) -> str:
    if shutil.which(program) is None:
        return f"no {program} here: apt install alsa-utils"
    try:
        listed = cards.read_text()
    except OSError:
        listed = ""
    return "" if "[" in listed else "no sound card here: plug one in"  # 0 [Headphones    ]: bcm2835 ...
