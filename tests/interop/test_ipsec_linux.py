# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Linux, as it is, and the stack's IPsec exchange pings and UDP through the border router,
compressed on the air: every suite that both have. What is wrong is refused on both sides, and Linux
counts it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.interop.exchange import exchange
from tests.interop.ipsec_suites import LINUX, PARTIES, Party
from tests.interop.linux_host import GOT_UDP, KERNELS, LinuxHost
from tests.interop.network import BorderNetwork, host_lines
from tests.interop.stack_mote import ASKS_FROM, PORTS, StackMote
from tests.model.ipsec_model import AH, ESP, UDP
from tests.model.ipv6_model import Header, packet, udp
from tests.stack.conftest import target_named
from tests.turn import REAL_LINUX
from wardmote.border import mac, packets
from wardmote.border.lowpan import Layout, Lowpan, RefusedError, Status
from wardmote.border.router import Setup

pytestmark = [pytest.mark.xdist_group("linux-host"), pytest.mark.turns(*REAL_LINUX)]

SETUP = Setup()
SIZES = 9, 64, 200, 512
USED = 1000
"""Sequence numbers that each network may take."""
DATA, FRAGMENT_N = 1, 0b111
SEQUENCE, PROTOCOL, WRONG_POLICY, NO_STATE = (
    "XfrmInStateSeqError",
    "XfrmInStateProtoError",
    "XfrmInTmplMismatch",
    "XfrmInNoStates",
)


@pytest.fixture(scope="module", params=list(KERNELS.values()), ids=list(KERNELS))
def linux(linux_built: Path, request: pytest.FixtureRequest) -> Iterator[LinuxHost]:
    """One guest of each kernel for all suites."""
    lines = [*host_lines(SETUP), *(line for party in PARTIES for line in party.lines())]
    with LinuxHost(linux_built, lines, own=request.param) as guest:
        yield guest


def network(linux: LinuxHost, party: Party) -> BorderNetwork:
    """The guest, a border router that has just begun, and the mote, which knows what it has sent
    before."""
    mote = StackMote(target_named("host"), party, SETUP, used=USED * next(linux.networks))
    return BorderNetwork(linux, [mote], SETUP, party.number + 1)


@pytest.mark.parametrize("party", PARTIES, ids=str)
def test_every_suite_both_ways(linux: LinuxHost, party: Party) -> None:
    """Linux and the mote ask, by UDP and ping, from 9 to 512 octets; nothing is refused."""
    net = network(linux, party)
    before = linux.statistics()
    exchange(net, SIZES, Random(party.number))
    [mote] = net.motes
    assert set(mote.statuses) == {"WM_OK" if party.secure else "WM_NOT_AUTHENTICATED"}
    assert linux.statistics() == before, "Linux counts errors alone"
    assert not net.border.refused
    assert net.border.counts["packets in"] == mote.link.counts["packets out"]


@pytest.mark.parametrize("octets", [9, 512])
def test_ah_and_esp_are_compressed_on_the_air(linux: LinuxHost, octets: int) -> None:
    """Who knows no compression of AH and ESP can expand none of the first frames."""
    for party in PARTIES:
        net = network(linux, party)
        net.simulation.capture()
        exchange(net, (octets,), Random(octets))
        stranger = Lowpan((SETUP.motes, SETUP.hosts), Layout.NONE)
        firsts = 0
        for _, _, _, psdu, _ in net.simulation.frames():
            if psdu[0] & 7 != DATA:
                continue
            frame = mac.parse(psdu[:-2], SETUP.pan)
            if frame.payload[0] >> 5 == FRAGMENT_N:
                continue
            firsts += 1
            with pytest.raises(RefusedError, match=str(int(Status.MALFORMED))):
                stranger.expand(frame.src, frame.dst, frame.payload, 0)
        assert firsts >= 8, "four exchanges"


