# SPDX-License-Identifier: BSD-3-Clause
"""Frames of IEEE 802.15.4 that carry an IPv6 packet over 6LoWPAN, made by the stack's C functions:
header, headers compressed and fragments cut, link security, and nothing typed."""

from collections.abc import Iterator
from typing import Any

from wardmote.call import EmulatedTarget
from wardmote.experiments.ipsec.node import KEY, OURS, PAN, PEERS, SHORT, good

NONE, PAPER, DRAFT = range(3)
"""Layouts of AH and ESP: as they are, the paper's, the draft's."""
PSDU_MOST, FCS_OCTETS, SHORT_MODE, DATA = 127, 2, 2, 1
EDITION_2011 = 1
"""Of IEEE 802.15.4: it still has level 4, encryption alone."""
SENDER = bytes.fromhex("00124b0000000002")


class Radio:
    """What a sender needs to make frames of packets."""

    def __init__(
        self, target: EmulatedTarget, layout: int = PAPER, level: int = 0, ah: int = 0
    ) -> None:
        """Does not reset the target. `ah`: Payload Length of an AH that the network knows; 0: of one
        with an ICV of 12 octets."""
        self.target, self.level = target, level
        self.net = target.pack("wm_lowpan", ipsec=layout, ah_len=ah)
        addresses = [{"octet": SHORT[one].ljust(8, b"\0"), "len": 2} for one in (PEERS, OURS)]
        self.link = target.pack("wm_lowpan_link", src=addresses[0], dst=addresses[1])
        if level:
            key = target.buffer(target.pack("wm_aes128_tab_key"))
            target.call("wm_aes128_tab_init", key, KEY[:16])
            source = target.buffer(SENDER).address
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
        return [self.frame(one) for one in self._payloads(packet)]

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
            name: {"mode": SHORT_MODE, "octet": SHORT[one].ljust(8, b"\0")}
            for name, one in (("src", PEERS), ("dst", OURS))
        }
        security = {"level": self.level, "frame_counter": 1}
        flags["security_enabled"] = bool(self.level)
        kind = {"type": DATA, "version": 1, "seq": 7, "ash": security}
        return self.target.pack("wm_mhr", **flags, **pans, **ends, **kind)

    def _payloads(self, packet: bytes) -> Iterator[bytes]:
        """What each frame carries: the packet, or fragments of it."""
        room = PSDU_MOST - FCS_OCTETS - len(self.frame(b""))
        kept = self.target.buffer(packet)
        sending, payload, length = (
            self.target.buffer(self.target.pack("wm_lowpan_sending")),
            bytearray(room),
            bytearray(2),
        )
        given = (sending, self.net, self.link, kept, len(packet), 0, 1, payload, room, length)
        good(self.target, "wm_lowpan_send", *given)
        while octets := int.from_bytes(length, "little"):
            yield bytes(payload[:octets])
            good(self.target, "wm_lowpan_send_next", sending, payload, room, length)
