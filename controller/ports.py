"""Takes a TCP port on this machine, or says in one line why it cannot be had."""

from __future__ import annotations

import errno
import ipaddress
import socket

from controller.errors import Mendable


class PortBusy(Mendable):
    """Somebody else listens on the port; the text says who wanted it and what to do."""

    def __init__(self, what: str, port: int, to_do: str) -> None:
        super().__init__(f"{what}: port {port} is taken by another program; {to_do}")
        self.what = what
        self.port = port
        self.to_do = to_do


class NoSuchAddress(Mendable):
    """The address to listen on is none of this machine's."""


class NotLoopback(Mendable):
    """The address can be reached from other machines, and what wants it must not be."""


def listen(what: str, host: str, port: int, to_do: str) -> socket.socket:
    """A listening socket of *host*:*port* (port 0: any free one); PortBusy when it is taken.

    NoSuchAddress when *host* is not this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    try:
        # a port whose old connections are still dying may be taken again at once; one that is listened on may not
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((host, port))
        taken.listen(64)
    except OSError as wrong:
        taken.close()
        if wrong.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortBusy(what, port, to_do) from None
        if isinstance(wrong, socket.gaierror) or wrong.errno == errno.EADDRNOTAVAIL:
            raise NoSuchAddress(
                f"{what}: {host!r} is no address of this machine; give one that is (127.0.0.1: this machine only)"
            ) from None
        raise
    taken.setblocking(False)
    return taken


def refuse_other_machines(what: str, host: str) -> None:
    """NotLoopback unless *host* is this machine's own loopback address, written as numbers."""
    try:
        if ipaddress.ip_address(host).is_loopback:
            return
    except ValueError:
        pass
    raise NotLoopback(f"{what} listens on this machine only (127.0.0.1), not on {host!r}")
