"""The frame format between the Pi and the display board: the one file that runs on both.

A frame
    COBS(kind, seq, payload, crc) 0x00
    COBS takes every zero out, so a zero byte ends a frame and nothing else does: after any damage the next zero is a
    fresh start. *kind* and *seq* are one byte each. *crc* is CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF) over
    kind, seq and payload, high byte first. All numbers in payloads are big-endian. A frame is at most 256 bytes with
    its final zero. A frame that does not check is dropped and counted, never guessed at.

Who says what
    HELLO 1       Board, twice a second for as long as it runs: protocol u8, firmware u16, seats u8, boot u16 (drawn
                  anew at each start), unique id 8 bytes. The Pi answers the first HELLO of each *boot* with its own
                  (only the protocol counts). The Pi sends nothing before it has heard a HELLO: what listens on the
                  port until then may be MicroPython's prompt.
    CHIPS_FULL 2  Pi: deal number u16, count u8, then count times seat u8, marks u8 (1 dealer, 2 turn), chips i32.
                  The whole board, always: the board forgets what it showed, a seat that is not in it goes dark. So a
                  lost frame is mended by the next one, and one that comes twice does no harm.
    PING 3        Pi, once a second, empty. The board answers PING with the same seq: bad frames u32, uptime ms u32,
                  reset cause u8. A board that has heard nothing good for 3 s shows dashes.
    ACK 4         Either: done, the seq of the frame meant is this frame's seq. Empty.
    NAK 5         Either: understood and not done; seq as in ACK, why u8 (1 other protocol, 2 unknown kind,
                  3 bad payload).
    BUTTON 6      Board: event u16, seat u8, button u8, down u8, board's ms u32 at the edge. Sent again every 50 ms
                  until it is ACKed, one at a time and in order; the Pi drops an event number that it has had.
    TEXT 7        Pi: seat u8 (0 all), up to 16 bytes ASCII (a dot joins the digit before). Stands until the next
                  CHIPS_FULL.
    BRIGHTNESS 8  Pi: level u8, 0 to 15; the board takes no more than its supply bears.

Rules
    The Pi has one CHIPS_FULL under way and sends it again every 50 ms, with the same seq, until that seq is ACKed; a
    newer one takes its place with a new seq. Different PROTOCOLs do not talk: the board shows ``Err 1`` and answers
    NAK 1, the Pi says which end is to be renewed.

Plain enough for MicroPython: no dataclasses, no typing, nothing imported but struct.
"""

import struct

PROTOCOL = 1
"""Goes up when an older end would misread a frame."""

HELLO = 1
CHIPS_FULL = 2
PING = 3
ACK = 4
NAK = 5
BUTTON = 6
TEXT = 7
BRIGHTNESS = 8

OTHER_PROTOCOL = 1
UNKNOWN_KIND = 2
BAD_PAYLOAD = 3

DEALER = 1
TURN = 2

MAX_FRAME = 256
"""Bytes of a whole frame with its final zero."""
MAX_PAYLOAD = 250
RESEND_MS = 50
HELLO_MS = 500
PING_MS = 1000
SILENT_MS = 3000
"""An end that has heard nothing for this long counts the other as lost."""


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE of *data*, as CPython's ``binascii.crc_hqx(data, 0xFFFF)``."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        crc &= 0xFFFF
    return crc


def stuff(data: bytes) -> bytes:
    """COBS: *data* without any zero byte, at most one byte in 254 longer and one more."""
    out = bytearray(1)
    code_at = 0
    for at, byte in enumerate(data):
        if byte:
            out.append(byte)
        full = len(out) - code_at == 255
        if not byte or (full and at < len(data) - 1):
            out[code_at] = len(out) - code_at
            code_at = len(out)
            out.append(0)
    out[code_at] = len(out) - code_at
    return bytes(out)


def unstuff(data: bytes) -> "bytes | None":
    """COBS backwards; None when *data* is not what ``stuff`` makes."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        if code == 0 or at + code > len(data):
            return None
        out.extend(data[at + 1 : at + code])
        at += code
        if code < 255 and at < len(data):
            out.append(0)
    return bytes(out) if data else None


def frame(kind: int, seq: int, payload: bytes = b"") -> bytes:
    """The bytes to send, the final zero among them. ValueError when *payload* is over MAX_PAYLOAD bytes."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("a payload has at most 250 bytes")
    body = bytes((kind, seq & 0xFF)) + payload
    return stuff(body + struct.pack(">H", crc16(body))) + b"\0"


