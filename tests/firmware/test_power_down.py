# SPDX-License-Identifier: BSD-3-Clause
"""Between slots the radio is powered down, and it is ready again before the next slot begins."""

import pytest

from tests.conftest import ROOT
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import ASH_FORMS, STRATEGIES, Setting
from wardmote.measurements.slot.timing import LONG
from wardmote.units import PS_PER_S

PS_PER_US = PS_PER_S // 1_000_000
CASES = [(board, strategy) for board in SLOT_BOARDS for strategy in STRATEGIES]
XOSC_US = 860
"""From SXOSCON to a stable oscillator (SWRS041)."""
AWAKE_SHARE = {
    ("telosb", "software"): 0.19,
    ("telosb", "hybrid"): 0.16,
    ("telosb", "hardware"): 0.13,
    **{("openmote-cc2538", strategy): 0.53 for strategy in STRATEGIES},
}
"""Of a slot of 100 ms a mote is awake for so much at most. A CC2538 does not sleep deeply while its
radio holds a frame to be sent, here for 30 or 43 ms."""


def traced(board: str, strategy: str) -> Network:
    """A network that has run a few slots of 100 ms; from now on its states are recorded."""
    setting = Setting(board, strategy, 5, ASH_FORMS["paper"], SLOT_BOARDS[board].clock_hz)
    image = (ROOT / f"build/firmware/{board}/slot-{strategy}.elf").read_bytes()
    network = Network(setting, image, LONG, 1)
    assert network.join()
    assert network.run_to_exchange(5)
    for mote in (LEAF_MOTE, ROOT_MOTE):
        network.marks(mote.name)
        network.states(mote.name)
        network.simulation.misuse(network.index(mote.name))
    return network


@pytest.mark.parametrize(("board", "strategy"), CASES)
def test_the_radio_sleeps_between_slots(board: str, strategy: str) -> None:
    """CPU and radio are in the states that the board's record calls sleep, nearly all the time that
    no slot needs; no slot is late, and no frame is lost."""
    network = traced(board, strategy)
    before = {mote.name: network.meter(mote.name) for mote in (LEAF_MOTE, ROOT_MOTE)}
    began = network.simulation.now_ps
    assert network.run_to_exchange(25)
    seconds = (network.simulation.now_ps - began) / PS_PER_S
    for mote, rows in before.items():
        base = {(row["device"], row["state"]): row["seconds"] for row in rows}
        now = {(row["device"], row["state"]): row["seconds"] for row in network.meter(mote)}
        for state in SLOT_BOARDS[board].sleep:
            awake = 1 - (now[state] - base[state]) / seconds
            assert awake < AWAKE_SHARE[board, strategy], (mote, state, awake)
        stats = network.stats(mote)
        assert not any(stats[name] for name in stats if name.startswith("late"))
        assert not network.simulation.misuse(network.index(mote))
    leaf = network.stats(LEAF_MOTE.name)
    assert leaf["data_acked"] == leaf["data_sent"] - 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_oscillator_is_stable_before_the_slot(strategy: str) -> None:
    """At each slot of a TelosB the oscillator has been on for what it needs to become stable, and for
    no more than 0.3 ms longer."""
    network = traced("telosb", strategy)
    assert network.run_to_exchange(25)
    for mote in (LEAF_MOTE.name, ROOT_MOTE.name):
        changes = [
            (ps, state) for ps, device, state, *_ in network.states(mote) if device == "cc2420"
        ]
        slots = [ps for name, rises, ps in network.marks(mote) if name == "slot" and rises]
        assert len(slots) > 15
        for begun in slots:
            since, state = max(change for change in changes if change[0] <= begun)
            on_us = (begun - since) / PS_PER_US
            assert state == "idle"
            assert XOSC_US < on_us < XOSC_US + 300, (mote, on_us)
