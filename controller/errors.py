"""What a person can mend: one clear line, exit code 2."""

from __future__ import annotations


class Mendable(Exception):
    """Something outside the program is wrong. The text says what, where, and what to do; nothing was lost."""
