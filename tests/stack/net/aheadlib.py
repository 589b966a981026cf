# SPDX-License-Identifier: BSD-3-Clause
"""A node that works on packets while they come and go, in terms of packets and pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.stack.link.linklib import name_of
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import UNTOUCHED, Node
from wardmote.call import Buffer

HEADERS = (*ipseclib.HEADERS, "ipsec_ahead")
CODES = "wm_ipsec_code_xcbc_96", "wm_ipsec_code_cmac_96"
STREAMS = "wm_ipsec_stream_ctr", "wm_ipsec_stream_null"
IPV6, GROWTH = 40, 80


class Step(NamedTuple):
    """So many octets are there, or are to go; then so many blocks of work."""

    octets: int
    blocks: int


class Ahead:
    """Work on one packet."""

    def __init__(
        self, node: Node, codes: Sequence[str] = CODES, streams: Sequence[str] = STREAMS
    ) -> None:
        self.node, self.target = node, node.target
        self._place: Buffer | None = None
        tables = {"codes": self._table(codes).address, "streams": self._table(streams).address}
        self.context = self.target.buffer(self.target.pack("wm_ipsec_ahead", **tables))

    def _table(self, names: Sequence[str]) -> Buffer:
        model = self.target.model
        addresses = [*(self.target.address_of(name) for name in names), 0]
        return self.target.buffer(
            b"".join(one.to_bytes(model.pointer_octets, model.order) for one in addresses)
        )

    def state(self) -> dict[str, Any]:
        """Its members."""
        return self.target.unpack("wm_ipsec_ahead", bytearray(self.context.read()))

    def call(self, name: str, *arguments: Any) -> int:
        """A function that works on it."""
        return int(self.target.call(f"wm_ipsec_{name}", self.context, *arguments).value or 0)

    def room(self, octets: int) -> Buffer:
        """Memory for a packet: the same as before, if that has so many octets."""
        if self._place is None or len(self._place) < octets:
            self._place = self.target.buffer(max(octets, 1))
        self._place.write(bytes([UNTOUCHED]) * len(self._place))
        return self._place

    def work(self, blocks: int) -> int:
        """So many blocks at most; how many there were."""
        done = 0
        while done < blocks and self.call("ahead_work"):
            done += 1
        return done

    def come(self, packet: bytes, place: Buffer, steps: Sequence[Step]) -> None:
        """The octets of a packet come into `place`, with work in between."""
        there, begun = 0, False
        for step in steps:
            octets = bytearray(place.read())
            octets[there : step.octets] = packet[there : step.octets]
            place.write(bytes(octets))
            there = max(there, step.octets)
            if begun:
                self.call("ahead_come", there)
            else:
                args = (self.node.ipsec, place, len(packet), there)
                begun = bool(self.call("ahead_open", *args))
            self.work(step.blocks)
        octets = bytearray(place.read())
        octets[there : len(packet)] = packet[there:]
        place.write(bytes(octets))

    def unsecure(self, packet: bytes, steps: Sequence[Step]) -> tuple[str, bytes]:
        """As Node.unsecure, with the packet coming step by step."""
        place = self.room(len(packet))
        self.come(packet, place, steps)
        length = bytearray(self.node.number(len(packet)))
        status = self.call("unsecure_ahead", self.node.ipsec, place, length)
        after = self.node.number_of(length)
        octets = place.read()[: len(packet)]
        if status < 0:
            assert (after, any(octets)) == (0, False), "nothing is left of a refused packet"
        self.check_over()
        return name_of(status), octets[:after]

    def secure(self, packet: bytes, steps: Sequence[Step]) -> tuple[str, bytes]:
        """As Node.secure, with the packet going step by step: no octet of it changes after it
        was made."""
        room = len(packet) + GROWTH
        place = self.room(room)
        place.write(packet.ljust(len(place), bytes([UNTOUCHED])))
        length = bytearray(self.node.number(len(packet)))
        status = self.call("secure_ahead", self.node.ipsec, place, room, length)
        after, gone = self.node.number_of(length), b""
        for step in (*steps, Step(after, 0)) if status == 0 else ():
            self.work(step.blocks)
            done = self.call("ahead_make", place, min(step.octets, after))
            if done != 0:
                assert not any(place.read()[IPV6:after]), "nothing of it is left"
                self.check_over()
                return name_of(done), b""
            gone += place.read()[len(gone) : min(step.octets, after)]
        octets = place.read()
        if status < 0:
            self.check_over()
            return name_of(status), octets[: len(packet)]
        assert gone == octets[: len(gone)]
        assert set(octets[after:]) <= {UNTOUCHED}, "nothing behind the packet is written"
        self.check_over()
        return name_of(status), octets[:after]

    def check_over(self) -> None:
        """No packet is at work, and no state of one is left."""
        state = self.state()
        assert state["sa"] == 0
        assert not any(self.octets_of("ctr")), "the keystream is wiped"
        assert not any(self.octets_of("mac")), "the code is wiped"

    def octets_of(self, member: str) -> bytes:
        """Those of a member."""
        layout = self.target.layout("wm_ipsec_ahead")
        at = layout.offset(member)
        return self.context.read()[at : at + layout.sizeof(member)]
