"""MicroPython's ``machine`` as far as the firmware uses it, for the VM on a PC: same names, same complaints.

Runs inside the MicroPython VM. What the firmware does to the chip goes over a socket to ``vm.py``, where the MAX7219
chains are; what is read from the chip comes from ``bench.py``, where the seat boxes' shift registers are. It refuses
what a Pico would refuse: a pin that cannot carry that SPI signal, a watchdog that runs too long.
"""

import os
import time

from bench import bench

PWRON_RESET = 1
WDT_RESET = 3

_SPI_PINS = {  # RP2040 datasheet, function F1
    0: {"sck": (2, 6, 18, 22), "mosi": (3, 7, 19, 23), "miso": (0, 4, 16, 20)},
    1: {"sck": (10, 14, 26), "mosi": (11, 15, 27), "miso": (8, 12, 24, 28)},
}


def unique_id():
    return bytes(int(os.getenv("GJOK_BOARD_ID")[at : at + 2], 16) for at in range(0, 16, 2))


def reset_cause():
    return int(os.getenv("GJOK_RESET_CAUSE"))


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, id, mode=-1, pull=-1, *, value=None):
        if id != "LED" and id not in range(30):
            raise ValueError("unknown pin " + str(id))
        self.number = 25 if id == "LED" else id
        self._mode = mode
        self._pull = pull
        if value is not None:
            self.value(value)

    def value(self, x=None):
        if x is None:
            return bench.level(self.number, 1 if self._pull == self.PULL_UP else 0)
        if self._mode != self.OUT:
            raise ValueError("GP" + str(self.number) + " is no output")  # a real one would do nothing: never meant
        bench.drive(self.number, 1 if x else 0)


class SPI:
    def __init__(self, id, *, baudrate=1000000, polarity=0, phase=0, sck, mosi, miso):
        for signal, pin in (("sck", sck), ("mosi", mosi), ("miso", miso)):
            if pin.number not in _SPI_PINS[id][signal]:
                raise ValueError("bad " + signal.upper() + " pin")
        if id == 0 and (baudrate > 10_000_000 or polarity or phase):
            raise ValueError("a MAX7219 takes at most 10 MHz, in mode 0")
        self._id = id
        self._mode = polarity, phase

    def write(self, buf):
        bench.write(self._id, buf)

    def readinto(self, buf, write=0x00):
        if self._mode != (1, 0):
            raise ValueError("a 74HC165 moves on at the rising edge: read before it, polarity 1, phase 0")
        bench.read(self._id, buf)


class WDT:
    def __init__(self, *, id=0, timeout=5000):
        if not 1 <= timeout <= 8388:
            raise ValueError("timeout exceeds 8388")
        self._told = time.ticks_ms()
        bench.watchdog(timeout)

    def feed(self):
        now = time.ticks_ms()
        if time.ticks_diff(now, self._told) >= 50:  # no need to tell every millisecond
            self._told = now
            bench.feed()
