"""How espeak-ng is told to say what it says wrong, for each language: words by their sounds, in its own phonemes.

Each entry was heard wrong in 1.51; tests compare the sounds with what they should be where espeak-ng is installed.
"""

from __future__ import annotations

import re

LEXICON: dict[str, dict[str, str]] = {
    "nb": {
        "kiss": "k'Is",  # it says ch-iss, as in kino
        "forbi": "fOrb'i:",  # stress on the last syllable
        "om": "'Om",  # not oom
        "vil": "v'Il",
        "bytte": "b'yt:@",
        "gnav": "gn'A:v",  # it loses the g
        "sjetong": "Set'ON",
        "sjetonger": "Set'ON@r",
        "dragon": "d*ag'u:n",
        "dragonen": "d*ag'u:n@n",
    },
    "da": {"gøg": "g'Yj"},
}

_WORD = re.compile(r"\w+")


def as_sounds(text: str, language: str) -> str:
    """*text* with the lexicon's words as espeak-ng phonemes; what might be read as phonemes or markup is taken out."""
    words = LEXICON.get(language, {})
    plain = re.sub(r"[\[\]<>&\x00-\x1f]+", " ", text)

    def sound(word: re.Match[str]) -> str:
        sounds = words.get(word.group().lower())
        return word.group() if sounds is None else f"[[{sounds}]]"

    out = _WORD.sub(sound, plain)
    return re.sub(r"\]\]\.", "]] .", out)  # directly after phonemes, a full stop is read out
