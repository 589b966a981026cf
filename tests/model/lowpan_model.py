# SPDX-License-Identifier: BSD-3-Clause
"""6LoWPAN header compression (RFC 6282) for tests, independent of the stack.

Addresses are numbers of 128 bits. A packet has many compressed forms: `forms` gives those of an
address, `written` writes a packet in a form that a source of random numbers chooses, and `least`
computes the octets of the shortest one without writing any. `expand` reads all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from tests.model import ipv6_model as ip
from tests.model.ipv6_model import Header

EIDS = (ip.HOP_BY_HOP, ip.ROUTING, ip.FRAGMENT, ip.DESTINATION, ip.MOBILITY)
EIDS_OF_IPSEC = (0xEB, 0xED)
PADDED = (ip.HOP_BY_HOP, ip.DESTINATION)
HOPS = {1: 1, 2: 64, 3: 255}
LINK_LOCAL = 0xFE80 << 112
SHORT = 0x0000_00FF_FE00_0000
LOW = (1 << 64) - 1
ALL = (1 << 128) - 1
WHOLE = 0x41


class RefusedError(Exception):
    """Octets that nobody may accept."""


class ForeignError(Exception):
    """Octets that need what is not there: another dispatch, or a context."""


class Context(NamedTuple):
    """A prefix that both sides know."""

    prefix: int
    bits: int
    """0: there is none."""

    @property
    def mask(self) -> int:
        """The bits that it stands for."""
        return ALL ^ (ALL >> self.bits)


def iid(link: bytes) -> int | None:
    """The IID of a link-layer address."""
    if len(link) == 8:
        return int.from_bytes(link, "big") ^ (2 << 56)
    return SHORT | int.from_bytes(link, "big") if len(link) == 2 else None


class Form(NamedTuple):
    """A way to write an address."""

    mode: int
    """M AC AM."""
    context: int | None
    octets: bytes


def low(value: int, octets: int) -> bytes:
    """The last octets of an address."""
    return (value & ((1 << 8 * octets) - 1)).to_bytes(octets, "big")


def unicast(value: int, known: int | None, contexts: Sequence[Context]) -> Iterator[Form]:
    """Of an address that is not a multicast one."""
    yield Form(0, None, low(value, 16))
    made = {1: value & LOW, 2: SHORT | value & 0xFFFF, 3: known}
    octets = {1: low(value, 8), 2: low(value, 2), 3: b""}
    for mode, tail in made.items():
        if tail is None:
            continue
        if LINK_LOCAL | tail == value:
            yield Form(mode, None, octets[mode])
        for number, context in enumerate(contexts):
            mask = context.mask
            if context.bits and (context.prefix & mask) | (tail & ~mask) == value:
                yield Form(4 | mode, number, octets[mode])


def multicast(value: int, contexts: Sequence[Context]) -> Iterator[Form]:
    """Of a destination."""
    yield Form(8, None, low(value, 16))
    flags, rest = low(value, 15)[:1], value & ((1 << 112) - 1)
    for mode, octets in ((9, 5), (10, 3)):
        if rest < 1 << 8 * octets:
            yield Form(mode, None, flags + low(value, octets))
    if value >> 8 == 0xFF02 << 104:
        yield Form(11, None, low(value, 1))
    whole = low(value, 16)
    for number, context in enumerate(contexts):
        prefix = low((context.prefix & context.mask) >> 64, 8)
        if 0 < context.bits <= 64 and whole[3:12] == bytes([context.bits]) + prefix:
            yield Form(12, number, whole[1:3] + whole[12:])


@dataclass(frozen=True, slots=True)
class Net:
    """What both sides know, and the addresses of the frame."""

    contexts: tuple[Context, ...] = ()
    src: bytes = b""
    dst: bytes = b""
    ipsec: Callable[[Reader], tuple[int, bytes, bool]] | None = None
    """Reads a compressed AH or ESP behind the octet of EID 5 or 6: protocol, header, and whether
    another compressed header follows. None: those EIDs are refused."""

    def iids(self) -> tuple[int | None, int | None]:
        """Of the frame."""
        return iid(self.src), iid(self.dst)


Iids = tuple[int | None, int | None]


def inside(header: Header) -> Iids:
    """IIDs that an inner header may leave out."""
    return (
        int.from_bytes(header.src[8:], "big"),
        int.from_bytes(header.dst[8:], "big"),
    )


def address_forms(header: Header, iids: Iids, net: Net) -> tuple[list[Form], list[Form]]:
    """Of both addresses of a header."""
    src, dst = int.from_bytes(header.src, "big"), int.from_bytes(header.dst, "big")
    sources = list(unicast(src, iids[0], net.contexts))
    if src == 0:
        sources.append(Form(4, None, b""))
    if header.dst[0] == 0xFF:
        return sources, list(multicast(dst, net.contexts))
    return sources, list(unicast(dst, iids[1], net.contexts))


def traffic_forms(header: Header) -> dict[int, bytes]:
    """Of traffic class and flow label, by TF."""
    dscp, ecn = header.traffic_class >> 2, header.traffic_class & 3
    found = {0: (ecn << 30 | dscp << 24 | header.flow_label).to_bytes(4, "big")}
    if dscp == 0:
        found[1] = (ecn << 22 | header.flow_label).to_bytes(3, "big")
    if header.flow_label == 0:
        found[2] = bytes([ecn << 6 | dscp])
        if header.traffic_class == 0:
            found[3] = b""
    return found


def least_iphc(header: Header, iids: Iids, net: Net) -> int:
    """Octets of the shortest LOWPAN_IPHC, without a Next Header."""
    octets = 2 + min(len(form) for form in traffic_forms(header).values())
    octets += header.hop_limit not in HOPS.values()
    sources, targets = address_forms(header, iids, net)
    return octets + min(
        len(a.octets) + len(b.octets) + bool(a.context or b.context)
        for a in sources
        for b in targets
    )


def written_iphc(header: Header, iids: Iids, net: Net, nh: bool, source: Random) -> bytes:
    """In any form."""
    tf, traffic = source.choice(sorted(traffic_forms(header).items()))
    sources, targets = address_forms(header, iids, net)
    src, dst = source.choice(sources), source.choice(targets)
    hops = source.choice([0, *(m for m, limit in HOPS.items() if limit == header.hop_limit)])
    cid = bool(src.context or dst.context) or source.random() < 0.2
    out = bytes([0x60 | tf << 3 | nh << 2 | hops, cid << 7 | src.mode << 4 | dst.mode])
    if cid:
        out += bytes([(src.context or 0) << 4 | (dst.context or 0)])
    out += traffic + (b"" if nh else bytes([header.next_header]))
    out += b"" if hops else bytes([header.hop_limit])
    return out + src.octets + dst.octets


def pad(octets: int) -> bytes:
    """What fills options up."""
    return b"\0" if octets == 1 else bytes([1, octets - 2]) + bytes(octets - 2) if octets else b""


def pads(protocol: int, data: bytes) -> list[int]:
    """How many octets at the end of an extension header may be left out."""
    found = [0]
    if protocol not in PADDED:
        return found
    at, kinds = 0, []
    while at < len(data):
        kinds.append(data[at])
        last = at
        at += 1 if data[at] == 0 else 2 + data[at + 1] if at + 1 < len(data) else 999
    if at == len(data) and kinds[-1] < 2 and not (kinds[:-1] and kinds[-2] < 2):
        octets = len(data) - last
        if octets <= 7 and data[last:] == pad(octets):
            found.append(octets)
    return found


class Rest(NamedTuple):
    """What follows in a packet, with what is known of it."""

    next: int
    data: bytes
    header: Header
    """The IPv6 header that it belongs to."""
    agreed: bool = False
    """UDP checksums may be left out."""
    known: bool = True
    """One that was left out could be computed here."""


def elidable(rest: Rest) -> bool:
    """Whether a right UDP checksum may be left out."""
    return rest.agreed and rest.known


def after(rest: Rest) -> tuple[bytes, Rest] | None:
    """The extension header that a packet goes on with, without its first two octets, and what
    follows it."""
    data = rest.data
    if rest.next not in EIDS or len(data) < 8:
        return None
    length = 8 if rest.next == ip.FRAGMENT else 8 * (data[1] + 1)
    if len(data) < length or (rest.next == ip.FRAGMENT and data[1]):
        return None
    bad = rest.next == ip.FRAGMENT or (rest.next == ip.ROUTING and data[3] != 0)
    later = rest.next == ip.FRAGMENT and int.from_bytes(data[2:4], "big") >> 3 != 0
    follow = -1 if later else data[0]
    return data[2:length], Rest(
        follow, data[length:], rest.header, rest.agreed, rest.known and not bad
    )


def is_udp(rest: Rest) -> bool:
    """Whether a UDP header stands here whose length is what follows."""
    data = rest.data
    return rest.next == ip.UDP and len(data) >= 8 and int.from_bytes(data[4:6], "big") == len(data)


def inner(rest: Rest) -> tuple[Header, bytes] | None:
    """The IPv6 packet that stands here."""
    data = rest.data
    if rest.next != ip.IPV6 or len(data) < 40 or data[0] >> 4 != 6:
        return None
    return ip.read(data) if int.from_bytes(data[4:6], "big") == len(data) - 40 else None


def ports_forms(src: int, dst: int) -> dict[int, bytes]:
    """By P."""
    found = {0: (src << 16 | dst).to_bytes(4, "big")}
    if dst >> 8 == 0xF0:
        found[1] = (src << 8 | dst & 0xFF).to_bytes(3, "big")
    if src >> 8 == 0xF0:
        found[2] = ((src & 0xFF) << 16 | dst).to_bytes(3, "big")
    if src >> 4 == dst >> 4 == 0xF0B:
        found[3] = bytes([(src & 15) << 4 | dst & 15])
    return found


def right_checksum(rest: Rest) -> bytes:
    """Of the UDP datagram that stands here."""
    data, header = rest.data, rest.header
    blank = data[:6] + bytes(2) + data[8:]
    return (ip.checksum(header.src, header.dst, ip.UDP, blank) or 0xFFFF).to_bytes(2, "big")


def udp_ports(data: bytes) -> dict[int, bytes]:
    """Forms of the ports of a UDP header."""
    return ports_forms(int.from_bytes(data[:2], "big"), int.from_bytes(data[2:4], "big"))


def least_rest(rest: Rest, net: Net) -> int:
    """Octets of the shortest form of what follows, the octet of its Next Header included."""
    best = 1 + len(rest.data)
    if is_udp(rest):
        ports = min(len(form) for form in udp_ports(rest.data).values())
        kept = 0 if elidable(rest) and right_checksum(rest) == rest.data[6:8] else 2
        best = min(best, 1 + ports + kept + len(rest.data) - 8)
    if found := inner(rest):
        header, data = found
        octets = least_iphc(header, inside(rest.header), net)
        octets += least_rest(Rest(header.next_header, data, header, rest.agreed), net)
        best = min(best, 1 + octets)
    if extension := after(rest):
        data, follow = extension
        for octets in pads(rest.next, data):
            if len(data) - octets < 256:
                # behind a later fragment no header follows, but its Next Header has an octet
                behind = least_rest(follow, net)
                best = min(best, 2 + len(data) - octets + behind)
    return best


def least(packet: bytes, net: Net, elide: bool = False) -> int:
    """Octets of the shortest form of a packet, payload included."""
    header, data = ip.read(packet)
    rest = Rest(header.next_header, data, header, elide)
    return least_iphc(header, net.iids(), net) + least_rest(rest, net)


def written_rest(rest: Rest, net: Net, source: Random) -> bytes | None:
    """What follows in a form that begins with LOWPAN_NHC; None: it has none, or not this time."""
    if source.random() < 0.1:
        return None
    if is_udp(rest):
        p, ports = source.choice(sorted(udp_ports(rest.data).items()))
        elided = elidable(rest) and right_checksum(rest) == rest.data[6:8] and source.random() < 0.5
        head = bytes([0xF0 | elided << 2 | p]) + ports
        return head + rest.data[8 if elided else 6 :]
    if found := inner(rest):
        header, data = found
        behind = written_rest(Rest(header.next_header, data, header, rest.agreed), net, source)
        iphc = written_iphc(header, inside(rest.header), net, behind is not None, source)
        return b"\xee" + iphc + (data if behind is None else behind)
    if (extension := after(rest)) is None:
        return None
    data, follow = extension
    octets = source.choice(pads(rest.next, data))
    kept = data[: len(data) - octets]
    if len(kept) > 255:
        return None
    behind = written_rest(follow, net, source)
    nhc = 0xE0 | EIDS.index(rest.next) << 1
    if behind is not None:
        return bytes([nhc | 1, len(kept)]) + kept + behind
    return bytes([nhc, rest.data[0], len(kept)]) + kept + follow.data


def written(packet: bytes, net: Net, source: Random, elide: bool = False) -> bytes:
    """A packet in any legal form."""
    header, data = ip.read(packet)
    if source.random() < 0.03:
        return bytes([WHOLE]) + packet
    behind = written_rest(Rest(header.next_header, data, header, elide), net, source)
    iphc = written_iphc(header, net.iids(), net, behind is not None, source)
    return iphc + (data if behind is None else behind)


@dataclass
class Reader:
    """Octets from the first to the last."""

    octets: bytes
    at: int = 0

    def take(self, octets: int) -> bytes:
        """As many, or a refusal."""
        begin, self.at = self.at, self.at + octets
        if self.at > len(self.octets):
            raise RefusedError
        return self.octets[begin : self.at]

    def number(self, octets: int = 1) -> int:
        """As a number."""
        return int.from_bytes(self.take(octets), "big")


@dataclass
class Layer:
    """A header that was read, before its lengths are known."""

    kind: int
    """A protocol; IPV6 for the header of a packet."""
    octets: bytes = b""
    header: Header | None = None
    next: int | None = None
    """None: the next layer's kind."""
    elided: bool = False


