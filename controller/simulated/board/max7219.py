"""MAX7219 LED drivers as the datasheet has them: a 16-bit shift register each, in chains, and what is lit.

Written from the driver's side, and knows nothing of the firmware's tables: if both agree on a 7, a 7 is lit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_DECODE, _INTENSITY, _SCAN_LIMIT, _RUN, _TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F

_LIT_SEGMENTS = {
    "": " ", "g": "-", "d": "_", "dg": "=", "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4",
    "acdfg": "5", "acdefg": "6", "abc": "7", "abcdefg": "8", "abcdfg": "9", "abcefg": "A", "cdefg": "b", "adef": "C",
    "deg": "c", "bcdeg": "d", "adefg": "E", "aefg": "F", "acdef": "G", "bcefg": "H", "cefg": "h", "bcde": "J",
    "def": "L", "ceg": "n", "cdeg": "o", "abefg": "P", "abcfg": "q", "eg": "r", "defg": "t", "bcdef": "U", "cde": "u",
    "bcdfg": "y", "abeg": "?",
}  # fmt: skip
_CODE_B = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")
_CODE_B_LETTERS = ("g", "adefg", "bcefg", "def", "abefg", "")


@dataclass(slots=True)
class Max7219:
    """One driver with eight digits. It wakes in shutdown, dark, with one digit scanned."""

    registers: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(1, 16), 0))

    def take(self, word: int) -> None:
        """What the rising edge of LOAD does with the 16 bits then in the shift register."""
        register = word >> 8 & 0x0F
        if register:  # 0 is the no-op that lets a word pass through
            self.registers[register] = word & 0xFF

    def lit(self) -> str:
        """What a person reads from the left; a lit dot follows its digit. A shape that is no letter reads as ``#``."""
        if self.registers[_TEST] & 1:
            return "8." * 8
        if not self.registers[_RUN] & 1:
            return " " * 8
        return "".join(self._digit(number) for number in range(8, 0, -1))

    @property
    def intensity(self) -> int:
        """0 to 15; the display test overrides it."""
        return 15 if self.registers[_TEST] & 1 else self.registers[_INTENSITY] & 0x0F

    def _digit(self, number: int) -> str:
        if number - 1 > self.registers[_SCAN_LIMIT] & 7:
            return " "
        value = self.registers[number]
        if self.registers[_DECODE] >> (number - 1) & 1:
            code = value & 0x0F
            segments = _CODE_B[code] if code < 10 else _CODE_B_LETTERS[code - 10]
        else:
            segments = "".join(name for bit, name in enumerate("abcdefg") if value >> (6 - bit) & 1)
        return _LIT_SEGMENTS.get(segments, "#") + ("." if value & 0x80 else "")


class Chain:
    """*count* drivers, DOUT to DIN. Bits shift through whether LOAD is low or not, as in a MAX7219."""

    def __init__(self, count: int) -> None:
        self.modules = tuple(Max7219() for _ in range(count))
        self._bits = bytearray(2 * count)  # the newest byte, the one nearest to us, is the last

    def clock(self, data: bytes) -> None:
        """Shift whole bytes in."""
        self._bits = (self._bits + data)[-len(self._bits) :]

    def load(self) -> None:
        """LOAD rises: each driver takes its 16 bits."""
        for place, module in enumerate(self.modules):
            at = len(self._bits) - 2 * (place + 1)
            module.take(int.from_bytes(self._bits[at : at + 2], "big"))
