# SPDX-License-Identifier: BSD-3-Clause
"""Fragments of RFC 4944 5.3 for tests, independent of the stack: packets as sets of octets that are
there."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.model.lowpan_model import ForeignError, Net, RefusedError, expand

MOST = 1280


def frag1(size: int, tag: int, payload: bytes) -> bytes:
    """A first fragment."""
    return (0b11000 << 27 | size << 16 | tag).to_bytes(4, "big") + payload


def fragn(size: int, tag: int, offset: int, payload: bytes) -> bytes:
    """Another one."""
    return (0b11100 << 35 | size << 24 | tag << 8 | offset // 8).to_bytes(5, "big") + payload


@dataclass
class Slot:
    """A packet of which something is there."""

    sender: tuple[bytes, bytes]
    size: int
    tag: int
    since: int
    pieces: dict[int, bytes] = field(default_factory=dict)
    """By offset."""
    first: bytes | None = None
    """The first fragment as it came."""

    def whole(self, net: Net) -> bytes | None:
        """The packet, when nothing is missing."""
        octets = b""
        while piece := self.pieces.get(len(octets)):
            octets += piece
        if len(octets) < self.size:
            return None
        # A checksum that was left out needs all octets: as if they had come in one frame.
        headers = self.first or b""
        return expand(headers + octets[len(self.pieces[0]) :], net, self.size)


@dataclass
class Reassembly:
    """What a node keeps."""

    count: int
    per_sender: int
    timeout: int
    slots: list[Slot] = field(default_factory=list)
    """From the oldest on."""

    def take(self, octets: bytes, net: Net, now: int) -> tuple[str, bytes]:
        """A fragment at a time: status, and the packet when it is whole."""
        try:
            return self._take(octets, net, now)
        except RefusedError:
            return "WM_ERR_MALFORMED", b""
        except ForeignError:
            return "WM_ERR_NOT_FOR_US", b""

    def _take(self, octets: bytes, net: Net, now: int) -> tuple[str, bytes]:
        if not octets:
            raise RefusedError
        kind = octets[0] >> 3
        if kind not in (0b11000, 0b11100):
            raise ForeignError
        header = 4 if kind == 0b11000 else 5
        payload = octets[header:]
        if not payload:
            raise RefusedError
        size, tag = int.from_bytes(octets[:2], "big") & 2047, int.from_bytes(octets[2:4], "big")
        offset = octets[4] * 8 if header == 5 else 0
        end = offset + len(payload)
        if header == 5 and (offset == 0 or end > size or (len(payload) % 8 and end != size)):
            raise RefusedError
        if size == 0:
            raise RefusedError
        if size > MOST:
            return "WM_ERR_FRAME_TOO_LONG", b""
        self.slots = [slot for slot in self.slots if now - slot.since < self.timeout]
        slot = self._slot((net.src, net.dst), size, tag, now)
        if slot is None:
            return "WM_ERR_STATE", b""
        try:
            self._put(slot, offset, payload, net)
        except (RefusedError, ForeignError):
            self.slots.remove(slot)
            raise
        packet = slot.whole(net)
        if packet is None:
            return "WM_OK", b""
        self.slots.remove(slot)
        return "WM_OK", packet

    def _slot(self, sender: tuple[bytes, bytes], size: int, tag: int, now: int) -> Slot | None:
        for slot in self.slots:
            if (slot.sender, slot.size, slot.tag) == (sender, size, tag):
                return slot
        own = [slot for slot in self.slots if slot.sender[0] == sender[0]]
        if len(own) >= self.per_sender:
            self.slots.remove(own[0])
        elif len(self.slots) == self.count:
            return None
        self.slots.append(Slot(sender, size, tag, now))
        return self.slots[-1]

    def _put(self, slot: Slot, offset: int, payload: bytes, net: Net) -> None:
        """A piece that is there already changes nothing; another one at the same place, or with other
        octets, is refused."""
        piece = payload
        if offset == 0:
            if slot.first is not None:
                if slot.first != payload:
                    raise RefusedError
                return
            piece = expand(payload, net, slot.size)
            if len(piece) % 8 and len(piece) != slot.size:
                raise RefusedError
        begin, end = offset, offset + len(piece)
        for other, there in slot.pieces.items():
            if begin < other + len(there) and other < end:
                if (other, there) == (begin, piece) and offset:
                    return
                raise RefusedError
        slot.pieces[offset] = piece
        if offset == 0:
            slot.first = payload
