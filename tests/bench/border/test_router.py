# SPDX-License-Identifier: BSD-3-Clause
"""What a border router does with packets and frames, right and wrong."""

from __future__ import annotations

from ipaddress import IPv6Address
from random import Random

import pytest

from tests.model.ipv6_model import Header, packet, udp
from wardmote.border import mac, packets
from wardmote.border.link import QUEUE, SENDERS, LowpanLink
from wardmote.border.lowpan import Layout, Lowpan
from wardmote.border.router import HOSTS, MOTES, SHORT_IID, Router, Setup

HOST, MOTE, FAR = HOSTS[1], 0x00A1, 0x00A4
SETUP = Setup(routes={FAR: MOTE})


def address(short: int) -> bytes:
    """Of a mote."""
    return MOTES[SHORT_IID | short].packed


def datagram(src: bytes, dst: bytes, octets: int = 20, hop_limit: int = 64) -> bytes:
    """A UDP packet."""
    payload = Random(octets).randbytes(octets)
    return packet(Header(src, dst, 17, hop_limit), udp(src, dst, (5683, 7), payload))


def down(octets: int = 20, hop_limit: int = 64, to: int = MOTE) -> bytes:
    """A packet of the host for a mote."""
    return datagram(HOST.packed, address(to), octets, hop_limit)


def mote(short: int = MOTE, layout: Layout = Layout.PAPER) -> LowpanLink:
    """The other end of the air."""
    return LowpanLink(Lowpan((MOTES, HOSTS), layout), SETUP.pan, short, mac.MPDU_MAX)


def arrived(router: Router, at: LowpanLink) -> list[bytes]:
    """What the router's frames are at a mote."""
    found = [
        at.take(router.link.to_air.popleft().mpdu, 0.0) for _ in range(len(router.link.to_air))
    ]
    return [one for one in found if one is not None]


@pytest.mark.parametrize("octets", [0, 9, 60, 512, 1232])
def test_packets_pass_both_ways_with_a_hop_less(octets: int) -> None:
    """Octet by octet, in one frame and in many."""
    router, other = Router(SETUP), mote()
    router.from_host(down(octets))
    assert arrived(router, other) == [down(octets, 63)]
    up = datagram(address(MOTE), HOST.packed, octets)
    other.give(up, SETUP.short)
    for frame in other.to_air:
        router.from_air(frame.mpdu, 0.0)
    assert list(router.to_host) == [packets.one_hop_less(up)]
    assert not router.refused


def test_static_routes_name_the_next_hop() -> None:
    """A mote two hops away, and a packet from mote to mote."""
    router, hop = Router(SETUP), mote()
    router.from_host(down(to=FAR))
    assert arrived(router, hop) == [down(hop_limit=63, to=FAR)]
    hop.give(datagram(address(MOTE), address(FAR)), SETUP.short)
    router.from_air(hop.to_air.popleft().mpdu, 0.0)
    assert arrived(router, hop) == [datagram(address(MOTE), address(FAR), hop_limit=63)]


def test_a_frame_that_came_twice_counts_once() -> None:
    """A retransmission whose acknowledgement was lost; later the same octets are another frame."""
    router, other = Router(SETUP), mote()
    other.give(datagram(address(MOTE), HOST.packed), SETUP.short)
    [frame] = other.to_air
    for now_s in (1.0, 1.1, 9.0):
        router.from_air(frame.mpdu, now_s)
    assert (len(router.to_host), router.counts["frames repeated"]) == (2, 1)


def icmp(octets: bytes) -> tuple[int, int, int]:
    """Type, code and number of an ICMPv6 message, whose checksum is right."""
    message = octets[40:]
    src, dst = packets.source(octets), packets.destination(octets)
    zeroed = message[:2] + bytes(2) + message[4:]
    assert int.from_bytes(message[2:4], "big") == packets.checksum(src, dst, 58, zeroed)
    return message[0], message[1], int.from_bytes(message[4:8], "big")


def test_the_sender_is_told_why() -> None:
    """Packet Too Big with 1280, Time Exceeded, no route, no such mote; from the router's address,
    with the beginning of the packet, in 1280 octets at most."""
    elsewhere = bytes.fromhex("20010db8") + bytes(12)
    unmade = MOTES[0x1234].packed
    for wrong, expected in (
        (down(1233), (packets.TOO_BIG, 0, 1280)),
        (down(hop_limit=1), (packets.TIME_EXCEEDED, 0, 0)),
        (datagram(HOST.packed, elsewhere), (packets.UNREACHABLE, packets.NO_ROUTE, 0)),
        (datagram(HOST.packed, unmade), (packets.UNREACHABLE, packets.ADDRESS_UNREACHABLE, 0)),
    ):
        router = Router(SETUP)
        router.from_host(wrong)
        [error] = router.to_host
        assert icmp(error) == expected
        assert packets.source(error) == SETUP.host_address
        assert wrong.startswith(error[48:])
        assert len(error) == min(1280, len(wrong) + 48)
        assert sum(router.refused.values()) == 1
        assert not router.link.to_air