def read_address(mode: int, number: int, known: int | None, net: Net, octets: Reader) -> int:
    """An address in line or known."""
    context = Context(0, 0)
    if mode & 4:
        if number >= len(net.contexts) or not net.contexts[number].bits:
            raise ForeignError
        context = net.contexts[number]
    if mode >= 12:
        if mode > 12:
            raise RefusedError
        flags = octets.number(2)
        group = octets.number(4)
        if context.bits > 64:
            raise RefusedError
        prefix = (context.prefix & context.mask) >> 64
        return 0xFF << 120 | flags << 104 | context.bits << 96 | prefix << 32 | group
    if mode == 8:
        return octets.number(16)
    if mode > 8:
        flags = 2 if mode == 11 else octets.number()
        return 0xFF << 120 | flags << 112 | octets.number({9: 5, 10: 3, 11: 1}[mode])
    if mode == 0:
        return octets.number(16)
    if mode & 3 != 3:
        known = octets.number(8) if mode & 3 == 1 else SHORT | octets.number(2)
    if known is None:
        raise RefusedError
    prefix, mask = (context.prefix, context.mask) if mode & 4 else (LINK_LOCAL, LOW << 64)
    return (prefix & mask) | (known & ~mask)


def read_iphc(octets: Reader, iids: Iids, net: Net) -> tuple[Layer, bool]:
    """A header, and whether LOWPAN_NHC follows."""
    first, modes = octets.number(), octets.number()
    if first >> 5 != 3:
        raise RefusedError
    contexts = octets.number() if modes & 0x80 else 0
    tf, nh, hlim = first >> 3 & 3, bool(first & 4), first & 3
    traffic = octets.take((4, 3, 1, 0)[tf])
    number = int.from_bytes(traffic, "big")
    ecn = traffic[0] >> 6 if traffic else 0
    dscp = traffic[0] & 0x3F if tf in (0, 2) else 0
    following = None if nh else octets.number()
    hops = HOPS[hlim] if hlim else octets.number()
    if modes & 15 == 4:
        raise RefusedError
    mode = modes >> 4 & 7
    src = 0 if mode == 4 else read_address(mode, contexts >> 4, iids[0], net, octets)
    dst = read_address(modes & 15, contexts & 15, iids[1], net, octets)
    header = Header(
        src=low(src, 16),
        dst=low(dst, 16),
        hop_limit=hops,
        traffic_class=dscp << 2 | ecn,
        flow_label=number & 0xFFFFF if tf < 2 else 0,
    )
    return Layer(ip.IPV6, header=header, next=following), nh


