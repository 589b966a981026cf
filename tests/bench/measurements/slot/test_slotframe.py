# SPDX-License-Identifier: BSD-3-Clause
"""The charge of a slotframe: kinds of slots by their number are what an hour's trace integrates to,
and the schedule by hand."""

from pathlib import Path

import pytest

from wardmote.boards import SLOT_BOARDS
from wardmote.commands.battery import Use
from wardmote.errors import UsageError
from wardmote.measurements.slot import slotframe
from wardmote.measurements.slot.block import LEAF_MOTE, SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.setting import ASH_FORMS, STRATEGIES, Setting, all_settings
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import slot_image
from wardmote.study.battery import charge_uc
from wardmote.units import PS_PER_S

TIMING = Timing(tx_offset=171, tx_ack_delay=213, tail=58)
"""A slot of 20.2 ms, long enough for every strategy."""
HOUR_S = 3600.0
KEEP = slotframe.keep_alive_ticks(TIMING)
SPARSE = Plan(data_cells=1, data_every=5, beacon_every=9)
"""The pattern repeats after 45 slotframes."""
SILENT = Plan(data_cells=2, data_every=0xFFFF, beacon_every=31, keep_alive=KEEP)
"""No data: the leaf keeps its time by empty frames; the pattern repeats after 31 slotframes."""


def case(board: str, strategy: str) -> Setting:
    """ENC-MIC-32 at the board's first clock."""
    clock = SLOT_BOARDS[board].clock_hz
    [setting] = all_settings(board, [strategy], [5], ASH_FORMS["paper"], clock)
    return setting


@pytest.mark.early
@pytest.mark.parametrize(
    ("board", "strategy", "plan", "period"),
    [
        *(("telosb", strategy, SPARSE, 45) for strategy in STRATEGIES),
        ("telosb", "hardware", SILENT, 31),
        ("openmote-cc2538", "hardware", SPARSE, 45),
    ],
)
def test_kinds_by_their_number_are_the_trace(
    board: str, strategy: str, plan: Plan, period: int, request: pytest.FixtureRequest
) -> None:
    """The mean current of both nodes, from the kinds of slots, is within 1 % of what the meters
    integrate over an hour (a tenth of one without --long), in whole patterns."""
    setting = case(board, strategy)
    image = slot_image(board, strategy).read_bytes()
    kinds = slotframe.measure(setting, image, TIMING, plan, 1)
    network = slotframe.started(setting, image, TIMING, plan, 2)
    length_s = slotframe.slotframe_s(TIMING)
    network.simulation.run_for(round(period * length_s * PS_PER_S))
    before, sent = slotframe.total_uc(network), network.stats(LEAF_MOTE.name)["data_sent"]
    hour_s = HOUR_S if request.config.getoption("long") else HOUR_S / 10
    slotframes = period * max(1, round(hour_s / length_s / period))
    network.simulation.run_for(round(slotframes * length_s * PS_PER_S))
    after = slotframe.total_uc(network)
    slotframe.check(network)
    for node, name in slotframe.NODES.items():
        traced = (after[node] - before[node]) / slotframes
        assert charge_uc(kinds, name) == pytest.approx(traced, rel=0.01), name
    counts = slotframe.counts_of(plan, TIMING, setting.level)
    number = (network.stats(LEAF_MOTE.name)["data_sent"] - sent) / slotframes
    assert counts[slotframe.DATA] + counts[slotframe.KEEP_ALIVE] == pytest.approx(number, abs=0.02)


def test_slots_of_a_plan_by_hand() -> None:
    """Data for one of five cells, beacons in one of nine slotframes, two cells; and without data."""
    counts = slotframe.counts_of(Plan(2, 5, 9), TIMING, 5)
    assert counts == {
        "beacon": pytest.approx(1 / 9, abs=1e-4),
        "no beacon": pytest.approx(8 / 9, abs=1e-4),
        "data": pytest.approx(2 / 5, abs=1e-4),
        "keep-alive": 0,
        "no data": pytest.approx(8 / 5, abs=1e-4),
        "empty": 98,
    }
    assert sum(slotframe.counts_of(Plan(100), TIMING, 5).values()) == SLOTFRAME_LENGTH
    # 16.5 s of sync limit, half of which are left 8.25 s or 4.04 slotframes after a correction: the
    # cell of the fifth has an empty frame.
    counts = slotframe.counts_of(Plan(1, 0xFFFF, 0xFF, KEEP), TIMING, 5)
    assert counts["keep-alive"] == pytest.approx(1 / 5, rel=0.05)
    # Without a MIC an Enh-Ack corrects nothing: once the leaf has begun, every cell has one.
    assert slotframe.counts_of(Plan(1, 0xFFFF, 0xFF, KEEP), TIMING, 4)["keep-alive"] > 0.9


def test_the_plan_of_an_interval() -> None:
    """661 ticks are a slot of 20.172 ms: a slotframe of 101 takes 2.0374 s, and with two cells in it
    one comes every 1.0187 s. Of 10 s that is the tenth, of 1.5 s the first."""
    for every, cells, apart in (
        (None, 2, 1),
        (10.0, 2, 10),
        (1.5, 2, 1),
        (10.0, 1, 5),
        (10, 5, 25),
    ):
        plan = Use(every=every, cells=cells, beacons=3).plan(TIMING)
        assert plan == Plan(cells, apart, 3, KEEP), every
    for every in (0.5, 1.0187 * 65_536):
        with pytest.raises(
            UsageError, match=r"slotframe of 2\.04 s possible are 1 to 6\.68e\+04 s"
        ):
            Use(every=every, cells=2).plan(TIMING)


def test_charges_tell_what_a_slot_does(root: Path) -> None:
    """A receiver listens for its whole guard time where nothing is sent, the sender sleeps there; a
    data frame costs both most, and empty slots take LPM3 and the radio's power-down, 23.6 uA, and a
    little for the two times that the CPU wakes in between."""
    del root
    setting = case("telosb", "hardware")
    image = slot_image("telosb", "hardware").read_bytes()
    kinds = slotframe.measure(setting, image, TIMING, SPARSE, 1)
    by = {(one.node, one.kind): one.charge_uc for one in kinds}
    guard_uc = 2 * 1.1 * 18.8
    assert guard_uc < by["receiver", "no data"] < guard_uc + 20
    assert guard_uc < by["sender", "no beacon"] < guard_uc + 20
    assert by["sender", "no data"] < 3
    assert by["receiver", "no beacon"] < 3
    assert by["sender", "data"] > by["sender", "beacon"] > by["sender", "no beacon"]
    slot_ms = TIMING.slot_duration / 32.768
    asleep_uc = 0.0236 * slot_ms
    assert 0.97 * asleep_uc < by["sender", "empty"] < 1.15 * asleep_uc
