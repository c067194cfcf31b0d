"""Recordings, espeak-ng where it is installed, and the tunes that need nothing."""

from __future__ import annotations

import io
import itertools
import shutil
import subprocess
import time
import wave
from pathlib import Path

import numpy as np
import pytest

from hardware.lexicon import as_sounds
from hardware.voices import Source, Voice, notes, slug, tune

CALLS = {
    "nb": "Jeg står|Jeg vil bytte|Se|Jeg banker|Vis opp|Snu siste kort|Jeg vil bytte med posen|Stopp for gjøk|Hugg av"
    "|Kiss, bytt om|Hest forbi|Hus forbi",
    "sv": "Jag står|Jag vill byta|Se|Jag bankar|Visa upp|Vänd sista kortet|Jag vill byta med påsen|Stopp för gök"
    "|Hugg av|Kiss, byt om|Häst förbi|Hus förbi",
    "da": "Jeg står|Jeg vil bytte|Se|Jeg banker|Vis op|Vend sidste kort|Jeg vil bytte med posen|Stop for gøg|Hug af"
    "|Kis, byt om|Hest forbi|Hus forbi",
}
NO_ESPEAK = "espeak-ng is not installed here (apt install espeak-ng)"
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason=NO_ESPEAK)


def samples(wav: bytes) -> np.ndarray:
    with wave.open(io.BytesIO(wav)) as clip:
        assert (clip.getnchannels(), clip.getsampwidth()) == (1, 2)
        return np.frombuffer(clip.readframes(clip.getnframes()), "<i2").astype(float)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    """Highest normalised cross-correlation over all shifts: 1 for the same sound."""
    size = len(one) + len(other)
    spectrum = np.fft.rfft(one, size) * np.conj(np.fft.rfft(other, size))
    return float(np.abs(np.fft.irfft(spectrum, size)).max() / np.sqrt((one**2).sum() * (other**2).sum()))


@pytest.mark.parametrize("language", CALLS)
def test_each_call_has_a_tune_of_its_own(language: str) -> None:
    clips = {call: samples(tune(call)) for call in CALLS[language].split("|")}
    for (one, first), (other, second) in itertools.combinations(clips.items(), 2):
        assert likeness(first, second) < 0.8, f"{one} sounds like {other}"
    assert all(0.4 < len(clip) / 22_050 < 1.3 for clip in clips.values())
    assert all(2000 < np.abs(clip).max() < 20_000 for clip in clips.values())


def test_the_cuckoo_calls_its_third_in_every_language() -> None:
    assert notes("Stopp for gjøk") == notes("Stopp för gök") == notes("Stop for gøg") != notes("Hugg av")


def test_a_tune_depends_on_the_words_alone() -> None:
    assert tune("Kiss, bytt om") == tune("kiss bytt om!")


def test_without_espeak_it_is_a_tune_and_says_so() -> None:
    voice = Voice(program="no-such-espeak")
    speech = voice.speech("Hugg av", "nb")
    assert speech.source is Source.TUNE
    assert speech.wav == tune("Hugg av")
    assert "apt install espeak-ng" in voice.shortcoming


def test_ones_own_recordings_go_first_by_file_name(tmp_path: Path) -> None:
    (tmp_path / "nb").mkdir()
    (tmp_path / "nb" / "kiss_bytt_om.wav").write_bytes(tune("mine"))
    (tmp_path / "hugg_av.wav").write_bytes(tune("everybody's"))
    (tmp_path / "stopp_for_gjok.wav").write_bytes(b"no sound at all")
    voice = Voice(recordings=tmp_path, program="no-such-espeak")
    assert voice.speech("Kiss, bytt om!", "nb").wav == tune("mine")
    assert voice.speech("Kiss, bytt om!", "sv").source is Source.TUNE
    assert voice.speech("Hugg av", "sv").wav == tune("everybody's")
    assert voice.speech("Stopp for gjøk", "nb").source is Source.TUNE, "a broken recording is passed over"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Stopp for gjøk", "stopp_for_gjok"),
        ("Häst förbi!", "hast_forbi"),
        ("  æsj -- Å ", "aesj_a"),
        ("../../etc", "etc"),
        ("?!", "silence"),
    ],
)
def test_words_as_file_names(text: str, name: str) -> None:
    assert slug(text) == name


