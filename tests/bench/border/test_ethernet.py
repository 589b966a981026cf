# SPDX-License-Identifier: BSD-3-Clause
"""The host's link: neighbour discovery as a host expects it."""

from __future__ import annotations

from ipaddress import IPv6Address

from tests.bench.border.test_router import HOST, MOTE, SETUP, datagram, down, icmp, mote
from tests.bench.border.test_router import address as mote_address
from wardmote.border import packets
from wardmote.border.ethernet import ALL_NODES, IPV6, NEIGHBOURS, OWN_LINK_ADDRESS, Ethernet
from wardmote.border.router import Router

LINK, OTHER = bytes.fromhex("020000000001"), bytes.fromhex("020000000009")
LOCAL = IPv6Address("fe80::1")
BORDER = IPv6Address("fe80::ff:fe00:2")
MOTE_ADDRESS = IPv6Address(mote_address(MOTE))


def frame(packet: bytes, link: bytes = LINK, to: bytes = OWN_LINK_ADDRESS) -> bytes:
    """A frame of the host."""
    return to + link + IPV6 + packet


def solicitation(
    target: IPv6Address, src: IPv6Address = LOCAL, link: bytes = LINK, hop_limit: int = 255
) -> bytes:
    """Who has `target`?"""
    group = IPv6Address(int(IPv6Address("ff02::1:ff00:0")) | int(target) & 0xFF_FFFF)
    body = bytes([135, 0, 0, 0, 0, 0, 0, 0]) + target.packed + bytes([1, 1]) + link
    return frame(packets.icmpv6(src, group, body, hop_limit), link, b"\x33\x33" + group.packed[12:])


def sides(*, advertise: bool = False) -> tuple[Router, Ethernet]:
    """A router and its link."""
    router = Router(SETUP)
    return router, Ethernet(router, advertise=advertise)


def test_it_answers_for_itself_and_for_every_mote() -> None:
    """And for nobody else, nor what was forwarded by a router."""
    _, link = sides()
    for target in (BORDER, SETUP.host_address, SETUP.air_address, MOTE_ADDRESS):
        link.receive(solicitation(target), 0.0)
        answer = link.out.popleft()
        assert answer[:14] == LINK + OWN_LINK_ADDRESS + IPV6
        assert icmp(answer[14:]) == (136, 0, 0xE000_0000)
        assert answer[14 + 48 :] == target.packed + bytes([2, 1]) + OWN_LINK_ADDRESS
        assert answer[14 + 7] == 255
    for target in (HOST, SETUP.motes[0x1234], IPv6Address("fe80::2")):
        link.receive(solicitation(target), 0.0)
    link.receive(solicitation(BORDER, hop_limit=64), 0.0)
    assert not link.out


def test_an_address_that_is_taken_is_defended() -> None:
    """A solicitation without a source is answered to all."""
    _, link = sides()
    link.receive(solicitation(MOTE_ADDRESS, IPv6Address("::")), 0.0)
    [answer] = link.out
    assert packets.destination(answer[14:]) == ALL_NODES
    assert answer[:6] == bytes.fromhex("333300000001")
    assert icmp(answer[14:]) == (136, 0, 0xA000_0000)


def up(router: Router, octets: int = 20) -> None:
    """A mote's packet for the host."""
    other = mote()
    other.give(datagram(mote_address(MOTE), HOST.packed, octets), SETUP.short)
    router.from_air(other.to_air.popleft().mpdu, 0.0)


def test_a_host_is_asked_for_and_gets_what_waited() -> None:
    """Its answer, or its question, tells where it is; it may come back with another address."""
    router, link = sides()
    up(router)
    link.turn(0.0)
    [asked] = link.out
    assert icmp(asked[14:]) == (135, 0, 0)
    assert asked[:6] == bytes.fromhex("3333ff000001")
    link.out.clear()
    link.turn(0.5)
    assert not link.out, "not more often than every second"
    answer = bytes([136, 0, 0, 0, 0x60, 0, 0, 0]) + HOST.packed + bytes([2, 1]) + LINK
    link.receive(frame(packets.icmpv6(HOST, BORDER, answer, 255)), 0.6)
    [sent] = link.out
    assert sent[:6] == LINK
    link.receive(solicitation(BORDER, HOST, OTHER), 1.0)
    link.out.clear()
    up(router, 30)
    link.turn(1.0)
    assert [one[:6] for one in link.out] == [OTHER]


def test_a_packet_does_not_tell_where_a_host_is() -> None:
    """RFC 4861 7.2: who sends a packet with a host's source through a router makes that router no host;
    nor does neighbour discovery that a router has passed on."""
    router, link = sides()
    for known in (False, True):
        if known:
            link.receive(solicitation(BORDER, HOST), 0.0)
        link.receive(frame(down(), OTHER), 1.0)
        link.receive(solicitation(BORDER, HOST, OTHER, hop_limit=64), 1.0)
        assert (HOST in link.neighbours) == known
    link.out.clear()
    up(router)
    link.turn(1.0)
    assert [one[:6] for one in link.out] == [LINK]


def test_a_host_that_speaks_is_not_asked_for() -> None:
    """Its packets say that it is still there; those of another one in its name do not."""
    for source, asked in ((LINK, 0), (OTHER, 1)):
        _, link = sides()
        link.receive(solicitation(BORDER, HOST), 0.0)
        link.out.clear()
        link.receive(frame(down(), source), 25.0)
        link.turn(35.0)
        assert len(link.out) == asked


