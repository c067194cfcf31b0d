"""The speaker's queue, and players that fail, hang and are not there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from hardware.devices import DeviceState
from hardware.players import (
    AplayPlayer,
    Player,
    SilentPlayer,
    SpeakerLost,
    SpeakerMissing,
    WavFolderPlayer,
    open_player,
)
from hardware.speaker import MOST_WAITING, Outcome, Priority, Speaker, Utterance
from hardware.voices import Voice, tune

pytestmark = pytest.mark.timeout(30)

CALL, RULING, EXPLANATION = Priority.CALL, Priority.RULING, Priority.EXPLANATION


class Tunes:
    """A voice that is quick."""

    def wav(self, text: str, language: str) -> bytes:
        return tune(text)


class GatedPlayer:
    """Begins each sound and ends it when it is let."""

    where = "a test"

    def __init__(self) -> None:
        self.began: asyncio.Queue[str] = asyncio.Queue()
        self.gate = asyncio.Semaphore(0)
        self.ended: list[str] = []

    async def play(self, wav: bytes, text: str) -> None:
        self.began.put_nowait(text)
        await self.gate.acquire()
        self.ended.append(text)


class HangingPlayer:
    """A sound card that takes sound and never finishes, or fails, till it is mended."""

    where = "the sound card"

    def __init__(self, *, fails: bool = False) -> None:
        self.broken = True
        self.fails = fails

    async def play(self, wav: bytes, text: str) -> None:
        if self.broken and self.fails:
            raise SpeakerLost("no such device")
        if self.broken:
            await asyncio.Event().wait()


@asynccontextmanager
async def speaking(player: Player, **options: object) -> AsyncIterator[Speaker]:
    speaker = Speaker(options.pop("voice", Tunes()), player, **options)  # type: ignore[arg-type]
    task = asyncio.create_task(speaker.run())
    try:
        yield speaker
    finally:
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled(), task.exception()


def outcomes(speaker: Speaker) -> list[tuple[str, Outcome]]:
    return [(one.utterance.text, one.outcome) for one in speaker.history]


def test_calls_go_before_rulings_and_these_before_explanations() -> None:
    async def play() -> None:
        player = GatedPlayer()
        async with speaking(player) as speaker:
            speaker.say(Utterance("first", priority=RULING))
            assert await player.began.get() == "first"
            for number, priority in enumerate((EXPLANATION, RULING, CALL, EXPLANATION, CALL, RULING)):
                speaker.say(Utterance(f"{priority.name} {number}", priority=priority))
            for _ in range(7):
                player.gate.release()
            await speaker.quiet()
            order = ["first", "CALL 2", "CALL 4", "RULING 1", "RULING 5", "EXPLANATION 0", "EXPLANATION 3"]
            assert player.ended == order

    asyncio.run(play())


def test_a_call_cuts_an_explanation_short_but_no_ruling() -> None:
    async def play() -> None:
        player = GatedPlayer()
        async with speaking(player) as speaker:
            speaker.say(Utterance("long story", priority=EXPLANATION))
            assert await player.began.get() == "long story"
            speaker.say(Utterance("a ruling", priority=RULING))
            assert player.began.empty()
            speaker.say(Utterance("Hugg av", priority=CALL))
            assert await player.began.get() == "Hugg av"
            player.gate.release()
            assert await player.began.get() == "a ruling"
            speaker.say(Utterance("Hus forbi", priority=CALL))
            player.gate.release()
            assert await player.began.get() == "Hus forbi"
            player.gate.release()
            await speaker.quiet()
            assert player.ended == ["Hugg av", "a ruling", "Hus forbi"]
            assert outcomes(speaker)[0] == ("long story", Outcome.CUT_SHORT)

    asyncio.run(play())


def test_what_waited_too_long_is_not_said() -> None:
    async def play() -> None:
        player = GatedPlayer()
        async with speaking(player) as speaker:
            speaker.say(Utterance("first"))
            await player.began.get()
            speaker.say(Utterance("too late", ttl=0.02))
            speaker.say(Utterance("in time", ttl=20))
            await asyncio.sleep(0.05)
            player.gate.release()
            player.gate.release()
            await speaker.quiet()
            assert player.ended == ["first", "in time"]
            assert ("too late", Outcome.STALE) in outcomes(speaker)

    asyncio.run(play())


def test_a_crowd_loses_its_oldest_explanations() -> None:
    async def play() -> None:
        player = GatedPlayer()
        async with speaking(player) as speaker:
            speaker.say(Utterance("first"))
            await player.began.get()
            for number in range(MOST_WAITING):
                speaker.say(Utterance(f"story {number}", priority=EXPLANATION))
            speaker.say(Utterance("Se", priority=CALL))
            assert outcomes(speaker) == [("story 0", Outcome.CROWDED_OUT)]

    asyncio.run(play())


@pytest.mark.parametrize("fails", [False, True])
def test_a_player_that_hangs_or_fails_holds_nobody_up_and_is_said(fails: bool) -> None:
    async def play() -> None:
        player = HangingPlayer(fails=fails)
        states: list[tuple[DeviceState, str]] = []
        async with speaking(player, on_state=lambda *state: states.append(state), player_patience_s=0.05) as speaker:
            for number in range(2):
                began = time.monotonic()
                speaker.say(Utterance(f"call {number}", priority=CALL))
                assert time.monotonic() - began < 0.01
            await speaker.quiet()
            assert [state for state, _ in states] == [DeviceState.LOST], "said once"
            assert ("no such device" if fails else "it hangs") in states[0][1]
            player.broken = False
            speaker.say(Utterance("heard again"))
            await speaker.quiet()
            assert states[-1] == (DeviceState.WORKS, "")
            assert outcomes(speaker)[-1] == ("heard again", Outcome.SAID)

    asyncio.run(play())


def test_a_voice_that_hangs_or_breaks_holds_nobody_up() -> None:
    class BadVoice(Tunes):
        def wav(self, text: str, language: str) -> bytes:
            if text == "slow":
                time.sleep(0.4)
            if text == "broken":
                raise RuntimeError("a bug in the voice")
            return b"no sound" if text == "noise" else tune(text)

    async def play() -> None:
        player = SilentPlayer()
        async with speaking(player, voice=BadVoice(), voice_patience_s=0.1) as speaker:
            for text in ("slow", "broken", "noise", "well"):
                speaker.say(Utterance(text))
            await speaker.quiet()
            assert [outcome for _, outcome in outcomes(speaker)] == [Outcome.FAILED] * 3 + [Outcome.SAID]
            assert [text for text, _ in player.played] == ["well"]

    asyncio.run(play())


def test_the_loop_goes_on_while_words_become_sound() -> None:
    class SlowVoice(Tunes):
        def wav(self, text: str, language: str) -> bytes:
            time.sleep(0.2)
            return tune(text)

    async def play() -> None:
        async with speaking(SilentPlayer(), voice=SlowVoice()) as speaker:
            speaker.say(Utterance("Hugg av"))
            ticks = 0
            async with asyncio.timeout(5):
                while speaker.history == type(speaker.history)():
                    await asyncio.sleep(0.01)
                    ticks += 1
            assert ticks > 5

    asyncio.run(play())


def test_sounds_become_numbered_files(tmp_path: Path) -> None:
    async def play() -> None:
        for first in (1, 3):  # a second evening goes on counting
            async with speaking(open_player("files", tmp_path)) as speaker:
                speaker.say(Utterance("Stopp for gjøk"))
                speaker.say(Utterance("Hest forbi"))
                await speaker.quiet()
            assert (tmp_path / f"{first:04}-stopp_for_gjok.wav").read_bytes() == tune("Stopp for gjøk")
            assert (tmp_path / f"{first + 1:04}-hest_forbi.wav").read_bytes() == tune("Hest forbi")

    asyncio.run(play())


class FakeAplay:
    """A program with aplay's manners: keeps what it is given, then does what *body* (shell) says."""

    def __init__(self, folder: Path, body: str = "") -> None:
        self.heard = folder / "heard.wav"
        self.path = folder / "aplay"
        self.path.write_text(f'#!/bin/sh\necho "$@" > {folder / "args"}\ncat > {self.heard}\n{body}\n')
        self.path.chmod(0o755)
        self.args = folder / "args"


