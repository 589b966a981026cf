# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Linux, as it is, is a 6LoWPAN host on the air: its own compression and fragments, and AH
and ESP under their protocol numbers, which it cannot compress. No border router."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.interop.exchange import exchange
from tests.interop.ipsec_suites import PARTIES, Party
from tests.interop.linux_host import KERNELS, LinuxHost
from tests.interop.network import (
    LINUX_EXTENDED,
    RadioNetwork,
    radio_lines,
    radio_modules,
    radio_steps,
)
from tests.interop.stack_mote import StackMote
from tests.stack.conftest import target_named
from tests.turn import REAL_LINUX
from wardmote.border.lowpan import Layout
from wardmote.border.router import Setup

pytestmark = [pytest.mark.xdist_group("linux-host"), pytest.mark.turns(*REAL_LINUX)]

SETUP = Setup(layout=Layout.NONE)
SIZES = 9, 200, 512
USED = 1000


def extended(party: Party) -> bytes:
    """The mote's extended address."""
    return bytes.fromhex("020000000000") + party.short.to_bytes(2, "big")


@pytest.fixture(scope="module", params=list(KERNELS.values()), ids=list(KERNELS))
def linux(linux_built: Path, request: pytest.FixtureRequest) -> Iterator[LinuxHost]:
    """One guest of each kernel for all suites."""
    motes = {party.address: extended(party) for party in PARTIES}
    lines = [*radio_lines(SETUP, motes), *(line for party in PARTIES for line in party.lines())]
    with LinuxHost(
        linux_built, lines, radio_modules(), radio_steps(SETUP), own=request.param
    ) as guest:
        yield guest


@pytest.mark.parametrize("party", PARTIES, ids=str)
def test_every_suite_both_ways(linux: LinuxHost, party: Party) -> None:
    """Pings and UDP, asked by either side, in one frame and in fragments; nothing is refused."""
    used = USED * next(linux.networks)
    mote = StackMote(
        target_named("host"),
        party,
        SETUP,
        used=used,
        neighbour=LINUX_EXTENDED,
        extended=extended(party),
    )
    net = RadioNetwork(linux, [mote], SETUP)
    before = linux.statistics()
    exchange(net, SIZES, Random(party.number))
    assert set(mote.statuses) == {"WM_OK" if party.secure else "WM_NOT_AUTHENTICATED"}
    assert linux.statistics() == before
    assert not mote.link.refused
    assert mote.link.counts["packets out"] == 4 * len(SIZES)
    assert mote.link.counts["frames out"] > 2 * mote.link.counts["packets out"]
