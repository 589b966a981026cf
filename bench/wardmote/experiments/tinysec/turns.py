# SPDX-License-Identifier: BSD-3-Clause
"""Counts the turns that senders take on the channel, and what a base receives of each.

A turn lasts from a silent channel to the next one. A packet that is alone in it is received; of
several that collide, the strongest may be. The length of the packets decides how many turns there
are, and chance what becomes of them.
"""

from collections.abc import Sequence

from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.experiments.tinysec.network import BOOT_MS, BYTE_TIME_MS, MS, START_SYMBOL, Network
from wardmote.experiments.tinysec.places import free_space, scattered
from wardmote.experiments.tinysec.throughput import Case, counts, setups


def turns(starts: Sequence[int], lasts: int) -> list[int]:
    """How many packets there are in each turn: packets that begin at these times, in ascending
    order, and last so long."""
    found: list[int] = []
    end = -1
    for start in starts:
        if start < end:
            found[-1] += 1
        else:
            found.append(1)
        end = start + lasts
    return found


def measure(case: Case, artefacts: Artefacts) -> Figures:
    """Turns in that time, those with a single packet, and packets that the base has received."""
    network = Network(case.board, artefacts[IMAGE], list(setups(case)), case.seed)
    free_space(network, scattered(case.senders, case.seed))
    before = counts(network.run(BOOT_MS))
    network.simulation.capture()
    after = counts(network.run(1000 * case.seconds))
    frames = [(ps, len(octets)) for _, ps, _, octets, whole in network.simulation.frames() if whole]
    [octets] = {length for _, length in frames}
    lasts = round((START_SYMBOL + octets) * BYTE_TIME_MS * MS)
    each = turns(sorted(ps for ps, _ in frames), lasts)
    return {
        "turns": len(each),
        "alone": each.count(1),
        "received": after["received"] - before["received"],
    }
