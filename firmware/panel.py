"""What stands on the display: chains of MAX7219 modules, one module of eight digits a seat.

    nn.cccccc      seat number in two places, then chips in six; ``-`` before the number when they are owed
    the dot after the seat number says that the seat deals; the dot after the last digit, that it is to act

Long chains of these chips lose register contents (modules that go dark, flare up, or stick in their test), so
everything, control registers and digits, is written again and again: the whole pass is asked for once a second, and a
changed picture is just another pass. A pass goes one register a step, so that keys and serial line are served between.

Touches no pin: writing goes through ``send(chain, data)``, which clocks *data* into one chain and lets it take effect.
"""

DIGITS = 8
REFRESH_MS = 1000
MOST_INTENSITY = 4
"""Of 15: what the wiring in README.md and a 5 V, 4 A supply bear with every segment lit."""

_DECODE, _INTENSITY, _SCAN_LIMIT, _RUN, _TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
_ROWS = (_RUN, _TEST, _DECODE, _SCAN_LIMIT, _INTENSITY, 1, 2, 3, 4, 5, 6, 7, 8)
_DOT = 0x80

# bits 6 to 0 are the segments a to g, as the MAX7219 drives them without its decoder
_SHAPES = {
    " ": 0x00, "-": 0x01, "_": 0x08, "=": 0x09, "?": 0x65,
    "0": 0x7E, "1": 0x30, "2": 0x6D, "3": 0x79, "4": 0x33, "5": 0x5B, "6": 0x5F, "7": 0x70, "8": 0x7F, "9": 0x7B,
    "A": 0x77, "b": 0x1F, "C": 0x4E, "c": 0x0D, "d": 0x3D, "E": 0x4F, "F": 0x47, "G": 0x5E, "H": 0x37, "h": 0x17,
    "J": 0x3C, "L": 0x0E, "n": 0x15, "o": 0x1D, "P": 0x67, "q": 0x73, "r": 0x05, "t": 0x0F, "U": 0x3E, "u": 0x1C,
    "y": 0x3B,
}  # fmt: skip
_LIKE = {
    "O": "0", "I": "1", "i": "1", "l": "1", "S": "5", "s": "5", "Z": "2", "z": "2",
    "K": "H", "k": "h", "V": "U", "v": "u",
}  # fmt: skip
_UNKNOWN = 0x08
"""A low line: better a hole than a wrong letter."""


def shapes(text):
    """The segments of *text*, exactly eight bytes from the left; a dot joins the digit before it."""
    out = bytearray(DIGITS)
    place = 0
    for letter in text:
        if letter == ".":
            if place:
                out[place - 1] |= _DOT
            continue
        if place == DIGITS:
            break
        letter = _LIKE.get(letter, letter)
        shape = _SHAPES.get(letter)
        if shape is None:
            shape = _SHAPES.get(letter.upper())
        if shape is None:
            shape = _SHAPES.get(letter.lower())
        out[place] = _UNKNOWN if shape is None else shape
        place += 1
    return out


def row_text(seat, chips, dealer, turn):
    """What a seat's module shows. A number that does not fit becomes FULL, never other digits."""
    number = str(chips)
    if len(number) > 6:
        number = "FULL" if chips > 0 else "-FULL"
    number = " " * (6 - len(number)) + number
    place = str(seat) if seat > 9 else " " + str(seat)
    return place + ("." if dealer else "") + number + ("." if turn else "")


class Panel:
    """*chains* chains of *modules* each; seat 1 is the first module of the first chain, counted from the Pico."""

    def __init__(self, send, chains, modules):
        self.seats = chains * modules
        self._send = send
        self._chains = chains
        self._modules = modules
        self._digits = bytearray(self.seats * DIGITS)
        self._notice = None
        self._intensity = 2
        self._out = bytearray(2 * modules)
        self._row = 0
        self._left = len(_ROWS)
        self.notice("--------")

    def show(self, rows):
        """Show *rows*, each with seat, chips, dealer and turn, and nothing else. ValueError for a seat too many."""
        for row in rows:
            if not 1 <= row.seat <= self.seats:
                raise ValueError("no such seat")
        for at in range(len(self._digits)):
            self._digits[at] = 0
        for row in rows:
            self._put(row.seat, shapes(row_text(row.seat, row.chips, row.dealer, row.turn)))
        self.touch()

    def text(self, seat, text):
        """Show *text* on one seat's module, or on all for seat 0. ValueError for a seat too many."""
        if not 0 <= seat <= self.seats:
            raise ValueError("no such seat")
        segments = shapes(text)
        for one in range(1, self.seats + 1) if seat == 0 else (seat,):
            self._put(one, segments)
        self.touch()

    def notice(self, text):
        """Show *text* on every module over whatever stands there, until ``notice(None)``."""
        notice = None if text is None else shapes(text)
        if notice != self._notice:
            self._notice = notice
            self.touch()

    def brightness(self, level):
        """0 (dim) to 15, held to what the supply bears."""
        self._intensity = min(level, MOST_INTENSITY)
        self.touch()

    def touch(self):
        """Write everything again, from whichever register is next."""
        self._left = len(_ROWS)

    def busy(self):
        """Is there still something to write?"""
        return self._left > 0

    def step(self):
        """Write the next register of every module."""
        if not self._left:
            return
        register = _ROWS[self._row]
        self._row = (self._row + 1) % len(_ROWS)
        self._left -= 1
        for chain in range(self._chains):
            for module in range(self._modules):
                at = 2 * (self._modules - 1 - module)  # what goes out first ends up farthest away
                self._out[at] = register
                self._out[at + 1] = self._value(register, chain * self._modules + module)
            self._send(chain, self._out)

    def _value(self, register, module):
        if register <= DIGITS:
            place = DIGITS - register  # digit register 8 is the leftmost
            return self._notice[place] if self._notice else self._digits[module * DIGITS + place]
        if register == _INTENSITY:
            return self._intensity
        if register == _SCAN_LIMIT:
            return DIGITS - 1
        return 1 if register == _RUN else 0  # out of shutdown; no test picture; no decoder

    def _put(self, seat, segments):
        at = (seat - 1) * DIGITS
        self._digits[at : at + DIGITS] = segments
