"""The only file that touches the chip: which wire goes where, and how bytes get onto it.

| Pico | goes to |
|---|---|
| GP18 SCK, GP19 MOSI | 74AHCT125 or 74HCT245 (5 V), then CLK and DIN of all four chains |
| GP20, GP21, GP22, GP26 | the same way to CS (LOAD) of chain 1 to 4 |
| GP10 SCK, GP12 MISO | CP (clock) and QH of the 74HC165 chain; GP11 stays free |
| GP13 | SH/LD of the 74HC165 chain |
| GP15 to ground while powering up | the program does not start: the prompt is free for flashing |
"""

import machine

CHAIN_SELECTS = (20, 21, 22, 26)
MODULES = 5
WATCHDOG_MS = 8000
"""A little under the RP2040's longest, 8388."""
_SAFE_START = 15
_BAUD = 1_000_000


def held_safe():
    """Is the safe-start pin held to ground?"""
    return machine.Pin(_SAFE_START, machine.Pin.IN, machine.Pin.PULL_UP).value() == 0


class Display:
    """The four chains on SPI 0."""

    def __init__(self):
        self._spi = machine.SPI(
            0, baudrate=_BAUD, polarity=0, phase=0, sck=machine.Pin(18), mosi=machine.Pin(19), miso=machine.Pin(16)
        )
        self._selects = [machine.Pin(number, machine.Pin.OUT, value=1) for number in CHAIN_SELECTS]

    def send(self, chain, data):
        """Clock *data* through one chain; every module takes its last 16 bits as the select rises."""
        select = self._selects[chain]
        select.value(0)
        self._spi.write(data)
        select.value(1)


class Boxes:
    """The seat boxes' shift registers on SPI 1. With none wired, the pull-up reads as no key down."""

    def __init__(self, size):
        self._miso = machine.Pin(12, machine.Pin.IN, machine.Pin.PULL_UP)
        # CPOL 1: QH has its first bit before the first clock, and moves on at the rising edge that ends each bit
        self._spi = machine.SPI(
            1, baudrate=_BAUD, polarity=1, phase=0, sck=machine.Pin(10), mosi=machine.Pin(11), miso=self._miso
        )
        self._load = machine.Pin(13, machine.Pin.OUT, value=1)
        self.bits = bytearray(b"\xff" * size)

    def read(self):
        """Take all inputs at one moment into ``bits``, first input first."""
        self._load.value(0)
        self._load.value(1)
        self._spi.readinto(self.bits)


class Light:
    """The LED on the Pico itself: blinks while the program runs."""

    def __init__(self):
        self._pin = machine.Pin("LED", machine.Pin.OUT, value=0)
        self._on = 0

    def blink(self):
        self._on ^= 1
        self._pin.value(self._on)


def watchdog():
    """Start it; from here on only feeding keeps the chip from starting anew."""
    return machine.WDT(timeout=WATCHDOG_MS)


def identity():
    """(unique id, number of the last reset's cause)."""
    return machine.unique_id(), machine.reset_cause()