class Frame:
    """One frame that came and checked."""

    def __init__(self, kind: int, seq: int, payload: bytes) -> None:
        self.kind = kind
        self.seq = seq
        self.payload = payload


class Reader:
    """Bytes in, checked frames out; *bad* counts what was thrown away."""

    def __init__(self) -> None:
        self.bad = 0
        self._held = bytearray(MAX_FRAME)  # no allocation while bytes come in
        self._length = 0

    def feed(self, byte: int) -> "Frame | None":
        """Take one byte; give a whole frame when this byte ends one."""
        if byte:
            if self._length < MAX_FRAME:
                self._held[self._length] = byte
                self._length += 1
            return None
        length = self._length
        self._length = 0
        if length == 0:  # a zero after a zero says nothing
            return None
        body = unstuff(bytes(self._held[:length])) if length < MAX_FRAME else None
        if body is None or len(body) < 4 or crc16(body[:-2]) != body[-2] << 8 | body[-1]:
            self.bad += 1
            return None
        return Frame(body[0], body[1], body[2:-2])


class Hello:
    """HELLO's payload. *firmware* is major * 256 + minor; *boot* tells one start of the board from the next."""

    def __init__(self, protocol: int, firmware: int, seats: int, boot: int, unique_id: bytes) -> None:
        self.protocol = protocol
        self.firmware = firmware
        self.seats = seats
        self.boot = boot
        self.unique_id = unique_id

    def pack(self) -> bytes:
        return struct.pack(">BHBH8s", self.protocol, self.firmware, self.seats, self.boot, self.unique_id)


def read_hello(payload: bytes) -> Hello:
    """ValueError when too short; bytes after what we know are a later protocol's, and are let be."""
    if len(payload) < 14:
        raise ValueError("HELLO is too short")
    return Hello(*struct.unpack(">BHBH8s", payload[:14]))


class Row:
    """One seat on the board: its number, its *chips* (i32), and whether it deals or is to act."""

    def __init__(self, seat: int, chips: int, dealer: bool, turn: bool) -> None:
        self.seat = seat
        self.chips = chips
        self.dealer = dealer
        self.turn = turn


def pack_chips(deal: int, rows: "list[Row]") -> bytes:
    """CHIPS_FULL's payload. *deal* is taken modulo 65536."""
    out = struct.pack(">HB", deal & 0xFFFF, len(rows))
    for row in rows:
        marks = (DEALER if row.dealer else 0) | (TURN if row.turn else 0)
        out += struct.pack(">BBi", row.seat, marks, row.chips)
    return out


def read_chips(payload: bytes) -> "tuple[int, list[Row]]":
    """(deal number, rows); ValueError when the length does not fit the count."""
    if len(payload) < 3 or len(payload) != 3 + 6 * payload[2]:
        raise ValueError("CHIPS_FULL has another length than its count says")
    rows = []
    for number in range(payload[2]):
        seat, marks, chips = struct.unpack(">BBi", payload[3 + 6 * number : 9 + 6 * number])
        rows.append(Row(seat, chips, bool(marks & DEALER), bool(marks & TURN)))
    return payload[0] << 8 | payload[1], rows


class Pong:
    """The board's answer to PING. *reset_cause* is the chip's number for why it started last."""

    def __init__(self, bad_frames: int, uptime_ms: int, reset_cause: int) -> None:
        self.bad_frames = bad_frames
        self.uptime_ms = uptime_ms
        self.reset_cause = reset_cause

    def pack(self) -> bytes:
        return struct.pack(">IIB", self.bad_frames, self.uptime_ms, self.reset_cause)


def read_pong(payload: bytes) -> Pong:
    """ValueError when the length is another."""
    if len(payload) != 9:
        raise ValueError("PING's answer has another length")
    return Pong(*struct.unpack(">IIB", payload))


class Button:
    """One edge of a key on a seat box: *event* counts up from 0 at each boot, *ms* is the board's clock."""

    def __init__(self, event: int, seat: int, button: int, down: bool, ms: int) -> None:
        self.event = event
        self.seat = seat
        self.button = button
        self.down = down
        self.ms = ms

    def pack(self) -> bytes:
        return struct.pack(">HBBBI", self.event, self.seat, self.button, self.down, self.ms)


def read_button(payload: bytes) -> Button:
    """ValueError when the length is another."""
    if len(payload) != 9:
        raise ValueError("BUTTON has another length")
    event, seat, button, down, ms = struct.unpack(">HBBBI", payload)
    return Button(event, seat, button, bool(down), ms)
