"""Worked examples of the rule sheets, played through the engine: ``python -m tests.engine.vectors FILE...``."""