def read_extension(octets: Reader, nhc: int) -> tuple[Layer, bool]:
    """An extension header of EID 0 to 4."""
    protocol, nh = EIDS[nhc >> 1 & 7], bool(nhc & 1)
    following = None if nh else octets.number()
    data = octets.take(octets.number())
    missing = -(len(data) + 2) % 8
    if missing and protocol not in PADDED:
        raise RefusedError
    data += pad(missing)
    if protocol == ip.FRAGMENT and len(data) != 6:
        raise RefusedError
    units = 0 if protocol == ip.FRAGMENT else (len(data) + 2) // 8 - 1
    return Layer(protocol, bytes([units]) + data, next=following), nh


def read_udp(octets: Reader, nhc: int) -> Layer:
    """A UDP header, of which the length is still missing."""
    p = nhc & 3
    if p == 0:
        src, dst = octets.number(2), octets.number(2)
    elif p == 1:
        src, dst = octets.number(2), 0xF000 | octets.number()
    elif p == 2:
        src, dst = 0xF000 | octets.number(), octets.number(2)
    else:
        both = octets.number()
        src, dst = 0xF0B0 | both >> 4, 0xF0B0 | both & 15
    elided = bool(nhc & 4)
    sum_ = bytes(2) if elided else octets.take(2)
    return Layer(ip.UDP, (src << 16 | dst).to_bytes(4, "big") + sum_, elided=elided)


