# SPDX-License-Identifier: BSD-3-Clause
"""Where motes are, and what of their power arrives at others."""

import math
from collections.abc import Sequence
from random import Random

from wardmote.experiments.tinysec.network import Network

Place = tuple[float, float]
"""In metres."""
AREA_M = (1.83, 2.36)
"""6 by 7.75 feet."""
LEAST_M = 0.1
"""Between antennas."""
LOSS_AT_1_M_DB = 25.2
"""Free space at 433 MHz."""


def scattered(senders: int, seed: int) -> list[Place]:
    """Where the base and the senders are, in metres. More senders are added to those of fewer."""
    draw = Random(f"places {seed}")
    width, depth = AREA_M
    found = [(width / 2, depth / 2)]
    while len(found) <= senders:
        place = draw.random() * width, draw.random() * depth
        if all(math.dist(place, other) >= LEAST_M for other in found):
            found.append(place)
    return found


def free_space(network: Network, where: Sequence[Place]) -> None:
    """Sets the loss between all motes by their distance."""
    for sender, here in enumerate(where):
        for receiver, there in enumerate(where):
            if sender != receiver:
                loss = LOSS_AT_1_M_DB + 20 * math.log10(math.dist(here, there))
                network.simulation.set_path_loss(sender, receiver, loss)
