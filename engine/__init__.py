"""The pure referee: standard library only, no clock, no I/O, no global randomness."""
