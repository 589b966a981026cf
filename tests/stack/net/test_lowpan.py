# SPDX-License-Identifier: BSD-3-Clause
"""Headers compressed and expanded on every CPU, against a model that writes packets in any legal
form and counts the octets of the shortest."""

from __future__ import annotations

from random import Random

import pytest

from tests.model import ipv6_model as ip
from tests.model import lowpan_model as model
from tests.model.ipv6_model import Header
from tests.model.lowpan_model import Net
from tests.stack.net import packets
from tests.stack.net.lowpanlib import HEADERS as LOWPAN
from tests.stack.net.lowpanlib import ROOM, Lowpan, modelled
from wardmote.call import Target

HEADERS = LOWPAN
CASES, MANY = 15, 500


def cases(target: Target) -> int:
    """Emulated CPUs take fewer."""
    return MANY if target.name == "host" else CASES


def test_the_shortest_form(target: Target) -> None:
    """What is compressed has the model's octets, the model expands it, and so does the stack."""
    source, shorter = Random(1), 0
    for _ in range(cases(target)):
        net, elide = packets.net(source), source.random() < 0.5
        packet, lowpan = packets.packet(source, net), Lowpan(target, net)
        status, _, octets = lowpan.compress(packet, elide=elide)
        assert status == "WM_OK"
        assert len(octets) == model.least(packet, net, elide), (packet.hex(), net)
        assert model.expand(octets, net) == packet
        assert lowpan.expand(octets) == ("WM_OK", packet)
        shorter += len(octets) < len(packet)
    assert shorter


def test_any_form(target: Target) -> None:
    """Every legal form is expanded."""
    source = Random(2)
    for _ in range(cases(target)):
        net, elide = packets.net(source), source.random() < 0.5
        packet = packets.packet(source, net)
        octets = model.written(packet, net, source, elide)
        assert model.expand(octets, net) == packet
        assert Lowpan(target, net).expand(octets) == ("WM_OK", packet), octets.hex()


def test_a_first_fragment(target: Target) -> None:
    """Lengths are those of the datagram; a checksum that was left out stays 0."""
    source = Random(3)
    for _ in range(cases(target)):
        net = packets.net(source)
        packet = packets.packet(source, net)
        octets = model.written(packet, net, source, True)
        for total in (1, 39, source.randrange(1, len(packet))):
            assert Lowpan(target, net).expand(octets, total, total)[0] == "WM_ERR_MALFORMED"
        more = source.choice((0, 1, 8, 100))
        for total in (len(packet) + more, len(packet) - 1):
            expected = modelled(octets, net, total)
            assert Lowpan(target, net).expand(octets, total) == expected, octets.hex()


def test_damaged_octets(target: Target) -> None:
    """Cut anywhere, or with a changed octet: refused when the model refuses, and else the same."""
    source, refused, taken = Random(4), 0, 0
    for _ in range(cases(target)):
        net = packets.net(source)
        octets = bytearray(model.written(packets.packet(source, net), net, source, True))
        if source.random() < 0.4:
            del octets[source.randrange(len(octets)) :]
        else:
            octets[source.randrange(min(len(octets), 24))] = source.randrange(256)
        expected = modelled(bytes(octets), net)
        assert Lowpan(target, net).expand(bytes(octets)) == expected, octets.hex()
        refused += expected[0] != "WM_OK"
        taken += expected[0] == "WM_OK"
    assert refused >= cases(target) // 5
    assert taken


