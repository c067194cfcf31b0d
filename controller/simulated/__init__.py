"""The simulated table: its things, its players, its camera pictures."""
