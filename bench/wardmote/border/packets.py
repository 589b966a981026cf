# SPDX-License-Identifier: BSD-3-Clause
"""IPv6 packets and what ICMPv6 says about them (RFC 8200, RFC 4443), as a router needs them."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network

HEADER_OCTETS = 40
LEAST_MTU = 1280
HOP_LIMIT = 64
ICMPV6 = 58
HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION = 0, 43, 44, 60
UNREACHABLE, TOO_BIG, TIME_EXCEEDED, ECHO_REQUEST, ECHO_REPLY = 1, 2, 3, 128, 129
NO_ROUTE, ADDRESS_UNREACHABLE = 0, 3
FIRST_INFORMATION, REDIRECT = 128, 137
"""ICMPv6 types below the first one are errors."""
LINK_LOCAL = IPv6Network("fe80::/10")


class NoPacketError(Exception):
    """Octets that are no IPv6 packet."""


def checked(octets: bytes) -> bytes:
    """The packet that the octets begin with; raises NoPacketError."""
    if len(octets) < HEADER_OCTETS or octets[0] >> 4 != 6:
        raise NoPacketError
    whole = HEADER_OCTETS + int.from_bytes(octets[4:6], "big")
    if len(octets) < whole:
        raise NoPacketError
    return octets[:whole]


def source(packet: bytes) -> IPv6Address:
    """Its source address."""
    return IPv6Address(packet[8:24])


def destination(packet: bytes) -> IPv6Address:
    """Its destination address."""
    return IPv6Address(packet[24:40])


def is_of_one(address: IPv6Address) -> bool:
    """Whether it can be of one node that is somewhere else."""
    return not (address.is_multicast or address.is_unspecified or address.is_loopback)


def checksum(src: IPv6Address, dst: IPv6Address, protocol: int, message: bytes) -> int:
    """Of an upper layer's message whose checksum is 0 (RFC 8200 8.1)."""
    octets = src.packed + dst.packed + len(message).to_bytes(4, "big") + bytes([0, 0, 0, protocol])
    octets += message + bytes(len(message) & 1)
    total = sum(int.from_bytes(octets[at : at + 2], "big") for at in range(0, len(octets), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def is_whole(packet: bytes) -> bool:
    """Whether the checksum of an ICMPv6 message is right."""
    message = packet[HEADER_OCTETS:]
    return checksum(source(packet), destination(packet), ICMPV6, message) == 0


def icmpv6(src: IPv6Address, dst: IPv6Address, message: bytes, hop_limit: int = HOP_LIMIT) -> bytes:
    """A packet with an ICMPv6 message, whose checksum is written."""
    message = message[:2] + bytes(2) + message[4:]
    message = message[:2] + checksum(src, dst, ICMPV6, message).to_bytes(2, "big") + message[4:]
    head = bytes([0x60, 0, 0, 0]) + len(message).to_bytes(2, "big") + bytes([ICMPV6, hop_limit])
    return head + src.packed + dst.packed + message


def upper(packet: bytes) -> tuple[int, bytes]:
    """Protocol and octets behind the extension headers that a router knows."""
    protocol, rest = packet[6], packet[HEADER_OCTETS:]
    while protocol in (HOP_BY_HOP, ROUTING, DESTINATION, FRAGMENT) and len(rest) >= 8:
        octets = 8 if protocol == FRAGMENT else 8 * (rest[1] + 1)
        protocol, rest = rest[0], rest[octets:]
    return protocol, rest


def may_be_answered(packet: bytes) -> bool:
    """RFC 4443 2.4 (e): no error about an error or a redirect, nor to a source that is no single
    node."""
    protocol, message = upper(packet)
    kind = message[0] if message else 0
    error = protocol == ICMPV6 and (kind < FIRST_INFORMATION or kind == REDIRECT)
    src, dst = source(packet), destination(packet)
    return is_of_one(src) and not (error or dst.is_multicast)


def error_about(packet: bytes, src: IPv6Address, kind: int, code: int, value: int = 0) -> bytes:
    """An ICMPv6 error, with as much of the packet as fits the least MTU."""
    room = LEAST_MTU - HEADER_OCTETS - 8
    message = bytes([kind, code, 0, 0]) + value.to_bytes(4, "big") + packet[:room]
    return icmpv6(src, source(packet), message)


def echo_reply(packet: bytes) -> bytes | None:
    """The answer to an echo request; None if it is none, or damaged, or of no single node."""
    message = packet[HEADER_OCTETS:]
    if packet[6] != ICMPV6 or len(message) < 8 or message[0] != ECHO_REQUEST:
        return None
    if not is_of_one(source(packet)) or not is_whole(packet):
        return None
    return icmpv6(destination(packet), source(packet), bytes([ECHO_REPLY]) + message[1:])


def one_hop_less(packet: bytes) -> bytes:
    """The packet behind a router."""
    return packet[:7] + bytes([packet[7] - 1]) + packet[8:]