def test_finished(target: Target) -> None:
    """The checksum that a first fragment left out is right when the packet is whole; where none was
    left out nothing is written."""
    net = Net(src=b"\0\1", dst=b"\0\2")
    head = Header(model.low(model.LINK_LOCAL | 1, 16), model.low(model.LINK_LOCAL | 2, 16), 17)
    for elide in (True, False):
        payload = ip.udp(head.src, head.dst, (7, 5683), Random(8).randbytes(200))
        packet, lowpan = ip.packet(head, payload), Lowpan(target, net)
        octets = lowpan.compress(packet, elide=elide)[2]
        assert len(octets) == model.least(packet, net, elide)
        out, made = bytearray(len(packet)), target.pack("wm_lowpan_expanded")
        first = octets[:-120]
        args = (lowpan.net, lowpan.link, first, len(first), len(packet), out, len(out), made)
        assert target.call("wm_lowpan_expand", *args).value == 0
        assert (bytes(out[46:48]) == bytes(2)) == elide
        out[-120:] = packet[-120:]
        target.call("wm_lowpan_finish", out, made)
        assert out == packet


def test_checksums_at_both_ends(target: Target) -> None:
    """Right checksums of 1 and FFFF are left out. One of 0 is none, also where all octets add up as
    they do with FFFF: expansion would put that in its place."""
    net, lowpan = Net(src=b"\0\1", dst=b"\0\2"), Lowpan(target, Net(src=b"\0\1", dst=b"\0\2"))
    head = Header(model.low(model.LINK_LOCAL | 1, 16), model.low(model.LINK_LOCAL | 2, 16), 17)
    blank = int.from_bytes(ip.udp(head.src, head.dst, (7, 5683), bytes(2))[6:8], "big")
    for wanted, written, left_out in ((1, 1, True), (0xFFFF, 0xFFFF, True), (0xFFFF, 0, False)):
        filling = (blank - wanted) % 0xFFFF
        datagram = ip.udp(head.src, head.dst, (7, 5683), filling.to_bytes(2, "big"))
        assert int.from_bytes(datagram[6:8], "big") == wanted
        packet = ip.packet(head, datagram[:6] + written.to_bytes(2, "big") + datagram[8:])
        octets = lowpan.compress(packet, elide=True)[2]
        assert len(octets) == len(lowpan.compress(packet)[2]) - 2 * left_out
        assert len(octets) == model.least(packet, net, True)
        assert lowpan.expand(octets) == ("WM_OK", packet)


@pytest.mark.parametrize("length", [0, 2, 8])
def test_all_modes(target: Target, length: int) -> None:
    """Each second octet of LOWPAN_IPHC, with and without the contexts that it names."""
    link = bytes(range(0x30, 0x30 + length))
    tables = (Net(src=link, dst=link), Net((model.Context(0xFD << 120 | 5, 64),) * 2, link, link))
    step = 1 if target.name == "host" else 11
    for net in tables:
        lowpan = Lowpan(target, net)
        for modes in range(0, 256, step):
            octets = bytes([0x7B, modes, *([0x11] if modes & 0x80 else []), 59]) + bytes(range(40))
            assert lowpan.expand(octets) == modelled(octets, net), hex(modes)


def test_all_headers_that_could_follow(target: Target) -> None:
    """Each octet in the place of LOWPAN_NHC, alone and with octets behind it."""
    net = Net(src=b"\0\1", dst=b"\0\2")
    lowpan = Lowpan(target, net)
    for nhc in range(0, 256, 1 if target.name == "host" else 7):
        for behind in (b"", b"\6", b"\x3b\6" + bytes(6), b"\6" + bytes(30), b"\x7b\x33" * 9):
            octets = bytes([0x7F, 0x33, nhc]) + behind
            assert lowpan.expand(octets) == modelled(octets, net), octets.hex()


def test_every_dispatch(target: Target) -> None:
    """Only LOWPAN_IPHC and an uncompressed packet are headers of IPv6: mesh, broadcast, fragment
    and all others are somebody else's."""
    net = Net(src=b"\0\1", dst=b"\0\2")
    lowpan = Lowpan(target, net)
    for first in range(256):
        octets = bytes([first, 0x33, 59, 64]) + bytes(40)
        expected = modelled(octets, net)
        assert lowpan.expand(octets) == expected, hex(first)
        ours = first >> 5 == 3 or first == model.WHOLE
        assert (expected[0] == "WM_ERR_NOT_FOR_US") != ours


