"""The Pico's program; only :mod:`firmware.wire` is shared with the Pi."""
