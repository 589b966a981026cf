# SPDX-License-Identifier: BSD-3-Clause
"""The other ends of serial lines: a pseudoterminal, a TCP port, a file."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import termios
import time
import tty
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from wardmote.boards import BOARDS
from wardmote.boot.motes import Mote
from wardmote.errors import MissingError, UsageError

PTY, TCP, FILE = "pty", "tcp", "file"
LAST_PORT = 0xFFFF
AT_ONCE = 4096
"""Octets that are taken from an end at once."""
PATIENCE_S = 0.5
MOST_WAITING = 1 << 20
"""Octets that wait for a slow reader; what is more is lost, oldest first."""


class End(Protocol):
    """What is connected to a serial line."""

    @property
    def name(self) -> str:
        """How somebody finds it."""

    @property
    def live(self) -> bool:
        """Does somebody in real time stand behind it?"""

    def read(self) -> bytes:
        """What has come; never waits."""

    def write(self, octets: bytes) -> None:
        """Hands over what the mote has said; never waits."""

    def close(self) -> None:
        """Ends it."""


class Pty:
    """A pseudoterminal in raw mode, for terminal programs and those of TinyOS and Contiki."""

    live = True

    def __init__(self) -> None:
        self._own, self._other = os.openpty()
        tty.setraw(self._other)
        os.set_blocking(self._own, False)
        self.name = os.ttyname(self._other)

    def read(self) -> bytes:
        """What has been typed."""
        try:
            return os.read(self._own, AT_ONCE)
        except OSError:
            return b""

    def _unread(self) -> int:
        return int.from_bytes(fcntl.ioctl(self._other, termios.FIONREAD, bytes(4)), sys.byteorder)

    def write(self, octets: bytes) -> None:
        """As on a line to which nobody listens, octets are lost when the terminal is full."""
        try:
            os.write(self._own, octets)
        except OSError:
            return

    def close(self) -> None:
        """Its file goes, as soon as a program that has it open has read what was said; soon, if none
        has."""
        patience = time.monotonic() + PATIENCE_S
        while self._unread() and time.monotonic() < patience:
            time.sleep(0.01)
        os.close(self._own)
        os.close(self._other)


class Tcp:
    """A TCP port of this computer, for one client after the other."""

    live = True

    def __init__(self, port: int) -> None:
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind(("127.0.0.1", port))
            self._listener.listen(1)
        except OSError as error:
            self._listener.close()
            raise UsageError(f"no TCP port {port} for a serial line: {error.strerror}") from error
        self._listener.setblocking(False)
        self._client: socket.socket | None = None
        self._waiting = bytearray()

    @property
    def name(self) -> str:
        """Host and port."""
        return f"localhost:{self._listener.getsockname()[1]}"

    def read(self) -> bytes:
        """What the client has sent."""
        if self._client is None:
            self._accept()
        if self._client is None:
            return b""
        try:
            octets = self._client.recv(AT_ONCE)
        except BlockingIOError:
            return b""
        except OSError:
            octets = b""
        if not octets:
            self._lose()
        return octets

    def write(self, octets: bytes) -> None:
        """A client that has not come yet does not hear it."""
        if self._client is None:
            self._accept()
        if self._client is None:
            return
        self._waiting += octets
        del self._waiting[: max(0, len(self._waiting) - MOST_WAITING)]
        try:
            del self._waiting[: self._client.send(self._waiting)]
        except BlockingIOError:
            return
        except OSError:
            self._lose()

    def close(self) -> None:
        """Gives the client what still waits, and the port back."""
        if self._client is not None:
            self._client.settimeout(1)
            try:
                self._client.sendall(self._waiting)
            except OSError:
                self._waiting.clear()
            self._lose()
        self._listener.close()

    def _accept(self) -> None:
        try:
            self._client, _ = self._listener.accept()
        except OSError:
            return
        self._client.setblocking(False)

    def _lose(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None
        self._waiting.clear()


class Read:
    """A file that is sent from power-on on."""

    live = False

    def __init__(self, path: Path) -> None:
        try:
            self._octets = path.read_bytes()
        except OSError as error:
            raise MissingError(f"{path}: {error.strerror}") from error
        self.name = str(path)

    def read(self) -> bytes:
        """All of it, once."""
        octets, self._octets = self._octets, b""
        return octets

    def write(self, octets: bytes) -> None:
        """Nobody listens."""

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class Wish:
    """`MOTE[.LINE]=pty`, `MOTE[.LINE]=tcp:PORT` or `MOTE[.LINE]=file:PATH`."""

    place: int
    line: int
    kind: str
    what: str

    @classmethod
    def of(cls, text: str, motes: Sequence[Mote]) -> Wish:
        """Raises UsageError."""
        where, _, end = text.partition("=")
        mote, dot, line = where.partition(".")
        kind, _, what = end.partition(":")
        if not (mote.isdecimal() and 1 <= int(mote) <= len(motes)):
            raise UsageError(f"{text!r}: no mote {mote!r}; motes are 1 to {len(motes)}")
        if dot and not (line.isdecimal() and int(line) < 256):
            raise UsageError(f"{text!r}: no serial line {line!r}; write its number, such as 1.0")
        if kind not in (PTY, TCP, FILE) or (kind == PTY) == bool(what):
            raise UsageError(f"{text!r}: write {PTY}, {TCP}:PORT or {FILE}:PATH behind =")
        if kind == TCP and not (what.isdecimal() and int(what) <= LAST_PORT):
            raise UsageError(f"{text!r}: ports are 1 to {LAST_PORT}, or 0 for any")
        place = int(mote) - 1
        usual = BOARDS[motes[place].board].console
        return cls(place, int(line) if dot else usual, kind, what)

    def made(self) -> End:
        """Raises UsageError or MissingError."""
        match self.kind:
            case "pty":
                return Pty()
            case "tcp":
                return Tcp(int(self.what))
            case _:
                return Read(Path(self.what))


@dataclass(slots=True)
class Ports:
    """The ends of all serial lines that have one."""

    ends: dict[tuple[int, int], End] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Sequence[str], motes: Sequence[Mote]) -> Ports:
        """Opens them; raises UsageError or MissingError."""
        ports = cls()
        wishes = [Wish.of(text, motes) for text in texts]
        for wish in wishes:
            if (wish.place, wish.line) in ports.ends:
                ports.close()
                raise UsageError(f"line {wish.line} of mote {wish.place + 1} has two ends")
            try:
                ports.ends[wish.place, wish.line] = wish.made()
            except UsageError:
                ports.close()
                raise
        return ports

    @property
    def live(self) -> bool:
        """Does somebody in real time stand behind one of them?"""
        return any(end.live for end in self.ends.values())

    def close(self) -> None:
        """Ends all of them."""
        for end in self.ends.values():
            end.close()
