# SPDX-License-Identifier: BSD-3-Clause
"""Counts the packets that a base receives while senders send as fast as the channel allows.

Motes lie at random on an area as large as the paper's grid, the base in its middle. Seeds are of
places, of back-offs and of the medium; each stack has the same.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.network import RUNNING, SENDER, Network, Setup
from wardmote.experiments.tinysec.stacks import STACKS

AREA_M = (1.83, 2.36)
"""6 by 7.75 feet."""
LEAST_M = 0.1
"""Between antennas."""
LOSS_AT_1_M_DB = 25.2
"""Free space at 433 MHz."""
BOOT_MS = 500
"""Until then nothing is counted: motes boot, and one that encrypts writes its EEPROM."""


@dataclass(frozen=True, slots=True)
class Case:
    """So many senders with a stack, for a time."""

    board: str
    stack: str
    senders: int
    seconds: int
    gap: int
    """Octet times from one packet's end until a sender asks for the channel again."""
    seed: int

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.stack}, {self.senders} senders, seed {self.seed}"


def places(senders: int, seed: int) -> list[tuple[float, float]]:
    """Where the base and the senders are, in metres. More senders are added to those of fewer."""
    draw = Random(f"places {seed}")
    width, depth = AREA_M
    found = [(width / 2, depth / 2)]
    while len(found) <= senders:
        place = draw.random() * width, draw.random() * depth
        if all(math.dist(place, other) >= LEAST_M for other in found):
            found.append(place)
    return found


def setups(case: Case) -> Iterator[Setup]:
    """The base, and the senders."""
    stack, draw = STACKS[case.stack], Random(f"back-offs {case.seed}")
    yield Setup(0, mode=stack.mode, seed=draw.randrange(1, 2**16))
    for sender in range(1, case.senders + 1):
        yield Setup(
            sender,
            role=SENDER,
            mode=stack.mode,
            data_octets=stack.data_octets,
            gap=case.gap,
            seed=draw.randrange(1, 2**16),
        )


def measure(case: Case, artefacts: Artefacts) -> Figures:
    """Packets in that time, by the base's own count and by those of the senders."""
    network = Network(case.board, artefacts[IMAGE], list(setups(case)), case.seed)
    where = places(case.senders, case.seed)
    for sender, here in enumerate(where):
        for receiver, there in enumerate(where):
            if sender != receiver:
                loss = LOSS_AT_1_M_DB + 20 * math.log10(math.dist(here, there))
                network.simulation.set_path_loss(sender, receiver, loss)
    before = counts(network.run(BOOT_MS))
    after = counts(network.run(1000 * case.seconds))
    if any(network.state(mote) != RUNNING for mote in range(network.motes)):
        raise ImageError("a mote has stopped")
    return {name: after[name] - before[name] for name in after}


def counts(network: Network) -> dict[str, int]:
    """What has happened so far."""
    base, *senders = map(network.report, range(network.motes))
    return {
        "received": base.received,
        "refused": base.refused,
        "sent": sum(one.sent for one in senders),
        "congested": sum(one.congested for one in senders),
        "late": sum(one.late for one in senders),
    }