@dataclass
class Layers:
    """Headers from the first to the last."""

    found: list[Layer] = field(default_factory=list)

    def add(self, layer: Layer) -> None:
        """Says in the header before what this one is."""
        if self.found:
            self.found[-1].next = layer.kind
        self.found.append(layer)

    def innermost(self) -> Header:
        """The IPv6 header last read."""
        return next(layer.header for layer in reversed(self.found) if layer.header)

    def may_elide(self) -> bool:
        """Whether the checksum behind can be computed."""
        for layer in reversed(self.found):
            if layer.header:
                return True
            if layer.kind == ip.FRAGMENT or (layer.kind == ip.ROUTING and layer.octets[2]):
                return False
        return True

    def joined(self, payload: bytes, total: int | None) -> bytes:
        """As octets, from the last to the first."""
        behind = payload
        missing = 0 if total is None else total - self.length() - len(payload)
        headers = [layer.header for layer in self.found]
        for at in range(len(self.found) - 1, -1, -1):
            layer = self.found[at]
            if layer.header:
                head = layer.header.octets(len(behind) + missing)
                behind = head[:6] + bytes([layer.next or 0]) + head[7:] + behind
            elif layer.kind == ip.UDP:
                length = (8 + len(behind) + missing).to_bytes(2, "big")
                behind = layer.octets[:4] + length + layer.octets[4:] + behind
                owner = next(h for h in reversed(headers[:at]) if h)
                if layer.elided and not missing:
                    right = right_checksum(Rest(ip.UDP, behind, owner))
                    behind = behind[:6] + right + behind[8:]
            elif layer.kind == ip.ESP:
                behind = layer.octets + behind
            else:
                behind = bytes([layer.next or 0]) + layer.octets + behind
        return behind

    def length(self) -> int:
        """Octets of all headers."""
        sizes = {ip.IPV6: 40, ip.UDP: 8}
        own = [len(layer.octets) + (layer.kind != ip.ESP) for layer in self.found]
        return sum(
            sizes.get(layer.kind, octets) for layer, octets in zip(self.found, own, strict=True)
        )


