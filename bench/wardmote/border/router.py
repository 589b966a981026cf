# SPDX-License-Identifier: BSD-3-Clause
"""What a border router does with packets. It keeps no clock, socket or radio: the caller gives what
came, and takes what is to be sent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network

from wardmote.border import mac, packets
from wardmote.border.link import LowpanLink
from wardmote.border.lowpan import Layout, Lowpan
from wardmote.border.packets import NoPacketError

MOTES = IPv6Network("fd00::/64")
HOSTS = IPv6Network("fd00:0:0:1::/64")
SHORT_IID = 0x0000_00FF_FE00_0000
"""The interface identifier of a short address is this and the address (RFC 4944 6)."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a border router knows about its two sides."""

    pan: int = 0xBEEF
    channel: int = 26
    short: int = 0x0001
    motes: IPv6Network = MOTES
    hosts: IPv6Network = HOSTS
    layout: Layout = Layout.PAPER
    routes: Mapping[int, int] = field(default_factory=dict)
    """The next hop to a mote, by short address; every other mote is one hop away."""
    frame_octets: int = mac.MPDU_MAX
    """Longest frame that it sends, without the FCS."""

    @property
    def air_address(self) -> IPv6Address:
        """The border router's address on the air."""
        return self.motes[SHORT_IID | self.short]

    @property
    def host_address(self) -> IPv6Address:
        """Its address on the side of the hosts."""
        return self.hosts[2]

    def mote_of(self, address: IPv6Address) -> int | None:
        """The short address of a mote; None if the address is not made of one."""
        iid = int(address) & 0xFFFF_FFFF_FFFF_FFFF
        short = iid ^ SHORT_IID
        return short if address in self.motes and 0 < short < mac.NO_SHORT else None


ERRORS_AT_ONCE, ERRORS_A_SECOND = 10, 10
"""ICMPv6 errors that go out: RFC 4443 2.4 (f) has these numbers for a bucket of tokens."""


class Router:
    """The border router."""

    now_s = 0.0
    """The caller's clock, which it tells with what came from the air, and sets beside it."""

    def __init__(self, setup: Setup, *, first: int = 0) -> None:
        """`first`: see LowpanLink."""
        self.setup = setup
        lowpan = Lowpan((setup.motes, setup.hosts), setup.layout)
        self.link = LowpanLink(lowpan, setup.pan, setup.short, setup.frame_octets, first=first)
        self.counts, self.refused = self.link.counts, self.link.refused
        self.to_host: deque[bytes] = deque()
        self._errors, self._errors_s = float(ERRORS_AT_ONCE), 0.0

    def from_air(self, mpdu: bytes, now_s: float) -> None:
        """Takes a frame that was received without errors, without its FCS."""
        self.now_s = now_s
        packet = self.link.take(mpdu, now_s)
        if packet is None:
            return
        src = packets.source(packet)
        if src not in packets.LINK_LOCAL and (src not in self.setup.motes or self._is_own(src)):
            self.refused["air: source of another side"] += 1
        elif self._is_own(packets.destination(packet)):
            self._answer(packet, self._to_mote)
        else:
            self._forward("air", packet)

    def from_host(self, octets: bytes) -> None:
        """Takes a packet of the host's side."""
        self.counts["host in"] += 1
        try:
            packet = packets.checked(octets)
        except NoPacketError:
            self.refused["host: no IPv6 packet"] += 1
            return
        src, target = packets.source(packet), packets.destination(packet)
        if src in self.setup.motes or self._is_own(src):
            self.refused["host: source of another side"] += 1
        elif self._is_own(target):
            self._answer(packet, self.to_host.append)
        elif target in self.setup.motes and len(packet) > packets.LEAST_MTU:
            self._refuse("host", "too big", packet, packets.TOO_BIG, 0, packets.LEAST_MTU)
        else:
            self._forward("host", packet)

    def refuse_unreachable(self, packet: bytes) -> None:
        """Nobody on the host's link has the packet's destination."""
        code = packets.ADDRESS_UNREACHABLE
        self._refuse("air", "host unreachable", packet, packets.UNREACHABLE, code)

    def knows(self, address: IPv6Address) -> bool:
        """Is it this router's, or a mote's?"""
        return self._is_own(address) or self.setup.mote_of(address) is not None

    def _is_own(self, address: IPv6Address) -> bool:
        """Is it this router's?"""
        return address in (self.setup.host_address, self.setup.air_address)

    def _answer(self, packet: bytes, send: Callable[[bytes], None]) -> None:
        """A packet to this router: it answers an echo request and nothing else."""
        reply = packets.echo_reply(packet)
        if reply is None:
            self.refused["to the border itself"] += 1
        else:
            send(reply)

    def _forward(self, side: str, packet: bytes) -> None:
        """To the other side, or back to the air."""
        src, target = packets.source(packet), packets.destination(packet)
        local = src in packets.LINK_LOCAL or target in packets.LINK_LOCAL
        if local or not (packets.is_of_one(src) and packets.is_of_one(target)):
            self.refused[f"{side}: of one link alone"] += 1
        elif packet[7] <= 1:
            self._refuse(side, "hop limit", packet, packets.TIME_EXCEEDED, 0)
        elif target in self.setup.motes:
            self._to_mote(packet, side)
        elif target not in self.setup.hosts:
            self._refuse(side, "no route", packet, packets.UNREACHABLE, packets.NO_ROUTE)
        else:
            self.counts["host out"] += 1
            self.to_host.append(packets.one_hop_less(packet))

    def _refuse(
        self, side: str, why: str, packet: bytes, kind: int, code: int, value: int = 0
    ) -> None:
        """Counts, and tells the sender, unless too many were told of late."""
        self.refused[f"{side}: {why}"] += 1
        if not packets.may_be_answered(packet):
            return
        if not self._may_send_an_error():
            self.refused["border: one error too many"] += 1
            return
        own = self.setup.host_address if side == "host" else self.setup.air_address
        error = packets.error_about(packet, own, kind, code, value)
        if side == "host":
            self.to_host.append(error)
        else:
            self._to_mote(error)

    def _may_send_an_error(self) -> bool:
        """Takes a token. A clock that goes back gives none."""
        passed = max(0.0, self.now_s - self._errors_s)
        self._errors = min(ERRORS_AT_ONCE, self._errors + passed * ERRORS_A_SECOND)
        self._errors_s = self.now_s
        if self._errors < 1:
            return False
        self._errors -= 1
        return True

    def _to_mote(self, packet: bytes, side: str = "") -> None:
        """Compresses a packet for its next hop; one that came from a side has a hop less then."""
        target = self.setup.mote_of(packets.destination(packet))
        if target is not None:
            forwarded = packets.one_hop_less(packet) if side else packet
            self.link.give(forwarded, self.setup.routes.get(target, target))
        elif side:
            code = packets.ADDRESS_UNREACHABLE
            self._refuse(side, "no such mote", packet, packets.UNREACHABLE, code)
        else:
            self.refused["border: no such mote"] += 1
