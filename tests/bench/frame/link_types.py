# SPDX-License-Identifier: BSD-3-Clause
"""Records of every link type that `wardmote frame` reads, made from frames without FCS."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple

from tests.bench.frame.captures import NO_FCS, TAP, WITH_FCS, pcap
from tests.model.ieee802154_model import fcs, fcs32

ETHERNET, LOOP, NULL, RAW, SLL, SLL2, IPV4, IPV6 = 1, 108, 0, 101, 113, 276, 228, 229
LINUX, PHY = 191, 215
PORT = 17754
MONITOR, STATION = 805, 804
"""ARPHRD of Linux's interfaces."""


def tlv(kind: int, value: bytes) -> bytes:
    """A TLV of TAP."""
    return struct.pack("<HH", kind, len(value)) + value + bytes(-len(value) % 4)


def tap_full(frame: bytes, fcs_kind: int, asn: int | None = None) -> bytes:
    """TAP with every TLV that is read, and one that is not."""
    head = tlv(1, struct.pack("<f", -61.5)) + tlv(2, struct.pack("<I", 250_000))
    head += tlv(0, bytes([fcs_kind])) + tlv(3, struct.pack("<HB", 26, 0)) + tlv(10, b"\xc8")
    head += b"" if asn is None else tlv(7, struct.pack("<Q", asn))
    trailer = (b"", fcs(frame), fcs32(frame))[fcs_kind]
    return struct.pack("<HH", 0, 4 + len(head)) + head + frame + trailer


def phy(frame: bytes) -> bytes:
    """With preamble, delimiter and length."""
    psdu = frame + fcs(frame)
    return struct.pack("<IBB", 0, 0xA7, len(psdu)) + psdu


def zep(frame: bytes, version: int, *, chip: bool = False) -> bytes:
    """A ZEP datagram; `chip`: with the two octets of a TI chip instead of the FCS."""
    psdu = frame + (b"\xd0\xeb" if chip else fcs(frame))
    about = struct.pack(">BHBB", 20, 0x1234, not chip, 0x6B if chip else 0)
    if version == 1:
        return b"EX\1" + about + bytes(7) + bytes([len(psdu)]) + psdu
    stamp = struct.pack(">QI", 0xE0000000 << 32, 7)
    return b"EX\2\1" + about + stamp + bytes(10) + bytes([len(psdu)]) + psdu


def udp(datagram: bytes, port: int = PORT) -> bytes:
    """A UDP datagram without checksum."""
    return struct.pack(">HHHH", 40000, port, 8 + len(datagram), 0) + datagram


def _sum(octets: bytes) -> int:
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return int(~total & 0xFFFF)


def ipv4(segment: bytes, *, options: bytes = b"", fragment: int = 0) -> bytes:
    """An IPv4 packet."""
    words = 5 + len(options) // 4
    start = struct.pack(">BBHHHBB", 0x40 | words, 0, 4 * words + len(segment), 1, fragment, 64, 17)
    ends = bytes([10, 0, 0, 1, 10, 0, 0, 2]) + options
    return start + struct.pack(">H", _sum(start + b"\0\0" + ends)) + ends + segment


def ipv6(segment: bytes, *, extension: bool = False) -> bytes:
    """An IPv6 packet; its UDP checksum is made."""
    ends = bytes.fromhex("fe80" + 28 * "0" + "01" + "ff02" + 28 * "0" + "01")[:32]
    pseudo = ends + struct.pack(">II", len(segment), 17)
    checksum = _sum(pseudo + segment + bytes(len(segment) % 2)) or 0xFFFF
    segment = segment[:6] + struct.pack(">H", checksum) + segment[8:]
    body = (
        struct.pack(">BB6s", 17, 0, bytes.fromhex("010400000000")) if extension else b""
    ) + segment
    return struct.pack(">IHBB", 6 << 28, len(body), 0 if extension else 17, 64) + ends + body


