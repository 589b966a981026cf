# SPDX-License-Identifier: BSD-3-Clause
"""What a TSCH node learns from a frame that no key made: nothing."""

import struct
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.simulation import LEAF, ROOT, Sent, Simulation, exchange, kind

COUNTER_AT = 22
"""Offset of the Frame Counter in a frame with two extended addresses."""
FAR = struct.pack("<I", 0xFFFFFFFE)
LEARNT = ("rx_counter", "config", "tail_limit")
"""What the engine keeps of a peer; `asn` and times go on by themselves."""


def learnt(simulation: Simulation, node: int) -> dict[str, Any]:
    """The members that frames could have moved."""
    state = simulation.state(node)
    return {name: state[name] for name in LEARNT}


@pytest.mark.parametrize("type_", [model.DATA, model.ACK])
@pytest.mark.parametrize(("level", "profile"), [(4, 1), (1, 0), (5, 0), (5, 1)])
def test_a_counter_that_anybody_wrote_is_not_believed(level: int, profile: int, type_: int) -> None:
    """One frame whose counter was changed to nearly the last one: the peer's frames are taken
    afterwards as before."""
    simulation = exchange(0.3, level=level, profile=profile, counter_carried=True)
    receiver = ROOT if type_ == model.DATA else LEAF
    before = learnt(simulation, receiver)
    far: list[bytes] = []

    def forge(sent: Sent) -> bytes:
        if kind(sent) != type_ or far:
            return sent.octets
        far.append(sent.octets[:COUNTER_AT] + FAR + sent.octets[COUNTER_AT + 4 :])
        return far[0]

    simulation.medium = forge
    simulation.run(0.1)
    after = learnt(simulation, receiver)
    assert far
    assert max(after.pop("rx_counter")) < 1000
    del before["rx_counter"]
    assert after == before
    counts = simulation.stats(ROOT)["data_received"], simulation.stats(LEAF)["data_acked"]
    simulation.run(0.3)
    assert simulation.stats(ROOT)["data_received"] - counts[0] > 10
    assert simulation.stats(LEAF)["data_acked"] - counts[1] > 10


def test_a_counter_below_the_least_is_refused_at_level_4() -> None:
    """The least counter that a node resumes with holds at level 4, too."""
    simulation = exchange(0.3, level=4, profile=1, counter_carried=True)
    simulation.set(ROOT, "rx_counter[1]", (5000).to_bytes(4, "little"))
    received = simulation.stats(ROOT)["data_received"]
    simulation.run(0.2)
    assert simulation.stats(ROOT)["data_received"] == received
    assert simulation.stats(ROOT)["last_error"] == 4
