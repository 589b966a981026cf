# SPDX-License-Identifier: BSD-3-Clause
"""A mote whose IPsec and 6LoWPAN are the stack's C, on this machine: it echoes UDP and pings, and
asks. What is a program on a real mote is Python here."""

from __future__ import annotations

from collections import Counter, deque
from ipaddress import IPv6Address

from tests.interop.ipsec_suites import LINUX, Party
from tests.model.ipv6_model import Header, packet, udp
from tests.stack.net.ipseclib import BYPASS, GROUP, HEADERS, IN, OUT, PROTECT, Node
from wardmote.border import packets
from wardmote.border.link import LowpanLink
from wardmote.border.lowpan import Lowpan
from wardmote.border.mac import MPDU_MAX
from wardmote.border.router import Setup
from wardmote.call import Target

UDP = 17
PORTS = 7, 0xF0B7
ASKS_FROM = 0xF0B1
STUDY = 1
ECHO_REQUEST, ECHO_REPLY = packets.ECHO_REQUEST, packets.ECHO_REPLY

__all__ = ["ASKS_FROM", "BYPASS", "HEADERS", "PORTS", "StackMote"]


class StackMote:
    """A mote that shares SAs with Linux."""

    def __init__(
        self,
        target: Target,
        party: Party,
        setup: Setup,
        *,
        used: int = 0,
        neighbour: bytes = b"",
        extended: bytes = b"",
    ) -> None:
        """`used` is how many sequence numbers it has used before. Its `neighbour` is the border
        router, unless it is Linux itself, which knows no contexts."""
        self.party, self.setup = party, setup
        self.neighbour, self.extended = neighbour, extended
        self.link = self._link(0)
        sas = [(IN, sa) for sa in party.to_mote] + [(OUT, sa) for sa in party.from_mote]
        whole = {"remote": LINUX.packed, "prefix": 128, "action": PROTECT}
        for sa in party.to_mote:
            whole["ah" if sa.suite.is_ah else "esp"] = GROUP
        config = {} if party.secure else {"profile": STUDY}
        self.node = Node(target, sas, config, [whole])
        assert self.node.started == "WM_OK"
        for at in range(len(party.from_mote)):
            self.node.go_on_from(OUT, at, used)
        self.statuses: Counter[str] = Counter()
        """What wm_ipsec_unsecure said."""
        self.heard: deque[tuple[int, bytes]] = deque()
        """What came for it: protocol and octets behind its IPv6 header."""
        self.air: list[bytes] = []
        """Packets as they came from the air, secured."""

    def _link(self, number: int) -> LowpanLink:
        setup = self.setup
        contexts = () if self.neighbour else (setup.motes, setup.hosts)
        lowpan = Lowpan(contexts, setup.layout)
        ends = (setup.pan, self.party.short, MPDU_MAX)
        return LowpanLink(lowpan, *ends, first=number, extended=self.extended)

    def restart(self, number: int) -> None:
        """Power was away: what it kept of frames and packets is lost, its counters are not."""
        self.link = self._link(number)
        self.node.reset()

    def from_air(self, mpdu: bytes, now_s: float) -> None:
        """Takes a frame."""
        octets = self.link.take(mpdu, now_s)
        if octets is None or packets.destination(octets) != self.party.address:
            return
        self.air.append(octets)
        status, clear = self.node.unsecure(octets)
        self.statuses[status] += 1
        if status not in ("WM_OK", "WM_NOT_AUTHENTICATED"):
            return
        protocol, message = clear[6], clear[packets.HEADER_OCTETS :]
        if protocol == packets.ICMPV6 and message[0] == ECHO_REQUEST:
            reply = packets.echo_reply(clear)
            assert reply
            self.send(reply)
        elif protocol == UDP and int.from_bytes(message[2:4], "big") in PORTS:
            port = int.from_bytes(message[:2], "big")
            self.udp(message[8:], port, int.from_bytes(message[2:4], "big"))
        else:
            self.heard.append((protocol, message))

    def udp(self, octets: bytes, port: int, own: int = ASKS_FROM) -> None:
        """Sends a datagram to Linux."""
        src, dst = self.party.address.packed, LINUX.packed
        self.send(packet(Header(src, dst, UDP), udp(src, dst, (own, port), octets)))

    def ping(self, octets: bytes) -> None:
        """Sends an echo request to Linux."""
        message = bytes([ECHO_REQUEST, 0, 0, 0]) + octets
        self.send(packets.icmpv6(self.party.address, IPv6Address(LINUX), message))

    def send(self, clear: bytes) -> None:
        """Secures and sends a packet."""
        status, secured = self.node.secure(clear)
        assert status == "WM_OK", status
        self.give(secured)

    def give(self, octets: bytes) -> None:
        """Sends a packet as it is."""
        self.link.give(octets, self.neighbour or self.setup.short)
