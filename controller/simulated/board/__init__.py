"""The display board without a board: its real firmware in a MicroPython VM, on simulated wires.

Simulated are the wires and what hangs on them: USB (a pseudo-terminal that can be pulled), SPI with the MAX7219 chains,
the seat boxes' shift registers, the watchdog. The program is the one that is flashed.
"""

from controller.simulated.board.cable import Noise
from controller.simulated.board.chip import NoMicroPython
from controller.simulated.board.vm import MicroPythonBoard

__all__ = ["MicroPythonBoard", "NoMicroPython", "Noise"]
