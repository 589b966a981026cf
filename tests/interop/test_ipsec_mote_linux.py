# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Linux, as it is, and an emulated TelosB with image `ipsec-node` exchange pings and UDP
through the border router, over one hop and four, in every suite that both have."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv6Address
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.firmware.ipsec_mote import IN, OUT, program, report, sa_of, setup
from tests.firmware.test_ipsec_node import image_of
from tests.interop.exchange import linux_asks
from tests.interop.ipsec_suites import FIRST_SHORT, LINUX, OTHERS, PARTIES, SUITES, Party, party
from tests.interop.linux_host import GOT_UDP, LinuxHost
from tests.interop.network import EmulatedNetwork, host_lines
from tests.interop.stack_mote import PORTS
from tests.interop.test_ipsec_linux import NO_STATE, PROTOCOL, SEQUENCE, WRONG_POLICY, regions
from tests.model.ipsec_model import AH, ESP, UDP
from tests.model.ipv6_model import Header, packet, udp
from tests.turn import REAL_LINUX
from wardmote import _motes
from wardmote.border.router import Setup
from wardmote.units import PS_PER_S

pytestmark = [pytest.mark.xdist_group("linux-host"), pytest.mark.turns(*REAL_LINUX)]

SIZES = 9, 512
FIRST_RELAY = 0x41
"""Number of the mote next to the border router, where there are several hops."""
BOOT_PS = PS_PER_S // 5
RUNNING, CLEAR = 1, "ipsec-node-none"


@pytest.fixture(scope="module")
def linux(linux_built: Path) -> Iterator[LinuxHost]:
    """One guest for all motes."""
    lines = [line for one in (*PARTIES, *OTHERS, *HARMED) for line in one.lines()]
    with LinuxHost(linux_built, [*host_lines(Setup()), *lines]) as guest:
        yield guest


def chain(linux: LinuxHost, party: Party, hops: int) -> tuple[EmulatedNetwork, int]:
    """The mote of a party behind relays, and its index."""
    last = party.short - FIRST_SHORT + 1
    numbers = [*range(FIRST_RELAY, FIRST_RELAY + hops - 1), last]
    shorts = [1, *(setup(number)["address"] for number in numbers)]
    simulation = _motes.Simulation(party.number)
    for place, number in enumerate(numbers[:-1], 1):
        routes = [
            {"prefix": 0, "next": shorts[place - 1]},
            {"to": party.address.packed, "prefix": 128, "next": shorts[place + 1]},
        ]
        program(simulation, CLEAR, setup(number, route=routes, routes=2))
    sas = [sa_of(IN, sa) for sa in party.to_mote] + [sa_of(OUT, sa) for sa in party.from_mote]
    values: dict[str, Any] = {"route": [{"prefix": 0, "next": shorts[-2]}]}
    values["study"] = int(not party.secure)
    mote = program(simulation, image_of(party.to_mote[0].suite), setup(last, sas, **values))
    agreed = Setup(routes={party.short: shorts[1]})
    net = EmulatedNetwork(linux, agreed, simulation)
    simulation.run_until(BOOT_PS)
    assert report(simulation, mote)["state"] == RUNNING
    return net, mote


@pytest.mark.parametrize("hops", [1, 4])
@pytest.mark.parametrize("which", range(len(PARTIES)), ids=[str(one) for one in PARTIES])
def test_every_suite(linux: LinuxHost, which: int, hops: int) -> None:
    """Pings and UDP, in one frame and in fragments; nothing is refused."""
    party = (PARTIES if hops == 1 else OTHERS)[which]
    net, mote = chain(linux, party, hops)
    before = linux.statistics()
    random = Random(which)
    for place, octets in enumerate(SIZES):
        linux_asks(net, party.address, random.randbytes(octets), PORTS[place])
    assert linux.statistics() == before
    told = report(net.simulation, mote)
    assert (told["packets_in"], told["ipsec_refused"]) == (2 * len(SIZES), 0)
    assert not net.border.refused
    for relay in range(hops - 1):
        assert report(net.simulation, relay)["forwarded"] == 4 * len(SIZES)


HARMED = tuple(
    party(2 * len(SUITES) + place, suites)
    for place, suites in enumerate(SUITES)
    if suites[0].is_ah or suites[0].secure
)
"""Motes whose packets somebody on the way changes."""
REASONS = {"spi": -5, "length": -2, "clear": -8, "replay": -4}
"""wm_status of what the mote refuses; all else is WM_ERR_SECURITY."""


def clear_of(src: IPv6Address, dst: IPv6Address, octets: bytes) -> bytes:
    """A datagram without IPsec."""
    datagram = udp(src.packed, dst.packed, (PORTS[0], PORTS[0]), octets)
    return packet(Header(src.packed, dst.packed, UDP), datagram)


@pytest.mark.parametrize("one", HARMED, ids=str)
def test_what_is_wrong_is_refused_by_both(linux: LinuxHost, one: Party) -> None:
    """A bit changed in every region, another SPI, clear text, a replay: no answer, and each is
    counted."""
    net, mote = chain(linux, one, 1)
    linux_asks(net, one.address, b"so that each side knows the other's link", PORTS[0])
    held = net.wire.held = []
    linux.udp(one.address, PORTS[0], b"harmed")
    asked: list[bytes] = []
    while not asked:
        linux.look(1.0)
        for frame in linux.packets():
            secured = frame[20] in (AH, ESP)
            asked += [frame[14:]] if secured else []
            net.wire.came += [] if secured else [frame]
    numbers = {"refused": 0}

    def mote_refuses(octets: bytes, why: str) -> None:
        net.border.from_host(octets)
        net.settle()
        numbers["refused"] += 1
        told = report(net.simulation, mote)
        assert (told["ipsec_refused"], told["ipsec_last"]) == (
            numbers["refused"],
            REASONS.get(why, -10),
        ), why
        assert not held, why

    def linux_refuses(octets: bytes, why: str, counter: str) -> None:
        before = linux.statistics()
        net.border.to_host.append(octets)
        net.settle()
        grown = {name: after - before[name] for name, after in linux.statistics().items()}
        assert grown == dict.fromkeys(before, 0) | {counter: 1}, why
        assert linux.answers(GOT_UDP) == [], why

    net.settle()
    held.clear()
    for region, flipped in regions(asked[0]):
        mote_refuses(flipped, region)
    mote_refuses(clear_of(LINUX, one.address, b"harmed"), "clear")
    net.border.from_host(asked[0])
    net.settle()
    [answer] = held
    held.clear()
    mote_refuses(asked[0], "replay")
    net.wire.held = None
    for region, flipped in regions(answer[14:]):
        linux_refuses(flipped, region, NO_STATE if region == "spi" else PROTOCOL)
    linux_refuses(clear_of(one.address, LINUX, b"harmed"), "clear", WRONG_POLICY)
    net.border.to_host.append(answer[14:])
    net.settle()
    assert linux.answers(GOT_UDP) == [(one.address, b"harmed")]
    linux_refuses(answer[14:], "replay", SEQUENCE)
