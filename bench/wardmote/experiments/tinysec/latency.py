# SPDX-License-Identifier: BSD-3-Clause
"""Times journeys of messages over routes by way of a landmark, one journey after the other.

36 motes stand on a grid as large as the paper's, and a base beside them that hears them all. They
form a tree, whose root is the landmark in their middle. A journey goes from the base to a mote, up
to the landmark, down to another mote, and back to the base.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.network import (
    BASE,
    BOOT_MS,
    DONE,
    JOURNEYS,
    NEVER,
    ROUTER,
    Network,
    Setup,
)
from wardmote.experiments.tinysec.places import free_space
from wardmote.experiments.tinysec.stacks import STACKS, NetworkCase
from wardmote.experiments.tinysec.tree import MOTES, ends, on_grid, parent
from wardmote.units import PS_PER_S

BASE_ADDRESS = 39
TICK_CYCLES = 8
"""Of the time that motes tell."""
LOST_S = 3.5
"""The base gives a journey up after 2 s, and begins the next a second later."""


@dataclass(frozen=True, slots=True)
class Case(NetworkCase):
    """So many journeys of so many hops with a stack."""

    hops: int
    packets: int

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.stack}, {self.hops} hops, seed {self.seed}"


def setups(case: Case) -> Iterator[Setup]:
    """The motes, and last the base."""
    mode, draw = STACKS[case.stack].mode, Random(f"back-offs {case.seed}")
    for mote in range(MOTES):
        seed = draw.randrange(1, 2**16)
        yield Setup(mote, role=ROUTER, mode=mode, parent=parent(mote), seed=seed)
    begin, end = ends(case.hops, case.seed)
    yield Setup(
        BASE_ADDRESS,
        role=BASE,
        mode=mode,
        begin=begin,
        end=end,
        packets=case.packets,
        seed=draw.randrange(1, 2**16),
    )


def measure(case: Case, artefacts: Artefacts) -> Figures:
    """Milliseconds of each journey, and None for one that did not come back."""
    network = Network(case.board, artefacts[IMAGE], list(setups(case)), case.seed)
    free_space(network, on_grid())
    network.run(BOOT_MS)  # Before it, memory holds anything.
    ticks: list[int] = []
    base = network.motes - 1
    while len(ticks) < case.packets:
        begun = len(ticks) + JOURNEYS
        limit_ps = network.simulation.now_ps + round((JOURNEYS + 1) * LOST_S * PS_PER_S)
        if begun < case.packets:
            ended, until = network.wait_for_journeys(base, begun, limit_ps), begun - 1
        else:
            ended, until = network.wait_for_state(base, DONE, limit_ps), case.packets
        if not ended:
            raise ImageError("the base begins no journeys")
        kept = network.took(base)
        ticks += [kept[number % JOURNEYS] for number in range(len(ticks), until)]
    per_ms = network.simulation.cpu(base)["clock_hz"] / TICK_CYCLES / 1000
    return {
        "ms": [None if one == NEVER else round(one / per_ms, 3) for one in ticks],
        "congested": sum(network.report(mote).congested for mote in range(network.motes)),
    }