def test_aplay_gets_the_whole_sound(tmp_path: Path) -> None:
    fake = FakeAplay(tmp_path)
    asyncio.run(AplayPlayer("plughw:1", program=str(fake.path)).play(tune("Se"), "Se"))
    assert fake.heard.read_bytes() == tune("Se")
    assert fake.args.read_text().split() == ["-q", "-t", "wav", "-D", "plughw:1", "-"]


def test_what_aplay_complains_of_is_said(tmp_path: Path) -> None:
    fake = FakeAplay(tmp_path, "echo 'audio open error: Device or resource busy' >&2; exit 1")
    with pytest.raises(SpeakerLost, match="Device or resource busy"):
        asyncio.run(AplayPlayer(program=str(fake.path)).play(tune("Se"), "Se"))
    with pytest.raises(SpeakerLost, match="does not start"):
        asyncio.run(AplayPlayer(program=str(tmp_path / "nothing")).play(tune("Se"), "Se"))


def test_aplay_ends_when_it_is_cut_short(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    fake = FakeAplay(tmp_path, f"echo $$ > {pid}; exec sleep 20")

    async def play() -> None:
        task = asyncio.create_task(AplayPlayer(program=str(fake.path)).play(tune("Se"), "Se"))
        await asyncio.to_thread(written, pid)
        task.cancel()
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(play())
    assert not Path(f"/proc/{written(pid)}").exists()


def written(file: Path) -> str:
    """The text of *file*, once there is one."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        if file.exists() and (text := file.read_text().strip()):
            return text
        time.sleep(0.01)
    raise AssertionError(f"nothing in {file}")


def test_the_sound_card_is_taken_when_there_is_one(tmp_path: Path) -> None:
    fake = FakeAplay(tmp_path)
    cards = tmp_path / "cards"
    cards.write_text(" 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n")
    assert isinstance(open_player("auto", tmp_path, program=str(fake.path), cards=cards), AplayPlayer)
    assert isinstance(open_player("sound_card", program=str(fake.path), cards=cards), AplayPlayer)
    cards.write_text("--- no soundcards ---\n")
    assert isinstance(open_player("auto", tmp_path / "wav", program=str(fake.path), cards=cards), WavFolderPlayer)
    assert isinstance(open_player("auto", program=str(fake.path), cards=cards), SilentPlayer)
    with pytest.raises(SpeakerMissing, match="no sound card here"):
        open_player("sound_card", program=str(fake.path), cards=cards)
    with pytest.raises(SpeakerMissing, match="apt install alsa-utils"):
        open_player("sound_card", program="no-such-aplay", cards=cards)
    with pytest.raises(SpeakerMissing, match="cannot write sounds"):
        open_player("files", cards / "in a file")
    with pytest.raises(ValueError, match="no player 'gramophone'"):
        open_player("gramophone")


def test_the_shipped_voice_and_player_together(tmp_path: Path) -> None:
    async def play() -> None:
        async with speaking(WavFolderPlayer(tmp_path), voice=Voice()) as speaker:
            speaker.say(Utterance("Kiss, bytt om", "nb", CALL, 3.0))
            await speaker.quiet()
            print(f"call to sound: {1e3 * speaker.history[-1].waited:.0f} ms")
        assert (tmp_path / "0001-kiss_bytt_om.wav").stat().st_size > 10_000

    asyncio.run(play())
