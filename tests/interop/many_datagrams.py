# SPDX-License-Identifier: BSD-3-Clause
"""Datagrams through the border router in bad weather: frames are lost, packets and fragments come in
another order, mote and border router lose their power. Each datagram is delivered once or lost.

    python -m tests.interop.many_datagrams 10000

The mote is the stack's C on this machine, under ESP with CCM-8; the peer is the model of the tests. All
time is simulated, so a seed gives the same figures again.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from dataclasses import dataclass, field
from random import Random
from zlib import crc32

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from tests.interop.ipsec_suites import LINUX, Party, party
from tests.interop.stack_mote import ASKS_FROM, PORTS, StackMote
from tests.model.ipsec_model import UDP, Suite, esp, ipv6, udp
from tests.stack.conftest import target_named
from wardmote import _motes
from wardmote.border import packets
from wardmote.border.air import Node, StationAir
from wardmote.border.router import Router, Setup
from wardmote.units import PS_PER_S

LOSS = 0.05
RESTARTS_EVERY = 100
"""Datagrams between two restarts on average, of the mote and the border router in turn."""
HARM = 0.02
"""Packets of the peer that come twice, and as many with a bit changed besides."""
BURST, SIZES = 6, (9, 64, 65, 150, 300, 512)
PACE_PS, SETTLE_PS = PS_PER_S // 15, 2 * PS_PER_S
SUITE = Suite("aes_ccm_8")
HEAD = 8
"""Octets of a datagram in front of its text: number and checksum."""


@dataclass
class Figures:
    """What became of the datagrams."""

    sent: int = 0
    delivered: Counter[int] = field(default_factory=Counter)
    """How often each came to the mote."""
    answered: Counter[int] = field(default_factory=Counter)
    """How often each came back."""
    altered: int = 0
    restarts: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By IPsec, on both sides."""
    lost_by: Counter[str] = field(default_factory=Counter)
    """By the links, on both sides."""
    frames: int = 0
    frames_again: int = 0

    @property
    def twice(self) -> int:
        """Datagrams that came more than once."""
        return sum(n > 1 for counts in (self.delivered, self.answered) for n in counts.values())

    def __str__(self) -> str:
        return (
            f"{self.sent} datagrams, {LOSS:.0%} of frames lost, {self.restarts} restarts: "
            f"{len(self.delivered)} delivered, {self.sent - len(self.delivered)} lost; "
            f"{len(self.answered)} answers came back; {self.altered} altered, {self.twice} twice. "
            f"{self.frames} frames of data, {self.frames_again} sent again; "
            f"IPsec refused {dict(self.refused)}; the links {dict(self.lost_by)}"
        )


def body(number: int, octets: int) -> bytes:
    """A datagram that says which it is, and whether it is whole."""
    text = Random(number).randbytes(octets - HEAD)
    head = number.to_bytes(4, "big")
    return head + crc32(head + text).to_bytes(4, "big") + text


def number_of(octets: bytes, sent: int) -> int | None:
    """Which it is; None if it is none."""
    number = int.from_bytes(octets[:4], "big")
    right = len(octets) >= HEAD and crc32(octets[:4] + octets[8:]) == int.from_bytes(
        octets[4:8], "big"
    )
    return number if right and number < sent else None


