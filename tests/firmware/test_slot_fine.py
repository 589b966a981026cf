# SPDX-License-Identifier: BSD-3-Clause
"""Image `slot` with the finer timer: its templates hold and are shorter, its motes stay together, and
they sleep as those with the usual one."""

from __future__ import annotations

from functools import cache

import pytest

from tests.bench.measurements.slot.test_guard import guard_us
from tests.firmware.test_slot_ahead import ALL_LENGTHS
from wardmote.boards import BOARDS, SLOT_BOARDS
from wardmote.errors import UsageError
from wardmote.measurements.slot import drift
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.definition import guard_needed
from wardmote.measurements.slot.experiment import AllLengths, SettingRuns
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import (
    AHEAD,
    ASH_FORMS,
    FINE,
    STRATEGIES,
    WITH_FINE,
    Setting,
    all_settings,
)
from wardmote.measurements.slot.timing import TUNED, Timing, long_timing
from wardmote.measurements.slot.trace import record
from wardmote.paths import slot_image
from wardmote.units import FINE_TICKS_PER_S, PS_PER_S

BOARD, LEVEL, EXCHANGES, SEED = "openmote-cc2538", 5, 120, 1
TICK_US = 4


def fine(tx_offset: int, tx_ack_delay: int, tail: int, rx_guard: int, ack_guard: int) -> Timing:
    """A template in ticks of 4 us."""
    return Timing(tx_offset, tx_ack_delay, tail, rx_guard, ack_guard, FINE_TICKS_PER_S)


DEPLOYABLE = fine(328, 104, 5, rx_guard=275, ack_guard=50)
"""The whole guard time; at most a tick longer than the shortest of each strategy ahead of the slot."""
PAPER = dict.fromkeys(("ahead-software", "ahead-hybrid"), fine(68, 59, 4, rx_guard=15, ack_guard=3))
"""The shortest by the paper's definition of those that the receiver rules."""
MOST_APART_US = 12
"""WM_TSCH_SYNC_REST."""


def case_of(strategy: str, ash: str = "paper") -> Setting:
    """ENC-MIC-32, at the slow end of the board's band."""
    clock_hz = BOARDS[BOARD].clock_hz
    [case] = all_settings(BOARD, [f"{strategy}{FINE}"], [LEVEL], ASH_FORMS[ash], clock_hz)
    return case


@cache
def runs_of(strategy: str, ash: str) -> SettingRuns:
    """The runs of a strategy."""
    case = case_of(strategy, ash)
    return SettingRuns(case, slot_image(BOARD, case.strategy).read_bytes(), SEED, EXCHANGES)


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize("strategy", AHEAD)
def test_a_deployable_slot_is_shorter(strategy: str, ash: str) -> None:
    """With frames of all lengths none is lost or late, and the slot is 70 us shorter at least than with
    ticks of 30.5 us."""
    outcome = AllLengths(runs_of(strategy, ash)).prove(DEPLOYABLE)
    assert (outcome.late_total, outcome.lost) == (0, 0), outcome
    assert outcome.exchanges >= EXCHANGES
    usual = ALL_LENGTHS[BOARD, strategy, ash]
    shorter_us = usual.us(usual.slot_duration) - DEPLOYABLE.us(DEPLOYABLE.slot_duration)
    assert shorter_us > 70
    assert DEPLOYABLE.us(DEPLOYABLE.rx_guard) == 1100
    assert DEPLOYABLE.us(DEPLOYABLE.ack_guard) == 200


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize("strategy", PAPER)
def test_no_value_can_be_a_tick_shorter(strategy: str, ash: str) -> None:
    """By the paper's definition, whose guard time is no less than two crystals need."""
    runs, timing = runs_of(strategy, ash), PAPER[strategy]
    assert runs.prove(timing).late_total == 0
    assert timing.rx_guard >= guard_needed(timing.slot_duration)
    for value in TUNED:
        assert runs.is_late(timing.only_shorter(value), value), value


