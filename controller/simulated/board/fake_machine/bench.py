"""The work bench around the fake chip: a socket to ``vm.py``, and the seat boxes' 74HC165 chain.

To vm.py: ``P`` pin level, ``S`` spi length bytes, ``W`` timeout (two bytes), ``F`` fed. From it: ``K`` input level
(a key of the seat boxes), ``G`` pin level (a wire held to ground).
"""

import os
import select

_LOAD = 13
_BOXES_SPI = 1


class Bench:
    def __init__(self, fd):
        self._line = open(fd, "r+b")  # noqa: SIM115  (open as long as the power is on)
        self._poll = select.poll()
        self._poll.register(self._line, select.POLLIN)
        self._inputs = bytearray(b"\xff" * 8)
        self._shift = bytearray(b"\xff" * 8)
        self._levels = {}
        self._three = bytearray(3)

    def level(self, pin, pulled):
        self._listen()
        return self._levels.get(pin, pulled)

    def drive(self, pin, level):
        if pin == _LOAD:
            self._listen()
            if not level:  # parallel inputs pass straight into the register while SH/LD is low
                self._shift[:] = self._inputs
            return
        self._line.write(bytes((80, pin, level)))

    def write(self, spi, data):
        self._line.write(bytes((83, spi, len(data))) + bytes(data))

    def read(self, spi, buf):
        if spi != _BOXES_SPI:
            raise ValueError("nothing to read on this SPI")
        buf[:] = self._shift
        for at in range(8):
            self._shift[at] = 0xFF  # SER is tied high

    def watchdog(self, timeout):
        self._line.write(bytes((87, timeout >> 8, timeout & 0xFF)))

    def feed(self):
        self._line.write(b"F")

    def _listen(self):
        for _ in self._poll.ipoll(0):
            if self._line.readinto(self._three) != 3:
                raise SystemExit  # the bench is gone: so is the power
            kind, number, level = self._three
            if kind == 71:
                self._levels[number] = level
            elif level:
                self._inputs[number >> 3] |= 0x80 >> (number & 7)
            else:
                self._inputs[number >> 3] &= ~(0x80 >> (number & 7)) & 0xFF


bench = Bench(int(os.getenv("GJOK_BENCH_FD")))
