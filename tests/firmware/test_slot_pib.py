# SPDX-License-Identifier: BSD-3-Clause
"""Image `slot` with the procedures over a PIB: the tables decide, and its counters are those of the
frames. The tables are changed in the RAM of a node that runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.vectors import statuses
from wardmote.boards import BOARDS, SLOT_BOARDS
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE, headers
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import AHEAD_PIB, ASH_FORMS, all_settings
from wardmote.measurements.slot.timing import LONG
from wardmote.paths import slot_image
from wardmote.units import PS_PER_S

LEVEL, FIRST = 5, 20
WAIT_PS = 3 * PS_PER_S
"""Some thirty slots."""
STEP_PS = PS_PER_S // 10_000
SLEEP = 2
"""WM_TSCH_SLEEP: in later states a data frame is secured."""
CASES = [(board, strategy) for board in SLOT_BOARDS for strategy in AHEAD_PIB]


def running(board: str, strategy: str, ash: str = "paper", level: int = LEVEL) -> Network:
    """A network in which frames have been exchanged."""
    (setting,) = all_settings(board, (strategy,), (level,), ASH_FORMS[ash], BOARDS[board].clock_hz)
    network = Network(setting, slot_image(board, strategy).read_bytes(), LONG, 1)
    assert network.join()
    assert network.run_to_exchange(FIRST)
    return network


class Tables:
    """The PIB in the RAM of a mote."""

    def __init__(self, network: Network, mote: str) -> None:
        self.simulation = network.simulation
        self.at = network.index(mote)
        self.layout = headers().layout("wm_security_pib", network.setting.record.model)
        self.address = self.simulation.symbol(self.at, "slot_pib")[0]

    def read(self) -> dict[str, Any]:
        """Its members."""
        octets = self.simulation.read(self.at, self.address, self.layout.size)
        return self.layout.unpack(bytes(octets))

    def write(self, **members: Any) -> None:
        """Other values of some members."""
        octets = self.layout.pack(**(self.read() | members))
        self.simulation.write(self.at, self.address, bytes(octets))

    @contextmanager
    def changed(self, **members: Any) -> Iterator[None]:
        """The same, and back."""
        before = {name: self.read()[name] for name in members}
        self.write(**members)
        yield
        self.write(**before)


@pytest.mark.parametrize(("board", "strategy"), CASES)
@pytest.mark.parametrize(
    ("member", "status"),
    [
        ("level_count", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"),
        ("device_count", "WM_ERR_UNAVAILABLE_DEVICE"),
        ("key_count", "WM_ERR_UNAVAILABLE_KEY"),
    ],
)
def test_the_receivers_tables_decide(board: str, strategy: str, member: str, status: str) -> None:
    """Without an entry each frame is refused, and no Enh-Ack leaves; with it they go on."""
    network = running(board, strategy)
    with Tables(network, ROOT_MOTE.name).changed(**{member: 0}):
        network.simulation.run_for(WAIT_PS // 10)
        before = network.stats(ROOT_MOTE.name)
        network.simulation.run_for(WAIT_PS)
        after = network.stats(ROOT_MOTE.name)
    assert after["refused"] > before["refused"] + 5
    assert after["last_error"] == -statuses()[status]
    for counter in ("data_received", "acks_sent"):
        assert after[counter] == before[counter]
    network.simulation.run_for(WAIT_PS)
    assert network.stats(ROOT_MOTE.name)["data_received"] > after["data_received"] + 5


@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_the_senders_tables_decide(board: str, strategy: str) -> None:
    """Without a key nothing is sent."""
    network = running(board, strategy)
    with Tables(network, LEAF_MOTE.name).changed(key_count=0):
        network.simulation.run_for(WAIT_PS // 10)
        before = network.stats(ROOT_MOTE.name)
        network.simulation.run_for(WAIT_PS)
        after = network.stats(ROOT_MOTE.name)
    assert after["data_received"] == before["data_received"]
    assert after["refused"] == before["refused"]
    network.simulation.run_for(WAIT_PS)
    assert network.stats(ROOT_MOTE.name)["data_received"] > after["data_received"] + 5


@pytest.mark.parametrize(("board", "strategy"), CASES)
@pytest.mark.parametrize("ash", ASH_FORMS)
def test_counters_are_those_of_the_frames(board: str, strategy: str, ash: str) -> None:
    """secFrameCounter is the engine's next counter; with the ASN in the nonce the PIB has the slot's,
    and no counter moves. A node that secures a frame has moved the PIB's counter, and the engine's
    follows when the frame is secured."""
    network = running(board, strategy, ash)
    while network.number(LEAF_MOTE.name, "state") <= SLEEP:
        network.simulation.run_for(STEP_PS)
    for mote in (ROOT_MOTE.name, LEAF_MOTE.name):
        pib = Tables(network, mote).read()
        if ash == "paper":
            assert network.number(mote, "tx_counter") == pib["counter"]["next"]
        else:
            assert 0 <= network.asn(mote) - int.from_bytes(bytes(pib["asn"]), "big") <= 1
            assert pib["counter"]["next"] == 0


@pytest.mark.parametrize("level", [1, 4, 6])
def test_other_levels(level: int) -> None:
    """Level 4 has the rules of 2012e: it is not authenticated, and no Enh-Ack is lost either."""
    network = running("openmote-cc2538", "ahead-software-pib", level=level)
    leaf, root = network.stats(LEAF_MOTE.name), network.stats(ROOT_MOTE.name)
    assert (leaf["data_acked"], root["refused"]) == (FIRST - 1, 0)
