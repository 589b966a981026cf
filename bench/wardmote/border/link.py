# SPDX-License-Identifier: BSD-3-Clause
"""One node's 6LoWPAN in its PAN: frames become packets, and packets frames. It keeps no clock and no
radio: the caller gives what came, and takes what is to be sent."""

from __future__ import annotations

from collections import Counter, deque
from typing import NamedTuple

from wardmote.border import mac, packets
from wardmote.border.lowpan import Lowpan, RefusedError
from wardmote.border.mac import ForeignError
from wardmote.border.packets import NoPacketError

QUEUE = 64
"""Packets that wait for the air."""
SENDERS = 256
"""Senders whose last frame is kept."""
SAME_FRAME_S = 1.0
"""A frame that is its sender's last one, octet by octet, is a retransmission for so long."""


class ToAir(NamedTuple):
    """A frame to be sent, and the packet that it is a part of."""

    mpdu: bytes
    packet: int


class LowpanLink:
    """A node with a short address, or with an extended one beside, which it then sends from."""

    def __init__(
        self,
        lowpan: Lowpan,
        pan: int,
        short: int,
        frame_octets: int,
        *,
        first: int = 0,
        extended: bytes = b"",
    ) -> None:
        """`first` is the number that sequence numbers and tags begin at: another one after a
        restart."""
        self.lowpan, self.pan, self.short, self.extended = lowpan, pan, short, extended
        self.address = extended or short.to_bytes(2, "big")
        self.frame_octets = frame_octets
        self.counts: Counter[str] = Counter()
        """What happened, by the words of the statistics: `frames in`, and so on."""
        self.refused: Counter[str] = Counter()
        """Frames and packets that went nowhere, by side and reason."""
        self.to_air: deque[ToAir] = deque()
        self._number = self._tag = first
        self._last: dict[bytes, tuple[bytes, float]] = {}

    def take(self, mpdu: bytes, now_s: float) -> bytes | None:
        """A frame that was received without errors, without its FCS; the packet that is whole with
        it."""
        try:
            frame = mac.parse(mpdu, self.pan)
            if frame.dst not in (self.short.to_bytes(2, "big"), self.extended, mac.EVERYBODY):
                return None  # between others
            self.counts["frames in"] += 1
            if self._came_before(frame.src, mpdu, now_s):
                self.counts["frames repeated"] += 1
                return None
            octets = self.lowpan.expand(frame.src, frame.dst, frame.payload, int(now_s * 1000))
            if octets:
                packet = packets.checked(octets)
                many = packets.destination(packet).is_multicast
                if frame.dst == mac.EVERYBODY and not many:
                    self.refused["air: a packet for one in a frame to all"] += 1
                    return None
                self.counts["packets in"] += 1
                return packet
        except ForeignError as error:
            self.refused[f"air: {error}"] += 1
        except RefusedError as error:
            self.refused[f"air: {error.words}"] += 1
        except NoPacketError:
            self.refused["air: no IPv6 packet"] += 1
        return None

    def give(self, packet: bytes, hop: int | bytes) -> None:
        """A packet for the node with this short address, or with this address of any kind."""
        if len({one.packet for one in self.to_air}) >= QUEUE:
            self.refused["to air: queue full"] += 1
            return
        self._tag = (self._tag + 1) & 0xFFFF
        dst = hop.to_bytes(2, "big") if isinstance(hop, int) else hop
        room = self.frame_octets - mac.HEADER_OCTETS - len(self.address) - len(dst)
        try:
            payloads = self.lowpan.compress(self.address, dst, packet, self._tag, room)
        except RefusedError as error:
            self.refused[f"to air: {error.words}"] += 1
            return
        self.counts["packets out"] += 1
        for payload in payloads:
            self._number = (self._number + 1) & 0xFF
            mpdu = mac.build(self._number, self.pan, self.address, dst, payload)
            self.counts["frames out"] += 1
            self.to_air.append(ToAir(mpdu, self._tag))

    def lost(self, packet: int) -> None:
        """A frame of this packet was given up: the others are not sent."""
        self.refused["to air: not acknowledged"] += 1
        self.to_air = deque(one for one in self.to_air if one.packet != packet)

    def _came_before(self, src: bytes, mpdu: bytes, now_s: float) -> bool:
        last, when = self._last.pop(src, (b"", 0.0))
        self._last[src] = (mpdu, now_s)
        if len(self._last) > SENDERS:
            del self._last[next(iter(self._last))]
        return last == mpdu and now_s - when < SAME_FRAME_S
