"""The wire format against an independent COBS and CRC, and against damage."""

from __future__ import annotations

import binascii
import random

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware import wire


def read_all(data: bytes, reader: wire.Reader | None = None) -> list[tuple[int, int, bytes]]:
    reader = reader or wire.Reader()
    return [(got.kind, got.seq, got.payload) for byte in data if (got := reader.feed(byte))]


@given(st.binary(max_size=600))
def test_crc_is_the_one_that_cpython_has(data: bytes) -> None:
    assert wire.crc16(data) == binascii.crc_hqx(data, 0xFFFF)


@given(st.binary(max_size=600) | st.integers(0, 600).map(lambda length: b"\x07" * length))
def test_stuffing_is_cobs(data: bytes) -> None:
    assert wire.stuff(data) == cobs.encode(data)
    assert wire.unstuff(cobs.encode(data)) == data


@given(st.binary(max_size=300))
def test_unstuffing_takes_what_cobs_takes(data: bytes) -> None:
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        expected = None
    if data:
        assert wire.unstuff(data) == expected


def test_a_frame_byte_by_byte() -> None:
    body = bytes((wire.CHIPS_FULL, 7)) + bytes.fromhex("0003 01 02 01 ffffffff")
    expected = cobs.encode(body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")) + b"\0"
    assert wire.frame(wire.CHIPS_FULL, 7, wire.pack_chips(3, [wire.Row(2, -1, True, False)])) == expected


@given(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=wire.MAX_PAYLOAD), st.binary(max_size=400))
def test_a_frame_arrives_whatever_came_before(kind: int, seq: int, payload: bytes, junk: bytes) -> None:
    reader = wire.Reader()
    read_all(junk + b"\0", reader)
    assert read_all(wire.frame(kind, seq, payload), reader) == [(kind, seq, payload)]


@given(st.binary(max_size=2000))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    for kind, _, payload in read_all(data + b"\0"):  # (and nothing random passes the checksum, as good as never)
        assert kind >= 0
        assert len(payload) <= wire.MAX_PAYLOAD


def test_damage_is_never_taken_for_a_frame() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        whole = wire.frame(rng.randrange(256), rng.randrange(256), rng.randbytes(rng.randrange(130)))
        damaged = bytearray(whole)
        for bit in rng.sample(range(8 * len(whole)), rng.randint(1, 3)):
            damaged[bit // 8] ^= 1 << bit % 8
        assert read_all(bytes(damaged) + b"\0") == []


def test_damage_is_counted_once() -> None:
    reader = wire.Reader()
    good = wire.frame(wire.PING, 1)
    assert read_all(b"\x05ab\0" + good + b"\0\0" + b"x" * 300 + b"\0" + good, reader) == [(wire.PING, 1, b"")] * 2
    assert reader.bad == 2


def test_too_much_is_refused() -> None:
    with pytest.raises(ValueError, match="250"):
        wire.frame(1, 1, bytes(wire.MAX_PAYLOAD + 1))


@given(
    st.integers(0, 65535),
    st.lists(
        st.tuples(st.integers(1, 255), st.integers(-(2**31), 2**31 - 1), st.booleans(), st.booleans()), max_size=40
    ),
)
def test_a_snapshot_survives_the_way(deal: int, rows: list[tuple[int, int, bool, bool]]) -> None:
    got_deal, got = wire.read_chips(wire.pack_chips(deal, [wire.Row(*row) for row in rows]))
    assert got_deal == deal
    assert [(row.seat, row.chips, row.dealer, row.turn) for row in got] == rows


def test_other_messages_survive_the_way() -> None:
    hello = wire.read_hello(wire.Hello(1, 0x0203, 20, 65535, b"12345678").pack() + b"later")
    assert (hello.protocol, hello.firmware, hello.seats, hello.boot, hello.unique_id) == (
        1,
        0x0203,
        20,
        65535,
        b"12345678",
    )
    pong = wire.read_pong(wire.Pong(7, 2**32 - 1, 3).pack())
    assert (pong.bad_frames, pong.uptime_ms, pong.reset_cause) == (7, 2**32 - 1, 3)
    button = wire.read_button(wire.Button(300, 20, 2, True, 12345).pack())
    assert (button.event, button.seat, button.button, button.down, button.ms) == (300, 20, 2, True, 12345)


@pytest.mark.parametrize("read", [wire.read_hello, wire.read_chips, wire.read_pong, wire.read_button])
@pytest.mark.parametrize("payload", [b"", b"\0", b"\0\0\2", b"\0\0\1" + bytes(5)])
def test_a_payload_of_the_wrong_length_is_said(read, payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"HELLO|CHIPS|PING|BUTTON"):
        read(payload)
