# SPDX-License-Identifier: BSD-3-Clause
"""Counts the packets that a base receives while senders send as fast as the channel allows.

Motes lie at random on an area as large as the paper's grid, the base in its middle. Seeds are of
places, of back-offs and of the medium; each stack has the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.network import BOOT_MS, RUNNING, SENDER, Network, Setup
from wardmote.experiments.tinysec.places import free_space, scattered
from wardmote.experiments.tinysec.stacks import STACKS, NetworkCase


@dataclass(frozen=True, slots=True)
class Case(NetworkCase):
    """So many senders with a stack, for a time."""

    senders: int
    seconds: int
    gap: int
    """Octet times from one packet's end until a sender asks for the channel again."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.stack}, {self.senders} senders, seed {self.seed}"


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
    free_space(network, scattered(case.senders, case.seed))
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
