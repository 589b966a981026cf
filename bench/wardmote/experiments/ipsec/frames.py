# SPDX-License-Identifier: BSD-3-Clause
"""Frames of IEEE 802.15.4 that carry an IPv6 packet over 6LoWPAN, made by the stack's C functions:
header, headers compressed and fragments cut, link security, and nothing typed."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from wardmote.call import Buffer, EmulatedTarget
from wardmote.experiments.ipsec.node import KEY, OURS, PAN, PEERS, SHORT, good

NONE, PAPER, DRAFT = range(3)
"""Layouts of AH and ESP: as they are, the paper's, the draft's."""
PSDU_MOST, FCS_OCTETS, SHORT_MODE, DATA = 127, 2, 2, 1
EDITION_2011 = 1
"""Of IEEE 802.15.4: it still has level 4, encryption alone."""
SENDER = bytes.fromhex("00124b0000000002")


class Link(NamedTuple):
    """Who sends frames to whom, and what both know."""

    src: bytes = SHORT[PEERS]
    dst: bytes = SHORT[OURS]
    contexts: tuple[bytes, ...] = ()
    """Prefixes of 64 bits, as addresses."""
    ash: Mapping[str, int] = {"key_id_mode": 0}
    """Of the auxiliary security header, beside level and frame counter."""
    extended: bytes = SENDER


NEIGHBOURS = Link()


class Radio:
    """What a sender needs to make frames of packets."""

    places: tuple[Buffer, Buffer] | None = None

    def __init__(
        self,
        target: EmulatedTarget,
        layout: int = PAPER,
        level: int = 0,
        ah: int = 0,
        link: Link = NEIGHBOURS,
    ) -> None:
        """Does not reset the target. `ah`: Payload Length of an AH that the network knows; 0: of one
        with an ICV of 12 octets."""
        self.target, self.level, self.between, self.counter = target, level, link, 0
        table = b"".join(
            bytes(target.pack("wm_lowpan_context", prefix=one, prefix_len=64))
            for one in link.contexts
        )
        known = {"contexts": target.buffer(table).address} if table else {}
        count = len(link.contexts)
        self.net = target.pack("wm_lowpan", ipsec=layout, ah_len=ah, context_count=count, **known)
        ends = [{"octet": one.ljust(8, b"\0"), "len": 2} for one in (link.src, link.dst)]
        self.link = target.pack("wm_lowpan_link", src=ends[0], dst=ends[1])
        if level:
            key = target.buffer(target.pack("wm_aes128_tab_key"))
            target.call("wm_aes128_tab_init", key, KEY[:16])
            source = target.buffer(link.extended).address
            members: dict[str, Any] = {"cipher": key.address, "src_ext": source}
            self.security = target.pack("wm_security", profile=EDITION_2011, **members)

    def compressed(self, packet: bytes) -> bytes:
        """What one frame would carry, were it long enough."""
        out, done = bytearray(len(packet) + 1), self.target.pack("wm_lowpan_headers")
        given = (self.net, self.link, packet, len(packet), 0, out, len(out), done)
        good(self.target, "wm_lowpan_compress", *given)
        found = self.target.unpack("wm_lowpan_headers", done)
        return bytes(out[: found["compressed"]]) + packet[found["packet"] :]

    def frames(self, packet: bytes) -> list[bytes]:
        """Whole frames, FCS left out."""
        return [self.frame(one) for one in self.payloads(packet)]

    def octets(self, packet: bytes) -> tuple[int, int]:
        """How many frames carry a packet, and their octets, with each FCS."""
        frames = self.frames(packet)
        return len(frames), sum(map(len, frames)) + FCS_OCTETS * len(frames)

    def frame(self, payload: bytes) -> bytes:
        """A frame with this payload, secured at the level."""
        frame, length = bytearray(PSDU_MOST), bytearray(1)
        good(self.target, "wm_mhr_build", self._header(), frame, PSDU_MOST, length)
        end = length[0] + len(payload)
        frame[length[0] : end] = payload
        length[0] = end
        if self.level:
            name, given = "wm_frame_secure", (frame, PSDU_MOST, length)
            good(self.target, name, self.security, *given)
        return bytes(frame[: length[0]])

    def _header(self) -> bytearray:
        flags = dict.fromkeys(("ack_request", "pan_id_compression"), True)
        pans = dict.fromkeys(("dst_pan", "src_pan"), PAN)
        ends = {
            name: {"mode": SHORT_MODE, "octet": one.ljust(8, b"\0")}
            for name, one in (("src", self.between.src), ("dst", self.between.dst))
        }
        self.counter += 1
        security = {"level": self.level, "frame_counter": self.counter, **self.between.ash}
        flags["security_enabled"] = bool(self.level)
        kind = {"type": DATA, "version": 1, "seq": self.counter & 0xFF, "ash": security}
        return self.target.pack("wm_mhr", **flags, **pans, **ends, **kind)

    def payloads(self, packet: bytes) -> Iterator[bytes]:
        """What each frame carries: the packet, or fragments of it."""
        room = PSDU_MOST - FCS_OCTETS - len(self.frame(b""))
        kept, sending = self._kept(len(packet))
        kept.write(packet)
        payload, length = bytearray(room), bytearray(2)
        given = (sending, self.net, self.link, kept, len(packet), 0, 1, payload, room, length)
        good(self.target, "wm_lowpan_send", *given)
        while octets := int.from_bytes(length, "little"):
            yield bytes(payload[:octets])
            good(self.target, "wm_lowpan_send_next", sending, payload, room, length)

    def _kept(self, octets: int) -> tuple[Buffer, Buffer]:
        """Where a packet lies while it is sent, and what is known of that; the same for all packets
        that are no longer."""
        if self.places is None or len(self.places[0]) < octets:
            buffer = self.target.buffer
            self.places = buffer(octets), buffer(self.target.pack("wm_lowpan_sending"))
        return self.places
