# SPDX-License-Identifier: BSD-3-Clause
"""A node of IPv6 on every CPU: what it answers, passes on and drops, which errors it sends, and when it
sends none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.model import ipv6_model as model
from tests.model.ipv6_model import Header
from tests.stack.link.linklib import name_of
from vectors.generate_ipsec import PEER
from wardmote.call import Target

HEADERS = ("ipv6_node", "node_double", "!wm_ipsec", "!wm_counter")
OWN = bytes.fromhex("fd00000000000000 000000fffe0000a1")
LOCAL = bytes.fromhex("fe80000000000000 000000fffe0000a1")
OTHER = bytes.fromhex("fd00000000000000 000000fffe0000a2")
HOST = PEER
EVERYBODY = bytes.fromhex("ff020000000000000000000000000001")
GROUP = bytes.fromhex("ff050000000000000000000000000001")
NOBODY = bytes(16)
DROPPED, REFUSED, TAKEN, FORWARD, ANSWER = "dropped", "refused", "taken", "forward", "answer"
VERDICTS = (DROPPED, REFUSED, TAKEN, FORWARD, ANSWER)
ROOM, BURST = 1280, 10
OK, NOT_SECURED, NOT_AUTHENTICATED, BAD = 0, 1, 2, -10
ROUTER = 1
PARTS = ("udp", "secure", "unsecure")


class Node:
    """A node with a default route and two others."""

    def __init__(self, target: Target, parts: Sequence[str] = ("udp",), **members: Any) -> None:
        self.target = target
        target.reset()
        routes = (
            {"to": HOST[:1] + bytes(15), "prefix": 8, "next": 2},
            {"to": bytes(16), "prefix": 0, "next": ROUTER},
            {"to": HOST[:7] + bytes([HOST[7] ^ 1]) + bytes(8), "prefix": 63, "next": 3},
            {"to": HOST, "prefix": 128, "next": 4},
            {"to": HOST, "prefix": 129, "next": 5},
        )
        table = b"".join(bytes(target.pack("wm_ipv6_route", **route)) for route in routes)
        values = {
            "address": OWN,
            "link_local": LOCAL,
            "routes": target.buffer(table).address,
            "route_count": len(routes),
            "mtu": ROOM,
            "error_interval": 100,
        }
        self.node = target.buffer(target.pack("wm_ipv6_node", **(values | members)))
        self.target.call("node_double_wire", self.node, *(part in parts for part in PARTS))

    def number(self, value: int) -> bytearray:
        """A uint16_t in memory."""
        return bytearray(value.to_bytes(2, self.target.model.order))

    def value(self, octets: bytearray) -> int:
        """The reverse."""
        return int.from_bytes(octets, self.target.model.order)

    def receive(
        self, packet: bytes, now: int = 0, room: int = ROOM, *, to_all: bool = False
    ) -> tuple[str, bytes, int]:
        """Verdict, what is to be sent, and to whom."""
        octets, length = bytearray(packet.ljust(room, b"\xa5")), self.number(len(packet))
        following = self.number(0)
        args = (self.node, octets, room, length, now, to_all, following)
        verdict = VERDICTS[self.target.call("wm_ipv6_receive", *args).value]
        goes = verdict in {FORWARD, ANSWER}
        return verdict, bytes(octets[: self.value(length)]) if goes else b"", self.value(following)

    def error(self, packet: bytes, now: int = 0, room: int = ROOM) -> tuple[int, int, int] | None:
        """Type, code and value of the error that a packet causes, which is well formed, goes to its
        sender, and quotes as much of it as fits."""
        verdict, got, _ = self.receive(packet, now, room)
        if verdict != ANSWER:
            assert verdict in {DROPPED, TAKEN}
            return None
        header, message = model.read(got)
        assert (header.next_header, header.dst, header.hop_limit) == (58, packet[8:24], 64)
        assert model.checksum(header.src, header.dst, 58, message) == 0
        assert message[8:] == packet[: min(room, 1280) - 48]
        return message[0], message[1], int.from_bytes(message[4:8], "big")


def packet(
    protocol: int, payload: bytes, dst: bytes = OWN, src: bytes = HOST, hops: int = 64
) -> bytes:
    """To the node."""
    return model.packet(Header(src, dst, protocol, hops), payload)


def udp(
    port: int, data: bytes = b"data", dst: bytes = OWN, src: bytes = HOST, **values: int
) -> bytes:
    """A datagram to the node."""
    return packet(17, model.udp(src, dst, (5000, port), data), dst, src, **values)


def echo(dst: bytes = OWN, src: bytes = HOST, kind: int = 128) -> bytes:
    """An echo request, or another message of ICMPv6."""
    message = bytes([kind, 0, 0, 0, 0x12, 0x34, 0, 1]) + b"octets"
    checksum = model.checksum(src, dst, 58, message).to_bytes(2, "big")
    return packet(58, message[:2] + checksum + message[4:], dst, src)


def header(protocol: int, *options: int) -> bytes:
    """An extension header of 8 octets, or of more."""
    return bytes([protocol, (2 + len(options)) // 8 - 1, *options])


def test_what_passes(target: Target) -> None:
    """wm_ipv6_passes says of a header what wm_ipv6_receive does with the packet, and to whom it goes."""
    node, passed = Node(target), 0
    ends = (
        OWN,
        LOCAL,
        OTHER,
        HOST,
        EVERYBODY,
        GROUP,
        NOBODY,
        LOCAL[:15] + b"\1",
        bytes(15) + b"\1",
    )
    for dst in ends:
        for src in ends:
            for hops, to_all in ((64, False), (2, False), (1, False), (0, False), (64, True)):
                given = packet(59, b"", dst, src, hops=hops)
                following = node.number(0)
                args = (node.node, given[:40], to_all, following)
                passes = bool(target.call("wm_ipv6_passes", *args).value)
                verdict, _, to = node.receive(given, to_all=to_all)
                assert passes == (verdict == FORWARD), (dst.hex(), src.hex(), hops, to_all)
                assert not passes or node.value(following) == to
                passed += passes
    assert passed


def test_answers(target: Target) -> None:
    """Pings and datagrams to each of its addresses, behind headers that say nothing, go back with the
    addresses turned round; to everybody, from its own address."""
    node = Node(target)
    for dst, src, following in ((OWN, HOST, 4), (LOCAL, LOCAL[:15] + b"\1", 1), (OWN, OTHER, 3)):
        assert node.receive(udp(7, dst=dst, src=src)) == (
            ANSWER,
            packet(17, model.udp(dst, src, (7, 5000), b"data"), src, dst),
            following,
        )
        assert node.receive(echo(dst, src))[:2] == (ANSWER, echo(src, dst, 129))
    assert node.receive(echo(EVERYBODY))[:2] == (ANSWER, echo(HOST, OWN, 129))
    assert node.receive(udp(7, b""))[1] == packet(
        17, model.udp(OWN, HOST, (7, 5000), b""), HOST, OWN
    )
    front = header(60, 1, 4, 0, 0, 0, 0) + header(43, 0x1E, 4, 0, 0, 0, 0)
    front += header(17, 4, 0, 0, 0, 0, 0)
    behind = packet(0, front + udp(7)[40:])
    assert node.receive(behind)[1] == packet(
        17, model.udp(OWN, HOST, (7, 5000), b"data"), HOST, OWN
    )
    assert node.receive(behind + b"octets that nobody sent")[0] == ANSWER


def test_forwards(target: Target) -> None:
    """What is for others goes on with a hop less, by the route with the longest prefix, as it is."""
    node = Node(target)
    for dst, following in (
        (HOST, 4),
        (HOST[:7] + bytes([HOST[7] ^ 1]) + bytes(8), 3),
        (HOST[:1] + b"\1" + bytes(14), 2),
        (bytes.fromhex("2001") + bytes(14), ROUTER),
    ):
        came = packet(200, b"anything", dst, OTHER, hops=2)
        assert node.receive(came) == (FORWARD, packet(200, b"anything", dst, OTHER, 1), following)


def test_errors(target: Target) -> None:
    """Each one that there is."""
    node = Node(target, error_interval=1)
    closed = udp(10)[40:]
    cases: Sequence[tuple[bytes, tuple[int, int, int] | None]] = (
        (udp(10), (1, 4, 0)),
        (packet(200, b"x" * 1240), (4, 1, 6)),
        (packet(44, header(17, 0, 0, 0, 0, 0, 0) + closed), (4, 1, 6)),
        (packet(60, header(0, 1, 4, 0, 0, 0, 0) + header(17, 1, 4, 0, 0, 0, 0)), (4, 1, 40)),
        (packet(60, header(17, 0x82, 4, 0, 0, 0, 0) + closed), (4, 2, 42)),
        (packet(60, header(17, 1, 0, 0xC2, 2, 0, 0) + closed), (4, 2, 44)),
        (packet(43, header(17, 0, 1, 0, 0, 0, 0) + closed), (4, 0, 42)),
        (packet(17, closed, HOST, OTHER, hops=1), (3, 0, 0)),
        (packet(17, closed, HOST, OTHER, hops=0), (3, 0, 0)),
        (packet(17, closed, LOCAL[:15] + b"\2", HOST), (1, 2, 0)),
        (packet(17, closed, HOST, LOCAL[:15] + b"\2"), (1, 2, 0)),
    )
    for now, (came, wanted) in enumerate(cases):
        assert node.error(came, 1000 * now) == wanted, now
    assert node.error(udp(10), 10**6, room=100) == (1, 4, 0)
    lost = packet(17, closed, b"\x20" + HOST[1:], OTHER)
    assert Node(target, route_count=1).error(lost) == (1, 0, 0)
    assert Node(target, route_count=0).error(lost) is None
    small = Node(target, mtu=1280)
    assert small.error(packet(17, bytes(1300), HOST, OTHER), room=1400) == (2, 0, 1280)


def test_no_errors(target: Target) -> None:
    """Errors, redirects, packets of nobody, to many, or without room cause none; nor does a wrong
    packet."""
    node = Node(target, error_interval=1)
    closed = udp(10)[40:]
    silent = (
        packet(58, echo(kind=1)[40:], HOST, OTHER, hops=1),
        packet(58, echo(kind=137)[40:], HOST, OTHER, hops=1),
        packet(60, header(58, 1, 4, 0, 0, 0, 0) + echo(kind=3)[40:], HOST, OTHER, hops=1),
        packet(58, b"", HOST, OTHER, hops=1),
        udp(10, dst=EVERYBODY),
        packet(60, header(17, 0xC2, 4, 0, 0, 0, 0) + closed, EVERYBODY),
        packet(200, b"x", src=NOBODY),
        packet(200, b"x", src=GROUP),
        packet(200, b"x", src=OWN),
        packet(17, closed, GROUP),
        packet(60, header(17, 0x42, 4, 0, 0, 0, 0) + closed),
        packet(60, header(17, 0x82, 5, 0, 0, 0, 0) + closed),
        packet(60, header(17, 1, 3, 0, 0, 0, 0x82) + closed),
        packet(60, bytes([17, 1, 1, 4, 0, 0, 0, 0])),
        packet(60, b"\x11"),
    )
    for now, came in enumerate(silent):
        assert node.error(came, 1000 * now) is None, now
    assert node.error(udp(10), 10**6, room=80) is None
    many = packet(60, header(17, 0x82, 4, 0, 0, 0, 0) + closed, EVERYBODY)
    assert node.error(many, 10**7) == (4, 2, 42)
    assert Node(target, error_interval=0).error(udp(10)) is None


def test_errors_are_few(target: Target) -> None:
    """Ten at once, then one an interval of the clock, which may wrap."""
    node = Node(target, error_interval=100)
    begin = 2**32 - 50

    def sent(after: int) -> bool:
        return node.error(udp(10), (begin + after) % 2**32) is not None

    assert [sent(0) for _ in range(BURST + 1)] == [True] * BURST + [False]
    assert [sent(99), sent(100), sent(101), sent(350), sent(351), sent(352)] == [
        *(False, True, False),
        *(True, True, False),
    ]
    assert [sent(10**6) for _ in range(BURST + 1)] == [True] * BURST + [False]


def test_dropped(target: Target) -> None:
    """What is cut, wrong, or for nobody here; what has no answer is taken."""
    node = Node(target)
    right = udp(7)
    for at in (0, 4, 8, 24, 40, 42, 44, 46, 48):
        changed = bytearray(right)
        changed[at] ^= 0x40
        assert node.receive(bytes(changed))[0] in {DROPPED, FORWARD}, at
        assert (at == 24) == (node.receive(bytes(changed))[0] == FORWARD)
    for octets in (0, 1, 39, 47, len(right) - 1):
        assert node.receive(right[:octets])[0] == DROPPED
    assert node.receive(right, room=len(right) - 1)[0] == DROPPED
    without = right[:46] + bytes(2) + right[48:]
    assert node.receive(without)[0] == DROPPED
    wrong = bytearray(echo())
    wrong[-1] ^= 1
    assert node.receive(bytes(wrong))[0] == DROPPED
    assert node.receive(packet(58, b"\x80\0\x7f"))[0] == DROPPED
    for taken in (udp(9), echo(kind=129), echo(kind=1), echo(kind=200), packet(59, b"x"), udp(8)):
        assert node.receive(taken)[0] == TAKEN
    assert node.receive(udp(7, dst=EVERYBODY))[0] == TAKEN
    alone = Node(target, ())
    assert alone.error(udp(7)) == (1, 4, 0)
    assert Node(target, route_count=0).receive(right)[0] == DROPPED


def test_what_ipsec_says(target: Target) -> None:
    """What it refuses is not answered; what came protected goes back protected; what may not go out
    does not. A node with half of IPsec takes and sends nothing."""
    node = Node(target, PARTS)
    for came, goes, verdict in (
        (OK, OK, ANSWER),
        (NOT_SECURED, NOT_SECURED, ANSWER),
        (NOT_SECURED, OK, ANSWER),
        (OK, NOT_SECURED, DROPPED),
        (2, NOT_SECURED, DROPPED),
        (BAD, OK, REFUSED),
        (OK, BAD, DROPPED),
        (NOT_SECURED, BAD, DROPPED),
    ):
        target.call("node_double_says", came, goes)
        for request in (udp(7), udp(10), echo(), packet(200, b"x")):
            assert node.receive(request)[0] == verdict
    target.call("node_double_says", BAD, BAD)
    assert node.receive(udp(7, dst=HOST, src=OTHER))[0] == FORWARD, "a relay has no say"
    target.call("node_double_says", OK, OK)
    assert Node(target, ("udp", "unsecure")).receive(udp(7))[0] == DROPPED
    assert Node(target, ("udp", "secure")).receive(udp(7))[0] == REFUSED


def test_who_sent_it_is_not_known(target: Target) -> None:
    """A datagram that came under encryption alone is not `secured`: anybody may have written it."""
    node = Node(target, PARTS)
    for says, secured in ((NOT_SECURED, 0), (NOT_AUTHENTICATED, 0), (OK, 1)):
        target.call("node_double_says", says, OK)
        before = target.call("node_double_secured").value
        assert node.receive(udp(9))[0] == TAKEN
        assert target.call("node_double_secured").value == (before + secured) % 256, says


def test_forgotten_functions(target: Target) -> None:
    """A node with policies and without the functions that ask them takes and sends nothing."""
    node = Node(target)
    assert node.receive(udp(7))[0] == ANSWER
    target.call("node_double_forgets", node.node)
    for request in (udp(7), udp(10), echo(), packet(200, b"x")):
        assert node.receive(request)[0] == REFUSED
    assert node.receive(packet(17, udp(10)[40:], HOST, OTHER, hops=1))[0] == DROPPED
    octets, total, following = bytearray(ROOM), node.number(0), node.number(0)
    args = (node.node, HOST, 5000, 7, octets, ROOM, 4, total, following)
    status = name_of(target.call("wm_ipv6_send_udp", *args).value)
    assert status == "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"


def test_one_frame_has_one_answer(target: Target) -> None:
    """A packet for one node in a frame to all is neither taken nor passed on, and causes no error:
    every neighbour would do it. Nor does an answer go to all nodes at once."""
    node = Node(target)
    for sent in (udp(7), udp(9), udp(10), echo(), echo(LOCAL, LOCAL[:15] + b"\1")):
        assert node.receive(sent, to_all=True)[0] == DROPPED
    for far in (packet(17, b"x", HOST, OTHER), packet(17, b"x", HOST, OTHER, hops=1)):
        assert node.receive(far, to_all=True)[0] == DROPPED
    assert node.receive(packet(17, b"x", LOCAL[:15] + b"\2", OTHER), to_all=True)[0] == DROPPED
    assert node.receive(echo(EVERYBODY), to_all=True)[0] == ANSWER
    assert node.receive(udp(9, dst=EVERYBODY), to_all=True)[0] == TAKEN
    for nobody in (b"\xff\xff", b"\xff\xfe"):
        src = LOCAL[:14] + nobody
        for sent in (udp(7, dst=LOCAL, src=src), echo(LOCAL, src), udp(10, dst=LOCAL, src=src)):
            assert node.receive(sent)[0] == DROPPED


def test_martians(target: Target) -> None:
    """Nothing goes to or comes from the loopback and unspecified addresses (RFC 4291 2.5.2, 2.5.3),
    although there is a default route."""
    node = Node(target)
    loopback = bytes(15) + b"\1"
    for here in (NOBODY, loopback):
        assert node.receive(packet(17, b"x", here, OTHER))[0] == DROPPED
        assert node.receive(packet(17, b"x", HOST, here))[0] == DROPPED
        assert node.receive(packet(17, b"x", here, OTHER, hops=1))[0] == DROPPED
        for sent in (udp(7, src=here), udp(10, src=here), echo(src=here)):
            assert node.receive(sent)[0] == DROPPED
    assert node.receive(packet(17, b"x", bytes(15) + b"\2", OTHER))[0] == FORWARD


def test_port_0_has_no_answer(target: Target) -> None:
    """A datagram whose source port is 0 wants none (RFC 768)."""
    node = Node(target)
    silent = packet(17, model.udp(HOST, OWN, (0, 7), b"data"))
    assert node.receive(silent)[0] == TAKEN
    assert node.receive(packet(17, model.udp(HOST, OWN, (1, 7), b"data")))[0] == ANSWER


def test_own_datagrams(target: Target) -> None:
    """A datagram of the node itself, and what it cannot send."""

    def send(
        node: Node, to: bytes, data: bytes, room: int = ROOM, length: int = -1
    ) -> tuple[Any, ...]:
        octets = bytearray((bytes(48) + data).ljust(room, b"\xa5"))[:room]
        total, following = node.number(0), node.number(0)
        length = len(data) if length < 0 else length
        args = (node.node, to, 5000, 7, octets, room, length, total, following)
        status = name_of(target.call("wm_ipv6_send_udp", *args).value)
        return status, bytes(octets[: node.value(total)]), node.value(following)

    node = Node(target)
    wanted = packet(17, model.udp(OWN, HOST, (5000, 7), b"data"), HOST, OWN)
    assert send(node, HOST, b"data") == ("WM_NOT_SECURED", wanted, 4)
    assert send(node, LOCAL[:15] + b"\7", b"")[2] == 7
    assert send(node, HOST, b"data", 51)[0] == "WM_ERR_FRAME_TOO_LONG"
    assert send(node, HOST, b"", 47, 0)[0] == "WM_ERR_FRAME_TOO_LONG"
    assert send(Node(target, mtu=51), HOST, b"data")[0] == "WM_ERR_FRAME_TOO_LONG"
    assert send(Node(target, route_count=0), HOST, b"data")[0] == "WM_ERR_NOT_FOR_US"
    under = Node(target, PARTS)
    for says, status in ((OK, "WM_OK"), (BAD, "WM_ERR_SECURITY")):
        target.call("node_double_says", OK, says)
        assert send(under, HOST, b"data")[0] == status


def test_next_hops(target: Target) -> None:
    """A short address is in a link-local address; else there is none without a route."""
    node = Node(target, route_count=0)

    def hop(to: bytes) -> int | None:
        found = node.number(0)
        there = target.call("wm_ipv6_next_hop", node.node, to, found).value
        return node.value(found) if there else None

    def own(address: bytes) -> bool:
        return bool(target.call("wm_ipv6_is_own", node.node, address).value)

    assert [own(one) for one in (OWN, LOCAL, HOST, bytes(16))] == [True, True, False, False]
    assert hop(LOCAL) == 0x00A1
    assert hop(LOCAL[:14] + b"\xff\xfd") == 0xFFFD
    for nobody in (b"\xff\xfe", b"\xff\xff"):
        assert hop(LOCAL[:14] + nobody) is None, "a short address that is no node's"
    assert hop(LOCAL[:8] + bytes(8)) is None
    assert hop(HOST) is None
