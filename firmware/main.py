"""The display board's program: one loop that never waits longer than a millisecond."""

import os
import select
import sys
import time

import keys
import link
import micropython
import panel
import pins


class Usb:
    """The USB serial line as bytes, the same on the Pico and on MicroPython for a PC."""

    def __init__(self):
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._byte = bytearray(1)
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)

    def read(self, wait_ms):
        """The next byte, or -1 when none comes within *wait_ms*."""
        for _ in self._poll.ipoll(wait_ms):
            if self._in.readinto(self._byte):
                return self._byte[0]
        return -1

    def write(self, data):
        self._out.write(data)


def run():
    """Serve for ever; if anything here fails, the watchdog starts the chip anew."""
    micropython.kbd_intr(-1)  # frames contain 0x03, which is no Ctrl-C here
    dog = pins.watchdog()
    display = pins.Display()
    boxes = pins.Boxes(keys.BYTES)
    light = pins.Light()
    screen = panel.Panel(display.send, len(pins.CHAIN_SELECTS), pins.MODULES)
    keyboard = keys.Keys(time.ticks_diff)
    identity, cause = pins.identity()
    boot = int.from_bytes(os.urandom(2), "big")
    host = link.Link(Usb(), screen, keyboard, time.ticks_diff, boot, identity, cause)
    refreshed = time.ticks_ms()
    while True:
        now = time.ticks_ms()
        host.serve(now, 0 if screen.busy() else 1)
        boxes.read()
        keyboard.scan(boxes.bits, now)
        screen.step()
        if time.ticks_diff(now, refreshed) >= panel.REFRESH_MS:
            refreshed = now
            screen.touch()
            light.blink()
        dog.feed()


if __name__ == "__main__" and not pins.held_safe():
    run()