class Weather:
    """A border router, a mote, and the peer."""

    def __init__(self, seed: int, suite: Suite = SUITE) -> None:
        self.random = Random(seed)
        self.setup = Setup()
        self.party: Party = party(seed, (suite,))
        self.figures = Figures()
        self.simulation = _motes.Simulation(seed, loss=LOSS)
        self.border = Router(self.setup)
        self.mote = StackMote(target_named("host"), self.party, self.setup)
        self.airs = [
            StationAir(self.simulation, node, self.setup.channel, name)
            for node, name in ((self.border, "border"), (self._watched(), "mote"))
        ]
        self.stations = [air.station for air in self.airs]
        self.waiting: deque[bytes] = deque()
        self.seen: set[int] = set()

    def _watched(self) -> Node:
        """The mote, whose upper layer counts what is delivered."""
        plain = self.mote.udp

        def udp_and_count(octets: bytes, port: int, own: int = ASKS_FROM) -> None:
            number = number_of(octets, self.figures.sent)
            if number is None:
                self.figures.altered += 1
            else:
                self.figures.delivered[number] += 1
            plain(octets, port, own)

        self.mote.udp = udp_and_count  # type: ignore[method-assign]
        return self.mote

    def send(self, octets: int) -> None:
        """The peer makes the next datagram."""
        number = self.figures.sent
        self.figures.sent += 1
        dst = self.party.address.packed
        text = udp(LINUX.packed, dst, (ASKS_FROM, PORTS[1]), body(number, octets))
        clear = ipv6(LINUX.packed, dst, UDP, text)
        self.waiting.append(esp(self.party.to_mote[0], clear, number + 1))

    def turn(self, until_ps: int) -> None:
        """Lets time pass."""
        while self.simulation.now_ps < until_ps:
            for air in self.airs:
                air.turn()
            if self.random.random() < 0.2:
                self._disorder()
            while self.border.to_host:
                self._answer(self.border.to_host.popleft())
            self.simulation.run_until_news(self.stations, until_ps)

    def _disorder(self) -> None:
        """Frames that wait for the air change places."""
        for air in self.airs:
            going = list(air.node.link.to_air)
            self.random.shuffle(going)
            air.node.link.to_air = deque(going)

    def _with_harm(self, packet: bytes) -> list[bytes]:
        """The packet, and what somebody on the way makes of it now and then."""
        found = [packet]
        if self.random.random() < HARM:
            found.append(packet)
        if self.random.random() < HARM:
            changed = bytearray(packet)
            changed[self.random.randrange(packets.HEADER_OCTETS, len(packet))] ^= 1
            found.insert(0, bytes(changed))
        return found

    def _answer(self, packet: bytes) -> None:
        """The peer gets a packet."""
        sa, at = self.party.from_mote[0], packets.HEADER_OCTETS
        if packet[6] != packets.ICMPV6 and packet[6] == 50:
            header, iv, text = packet[at : at + 8], packet[at + 8 : at + 16], packet[at + 16 :]
            sequence = int.from_bytes(header[4:], "big")
            try:
                clear = AESCCM(sa.key, tag_length=8).decrypt(sa.salt[:3] + iv, text, header)
            except InvalidTag:
                self.figures.refused["at the peer: wrong ICV"] += 1
                return
            if sequence in self.seen:
                self.figures.refused["at the peer: replay"] += 1
                return
            self.seen.add(sequence)
            datagram = clear[: len(clear) - 2 - clear[-2]]
            number = number_of(datagram[8:], self.figures.sent)
            if number is None:
                self.figures.altered += 1
            else:
                self.figures.answered[number] += 1

    def restart(self) -> None:
        """The mote, or the border router, loses its power and comes again."""
        self.figures.restarts += 1
        self._count_frames()
        if self.figures.restarts % 2:
            self.border = Router(self.setup, first=self.random.randrange(0x10000))
            self.airs[0].restart(self.border)
        else:
            self.mote.restart(self.random.randrange(0x10000))
            self.airs[1].restart(self.mote)

    def _count_frames(self) -> None:
        for link in (self.border.link, self.mote.link):
            self.figures.frames += link.counts["frames in"] - link.counts["frames repeated"]
            self.figures.frames_again += link.counts["frames repeated"]
            self.figures.lost_by.update(link.refused)
            link.counts.clear()
            link.refused.clear()

    def run(self, datagrams: int) -> Figures:
        """Sends them in bursts, each in an order of its own."""
        while self.figures.sent < datagrams:
            for _ in range(min(BURST, datagrams - self.figures.sent)):
                self.send(self.random.choice(SIZES))
            going = list(self.waiting)
            self.waiting.clear()
            self.random.shuffle(going)
            for packet in going:
                for one in self._with_harm(packet):
                    self.border.from_host(one)
                self.turn(self.simulation.now_ps + self.random.randrange(1, 2 * PACE_PS))
                if self.random.random() < 1 / RESTARTS_EVERY:
                    self.restart()
        self.turn(self.simulation.now_ps + SETTLE_PS)
        self._count_frames()
        self.figures.refused.update(
            {name: n for name, n in self.mote.statuses.items() if name.startswith("WM_ERR")}
        )
        return self.figures


def main() -> int:
    """Prints the figures; 1 if a datagram was altered or came twice."""
    figures = Weather(1).run(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    sys.stdout.write(f"{figures}\n")
    return 1 if figures.altered or figures.twice else 0


if __name__ == "__main__":
    sys.exit(main())
