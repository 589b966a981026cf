# SPDX-License-Identifier: BSD-3-Clause
"""The host's link as Ethernet, with neighbour discovery (RFC 4861): the border router answers for
itself and for every mote, and finds the hosts."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network

from wardmote.border import packets
from wardmote.border.packets import NoPacketError
from wardmote.border.router import Router

IPV6 = b"\x86\xdd"
ETHERNET_OCTETS = 14
ROUTER_SOLICITATION, ROUTER_ADVERTISEMENT, SOLICITATION, ADVERTISEMENT = range(133, 137)
SOURCE_ADDRESS, TARGET_ADDRESS, PREFIX, MTU, ROUTE = 1, 2, 3, 5, 24
"""Options."""
IS_ROUTER, SOLICITED, OVERRIDE = 0x80, 0x40, 0x20
ONLY_HOP_LIMIT = 255
ALL_NODES = IPv6Address("ff02::1")
OWN_LINK_ADDRESS = bytes.fromhex("020000000002")
NEIGHBOURS = 256
WAITING = 8
"""Packets that wait for the address of one host."""
ASK_EVERY_S, ASK_TIMES = 1.0, 3
FRESH_S = 30.0
"""An address that was not heard from for so long is asked for again."""
LIFETIME_S = 1800


@dataclass(slots=True)
class Neighbour:
    """A host on the link."""

    link: bytes = b""
    heard_s: float = 0.0
    asked_s: float = 0.0
    asked: int = 0
    waiting: deque[bytes] = field(default_factory=deque)


class Ethernet:
    """One interface, with a router behind it."""

    def __init__(
        self, router: Router, *, address: bytes = OWN_LINK_ADDRESS, advertise: bool = False
    ) -> None:
        self.router = router
        self.address = address
        self.advertise = advertise
        iid = bytes([address[0] ^ 2]) + address[1:3] + b"\xff\xfe" + address[3:]
        self.local = IPv6Address(packets.LINK_LOCAL.network_address.packed[:8] + iid)
        self.out: deque[bytes] = deque()
        self.neighbours: dict[IPv6Address, Neighbour] = {}

    def receive(self, frame: bytes, now_s: float) -> None:
        """Takes a frame of the link."""
        to, link, kind = frame[:6], frame[6:12], frame[12:ETHERNET_OCTETS]
        refused = self.router.refused
        if len(frame) < ETHERNET_OCTETS or kind != IPV6:
            refused["host: no IPv6 frame"] += 1
            return
        if link[0] & 1 or link == self.address:
            refused["host: no host's link address"] += 1
            return
        if to != self.address and not to[0] & 1:
            refused["host: another link address"] += 1
            return
        try:
            packet = packets.checked(frame[ETHERNET_OCTETS:])
        except NoPacketError:
            refused["host: no IPv6 packet"] += 1
            return
        src, target = packets.source(packet), packets.destination(packet)
        if to[0] & 1 and not target.is_multicast:
            refused["host: a packet for one in a frame to all"] += 1
            return
        message = packet[packets.HEADER_OCTETS :]
        kind_of = message[0] if packet[6] == packets.ICMPV6 and len(message) >= 8 else 0
        if ROUTER_SOLICITATION <= kind_of <= ADVERTISEMENT:
            if packet[7] == ONLY_HOP_LIMIT and message[1] == 0 and packets.is_whole(packet):
                self._discovery(packet, kind_of, message, link, now_s)
            return
        self._goes_on(src, link, now_s)
        if target == self.local:
            reply = packets.echo_reply(packet)
            self._send(reply, link) if reply else None
        elif not (target.is_multicast or src in packets.LINK_LOCAL):
            self.router.from_host(packet)

    def _goes_on(self, src: IPv6Address, link: bytes, now_s: float) -> None:
        """A host that speaks is still there. Where it is no packet tells (RFC 4861 7.2): its frame may
        come from a router, and its source from anybody behind that."""
        known = self.neighbours.get(src)
        if known is not None and known.link == link:
            known.heard_s, known.asked = now_s, 0

    def _heard(self, src: IPv6Address, link: bytes, now_s: float) -> None:
        """A host is where its message of neighbour discovery, which no router passes on, comes from."""
        setup = self.router.setup
        if src not in self.neighbours:
            if src not in setup.hosts or src == setup.host_address:
                return
            self._make_room()
        known = self.neighbours.setdefault(src, Neighbour())
        known.link, known.heard_s, known.asked = link, now_s, 0
        while known.waiting:
            self._send(known.waiting.popleft(), link)

    def _make_room(self) -> None:
        """A host that is there takes the place of one that is not, or was not heard from for longest:
        nobody can fill the table for ever."""
        if len(self.neighbours) < NEIGHBOURS:
            return
        target = min(self.neighbours, key=lambda one: self.neighbours[one].heard_s)
        for packet in self.neighbours.pop(target).waiting:
            self.router.refuse_unreachable(packet)

    def _discovery(
        self, packet: bytes, kind: int, message: bytes, link: bytes, now_s: float
    ) -> None:
        src = packets.source(packet)
        target = IPv6Address(message[8:24]) if len(message) >= 24 else None
        if kind in (ROUTER_SOLICITATION, SOLICITATION):
            self._heard(src, link, now_s)
        if kind == SOLICITATION and target and (target == self.local or self.router.knows(target)):
            anybody = src.is_unspecified
            flags = IS_ROUTER | OVERRIDE | (0 if anybody else SOLICITED)
            body = bytes([ADVERTISEMENT, 0, 0, 0, flags, 0, 0, 0]) + target.packed
            body += bytes([TARGET_ADDRESS, 1]) + self.address
            to = ALL_NODES if anybody else src
            self._discover(target, to, body, b"\x33\x33\0\0\0\1" if anybody else link)
        elif kind == ADVERTISEMENT and target in self.neighbours:
            self._heard(target, link, now_s)
        elif kind == ROUTER_SOLICITATION and self.advertise:
            self._discover(self.local, ALL_NODES, self._advertisement(), b"\x33\x33\0\0\0\1")

    def _advertisement(self) -> bytes:
        """A default router; the hosts' prefix on the link, from which they make addresses; a route
        to the motes (RFC 4191)."""
        lifetime = LIFETIME_S.to_bytes(4, "big")
        setup = self.router.setup

        def prefix(network: IPv6Network) -> bytes:
            return network.network_address.packed

        return b"".join(
            (
                bytes([ROUTER_ADVERTISEMENT, 0, 0, 0, packets.HOP_LIMIT, 0]),
                LIFETIME_S.to_bytes(2, "big") + bytes(8),
                bytes([SOURCE_ADDRESS, 1]) + self.address,
                bytes([MTU, 1, 0, 0]) + packets.LEAST_MTU.to_bytes(4, "big"),
                bytes([PREFIX, 4, setup.hosts.prefixlen, 0xC0]) + lifetime * 2 + bytes(4),
                prefix(setup.hosts),
                bytes([ROUTE, 2, setup.motes.prefixlen, 0]) + lifetime + prefix(setup.motes)[:8],
            )
        )

    def _discover(self, src: IPv6Address, dst: IPv6Address, message: bytes, link: bytes) -> None:
        self._send(packets.icmpv6(src, dst, message, ONLY_HOP_LIMIT), link)

    def _send(self, packet: bytes, link: bytes) -> None:
        self.out.append(link + self.address + IPV6 + packet)

    def turn(self, now_s: float) -> None:
        """Sends what the router has for hosts, and asks for those that are not known."""
        while self.router.to_host:
            packet = self.router.to_host.popleft()
            target = packets.destination(packet)
            if target not in self.neighbours and len(self.neighbours) >= NEIGHBOURS:
                self.router.refused["host: too many neighbours"] += 1
                continue
            known = self.neighbours.setdefault(target, Neighbour())
            if known.link:
                self._send(packet, known.link)
            elif len(known.waiting) < WAITING:
                known.waiting.append(packet)
            else:
                self.router.refused["host: waits for its address"] += 1
        for target, known in list(self.neighbours.items()):
            self._ask(target, known, now_s)

    def _ask(self, target: IPv6Address, known: Neighbour, now_s: float) -> None:
        stale = known.link and now_s - known.heard_s > FRESH_S
        if not (known.waiting or stale) or (known.asked and now_s - known.asked_s < ASK_EVERY_S):
            return
        if known.asked == ASK_TIMES:
            del self.neighbours[target]
            for packet in known.waiting:
                self.router.refuse_unreachable(packet)
            return
        known.asked, known.asked_s = known.asked + 1, now_s
        group = IPv6Address(b"\xff\2" + bytes(9) + b"\1\xff" + target.packed[13:])
        body = bytes([SOLICITATION, 0, 0, 0, 0, 0, 0, 0]) + target.packed
        body += bytes([SOURCE_ADDRESS, 1]) + self.address
        self._discover(self.local, group, body, b"\x33\x33" + group.packed[12:])
