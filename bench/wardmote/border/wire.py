# SPDX-License-Identifier: BSD-3-Clause
"""The host's side as a file: datagrams that are Ethernet frames or IPv6 packets."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
from pathlib import Path
from typing import Protocol

from wardmote.errors import UsageError

MOST = 2048
TUN_FILE, TUN_SET = "/dev/net/tun", 0x400454CA
TUN, TAP, PLAIN = 1, 2, 0x1000
KINDS = "fd:NUMBER, unix:PATH, udp:ADDRESS:PORT, tun:NAME or tap:NAME"


class Wire(Protocol):
    """Datagrams to and from the host. Neither call waits."""

    def fileno(self) -> int:
        """What to wait for."""

    def receive(self) -> bytes | None:
        """The next datagram; None if there is none now."""

    def send(self, octets: bytes) -> bool:
        """False: the other side is not there, or has no room."""


class SocketWire:
    """A datagram socket. One that is bound talks to whoever talked to it last, so that the other
    side may go and come again."""

    def __init__(self, opened: socket.socket, *, bound: bool) -> None:
        self._socket, self._bound, self._other = opened, bound, None
        opened.setblocking(False)

    def fileno(self) -> int:
        """What to wait for."""
        return self._socket.fileno()

    def receive(self) -> bytes | None:
        """The next datagram."""
        try:
            octets, other = self._socket.recvfrom(MOST)
        except OSError:
            return None
        self._other = other or self._other
        return octets or None

    def send(self, octets: bytes) -> bool:
        """To the other side, if it is there."""
        with contextlib.suppress(OSError):
            if not self._bound:
                return self._socket.send(octets) == len(octets)
            if self._other is not None:
                return self._socket.sendto(octets, self._other) == len(octets)
        return False


class FileWire:
    """An interface of the kernel: /dev/net/tun."""

    def __init__(self, name: str, mode: int) -> None:
        try:
            self._file = os.open(TUN_FILE, os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(self._file, TUN_SET, struct.pack("16sH22x", name.encode(), mode | PLAIN))
        except OSError as error:
            raise UsageError(f"interface {name} cannot be made: {error.strerror}") from error

    def fileno(self) -> int:
        """What to wait for."""
        return self._file

    def receive(self) -> bytes | None:
        """The next packet."""
        try:
            return os.read(self._file, MOST)
        except OSError:
            return None

    def send(self, octets: bytes) -> bool:
        """To the kernel, if the interface is up."""
        with contextlib.suppress(OSError):
            return os.write(self._file, octets) == len(octets)
        return False


def opened(name: str) -> Wire:
    """What `--host` names; raises UsageError."""
    kind, _, rest = name.partition(":")
    try:
        if kind == "fd":
            return SocketWire(socket.socket(fileno=int(rest)), bound=False)
        if kind == "unix" and rest:
            made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            if Path(rest).is_socket():  # of a router that was here before; no other file goes
                Path(rest).unlink(missing_ok=True)
            made.bind(rest)
            return SocketWire(made, bound=True)
        if kind == "udp":
            address, _, port = rest.rpartition(":")
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            made = socket.socket(family, socket.SOCK_DGRAM)
            made.bind((address.strip("[]"), int(port)))
            return SocketWire(made, bound=True)
    except (OSError, ValueError, OverflowError) as error:
        raise UsageError(f"host {name}: {error}") from error
    if kind in ("tun", "tap") and rest:
        return FileWire(rest, TUN if kind == "tun" else TAP)
    raise UsageError(f"host {name!r}; it is {KINDS}")