@pytest.mark.parametrize("strategy", AHEAD)
def test_no_guard_time_is_cut(strategy: str) -> None:
    """From the moment at which the receiver's radio is ready to the first symbol of the frame, and of
    its Enh-Ack. A radio that may listen at once is early by the ticks that no alarm fits into."""
    case = case_of(strategy)
    trace = record(case, slot_image(BOARD, case.strategy).read_bytes(), DEPLOYABLE, SEED)
    radio = BOARDS[BOARD].radio
    data = guard_us(trace, "receiver", radio, "data frame")
    assert -TICK_US < data - DEPLOYABLE.us(DEPLOYABLE.rx_guard) < 6 * TICK_US
    ack = guard_us(trace, "sender", radio, "Enh-Ack")
    assert -TICK_US < ack - DEPLOYABLE.us(DEPLOYABLE.ack_guard) < 8 * TICK_US


@pytest.mark.parametrize("strategy", [*STRATEGIES, *AHEAD])
def test_clocks_stay_together(strategy: str) -> None:
    """For a minute with crystals 60 ppm apart: closer than a tick of 30.5 us allows."""
    case = case_of(strategy)
    image = slot_image(BOARD, case.strategy).read_bytes()
    row = drift.run(case, image, ppm=30, seconds=60, seed=2)
    assert (row.lost, row.refused) == (0, 0)
    assert row.worst_us < MOST_APART_US


@pytest.mark.parametrize("strategy", [*STRATEGIES, *AHEAD])
def test_the_cpu_sleeps_in_power_mode_2(strategy: str) -> None:
    """The crystal that the timer counts stops there. No slot is late behind it, and no frame is lost.
    A CC2538 does not sleep deeply while its radio holds a frame, here for 16 or 22 of 57 ms."""
    case = case_of(strategy)
    image = slot_image(BOARD, case.strategy).read_bytes()
    network = Network(case, image, long_timing(case.tick_hz), SEED)
    assert network.join()
    assert network.run_to_exchange(5)
    before = {mote.name: network.meter(mote.name) for mote in (LEAF_MOTE, ROOT_MOTE)}
    began = network.simulation.now_ps
    assert network.run_to_exchange(25)
    seconds = (network.simulation.now_ps - began) / PS_PER_S
    for mote, rows in before.items():
        base = {(row["device"], row["state"]): row["seconds"] for row in rows}
        now = {(row["device"], row["state"]): row["seconds"] for row in network.meter(mote)}
        for state, most in zip(SLOT_BOARDS[BOARD].sleep, (0.6, 0.2), strict=True):
            assert 1 - (now[state] - base[state]) / seconds < most, (mote, state)
        stats = network.stats(mote)
        assert not any(stats[name] for name in stats if name.startswith("late"))
        assert not network.simulation.misuse(network.index(mote))
    leaf = network.stats(LEAF_MOTE.name)
    assert leaf["data_acked"] == leaf["data_sent"] - 1


def test_a_board_without_a_fine_timer_is_named() -> None:
    """And those that have one."""
    able = [board for board, record in SLOT_BOARDS.items() if record.fine_tick_hz]
    assert able == [BOARD]
    assert SLOT_BOARDS[BOARD].fine_tick_hz == FINE_TICKS_PER_S
    with pytest.raises(UsageError, match=f"telosb has no finer clock.*possible is {BOARD}"):
        all_settings("telosb", WITH_FINE, [LEVEL], ASH_FORMS["paper"], 8_000_000)
    with pytest.raises(UsageError, match="run at 32 MHz alone"):
        all_settings(BOARD, WITH_FINE, [LEVEL], ASH_FORMS["paper"], 16_000_000)
    assert {strategy.removesuffix(FINE) for strategy in WITH_FINE} == {*STRATEGIES, *AHEAD}
    assert {name for name in (*STRATEGIES, *AHEAD) if case_of(name).ahead} == set(AHEAD)
