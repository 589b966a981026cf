# SPDX-License-Identifier: BSD-3-Clause
"""wm_tsch_start at any moment: no nonce comes twice, and a node that runs is not disturbed."""

import random

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.simulation import LEAF, ROOT, Simulation, assert_clean, exchange, kind

SLOT_US = 800 * 15625 // 512


def nonces(simulation: Simulation, node: int) -> list[tuple[int, bool]]:
    """ASN and key of every frame that a node has secured: beacons have a key of their own."""
    return [(sent.asn, kind(sent) == model.BEACON) for sent in simulation.sent if sent.node == node]


@pytest.mark.parametrize("node", [ROOT, LEAF])
@pytest.mark.parametrize("seed", range(6))
def test_a_start_in_between(node: int, seed: int) -> None:
    """Starts at random moments of some slots, beacon slots among them: each ASN secures one frame,
    and the network runs as if nothing had been said."""
    draw = random.Random(seed)
    simulation = exchange(0.4)
    for _ in range(20):
        simulation.start(node, simulation.time_ns + draw.randrange(1, SLOT_US) * 1000)
        simulation.run(0.03)
    simulation.run(0.3)
    for each in (ROOT, LEAF):
        used = nonces(simulation, each)
        assert len(used) == len(set(used))
    assert_clean(simulation)


def test_a_root_started_twice_at_once() -> None:
    """Two calls in a row are one."""
    simulation = Simulation()
    simulation.start(ROOT)
    simulation.start(ROOT, 1000)
    simulation.start(LEAF, 1_000_000)
    simulation.run(1.5)
    assert len(nonces(simulation, ROOT)) == len(set(nonces(simulation, ROOT)))
    assert_clean(simulation)


def test_a_root_that_sent_its_beacon_and_starts_again() -> None:
    """After the beacon of ASN 0 was secured a start must not secure another one under ASN 0."""
    simulation = Simulation()
    simulation.start(ROOT)
    simulation.run(0.05)
    assert nonces(simulation, ROOT) == [(0, True)]
    simulation.start(ROOT, simulation.time_ns + 1000)
    simulation.run(0.5)
    assert len(nonces(simulation, ROOT)) == len(set(nonces(simulation, ROOT))) > 1