def headers(octets: Reader, net: Net) -> Layers:
    """All compressed headers."""
    layers = Layers()
    layer, nh = read_iphc(octets, net.iids(), net)
    layers.add(layer)
    while nh:
        nhc = octets.number()
        if nhc == 0xEE:
            layer, nh = read_iphc(octets, inside(layers.innermost()), net)
        elif nhc >> 4 == 0xE and nhc >> 1 & 7 < 5:
            layer, nh = read_extension(octets, nhc)
        elif nhc in EIDS_OF_IPSEC and net.ipsec:
            protocol, header, nh = net.ipsec(octets)
            layer = Layer(protocol, header[protocol == ip.AH :])
            layer.next = header[0] if protocol == ip.AH and not nh else None
        elif nhc >> 3 == 0x1E:
            layer, nh = read_udp(octets, nhc), False
            if layer.elided and not layers.may_elide():
                raise RefusedError
        else:
            raise RefusedError
        layers.add(layer)
    return layers


def expand(octets: bytes, net: Net, total: int | None = None) -> bytes:
    """The packet, or as much of it as a first fragment has, whose datagram has `total` octets."""
    if not octets:
        raise RefusedError
    reader = Reader(octets)
    if octets[0] == WHOLE:
        packet = octets[1:]
        promised = int.from_bytes(packet[4:6], "big") + 40
        wanted = len(packet) if total is None else total
        if len(packet) < 40 or packet[0] >> 4 != 6 or promised != wanted or len(packet) > wanted:
            raise RefusedError
        return packet
    if octets[0] >> 5 != 3:
        raise ForeignError
    layers = headers(reader, net)
    payload = octets[reader.at :]
    if total is not None and layers.length() + len(payload) > total:
        raise RefusedError
    return layers.joined(payload, total)