def test_room(target: Target) -> None:
    """One octet less than is needed is too little, both ways, and nothing behind it is written."""
    source = Random(5)
    for _ in range(cases(target) // 5):
        net = packets.net(source)
        packet, lowpan = packets.packet(source, net), Lowpan(target, net)
        _, headers, octets = lowpan.compress(packet)
        need = len(octets) - (len(packet) - headers)
        assert lowpan.compress(packet, room=need)[2] == octets
        assert lowpan.compress(packet, room=need - 1)[0] == "WM_ERR_FRAME_TOO_LONG"
        assert lowpan.expand(octets, room=len(packet)) == ("WM_OK", packet)
        assert lowpan.expand(octets, room=len(packet) - 1)[0] == "WM_ERR_FRAME_TOO_LONG"


def test_parameters(target: Target) -> None:
    """Octets that are no IPv6 packet are not compressed; nor is anything under a table without
    end."""
    net = Net(src=b"\0\1", dst=b"\0\2")
    packet = packets.packet(Random(6), net)
    lowpan = Lowpan(target, net)
    for octets in (packet[:-1], packet + b"\0", packet[:39], b"\x40" + packet[1:]):
        assert lowpan.compress(octets)[0] == "WM_ERR_PARAM"
    for count, contexts in ((17, lowpan.contexts.address), (1, 0)):
        lowpan.net = target.pack("wm_lowpan", contexts=contexts, context_count=count)
        assert lowpan.compress(packet)[0] == "WM_ERR_PARAM"
        assert lowpan.expand(b"\x7b\x33\x3b")[0] == "WM_ERR_PARAM"


def test_a_context_for_expansion_alone(target: Target) -> None:
    """It is not used for compression, and expands."""
    net = Net((model.Context(0xFD << 120, 64),), b"\0\1", b"\0\2")
    header = Header(model.low(0xFD << 120 | 1, 16), model.low(0xFD << 120 | 2, 16))
    packet = header.octets(0)
    lowpan = Lowpan(target, net)
    octets = lowpan.compress(packet)[2]
    context = target.pack("wm_lowpan_context", prefix=b"\xfd" + bytes(15), prefix_len=64)
    alone = target.pack(
        "wm_lowpan_context", prefix=b"\xfd" + bytes(15), prefix_len=64, expand_only=1
    )
    assert lowpan.contexts.read() == bytes(context)
    lowpan.contexts.write(bytes(alone))
    assert lowpan.expand(octets) == ("WM_OK", packet)
    assert len(lowpan.compress(packet)[2]) > len(octets)


def test_a_context_behind_the_last_is_none(target: Target) -> None:
    """The table has one more entry than `context_count` says: it shortens no address."""
    prefixes = (0xFD << 120, 0xFD01 << 112)
    whole = Net(tuple(model.Context(prefix, 64) for prefix in prefixes), b"\0\1", b"\0\2")
    src, dst = (model.low(prefix | 7, 16) for prefix in prefixes)
    packet = Header(src, dst).octets(0)
    both = Lowpan(target, whole).compress(packet)
    first = Lowpan(target, Net(whole.contexts[:1], whole.src, whole.dst)).compress(packet)
    one = Lowpan(target, whole)
    one.net = target.pack("wm_lowpan", contexts=one.contexts.address, context_count=1)
    assert one.compress(packet) == first
    assert len(first[2]) > len(both[2])


def test_the_longest_packet(target: Target) -> None:
    """1280 octets go through."""
    net = Net(src=b"\0\1", dst=b"\0\2")
    header = Header(bytes(16), bytes(16), 58)
    packet = header.octets(1240) + Random(7).randbytes(1240)
    lowpan = Lowpan(target, net)
    octets = lowpan.compress(packet)[2]
    assert lowpan.expand(octets, room=ROOM) == ("WM_OK", packet)