def test_errors_are_few() -> None:
    """RFC 4443 2.4 (f): ten at once, then ten a second, whoever asks; the packets are counted. A clock
    that goes back gives none."""
    router = Router(SETUP)
    sent = []
    for now_s, asked in ((5.0, 25), (5.0625, 1), (5.125, 3), (4.0, 2), (1.0, 2), (60.0, 25)):
        router.now_s = now_s
        for _ in range(asked):
            router.from_host(down(hop_limit=1))
        sent.append(len(router.to_host))
        router.to_host.clear()
    assert sent == [10, 0, 1, 0, 0, 10]
    assert router.refused["host: hop limit"] == 58
    assert router.refused["border: one error too many"] == 58 - 21


def test_no_error_answers_an_error_or_many() -> None:
    """RFC 4443 2.4: about ICMPv6 errors, to multicast, and of no single source: silence."""
    target, group = address(MOTE), bytes.fromhex("ff02") + bytes(13) + b"\1"
    error = packets.error_about(down(hop_limit=1), HOST, packets.TIME_EXCEEDED, 0)
    for octets in (
        packet(Header(HOST.packed, target, 58, 1), error[40:]),
        packet(Header(HOST.packed, target, 58, 1), bytes([137]) + error[41:]),
        datagram(bytes(16), target, hop_limit=1),
        datagram(group, target, hop_limit=1),
        datagram(HOST.packed, group, hop_limit=1),
    ):
        router = Router(SETUP)
        router.from_host(octets)
        assert not router.to_host
        assert sum(router.refused.values()) == 1


def test_pings_to_the_router_itself() -> None:
    """From both sides."""
    router, other = Router(SETUP), mote()
    message = bytes([packets.ECHO_REQUEST, 0, 0, 0]) + b"hello"
    router.from_host(packets.icmpv6(HOST, SETUP.host_address, message))
    [reply] = router.to_host
    assert (reply[40], reply[44:], packets.destination(reply)) == (129, b"hello", HOST)
    own = MOTES[SHORT_IID | MOTE]
    other.give(packets.icmpv6(own, SETUP.air_address, message), SETUP.short)
    router.from_air(other.to_air.popleft().mpdu, 0.0)
    [reply] = arrived(router, other)
    assert (reply[40], reply[44:], packets.destination(reply)) == (129, b"hello", own)


def test_what_cannot_be_expanded_is_counted_by_its_reason() -> None:
    """Frames of every kind that is not ours, and octets that nobody sent."""
    router = Router(SETUP)
    good = mac.build(
        1, SETUP.pan, b"\0\xa1", b"\0\1", b"\x41" + datagram(address(MOTE), HOST.packed)
    )
    control = good[0]
    for mpdu, reason in (
        (good[:2], "cut short"),
        (good[:7], "cut short"),
        (bytes([control ^ 3]) + good[1:], "no data frame"),
        (bytes([control | 8]) + good[1:], "link security"),
        (good[:1] + b"\xa8" + good[2:], "other addressing"),
        (good[:3] + b"\0\0" + good[5:], "another PAN"),
        (good[:9] + b"\x42" + good[10:], "unknown form"),
        (good[:9] + b"\x41" + good[50:], "malformed"),
        (good[:9] + b"\xc0\x10\0\1\x41", "malformed"),
    ):
        router.from_air(mpdu, 0.0)
        assert router.refused == {f"air: {reason}": 1}, mpdu.hex()
        router.refused.clear()
    router.from_air(good, 0.0)
    assert len(router.to_host) == 1


def test_noise_stops_nothing() -> None:
    """10 000 frames and packets, arbitrary or with arbitrary octets changed; then a packet passes."""
    random, router, other = Random(15), Router(SETUP), mote()
    for turn in range(3000):
        other.give(datagram(address(MOTE), HOST.packed, random.randrange(300)), SETUP.short)
        for frame in list(other.to_air)[:3]:
            octets = bytearray(frame.mpdu)
            for _ in range(random.randrange(1, 4)):
                octets[random.randrange(9, len(octets))] = random.randrange(256)
            router.from_air(bytes(octets), turn / 10)
        other.to_air.clear()
        noise = bytearray(down(random.randrange(100)))
        noise[random.randrange(len(noise))] = random.randrange(256)
        router.from_host(bytes(noise[: random.randrange(len(noise) + 1)]))
        router.to_host.clear()
        router.link.to_air.clear()
    assert len(router.refused) > 5
    router.from_host(down())
    assert arrived(router, mote()) == [down(hop_limit=63)]