def ethernet(packet: bytes, *, tag: bool = False) -> bytes:
    """An Ethernet frame, padded to 60 octets."""
    kind = 0x0800 if packet[0] >> 4 == 4 else 0x86DD
    head = bytes.fromhex("020000000001020000000002") + (b"\x81\0\0\5" if tag else b"")
    return (head + struct.pack(">H", kind) + packet).ljust(60, b"\0")


def sll(body: bytes, protocol: int = 0x00F6, device: int = STATION) -> bytes:
    """Linux's cooked header, first version."""
    return struct.pack(">HHH8sH", 0, device, 8, bytes(8), protocol) + body


def sll2(body: bytes, protocol: int = 0x00F6, device: int = STATION) -> bytes:
    """Linux's cooked header, second version."""
    return struct.pack(">HHIHBB8s", protocol, 0, 3, device, 0, 8, bytes(8)) + body


class Link(NamedTuple):
    """A way to put frames into captures."""

    link_type: int
    wrap: Callable[[bytes], bytes]
    most: int = 2045
    """Octets of the longest frame without FCS."""
    in_packets: bool = False
    tshark: bool = True
    """tshark finds the frame."""
    fcs: str = ""
    """What --fcs has to say, and tshark need not know."""


def _with_fcs(frame: bytes) -> bytes:
    return frame + fcs(frame)


LINKS: dict[str, Link] = {
    "with FCS": Link(WITH_FCS, _with_fcs),
    "with FCS of 4 octets": Link(WITH_FCS, lambda f: f + fcs32(f), 2043, fcs="4"),
    "without FCS": Link(NO_FCS, lambda f: f),
    "Linux": Link(LINUX, lambda f: f, tshark=False),
    "PHY": Link(PHY, phy, 125),
    "TAP without FCS": Link(TAP, lambda f: tap_full(f, 0)),
    "TAP with FCS of 2 octets": Link(TAP, lambda f: tap_full(f, 1)),
    "TAP with FCS of 4 octets": Link(TAP, lambda f: tap_full(f, 2), 2043),
    "ZEP 1 in Ethernet": Link(ETHERNET, lambda f: ethernet(ipv4(udp(zep(f, 1)))), 125, True),
    "ZEP 2 in Ethernet": Link(ETHERNET, lambda f: ethernet(ipv4(udp(zep(f, 2)))), 125, True),
    "ZEP 2 in tagged Ethernet": Link(
        ETHERNET, lambda f: ethernet(ipv6(udp(zep(f, 2)), extension=True), tag=True), 125, True
    ),
    "ZEP 1 of a chip": Link(
        RAW, lambda f: ipv4(udp(zep(f, 1, chip=True)), options=b"\1\1\1\0"), 125, True
    ),
    "ZEP 2 of a chip": Link(IPV6, lambda f: ipv6(udp(zep(f, 2, chip=True))), 125, True),
    "ZEP in IPv4": Link(IPV4, lambda f: ipv4(udp(zep(f, 2))), 125, True),
    "ZEP in BSD loopback": Link(
        NULL, lambda f: struct.pack("<I", 2) + ipv4(udp(zep(f, 2))), 125, True
    ),
    "ZEP in OpenBSD loopback": Link(
        LOOP, lambda f: struct.pack(">I", 2) + ipv4(udp(zep(f, 2))), 125, True
    ),
    "ZEP in a cooked capture": Link(SLL, lambda f: sll(ipv4(udp(zep(f, 1))), 0x0800, 1), 125, True),
    "cooked": Link(SLL, sll, in_packets=True, tshark=False),
    "cooked, monitor": Link(SLL, lambda f: sll(_with_fcs(f), device=MONITOR), in_packets=True),
    "cooked 2": Link(SLL2, sll2, in_packets=True, tshark=False),
    "cooked 2, monitor": Link(SLL2, lambda f: sll2(_with_fcs(f), device=MONITOR), in_packets=True),
}
"""Every link type that is read, by a name for it."""


def capture_of(link: Link, frames: list[bytes]) -> bytes:
    """A capture with these frames."""
    return pcap([link.wrap(frame) for frame in frames], link.link_type)
