"""Health records change when something changes, and only then."""

from __future__ import annotations

from hardware.devices import DeviceHealth, Devices, DeviceState


def test_a_change_is_told_once_and_since_counts_from_the_state() -> None:
    told: list[DeviceHealth] = []
    now = 10.0
    devices = Devices(told.append, clock=lambda: now)
    devices.report("speaker", DeviceState.OFF)
    devices.report("board", DeviceState.LOST, "no cable")
    now = 12.0
    devices.report("board", DeviceState.LOST, "no cable")
    devices.report("board", DeviceState.LOST, "no port")
    now = 15.0
    devices.report("board", DeviceState.WORKS)
    assert [(one.name, one.why, one.since) for one in told] == [
        ("speaker", "", 10.0),
        ("board", "no cable", 10.0),
        ("board", "no port", 10.0),
        ("board", "", 15.0),
    ]
    assert [one.name for one in devices.all()] == ["board", "speaker"]
    assert devices.all()[0].state is DeviceState.WORKS