def regions(packet: bytes) -> Iterator[tuple[str, bytes]]:
    """The packet with a bit flipped in each region of its outer header, and of what follows."""
    ah = packet[6] == AH
    begin = packets.HEADER_OCTETS
    spi = begin + (4 if ah else 0)
    places = {"spi": spi + 3, "sequence": spi + 5, "behind": len(packet) // 2 + 20}
    if ah:
        header = 4 * (packet[begin + 1] + 2)
        places |= {"source": 23, "next header": begin, "length": begin + 1, "icv": begin + 12}
        places |= {"inside": begin + header, "end": len(packet) - 1}
    else:
        places |= {"iv": begin + 8, "icv": len(packet) - 1, "text": begin + 24}
    for name, place in places.items():
        flipped = bytearray(packet)
        flipped[place] ^= 0x80 if name == "source" else 0x01
        yield name, bytes(flipped)


def linux_refuses(linux: LinuxHost, party: Party) -> None:
    """What this party sends."""
    net = network(linux, party)
    [mote] = net.motes
    src, dst = party.address.packed, LINUX.packed
    clear = packet(Header(src, dst, UDP), udp(src, dst, (ASKS_FROM, PORTS[0]), b"x" * 64))
    status, good = mote.node.secure(clear)
    assert status == "WM_OK"

    def refused(octets: bytes, counter: str, what: str) -> None:
        before = linux.statistics()
        mote.give(octets)
        net.settle()
        after = linux.statistics()
        grown = {name: after[name] - before[name] for name in after}
        assert grown == dict.fromkeys(after, 0) | {counter: 1}, f"{party}: {what}"
        assert not mote.heard, f"{party}: {what} was answered"

    for region, flipped in regions(good) if party.secure else ():
        refused(flipped, NO_STATE if region == "spi" else PROTOCOL, region)
    refused(clear, WRONG_POLICY, "clear text")
    mote.give(good)
    net.until(lambda: bool(mote.heard))
    assert mote.heard.popleft()[1][8:] == b"x" * 64
    refused(good, SEQUENCE, "a replay")


def test_linux_refuses_what_is_wrong(linux: LinuxHost) -> None:
    """Every region, wrong SPI, clear text, and what came before; it counts each."""
    for party in PARTIES:
        linux_refuses(linux, party)


def the_stack_refuses(linux: LinuxHost, party: Party) -> None:
    """What comes to this party."""
    net = network(linux, party)
    [mote] = net.motes
    exchange(net, (9,), Random(party.number))  # Linux knows the border router, too
    linux.udp(party.address, PORTS[0], b"y" * 64)
    frames: list[bytes] = []
    while not frames:
        linux.look(1.0)
        frames = [one[14:] for one in linux.packets() if one[20] in (AH, ESP)]
    [good] = frames
    clear = bytearray(good[:40]) + udp(LINUX.packed, party.address.packed, (9, 7), b"y" * 64)
    clear[4:7] = (len(clear) - 40).to_bytes(2, "big") + bytes([UDP])

    def status_of(octets: bytes) -> list[str]:
        mote.statuses.clear()
        net.border.from_host(octets)
        net.settle()
        return list(mote.statuses)

    for region, flipped in regions(good) if party.secure else ():
        wrong = {"spi": "WM_ERR_UNAVAILABLE_KEY", "length": "WM_ERR_MALFORMED"}
        assert status_of(flipped) == [wrong.get(region, "WM_ERR_SECURITY")], (party, region)
    assert status_of(bytes(clear)) == ["WM_ERR_IMPROPER_SECURITY_LEVEL"], party
    assert linux.answers(GOT_UDP) == [], "nothing of it was answered"
    assert status_of(good) == ["WM_OK" if party.secure else "WM_NOT_AUTHENTICATED"]
    net.until(lambda: linux.has_answers(GOT_UDP))
    assert linux.answers(GOT_UDP) == [(party.address, b"y" * 64)]
    assert status_of(good) == ["WM_ERR_COUNTER" if party.secure else "WM_NOT_AUTHENTICATED"]
    net.until(lambda: party.secure or linux.has_answers(GOT_UDP))
    assert len(linux.answers(GOT_UDP)) == (0 if party.secure else 1)


def test_the_stack_refuses_what_is_wrong(linux: LinuxHost) -> None:
    """The same, of a packet that Linux made."""
    for party in PARTIES:
        the_stack_refuses(linux, party)
