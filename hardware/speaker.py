"""The table's voice: a queue that never holds anybody up, and one task that speaks.

Calls go before rulings, rulings before explanations; a call cuts an explanation short. What has waited longer than it
is worth is dropped: a call that comes late is worse than none. Whatever goes wrong with voice or player costs one line,
never the game.
"""

from __future__ import annotations

import asyncio
import enum
import heapq
import io
import logging
import time
import wave
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from hardware.devices import DeviceState
from hardware.players import Player, SpeakerLost

log = logging.getLogger(__name__)

MOST_WAITING = 40
VOICE_PATIENCE_S = 8.0
PLAYER_PATIENCE_S = 4.0
"""A player may take this much longer than the sound lasts."""


class Priority(enum.IntEnum):
    """What is said first."""

    CALL = 0
    RULING = 1
    EXPLANATION = 2


@dataclass(frozen=True, slots=True)
class Utterance:
    """*text* to be said in *language* (nb, sv, da, fi, en), within *ttl* seconds or not at all."""

    text: str
    language: str = "nb"
    priority: Priority = Priority.RULING
    ttl: float = 10.0


class Outcome(enum.Enum):
    """What became of an utterance."""

    SAID = "said"
    CUT_SHORT = "cut short"
    """By a call."""
    STALE = "stale"
    CROWDED_OUT = "crowded out"
    """Too many others waited."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Said:
    """What became of *utterance*, and how long it *waited* before its sound began (or it was given up), in seconds."""

    utterance: Utterance
    outcome: Outcome
    waited: float


class Speaking(Protocol):
    """Makes a whole WAV file of words; a ``hardware.voices.Voice``. Runs in a thread."""

    def wav(self, text: str, language: str) -> bytes: ...


class Speaker:
    """``say`` from anywhere on the loop, ``run`` as a task. *on_state* hears when sound fails, and works again."""

    def __init__(
        self,
        voice: Speaking,
        player: Player,
        on_state: Callable[[DeviceState, str], None] | None = None,
        *,
        voice_patience_s: float = VOICE_PATIENCE_S,
        player_patience_s: float = PLAYER_PATIENCE_S,
    ) -> None:
        self.player = player
        self.history: deque[Said] = deque(maxlen=500)
        """What became of the newest utterances, oldest first."""
        self._voice = voice
        self._on_state = on_state
        self._voice_patience_s = voice_patience_s
        self._player_patience_s = player_patience_s
        self._waiting: list[tuple[Priority, int, float, Utterance]] = []
        self._number = 0
        self._stir = asyncio.Event()
        self._speaking: tuple[Utterance, asyncio.Task[None]] | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._state: tuple[DeviceState, str] | None = None

    def say(self, utterance: Utterance) -> None:
        """Have it said, as soon as its turn comes; returns at once."""
        self._number += 1
        heapq.heappush(self._waiting, (utterance.priority, self._number, time.monotonic(), utterance))
        self._idle.clear()
        self._stir.set()
        if len(self._waiting) > MOST_WAITING:
            last = max(self._waiting, key=lambda one: (one[0], -one[1]))  # the oldest of the least important
            self._waiting.remove(last)
            heapq.heapify(self._waiting)
            self._note(last[3], Outcome.CROWDED_OUT, last[2])
        if utterance.priority is Priority.CALL and self._speaking is not None:
            spoken, task = self._speaking
            if spoken.priority is Priority.EXPLANATION:
                task.cancel()

    async def quiet(self) -> None:
        """Wait till nothing is left to say."""
        await self._idle.wait()

    async def run(self) -> None:
        """Speak; runs until cancelled."""
        while True:
            while self._waiting:
                _, _, since, utterance = heapq.heappop(self._waiting)
                if time.monotonic() - since > utterance.ttl:
                    self._note(utterance, Outcome.STALE, since)
                    continue
                await self._speak(utterance, since)
            self._idle.set()
            self._stir.clear()
            await self._stir.wait()

    async def _speak(self, utterance: Utterance, since: float) -> None:
        task = asyncio.create_task(self._sound(utterance, since), name="speech")
        self._speaking = utterance, task
        try:
            await asyncio.wait([task])
        finally:
            self._speaking = None
            if not task.done():  # we are being cancelled
                task.cancel()
                await asyncio.wait([task])
        if task.cancelled():
            self._note(utterance, Outcome.CUT_SHORT, since)
        elif (wrong := task.exception()) is not None:
            self._note(utterance, Outcome.FAILED, since)
            self._report(DeviceState.LOST, str(wrong) or type(wrong).__name__)
            if not isinstance(wrong, SpeakerLost):
                log.error("saying %r failed", utterance.text, exc_info=wrong)

    async def _sound(self, utterance: Utterance, since: float) -> None:
        try:
            async with asyncio.timeout(self._voice_patience_s):
                wav = await asyncio.to_thread(self._voice.wav, utterance.text, utterance.language)
        except TimeoutError:
            raise SpeakerLost(f"the voice took over {self._voice_patience_s:g} s for {utterance.text!r}") from None
        if time.monotonic() - since > utterance.ttl:
            self._note(utterance, Outcome.STALE, since)
            return
        began = time.monotonic()
        try:
            async with asyncio.timeout(_seconds(wav) + self._player_patience_s):
                await self.player.play(wav, utterance.text)
        except TimeoutError:
            raise SpeakerLost(f"{self.player.where}: it hangs") from None
        self.history.append(Said(utterance, Outcome.SAID, began - since))
        self._report(DeviceState.WORKS, "")

    def _note(self, utterance: Utterance, outcome: Outcome, since: float) -> None:
        self.history.append(Said(utterance, outcome, time.monotonic() - since))
        log.info("%s: %s", outcome.value, utterance.text)

    def _report(self, state: DeviceState, why: str) -> None:
        if (state, why) != self._state:
            self._state = state, why
            if why:
                log.warning("speaker: %s", why)
            if self._on_state is not None:
                self._on_state(state, why)


def _seconds(wav: bytes) -> float:
    with wave.open(io.BytesIO(wav)) as clip:
        return float(clip.getnframes() / clip.getframerate())
