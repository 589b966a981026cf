# SPDX-License-Identifier: BSD-3-Clause
"""IPv6 packets as 6LoWPAN may meet them: addresses that have many forms, chains of headers."""

from __future__ import annotations

from random import Random

from tests.model import ipv6_model as ip
from tests.model.ipv6_model import Header
from tests.model.lowpan_model import ALL, LINK_LOCAL, LOW, SHORT, Context, Net, iid, low, pad

OPTION = 0x1E
"""A type of option for experiments: RFC 4727."""


def net(source: Random) -> Net:
    """Contexts and addresses of a frame."""
    count = source.choice((0, 1, 3, 16))
    contexts = tuple(
        Context(source.getrandbits(128), source.choice((0, 16, 40, 61, 64, 64, 64, 72, 112, 128)))
        for _ in range(count)
    )
    src, dst = (source.randbytes(source.choice((2, 2, 8, 8, 0))) for _ in "sd")
    return Net(contexts, src, dst)


def tail(source: Random, known: int | None) -> int:
    """The low half of an address."""
    kind = source.randrange(4)
    if kind == 0 and known is not None:
        return known
    return SHORT | source.getrandbits(16) if kind == 1 else source.getrandbits(64)


def address(source: Random, known: int | None, among: Net, *, target: bool) -> bytes:
    """One address."""
    kind = source.randrange(8 if target else 6)
    if kind == 0:
        return bytes(16) if source.random() < 0.4 else source.randbytes(16)
    value = LINK_LOCAL | tail(source, known)
    contexts = [context for context in among.contexts if context.bits]
    if 2 <= kind < 6 and contexts:
        context = source.choice(contexts)
        value = (context.prefix & context.mask) | (tail(source, known) & ~context.mask & LOW)
    elif kind == 6:
        group = source.getrandbits(source.choice((8, 24, 40, 112)))
        value = 0xFF << 120 | source.choice((2, 5, 0x15)) << 112 | group & ((1 << 112) - 1)
    elif kind == 7 and contexts:
        context = source.choice(contexts)
        prefix = (context.prefix & context.mask) >> 64 << 32
        value = 0xFF << 120 | source.getrandbits(16) << 104 | context.bits << 96
        value |= prefix | source.getrandbits(32)
    return low(value & ALL, 16)


def header(source: Random, among: Net) -> Header:
    """A header without a Next Header."""
    known = iid(among.src), iid(among.dst)
    return Header(
        src=address(source, known[0], among, target=False),
        dst=address(source, known[1], among, target=True),
        hop_limit=source.choice((0, 1, 2, 64, 64, 255, 254)),
        traffic_class=source.choice((0, 0, 1, 3, 0xB8, 0xFF)),
        flow_label=source.choice((0, 0, 1, 0xFFFFF, 0x10000)),
    )


def options(source: Random) -> bytes:
    """Data of a header with options: filled up by one pad, by several, or by none."""
    data = b""
    for _ in range(source.randrange(3)):
        length = source.choice((0, 1, 3, 4, 30))
        data += bytes([OPTION, length]) + source.randbytes(length)
    missing = -(len(data) + 2) % 8
    kind = source.randrange(8)
    if kind == 0 and missing > 1:
        return data + bytes(missing)
    if kind == 1 and missing > 2:
        return data + bytes([1, missing - 2]) + b"\7" * (missing - 2)
    if kind == 2:
        return data + pad(missing)[:1] * missing
    return data + (pad(missing) if missing else b"")


def extension(source: Random, protocol: int, following: int) -> bytes:
    """An extension header."""
    if protocol == ip.FRAGMENT:
        offset = source.choice((0, 0, 0, 8)) | source.randrange(2)
        reserved = source.random() < 0.1
        return bytes([following, reserved]) + offset.to_bytes(2, "big") + source.randbytes(4)
    if protocol in (ip.HOP_BY_HOP, ip.DESTINATION):
        data = options(source)
    else:
        data = source.randbytes(source.choice((6, 14, 22)))
        data = data[:1] + bytes([source.choice((0, 0, 1))]) + data[2:]
    if source.random() < 0.03:
        data += source.randbytes(source.choice((240, 248, 256)))
    data += bytes(-(len(data) + 2) % 8)
    return bytes([following, (len(data) + 2) // 8 - 1]) + data


PORTS = (0xF0B0, 0xF0BF, 0xF0C0, 0xF000, 0xF0FF, 5683, 7)


def transport(source: Random, owner: Header) -> tuple[int, bytes]:
    """What the chain of headers ends with."""
    payload = source.randbytes(source.choice((0, 1, 9, 40)))
    kind = source.randrange(6)
    if kind == 0:
        return ip.ICMPV6, b"\x80\0" + payload
    if kind == 1:
        return source.randrange(256), payload
    ports = source.choice(PORTS), source.choice(PORTS)
    datagram = ip.udp(owner.src, owner.dst, ports, payload)
    damage = source.randrange(12)
    if damage == 0:
        datagram = datagram[:6] + source.randbytes(2) + datagram[8:]
    elif damage == 1:
        datagram = datagram[:4] + source.randbytes(2) + datagram[6:]
    elif damage == 2:
        datagram = datagram[: source.randrange(9)]
    return ip.UDP, datagram


def packet(source: Random, among: Net, depth: int = 0) -> bytes:
    """A whole one."""
    head = header(source, among)
    following, payload = transport(source, head)
    if depth < 2 and source.random() < 0.12:
        following, payload = ip.IPV6, packet(source, among, depth + 1)
    for _ in range(source.choice((0, 0, 0, 1, 1, 2, 4))):
        protocol = source.choice((0, 43, 44, 60, 60, 135))
        payload = extension(source, protocol, following) + payload
        following = protocol
    octets = head.octets(len(payload))
    return octets[:6] + bytes([following]) + octets[7:] + payload
