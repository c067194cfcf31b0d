"""Devices: buttons, speaker, display board, camera."""
