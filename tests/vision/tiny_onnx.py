"""Write the smallest ONNX files by hand, so that opening and refusing nets is tested without a training package."""

from __future__ import annotations


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _port(name: str, rank: int) -> bytes:
    """A float32 input or output with free sizes."""
    shape = b"".join(_field(1, _field(2, f"{name}_{axis}")) for axis in range(rank))
    return _field(1, name) + _field(2, _field(1, _field(1, 1) + _field(2, shape)))


def identity_net(takes: str, gives: tuple[str, ...], rank: int = 2) -> bytes:
    """A net that hands its input back under each name of *gives*."""
    nodes = b"".join(_field(1, _field(1, takes) + _field(2, name) + _field(4, "Identity")) for name in gives)
    ports = _field(11, _port(takes, rank)) + b"".join(_field(12, _port(name, rank)) for name in gives)
    graph = nodes + _field(2, "tiny") + ports
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))
