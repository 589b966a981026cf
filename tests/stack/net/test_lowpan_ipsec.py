# SPDX-License-Identifier: BSD-3-Clause
"""AH and ESP compressed on every CPU, in the paper's layout and in the draft's: sizes, each octet in
their place, chains, and what the implementations before this one did wrong."""

from __future__ import annotations

from random import Random

import pytest

from tests.model import ipv6_model as ip
from tests.model import lowpan_ipsec_model as model
from tests.model.ipv6_model import Header
from tests.model.lowpan_ipsec_model import DRAFT, PAPER, ah, esp
from tests.model.lowpan_model import LINK_LOCAL, SHORT, Net, Reader, RefusedError, low
from tests.stack.net.lowpanlib import HEADERS as LOWPAN
from tests.stack.net.lowpanlib import Lowpan
from wardmote.call import Target

HEADERS = LOWPAN
NET = Net(src=b"\0\1", dst=b"\0\2")
SRC, DST = (low(LINK_LOCAL | SHORT | n, 16) for n in (1, 2))
ICV = bytes(range(0xA0, 0xAC))
EH = 0xEB
PAYLOAD = b"a payload of octets"
UDP = ip.udp(SRC, DST, (0xF0B1, 0xF0B2), PAYLOAD)
NUMBERS = (1, 0xFF, 0x100, 0xFFFF, 0x10000, 0xFFFFFF, 0x1000000, 0xFFFFFFFF)
profiles = pytest.mark.parametrize("profile", [PAPER, DRAFT])


def packet(protocol: int, payload: bytes) -> bytes:
    """Between the two nodes."""
    return ip.packet(Header(SRC, DST, protocol), payload)


def both_ways(lowpan: Lowpan, octets: bytes) -> bytes:
    """The compressed form, which gives the packet again."""
    status, _, compressed = lowpan.compress(octets)
    assert status == "WM_OK"
    assert lowpan.expand(compressed) == ("WM_OK", octets)
    return compressed


def test_the_papers_sizes(target: Target) -> None:
    """AH costs 16 octets in front of compressed UDP, 17 in front of ICMPv6, and 2 more above
    sequence number 65 535; ESP costs 4 of its 8."""
    lowpan = Lowpan(target, NET, ipsec=PAPER)
    plain = len(both_ways(lowpan, packet(ip.UDP, UDP)))
    echo = b"\x80\0\0\0" + PAYLOAD
    bare = len(both_ways(lowpan, packet(ip.ICMPV6, echo))) - 1  # its Next Header moves into the AH
    for number, more in ((1, 0), (0xFFFF, 0), (0x10000, 2)):
        secured = packet(ip.AH, ah(ip.UDP, 1, number, ICV) + UDP)
        assert len(both_ways(lowpan, secured)) - plain == 16 + more
        secured = packet(ip.AH, ah(ip.ICMPV6, 1, number, ICV) + echo)
        assert len(both_ways(lowpan, secured)) - bare == 17 + more
        octets = both_ways(lowpan, packet(ip.ESP, esp(1, number, PAYLOAD)))
        assert (
            octets[2:]
            == bytes([EH, 0xE0 | (2 if more else 0)])
            + number.to_bytes(4 if more else 2, "big")
            + PAYLOAD
        )


def test_the_papers_figure_6(target: Target) -> None:
    """LOWPAN_IPHC, LOWPAN_NHC_EH, LOWPAN_NHC_AH, sequence number, ICV, LOWPAN_NHC_UDP."""
    octets = both_ways(
        Lowpan(target, NET, ipsec=PAPER), packet(ip.AH, ah(ip.UDP, 1, 0x1234, ICV) + UDP)
    )
    wanted = bytes([0x7E, 0x33, EH, 0xD1, 0x12, 0x34]) + ICV + b"\xf3\x12" + UDP[6:8] + PAYLOAD
    assert octets == wanted


@profiles
def test_every_field(target: Target, profile: int) -> None:
    """SPIs and sequence numbers of every length, ICVs of 12 octets and of others, AH and ESP alone
    and in succession: the shortest form, or as it is where none is shorter."""
    lowpan = Lowpan(target, NET, ipsec=profile)
    numbers = NUMBERS if target.name == "host" else NUMBERS[::3]
    for spi in numbers:
        for number in numbers:
            for icv in (ICV, bytes(20)):
                header = ah(ip.ICMPV6, spi, number, icv)
                octets = both_ways(lowpan, packet(ip.AH, header + PAYLOAD))
                alike = len(icv) == 12 or profile == PAPER
                size = model.least(profile, ip.AH, header) if alike else 1 + len(header)
                assert len(octets) == 2 + size + len(PAYLOAD)
            header = esp(spi, number, b"")
            octets = both_ways(lowpan, packet(ip.ESP, header + PAYLOAD))
            size = min(model.least(profile, ip.ESP, header), 9)
            assert len(octets) == 2 + size + len(PAYLOAD)
            both = ah(ip.ESP, spi, number, ICV) + esp(spi, number, PAYLOAD)
            both_ways(lowpan, packet(ip.AH, both))


@profiles
def test_all_octets(target: Target, profile: int) -> None:
    """Each of 256 octets in the place of LOWPAN_NHC_AH and _ESP, cut everywhere."""
    lowpan, behind = Lowpan(target, NET, ipsec=profile), bytes(range(4, 44))
    for nhc in range(0, 256, 1 if target.name == "host" else 5):
        cuts = (0, 1, 5, 16, 17, 24, 40) if nhc >> 5 == 6 or nhc >> 4 == 0xE else (40,)
        for cut in cuts:
            reader = Reader(bytes([nhc]) + behind[:cut])
            answer = lowpan.expand(bytes([0x7E, 0x33, EH]) + reader.octets)
            try:
                found = model.read(profile, reader)
            except RefusedError:
                assert answer[0] == "WM_ERR_MALFORMED", (hex(nhc), cut)
                continue
            if found.more:  # what follows is no LOWPAN_NHC
                assert answer[0] == "WM_ERR_MALFORMED", (hex(nhc), cut)
                continue
            payload = found.octets + reader.octets[reader.at :]
            assert answer == ("WM_OK", packet(found.protocol, payload)), (hex(nhc), cut)


