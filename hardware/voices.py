"""From words to sound: one's own recordings, espeak-ng, or a tune where there is neither.

A recording is found by its words: ``stopp_for_gjok.wav`` says "Stopp for gjøk", in ``RECORDINGS/nb/`` or, for all
languages, in ``RECORDINGS/``. What espeak-ng has said once is kept in a cache. Without espeak-ng and recordings there
is no speech: each call then has its own short tune, which players learn to tell apart, and rulings have to be read.
"""

from __future__ import annotations

import enum
import hashlib
import io
import logging
import os
import shutil
import subprocess
import tempfile
import unicodedata
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware.lexicon import as_sounds

log = logging.getLogger(__name__)

RATE_HZ = 22_050
WORDS_A_MINUTE = 150
_SYNTHESIS_S = 5.0
"""espeak-ng takes 20 to 70 ms for a call on a PC."""
_MOST_LETTERS = 400
_SILENCE = 150
"""Of 32767: quieter than this is the end of a clip, of which TAIL_S stays."""
_TAIL_S = 0.06


class Source(enum.Enum):
    """Where a sound comes from."""

    RECORDING = "recording"
    ESPEAK = "espeak-ng"
    TUNE = "tune"


@dataclass(frozen=True, slots=True)
class Speech:
    """A whole WAV file, and where it comes from."""

    wav: bytes
    source: Source


class Voice:
    """Makes sounds of words; slow (tens of ms and more), so call it in a thread.

    *cache* and *recordings* are folders, or None. *program* is found on PATH or is a path.
    """

    def __init__(
        self, *, cache: Path | None = None, recordings: Path | None = None, program: str = "espeak-ng"
    ) -> None:
        self._cache = cache
        self._recordings = recordings
        found = shutil.which(program)
        self._program = None if found is None else str(Path(found).resolve())
        self._version: str | None = None

    @property
    def shortcoming(self) -> str:
        """One line for the dealer when this voice cannot speak; else empty."""
        if self._program is not None:
            return ""
        rest = "what has no recording is a tune" if self._recordings is not None else "each call is a tune"
        return f"no espeak-ng here, so {rest}: apt install espeak-ng"

    def wav(self, text: str, language: str) -> bytes:
        """A whole WAV file that says *text*; never fails, at worst it is a tune."""
        return self.speech(text, language).wav

    def speech(self, text: str, language: str) -> Speech:
        """As ``wav``, and where it comes from."""
        recorded = self._recorded(text, language)
        if recorded is not None:
            return Speech(recorded, Source.RECORDING)
        if self._program is not None:
            try:
                return Speech(self._spoken(self._program, text, language), Source.ESPEAK)
            except (OSError, subprocess.SubprocessError, wave.Error, EOFError) as wrong:
                log.warning("espeak-ng did not say %r: %s", text, wrong)
        return Speech(tune(text), Source.TUNE)

    def _recorded(self, text: str, language: str) -> bytes | None:
        if self._recordings is None:
            return None
        name = f"{slug(text)}.wav"
        for file in (self._recordings / language / name, self._recordings / name):
            try:
                data = file.read_bytes()
                with wave.open(io.BytesIO(data)) as clip:
                    if clip.getnframes():
                        return data
                log.warning("%s is empty: record it anew", file)
            except FileNotFoundError:
                continue
            except (OSError, wave.Error, EOFError) as wrong:
                log.warning("cannot use the recording %s: %s", file, wrong)
        return None

    def _spoken(self, program: str, text: str, language: str) -> bytes:
        sounds = as_sounds(text[:_MOST_LETTERS], language)
        kept = None
        if self._cache is not None:
            key = "\n".join((self._espeak_version(program), language, str(WORDS_A_MINUTE), sounds))
            kept = self._cache / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.wav"
            try:
                return kept.read_bytes()
            except OSError:
                pass  # not yet said
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "said.wav"  # written to a pipe, it would not know its length
            subprocess.run(
                [program, "-v", language, "-s", str(WORDS_A_MINUTE), "-w", str(out), "--stdin"],
                input=sounds.encode(),
                capture_output=True,
                timeout=_SYNTHESIS_S,
                check=True,
            )
            wav = _without_tail(out.read_bytes())
        if kept is not None:
            _keep(kept, wav)
        return wav

    def _espeak_version(self, program: str) -> str:
        if self._version is None:
            done = subprocess.run([program, "--version"], capture_output=True, timeout=_SYNTHESIS_S, check=True)
            self._version = done.stdout.decode(errors="replace").split(" Data at:")[0].strip()
        return self._version


def slug(text: str) -> str:
    """*text* as a file name: "Kiss, bytt om" is ``kiss_bytt_om``, "gjøk" is ``gjok``."""
    plain = text.lower().replace("ø", "o").replace("æ", "ae").replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return "_".join("".join(letter if letter.isalnum() else " " for letter in plain).split())[:80] or "silence"


_SCALE_HZ = (392.0, 440.0, 523.25, 587.33, 659.25, 783.99, 880.0, 1046.5)
"""G A C D E G A C: any order of them sounds well enough."""
_CUCKOOS = ("gjøk", "gök", "gøg", "cuckoo", "käki")


def notes(text: str) -> tuple[tuple[float, float], ...]:
    """The tune of *text*: (Hz, seconds) of each note; the same words have the same tune on every machine.

    The cuckoo calls its own falling third; the others come from the words' hash.
    """
    if any(name in text.lower() for name in _CUCKOOS):
        return ((783.99, 0.18), (659.25, 0.32)) * 2
    digest = hashlib.sha256(slug(text).encode()).digest()
    return tuple((_SCALE_HZ[byte & 7], 0.11 if byte & 8 else 0.22) for byte in digest[:5])


def tune(text: str) -> bytes:
    """A WAV file with the tune of *text*."""
    clip = np.concatenate([_note(hz, seconds) for hz, seconds in notes(text)])
    return _as_wav((clip * 9000).astype("<i2"), RATE_HZ)


def _note(hz: float, seconds: float) -> NDArray[np.float64]:
    at = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    fade = np.minimum(1.0, np.minimum(at, seconds - at) / 0.012)  # no clicks
    return np.asarray((np.sin(2 * np.pi * hz * at) + 0.3 * np.sin(4 * np.pi * hz * at)) * fade * np.exp(-3 * at))


def _as_wav(samples: NDArray[np.int16], rate_hz: int) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as clip:
        clip.setnchannels(1)
        clip.setsampwidth(2)
        clip.setframerate(rate_hz)
        clip.writeframes(samples.tobytes())
    return out.getvalue()


def _without_tail(wav: bytes) -> bytes:
    """espeak-ng ends each clip with 0.4 s of silence, which would make the table slow to answer."""
    with wave.open(io.BytesIO(wav)) as clip:
        rate_hz = clip.getframerate()
        samples = np.frombuffer(clip.readframes(clip.getnframes()), "<i2")
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > _SILENCE)
    if not len(loud):
        raise wave.Error("nothing is heard in it")
    return _as_wav(samples[: loud[-1] + int(_TAIL_S * rate_hz)], rate_hz)


def _keep(file: Path, wav: bytes) -> None:
    """Write all of it or nothing: the power may go."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "wb") as new:
            new.write(wav)
        os.replace(name, file)
    except OSError as wrong:
        log.warning("cannot keep speech in %s: %s", file.parent, wrong)