def test_a_host_that_does_not_answer_is_unreachable() -> None:
    """Asked for three times; then the mote is told."""
    router, link = sides()
    up(router)
    for second in range(5):
        link.turn(float(second))
    assert len(link.out) == 3
    assert router.refused == {"air: host unreachable": 1}
    told = mote().take(router.link.to_air.popleft().mpdu, 0.0)
    assert told is not None
    assert icmp(told) == (1, packets.ADDRESS_UNREACHABLE, 0)
    assert not link.neighbours


def test_a_router_advertises_itself_if_it_is_to() -> None:
    """With MTU 1280, the hosts' prefix, and a route to the motes."""
    body = bytes([133, 0, 0, 0, 0, 0, 0, 0])
    asked = frame(packets.icmpv6(LOCAL, IPv6Address("ff02::2"), body, 255), to=b"\x33\x33\0\0\0\2")
    for advertise in (False, True):
        _, link = sides(advertise=advertise)
        link.receive(asked, 0.0)
        assert len(link.out) == advertise
    options = link.out[0][14 + 40 + 16 :]
    kinds = {}
    while options:
        kinds[options[0]] = options[2 : 8 * options[1]]
        options = options[8 * options[1] :]
    assert kinds[5][2:] == (1280).to_bytes(4, "big")
    assert (kinds[3][0], kinds[3][14:]) == (64, SETUP.hosts.network_address.packed)
    assert (kinds[24][0], kinds[24][6:]) == (64, SETUP.motes.network_address.packed[:8])


def test_frames_that_are_not_for_it_are_counted() -> None:
    """Another address, another protocol, cut short; multicast of other protocols is left alone."""
    router, link = sides()
    for octets in (b"", LINK, frame(down(), to=OTHER), frame(down()[:30]), bytes(12) + b"\x08\0"):
        link.receive(octets, 0.0)
    assert router.refused == {
        "host: no IPv6 frame": 3,
        "host: another link address": 1,
        "host: no IPv6 packet": 1,
    }
    link.receive(frame(down()), 0.0)
    assert len(router.link.to_air) == 1


def test_hosts_that_are_not_there_fill_nothing() -> None:
    """A mote that asks for every address: those that wait are bounded, and told in the end."""
    router, link = sides()
    for number in range(3 * NEIGHBOURS):
        router.to_host.append(datagram(mote_address(MOTE), SETUP.hosts[10 + number].packed))
    link.turn(0.0)
    assert len(link.neighbours) == NEIGHBOURS
    assert router.refused["host: too many neighbours"] == 2 * NEIGHBOURS
    for now_s in (1.5, 3.0, 4.5):
        link.turn(now_s)
    assert not link.neighbours
    link.receive(solicitation(BORDER, HOST), 5.0)
    assert HOST in link.neighbours


def test_nobody_fills_the_table_for_ever() -> None:
    """Neither a mote that asks for hosts that are not there, nor a host with many addresses: one that
    asks is known, and what waited for those that made place is told as unreachable."""
    router, link = sides()
    for number in range(NEIGHBOURS):
        router.to_host.append(datagram(mote_address(MOTE), SETUP.hosts[10 + number].packed))
    link.turn(0.0)
    link.receive(solicitation(BORDER, HOST), 0.1)
    assert HOST in link.neighbours
    assert router.refused == {"air: host unreachable": 1}
    router, link = sides()
    for number in range(2 * NEIGHBOURS):
        asks = solicitation(BORDER, SETUP.hosts[10 + number], OTHER)
        link.receive(asks, number / 1000)
    link.receive(solicitation(BORDER, HOST), 1.0)
    assert HOST in link.neighbours
    assert len(link.neighbours) == NEIGHBOURS
    link.receive(solicitation(BORDER, SETUP.host_address, OTHER), 1.1)
    assert SETUP.host_address not in link.neighbours


def test_a_host_is_not_many() -> None:
    """A frame from a group, or from the router's own address, makes no neighbour: packets would go to
    all hosts, or back."""
    router, link = sides()
    for source in (b"\xff" * 6, b"\x33\x33\0\0\0\1", OWN_LINK_ADDRESS):
        link.receive(frame(down(), source), 0.0)
    assert not link.neighbours
    assert not router.link.to_air
    assert router.refused == {"host: no host's link address": 3}


def test_a_damaged_solicitation_is_not_answered() -> None:
    """RFC 4861 7.1.1: its checksum, its code."""
    _, link = sides()
    good = solicitation(BORDER)
    body = bytes([135, 1, 0, 0, 0, 0, 0, 0]) + BORDER.packed
    coded = frame(packets.icmpv6(LOCAL, BORDER, body, 255))
    for wrong in (good[:-1] + bytes([good[-1] ^ 1]), coded):
        link.receive(wrong, 0.0)
    assert not link.out


def test_a_frame_to_all_carries_no_packet_for_one() -> None:
    """RFC 4443 2.4 (e): nothing is forwarded or told of it."""
    router, link = sides()
    for hop_limit in (64, 1):
        link.receive(frame(down(hop_limit=hop_limit), to=b"\xff" * 6), 0.0)
    assert not [*router.link.to_air, *router.to_host]
    assert router.refused == {"host: a packet for one in a frame to all": 2}
