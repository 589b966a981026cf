# SPDX-License-Identifier: BSD-3-Clause
"""The air as a station of a simulation, and as a radio behind a serial line."""

from __future__ import annotations

import contextlib
import errno
import os
import termios
import tty
from collections import deque
from typing import Protocol

from wardmote import _motes
from wardmote.border import mac
from wardmote.border.link import LowpanLink, ToAir
from wardmote.errors import UsageError
from wardmote.units import PS_PER_S

FCS_OCTETS = 2
TYPE, ACK = 7, 2
BUSY, GONE = "busy", "no acknowledgement"
BUSY_TIMES = 8
"""A frame that finds the channel busy is handed over again, as the same one."""
TIMES = 4
"""Transmissions of a frame: macMaxFrameRetries is 3."""


class Node(Protocol):
    """What is behind a radio."""

    link: LowpanLink

    def from_air(self, mpdu: bytes, now_s: float) -> None:
        """Takes a frame that was received without errors, without its FCS."""


class StationAir:
    """A station in the medium of emulated motes. Time is theirs."""

    def __init__(
        self, simulation: _motes.Simulation, node: Node, channel: int, name: str = "border"
    ) -> None:
        self.simulation, self.node = simulation, node
        link = node.link
        extended = link.extended or None
        self.station = simulation.add_station(
            name, channel=channel, pan=link.pan, short=link.short, extended=extended
        )
        self._sending: ToAir | None = None
        self._number = self._busy = 0

    @property
    def now_s(self) -> float:
        """Simulated time."""
        return self.simulation.now_ps / PS_PER_S

    def turn(self) -> None:
        """Hands over what came and what is to go."""
        link = self.node.link
        for _, end_ps, _, psdu, right in self.simulation.heard(self.station):
            if right and psdu[0] & TYPE == ACK:
                continue
            if right:
                self.node.from_air(psdu[:-FCS_OCTETS], end_ps / PS_PER_S)
            else:
                link.refused["air: wrong FCS"] += 1
        for number, _, _, outcome in self.simulation.sent(self.station):
            if self._sending is not None and number == self._number:
                self._done(self._sending, outcome)
        if self._sending is None and link.to_air:
            self._busy = 0
            self._send(link.to_air.popleft())

    def _send(self, sending: ToAir) -> None:
        self._sending = sending
        self._number = self.simulation.send(self.station, sending.mpdu, times=TIMES)

    def _done(self, sending: ToAir, outcome: str) -> None:
        self._sending = None
        if outcome == BUSY and self._busy < BUSY_TIMES:
            self._busy += 1
            self._send(sending)
        elif outcome in (BUSY, GONE):
            self.node.link.lost(sending.packet)

    @property
    def idle(self) -> bool:
        """Nothing is on its way to the air."""
        return self._sending is None and not self.node.link.to_air

    def restart(self, node: Node) -> None:
        """The node goes and comes again: what it knew and had is lost, apart from what its radio
        has begun to send."""
        self.node, self._sending = node, None
        self.simulation.heard(self.station)


AT_ONCE = 16
"""Reads in one turn: a line that never rests does not keep the router from its other side."""
END, ESCAPE, ESCAPED_END, ESCAPED_ESCAPE = b"\xc0", b"\xdb", b"\xdb\xdc", b"\xdb\xdd"
"""Of SLIP (RFC 1055)."""


def slip(octets: bytes) -> bytes:
    """A frame on a serial line."""
    return octets.replace(ESCAPE, ESCAPED_ESCAPE).replace(END, ESCAPED_END) + END


LONGEST = 2 * mac.MPDU_MAX
"""Octets of a frame on a serial line, without its end."""


def unslip(octets: bytes) -> bytes:
    """The reverse, without its end; nothing if it is no frame: it has an unknown escape, or is too
    long for the air."""
    first, *others = octets.split(ESCAPE)
    if any(other[:1] not in (ESCAPED_END[1:], ESCAPED_ESCAPE[1:]) for other in others):
        return b""
    unescaped = {ESCAPED_END[1]: END, ESCAPED_ESCAPE[1]: ESCAPE}
    frame = first + b"".join(unescaped[other[0]] + other[1:] for other in others)
    return frame if len(frame) <= mac.MPDU_MAX else b""


class SlipReader:
    """Octets of a line become frames. It begins in the middle of one, for all it knows: what stands
    in front of the first END is no frame, or somebody could hide one in the end of another."""

    def __init__(self) -> None:
        self._came = b""
        self._lost = True

    def take(self, octets: bytes) -> list[bytes]:
        """What ends in these octets; empty for what is no frame."""
        *ended, self._came = (self._came + octets).split(END)
        if ended and self._lost:
            ended[0], self._lost = b"", False
        frames = [unslip(frame) for frame in ended if frame]
        if len(self._came) > LONGEST:
            self._came, self._lost = b"", True
            frames.append(b"")
        return frames


class SerialAir:
    """A radio that acknowledges and sends again by itself, behind a serial line: each frame,
    without its FCS, is a packet of SLIP in both directions, and an END stands before the first."""

    def __init__(self, path: str, baud: int, node: Node) -> None:
        self.node, self.path = node, path
        speed = getattr(termios, f"B{baud}", None)
        if speed is None:
            raise UsageError(f"baud rate {baud} is none of this system's")
        self._speed: int = speed
        self._file = -1
        try:
            self._open()
        except (OSError, termios.error) as error:
            raise UsageError(f"serial line {path}: {error}") from error
        self._reader = SlipReader()
        self._going = deque([END])

    def fileno(self) -> int:
        """What to wait for."""
        return self._file

    def _open(self) -> None:
        self._file = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._file)
        wanted = termios.tcgetattr(self._file)
        wanted[4] = wanted[5] = self._speed
        termios.tcsetattr(self._file, termios.TCSANOW, wanted)

    def turn(self, now_s: float) -> None:
        """Takes what came, and writes what there is room for. A line that goes away is opened again
        when it is back."""
        try:
            if self._file < 0:
                self._open()
            self._take(now_s)
            self._give()
        except BlockingIOError:
            pass
        except (OSError, termios.error):
            self.node.link.refused["serial line: not there"] += 1
            self._reader = SlipReader()
            self._going = deque([END])
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def _take(self, now_s: float) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(AT_ONCE):
                octets = os.read(self._file, 4096)
                if not octets:
                    raise OSError(errno.EIO, "hung up")
                for frame in self._reader.take(octets):
                    if frame:
                        self.node.from_air(frame, now_s)
                    else:
                        self.node.link.refused["serial line: no frame"] += 1

    def _give(self) -> None:
        """What the line has no room for stays in the link's queue, which is bounded."""
        link = self.node.link
        while self._going or link.to_air:
            if not self._going:
                self._going.append(slip(link.to_air.popleft().mpdu))
            octets = self._going[0]
            self._going[0] = octets[os.write(self._file, octets) :]
            if not self._going[0]:
                self._going.popleft()
