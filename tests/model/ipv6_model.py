# SPDX-License-Identifier: BSD-3-Clause
"""IPv6 (RFC 8200) for tests, independent of the stack: headers as one number of 320 bits, checksums
as one number modulo 65 535."""

from __future__ import annotations

from dataclasses import dataclass

HOP_BY_HOP, UDP, IPV6, ROUTING, FRAGMENT, ESP, AH, ICMPV6, NO_NEXT, DESTINATION, MOBILITY = (
    *(0, 17, 41, 43, 44),
    *(50, 51, 58, 59, 60, 135),
)
HEADER = 40
"""Octets."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a packet."""

    src: bytes
    dst: bytes
    next_header: int = NO_NEXT
    hop_limit: int = 64
    traffic_class: int = 0
    flow_label: int = 0

    def octets(self, payload: int) -> bytes:
        """In front of so many octets."""
        first = (6 << 28) | (self.traffic_class << 20) | self.flow_label
        second = (payload << 16) | (self.next_header << 8) | self.hop_limit
        return ((first << 32) | second).to_bytes(8, "big") + self.src + self.dst


def packet(header: Header, payload: bytes) -> bytes:
    """A whole packet."""
    return header.octets(len(payload)) + payload


def read(octets: bytes) -> tuple[Header, bytes]:
    """The header of a packet, and what stands behind it."""
    number = int.from_bytes(octets[:8], "big")
    assert number >> 60 == 6
    return Header(
        src=octets[8:24],
        dst=octets[24:40],
        next_header=number >> 8 & 0xFF,
        hop_limit=number & 0xFF,
        traffic_class=number >> 52 & 0xFF,
        flow_label=number >> 32 & 0xFFFFF,
    ), octets[40:]


def checksum(src: bytes, dst: bytes, protocol: int, data: bytes) -> int:
    """Of UDP or ICMPv6, whose checksum field holds 0. The sum of digits to the base 65 536 has the
    remainder of the number itself, and is 65 535 where that is 0."""
    pseudo = src + dst + len(data).to_bytes(4, "big") + protocol.to_bytes(4, "big")
    number = int.from_bytes(pseudo + data + bytes(len(data) % 2), "big")
    return 65535 - (number % 65535 or 65535)


def udp(src: bytes, dst: bytes, ports: tuple[int, int], payload: bytes) -> bytes:
    """A datagram between two addresses, with its checksum."""
    head = b"".join(n.to_bytes(2, "big") for n in (*ports, 8 + len(payload)))
    right = checksum(src, dst, UDP, head + bytes(2) + payload) or 0xFFFF
    return head + right.to_bytes(2, "big") + payload