@pytest.mark.parametrize(
    ("language", "text", "sounds"),
    [
        ("nb", "Kiss, bytt om", "[[k'Is]], bytt [['Om]]"),
        ("nb", "Hest forbi.", "Hest [[fOrb'i:]] ."),
        ("sv", "Kiss, byt om", "Kiss, byt om"),
        ("da", "Stop for gøg", "Stop for [[g'Yj]]"),
        ("nb", "Per [[x]] <b>&\n", "Per  x   b "),
        ("xx", "om", "om"),
    ],
)
def test_the_lexicon_changes_whole_words_of_its_language(language: str, text: str, sounds: str) -> None:
    assert as_sounds(text, language) == sounds


class FakeEspeak:
    """A program with espeak-ng's options that writes a short sound, as *body* (shell) says, and counts its calls."""

    def __init__(self, folder: Path, body: str = "") -> None:
        (folder / "sound.wav").write_bytes(tune("espeak"))
        self.calls = folder / "calls"
        self.path = folder / "espeak-ng"
        self.path.write_text(
            "#!/bin/sh\n"
            'if [ "$1" = --version ]; then echo "eSpeak NG 9.9  Data at: /there"; exit; fi\n'
            f'{{ echo "$@"; cat; echo; }} >> {self.calls}\n{body}\n'
            'while [ "$1" != -w ]; do shift; done\n'
            f'cp {folder / "sound.wav"} "$2"\n'
        )
        self.path.chmod(0o755)


def test_what_was_said_once_is_kept(tmp_path: Path) -> None:
    fake = FakeEspeak(tmp_path)
    for _ in range(2):  # a second voice is the next evening
        voice = Voice(cache=tmp_path / "cache", program=str(fake.path))
        assert voice.speech("Kiss, bytt om", "nb").source is Source.ESPEAK
    voice.wav("Kiss, bytt om", "sv")
    calls = fake.calls.read_text().splitlines()
    assert len(calls) == 4, "two calls: once in each language"
    assert calls[0].startswith("-v nb -s 150 -w ")
    assert calls[1] == "[[k'Is]], bytt [['Om]]"
    assert len(list((tmp_path / "cache").iterdir())) == 2


@pytest.mark.parametrize("body", ["exit 1", 'while [ "$1" != -w ]; do shift; done; : > "$2"; exit'])
def test_when_espeak_fails_it_is_a_tune(tmp_path: Path, body: str) -> None:
    voice = Voice(program=str(FakeEspeak(tmp_path, body).path))
    assert voice.speech("Hugg av", "nb").source is Source.TUNE


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    voice = Voice(cache=tmp_path / "cache", program=str(FakeEspeak(tmp_path).path))
    assert voice.speech("Hugg av", "nb").source is Source.ESPEAK


@needs_espeak
@pytest.mark.parametrize(
    ("language", "text", "ipa"),
    [
        ("nb", "Kiss", "kˈɪs"),
        ("nb", "forbi", "fɔrbˈiː"),
        ("nb", "om", "ˈɔm"),
        ("nb", "vil bytte", "vˈɪl bˈytːə"),
        ("nb", "gnav", "ɡnˈɑːv"),
        ("nb", "sjetonger", "ʃetˈɔŋər"),
        ("nb", "dragonen", "dɾaɡˈuːnən"),
        ("da", "gøg", "ɡˈøj"),
    ],
)
def test_espeak_says_it_rightly(language: str, text: str, ipa: str) -> None:
    command = ["espeak-ng", "-v", language, "-q", "--ipa", as_sounds(text, language)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.strip() == ipa


@needs_espeak
@pytest.mark.parametrize("language", ["nb", "sv", "da", "fi", "en"])
def test_espeak_has_a_voice_for_every_language_and_ends_in_time(language: str) -> None:
    began = time.monotonic()
    speech = Voice().speech("Hest forbi", language)
    assert speech.source is Source.ESPEAK
    clip = samples(speech.wav)
    assert 0.4 < len(clip) / 22_050 < 1.5
    assert np.abs(clip[-2500:]).max() > 150, "no long silence at the end"
    assert time.monotonic() - began < 5
