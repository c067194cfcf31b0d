"""Seat boxes: which keys went down or up, from the bits that the shift registers give.

Eight 74HC165 in a chain make 64 inputs; a key pulls its input to ground, so a bit is 0 while its key is down, and an
open line reads 1. Input 0 is the first seat's STÅR, then BYTTE and BANK, then the next seat's: seat = input // 3 + 1.

The first edge counts at once, and what bounces after it is passed over; once a key has been quiet for 20 ms it is
looked at again, so that no key is ever left in a wrong state. Nothing here allocates while scanning.
"""

BYTES = 8
BUTTONS = 3
SEATS = BYTES * 8 // BUTTONS
QUIET_MS = 20
_SLOTS = 64
_SIZE = 7  # event u16, input u8 with 0x80 for down, ms u32


class Keys:
    """Edges wait in a ring until they are taken; when it is full, new ones are lost and counted."""

    def __init__(self, ticks_diff):
        self._diff = ticks_diff
        self.lost = 0
        self._raw = bytearray(b"\xff" * BYTES)  # as read last
        self._told = bytearray(b"\xff" * BYTES)  # as reported last
        self._settling = 0  # how many keys moved lately
        self._moved = [0] * (BYTES * 8)  # when each did, where it is among them
        self._is_settling = bytearray(BYTES * 8)
        self._ring = bytearray(_SLOTS * _SIZE)
        self._first = 0
        self._held = 0
        self._event = 0

    def scan(self, bits, now):
        """Take one reading of all inputs at *now* (ticks in ms)."""
        if bits == self._raw and not self._settling:
            return
        for at in range(BYTES):
            changed = bits[at] ^ self._raw[at]
            if not changed and not self._settling:
                continue
            for bit in range(8):
                self._look(at, bit, changed & 0x80 >> bit, bits[at] & 0x80 >> bit, now)
            self._raw[at] = bits[at]

    def _look(self, at, bit, changed, level, now):
        key = at * 8 + bit
        if changed:
            self._moved[key] = now
            if not self._is_settling[key]:
                self._is_settling[key] = 1
                self._settling += 1
                self._tell(at, bit, level, now)
        elif self._is_settling[key] and self._diff(now, self._moved[key]) >= QUIET_MS:
            if bool(level) != bool(self._told[at] & 0x80 >> bit):
                self._moved[key] = now
                self._tell(at, bit, level, now)
            else:
                self._is_settling[key] = 0
                self._settling -= 1

    def _tell(self, at, bit, level, now):
        if level:
            self._told[at] |= 0x80 >> bit
        else:
            self._told[at] &= ~(0x80 >> bit) & 0xFF
        if self._held == _SLOTS:
            self.lost += 1
            return
        slot = (self._first + self._held) % _SLOTS * _SIZE
        self._held += 1
        ring = self._ring
        ring[slot] = self._event >> 8
        ring[slot + 1] = self._event & 0xFF
        ring[slot + 2] = at * 8 + bit | (0 if level else 0x80)
        for byte in range(4):
            ring[slot + 3 + byte] = now >> 24 - 8 * byte & 0xFF
        self._event = self._event + 1 & 0xFFFF

    def first(self):
        """(event, seat, button, down, ms) of the oldest edge, or None; it stays until ``done``."""
        if not self._held:
            return None
        slot = self._first * _SIZE
        ring = self._ring
        key = ring[slot + 2] & 0x7F
        ms = ring[slot + 3] << 24 | ring[slot + 4] << 16 | ring[slot + 5] << 8 | ring[slot + 6]
        return (ring[slot] << 8 | ring[slot + 1], key // BUTTONS + 1, key % BUTTONS, ring[slot + 2] >> 7, ms)

    def done(self):
        """The oldest edge has arrived."""
        if self._held:
            self._first = (self._first + 1) % _SLOTS
            self._held -= 1

    def forget(self):
        """Drop what waits: nobody listens, and a press from before means nothing later."""
        self._held = 0