def test_a_lost_frame_takes_the_rest_of_its_packet() -> None:
    """And no other packet."""
    router = Router(SETUP)
    for octets in (300, 10):
        router.from_host(down(octets))
    first = router.link.to_air.popleft()
    router.link.lost(first.packet)
    assert arrived(router, mote()) == [down(10, 63)]
    assert router.refused == {"to air: not acknowledged": 1}


def test_the_queue_to_the_air_is_bounded() -> None:
    """A host that is too fast loses packets."""
    router = Router(SETUP)
    for _ in range(QUEUE + 3):
        router.from_host(down())
    assert len(router.link.to_air) == QUEUE
    assert router.refused == {"to air: queue full": 3}


def echo(src: IPv6Address, message: bytes = b"") -> bytes:
    """A ping to the router's own address."""
    body = message or bytes([packets.ECHO_REQUEST, 0, 0, 0]) + b"ping"
    return packets.icmpv6(src, SETUP.host_address, body)


def test_addresses_that_name_no_node_go_nowhere() -> None:
    """Neither forwarded nor answered, nor answered to: multicast, loopback, unspecified sources, and
    the short addresses that are no mote's (RFC 4291 2.7, 2.5.3; IEEE 802.15.4 7.2.4.3)."""
    group, loopback = IPv6Address("ff0e::1"), IPv6Address("::1")
    for src in (group, loopback, IPv6Address("::")):
        for octets in (datagram(src.packed, address(MOTE)), echo(src)):
            router = Router(SETUP)
            router.from_host(octets)
            assert not [*router.to_host, *router.link.to_air], octets.hex()
            assert sum(router.refused.values()) == 1
    for short in (0, 0xFFFE, 0xFFFF):
        router = Router(SETUP)
        router.from_host(down(to=short))
        assert not router.link.to_air


def test_sources_are_of_their_side() -> None:
    """A mote cannot speak for a host, nor a host for a mote, nor either for the router."""
    target, mine = address(MOTE), (SETUP.host_address.packed, SETUP.air_address.packed)
    for src in (HOST.packed, bytes.fromhex("20010db8") + bytes(12), *mine):
        for dst in (HOST.packed, SETUP.air_address.packed, address(FAR)):
            router, other = Router(SETUP), mote()
            other.give(datagram(src, dst, hop_limit=1), SETUP.short)
            router.from_air(other.to_air.popleft().mpdu, 0.0)
            assert not [*router.to_host, *router.link.to_air]
            assert router.refused == {"air: source of another side": 1}
    for src in (address(FAR), *mine):
        for octets in (datagram(src, target), datagram(src, target, 1233), echo(IPv6Address(src))):
            router = Router(SETUP)
            router.from_host(octets)
            assert not [*router.to_host, *router.link.to_air]
            assert router.refused == {"host: source of another side": 1}


def test_a_damaged_ping_is_not_made_right() -> None:
    """An answer has a checksum of its own: that of a damaged request must not hide in it."""
    ping = bytearray(echo(HOST))
    for bit in (0, 7):
        wrong = bytes(ping[:-1]) + bytes([ping[-1] ^ 1 << bit])
        router = Router(SETUP)
        router.from_host(wrong)
        assert not router.to_host


def test_a_broadcast_frame_carries_no_packet_for_one() -> None:
    """Many would forward it."""
    router, other = Router(SETUP), mote()
    other.give(datagram(address(MOTE), HOST.packed), mac.BROADCAST)
    router.from_air(other.to_air.popleft().mpdu, 0.0)
    assert not router.to_host
    assert router.refused == {"air: a packet for one in a frame to all": 1}


def test_senders_are_remembered_in_bounds() -> None:
    """However many addresses speak; the newest are known."""
    router = Router(SETUP)
    for number in range(3 * SENDERS):
        src = (number + 1).to_bytes(8, "big")
        frame = mac.build(number, SETUP.pan, src, SETUP.short.to_bytes(2, "big"), b"\x41")
        router.from_air(frame, 0.0)
    assert len(router.link._last) == SENDERS
    router.from_air(frame, 0.0)
    assert router.counts["frames repeated"] == 1
