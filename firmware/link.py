"""The board's end of the wire: says HELLO, does what the Pi asks, brings it the keys. The format is in wire.py."""

import wire

FIRMWARE = 0x0001
"""Major * 256 + minor."""
_BYTES_A_TURN = 64
"""So many bytes are taken before keys and display get their turn."""


class Link:
    """*port* has ``read(wait_ms)``, a byte or -1, and ``write(data)``; *diff* is ``time.ticks_diff``."""

    def __init__(self, port, panel, keys, diff, boot, identity, reset_cause):
        self._port = port
        self._panel = panel
        self._keys = keys
        self._diff = diff
        self._hello = wire.Hello(wire.PROTOCOL, FIRMWARE, panel.seats, boot, identity).pack()
        self._reset_cause = reset_cause
        self._reader = wire.Reader()
        self._seq = 0
        self._greeted = False  # the Pi has said HELLO since we started
        self._refused = False  # and it speaks another protocol
        self._filled = False  # it has told us what to show
        self._alive = False  # and has been heard lately
        self._heard = 0
        self._said_hello = None
        self._key = None  # the BUTTON frame under way, its seq and when it was sent last
        self._key_seq = 0
        self._key_sent = 0

    def serve(self, now, wait_ms):
        """One turn: take what has come (waiting at most *wait_ms* for it), answer, and say what is due."""
        byte = self._port.read(wait_ms)
        for _ in range(_BYTES_A_TURN):
            if byte < 0:
                break
            got = self._reader.feed(byte)
            if got is not None:
                self._take(got, now)
            byte = self._port.read(0)
        if byte >= 0:  # the turn is over with a byte in hand
            got = self._reader.feed(byte)
            if got is not None:
                self._take(got, now)
        if self._alive and self._diff(now, self._heard) >= wire.SILENT_MS:
            self._alive = False
            self._look()
        if self._said_hello is None or self._diff(now, self._said_hello) >= wire.HELLO_MS:
            self._said_hello = now
            self._send(wire.HELLO, self._hello)
        self._bring_keys(now)

    def _take(self, got, now):
        kind = got.kind
        if kind == wire.HELLO:
            self._greet(got)
        if not self._greeted:
            return  # the Pi has not noticed yet that we started anew; our HELLO will tell it
        self._heard = now
        self._alive = True
        if self._refused:
            if kind != wire.HELLO:
                self._answer(got, wire.OTHER_PROTOCOL)
        elif kind == wire.PING:
            pong = wire.Pong(self._reader.bad, now, self._reset_cause)
            self._port.write(wire.frame(wire.PING, got.seq, pong.pack()))
        elif kind == wire.ACK:
            if self._key is not None and got.seq == self._key_seq:
                self._key = None
                self._keys.done()
        elif kind not in (wire.HELLO, wire.NAK):
            self._answer(got, self._obey(kind, got.payload))
        self._look()

    def _greet(self, got):
        try:
            protocol = wire.read_hello(got.payload).protocol
        except ValueError:
            self._answer(got, wire.BAD_PAYLOAD)
            return
        self._refused = protocol != wire.PROTOCOL
        self._filled = False
        self._greeted = True
        self._keys.forget()
        self._key = None
        self._answer(got, wire.OTHER_PROTOCOL if self._refused else 0)

    def _obey(self, kind, payload):
        """Do what the frame says; 0 when done, else why not."""
        try:
            if kind == wire.CHIPS_FULL:
                self._panel.show(wire.read_chips(payload)[1])
                self._filled = True
            elif kind == wire.TEXT and payload:
                self._panel.text(payload[0], "".join(chr(byte) for byte in payload[1:17]))
                self._filled = True
            elif kind == wire.BRIGHTNESS and len(payload) == 1:
                self._panel.brightness(payload[0])
            elif kind in (wire.TEXT, wire.BRIGHTNESS):
                return wire.BAD_PAYLOAD
            else:
                return wire.UNKNOWN_KIND
        except ValueError:
            return wire.BAD_PAYLOAD
        return 0

    def _look(self):
        if self._refused:
            self._panel.notice("Err 1")
        elif self._alive and self._filled:
            self._panel.notice(None)
        else:
            self._panel.notice("--------")

    def _bring_keys(self, now):
        if not self._alive or self._refused:
            if self._key is None:
                self._keys.forget()
            return
        if self._key is None:
            first = self._keys.first()
            if first is None:
                return
            self._key = wire.Button(*first).pack()
            self._key_seq = self._send(wire.BUTTON, self._key)
            self._key_sent = now
        elif self._diff(now, self._key_sent) >= wire.RESEND_MS:
            self._port.write(wire.frame(wire.BUTTON, self._key_seq, self._key))
            self._key_sent = now

    def _send(self, kind, payload):
        self._seq = self._seq + 1 & 0xFF
        self._port.write(wire.frame(kind, self._seq, payload))
        return self._seq

    def _answer(self, got, why):
        if why:
            self._port.write(wire.frame(wire.NAK, got.seq, bytes((why,))))
        else:
            self._port.write(wire.frame(wire.ACK, got.seq))