@profiles
def test_the_octet_in_front(target: Target, profile: int) -> None:
    """EID 101 and 110 announce AH and ESP, and no other EID does: an extension header in front of
    another one is not taken for ESP. NH must be set."""
    lowpan = Lowpan(target, NET, ipsec=profile)
    for front in range(0xE0, 0xF0):
        octets = bytes([0x7E, 0x33, front, 0xD0, 59]) + bytes(14) + ICV
        status, found = lowpan.expand(octets)
        assert (found[6:7] == b"\x33") == (front in (0xEB, 0xED)), hex(front)
        if front in (0xEA, 0xEC):
            assert status == "WM_ERR_MALFORMED"
        assert lowpan.expand(octets[:3])[0] == "WM_ERR_MALFORMED", "it is the last octet"
    options = bytes([0x7E, 0x33, 0xE7, 6]) + b"\1\4" + bytes(4)
    assert lowpan.expand(options + bytes([0xE6, 59, 6, 1, 4]) + bytes(4))[0] == "WM_OK"
    assert lowpan.expand(options + bytes([0xD0]) + bytes(30))[0] == "WM_ERR_MALFORMED"


def test_payload_length_and_spi_have_bits_of_their_own(target: Target) -> None:
    """An AH with its SPI in line and its Payload Length left out."""
    lowpan = Lowpan(target, NET, ipsec=PAPER)
    octets = bytes([0x7E, 0x33, EH, 0xD4, 59, 0, 0, 1, 0xA2, 0, 7]) + ICV
    assert lowpan.expand(octets) == ("WM_OK", packet(ip.AH, ah(59, 0x1A2, 7, ICV)))
    octets = bytes([0x7E, 0x33, EH, 0xD8, 59, 6, 0, 7]) + bytes(20)
    assert lowpan.expand(octets) == ("WM_OK", packet(ip.AH, ah(59, 1, 7, bytes(20))))


@profiles
def test_a_payload_length_has_two_octets(target: Target, profile: int) -> None:
    """Also where the packet came in one frame and was not in fragments: 256 octets and more."""
    lowpan = Lowpan(target, NET, ipsec=profile)
    for octets in (255 - 24, 256 - 24, 300, 600):
        for protocol, payload in (
            (ip.AH, ah(59, 1, 1, ICV) + bytes(octets)),
            (ip.ESP, esp(1, 1, bytes(octets + 16))),
        ):
            both_ways(lowpan, packet(protocol, payload))


def test_without_a_layout(target: Target) -> None:
    """AH and ESP go as they are, and compressed ones are refused."""
    lowpan = Lowpan(target, NET)
    for protocol, payload in ((ip.AH, ah(59, 1, 1, ICV)), (ip.ESP, esp(1, 1, PAYLOAD))):
        octets = both_ways(lowpan, packet(protocol, payload))
        assert octets == bytes([0x7A, 0x33, protocol]) + payload
    assert lowpan.expand(bytes([0x7E, 0x33, EH, 0xE0]) + bytes(8))[0] == "WM_ERR_MALFORMED"
    unknown = Lowpan(target, NET, ipsec=3)
    assert unknown.compress(packet(ip.UDP, UDP))[0] == "WM_ERR_PARAM"


@profiles
def test_what_stays_as_it_is(target: Target, profile: int) -> None:
    """An AH whose reserved field is not 0, one without an ICV, and one that is cut."""
    lowpan = Lowpan(target, NET, ipsec=profile)
    header = ah(59, 1, 1, ICV)
    for odd in (header[:2] + b"\0\1" + header[4:], ah(59, 1, 1, b"")[:8], header[:-4], header[:9]):
        assert both_ways(lowpan, packet(ip.AH, odd))[2:] == bytes([ip.AH]) + odd
    assert both_ways(lowpan, packet(ip.ESP, b"\0\0\0\1\0\0\0"))[2] == ip.ESP


@profiles
def test_another_length_is_agreed_on(target: Target, profile: int) -> None:
    """The Payload Length that is left out is the network's."""
    lowpan = Lowpan(target, NET, ipsec=profile, ah_len=6)
    header = ah(59, 1, 1, bytes(20))
    octets = both_ways(lowpan, packet(ip.AH, header))
    assert len(octets) == 2 + model.least(profile, ip.AH, header, 6)


@profiles
def test_damage(target: Target, profile: int) -> None:
    """An AH in front of UDP with any octet changed gives a packet or a refusal, never more octets
    than there is room for."""
    source, lowpan = Random(profile), Lowpan(target, NET, ipsec=profile)
    whole = lowpan.compress(packet(ip.AH, ah(ip.UDP, 5, 9, ICV) + UDP))[2]
    for _ in range(300 if target.name == "host" else 20):
        octets = bytearray(whole)
        octets[source.randrange(len(octets))] = source.randrange(256)
        status, found = lowpan.expand(bytes(octets), room=120)
        assert status in ("WM_OK", "WM_ERR_MALFORMED", "WM_ERR_NOT_FOR_US", "WM_ERR_FRAME_TOO_LONG")
        if status == "WM_OK":
            assert ip.read(found)[0].octets(len(found) - 40) == found[:40]
