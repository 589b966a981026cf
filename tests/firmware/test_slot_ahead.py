# SPDX-License-Identifier: BSD-3-Clause
"""Image `slot` ahead of the slot: its templates hold, and its air is what the stack alone reads."""

from __future__ import annotations

import dataclasses

import pytest

from tests.bench.measurements.slot.test_guard import APART_US, TURNAROUND_US, guard_us
from wardmote.boards import BOARDS
from wardmote.measurements.slot import sparse
from wardmote.measurements.slot.account import Floor, Seen
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.experiment import AllLengths, SettingRuns
from wardmote.measurements.slot.setting import AHEAD, AHEAD_PIB, ASH_FORMS, all_settings
from wardmote.measurements.slot.timing import Timing, Value
from wardmote.measurements.slot.trace import observe, record
from wardmote.paths import slot_image
from wardmote.units import ticks_to_us

LEVEL, EXCHANGES, SEED = 5, 120, 1
TEMPLATES = {
    ("telosb", "ahead-software", "paper"): Timing(45, 26, 21),
    ("telosb", "ahead-software", "6tisch"): Timing(45, 28, 20),
    ("telosb", "ahead-hybrid", "paper"): Timing(45, 18, 14),
    ("telosb", "ahead-hybrid", "6tisch"): Timing(45, 22, 14),
    ("telosb", "ahead-hardware", "paper"): Timing(45, 17, 10),
    ("telosb", "ahead-hardware", "6tisch"): Timing(45, 17, 7),
    ("openmote-cc2538", "ahead-software", "paper"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-software", "6tisch"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hybrid", "paper"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hybrid", "6tisch"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hardware", "paper"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hardware", "6tisch"): Timing(43, 15, 1),
    ("telosb", "ahead-software-pib", "paper"): Timing(45, 29, 32),
    ("telosb", "ahead-software-pib", "6tisch"): Timing(45, 32, 31),
    ("telosb", "ahead-hybrid-pib", "paper"): Timing(45, 20, 24),
    ("telosb", "ahead-hybrid-pib", "6tisch"): Timing(45, 26, 24),
    ("telosb", "ahead-hardware-pib", "paper"): Timing(45, 16, 20),
    ("telosb", "ahead-hardware-pib", "6tisch"): Timing(45, 17, 18),
    ("openmote-cc2538", "ahead-software-pib", "paper"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-software-pib", "6tisch"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hybrid-pib", "paper"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hybrid-pib", "6tisch"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hardware-pib", "paper"): Timing(43, 15, 1),
    ("openmote-cc2538", "ahead-hardware-pib", "6tisch"): Timing(43, 15, 1),
}
"""With the whole guard time; at most a tick longer in TsTxAckDelay and in the end than the shortest
that tuning finds."""
ALL_LENGTHS = {
    ("telosb", "ahead-software", "paper"): Timing(45, 42, 20),
    ("telosb", "ahead-software", "6tisch"): Timing(45, 41, 19),
    ("telosb", "ahead-hybrid", "paper"): Timing(45, 32, 13),
    ("telosb", "ahead-hybrid", "6tisch"): Timing(45, 29, 13),
    ("telosb", "ahead-hardware", "paper"): Timing(45, 19, 9),
    ("telosb", "ahead-hardware", "6tisch"): Timing(45, 16, 6),
    **{
        case: timing
        for case, timing in TEMPLATES.items()
        if case[0] == "openmote-cc2538" and case[1] in AHEAD
    },
}
"""The same for frames of all lengths, empty ones too: while a short one arrives there is less time for
the work on its header."""
STANDARD_US = 10_000
AT_ONCE = {
    ("telosb", "software", "paper"): Timing(158, 196, 52),
    ("telosb", "software", "6tisch"): Timing(165, 193, 42),
    ("telosb", "hybrid", "paper"): Timing(105, 128, 36),
    ("telosb", "hybrid", "6tisch"): Timing(108, 125, 30),
    ("telosb", "hardware", "paper"): Timing(45, 44, 17),
    ("telosb", "hardware", "6tisch"): Timing(45, 44, 16),
    ("openmote-cc2538", "software", "paper"): Timing(44, 33, 7),
    ("openmote-cc2538", "hybrid", "paper"): Timing(44, 23, 5),
}
"""The shortest that tuning finds for a board that secures at once, or hardly longer."""
MOST_MORE = 1.05


def test_all_cases_have_a_template() -> None:
    """None is forgotten."""
    assert {(strategy, ash) for _, strategy, ash in TEMPLATES} == {
        (strategy, ash) for strategy in (*AHEAD, *AHEAD_PIB) for ash in ASH_FORMS
    }


@pytest.mark.parametrize(("board", "strategy", "ash"), TEMPLATES)
def test_exchanges_fit_into_the_standards_slot(board: str, strategy: str, ash: str) -> None:
    """Frames of 127 octets at ENC-MIC-32, without a loss or a missed deadline, beacons included."""
    timing = TEMPLATES[board, strategy, ash]
    (setting,) = all_settings(board, (strategy,), (LEVEL,), ASH_FORMS[ash], BOARDS[board].clock_hz)
    runs = SettingRuns(setting, slot_image(board, strategy).read_bytes(), SEED, EXCHANGES)
    outcome = runs.prove(timing)
    assert (outcome.late_total, outcome.lost) == (0, 0), outcome
    assert outcome.exchanges >= EXCHANGES
    assert ticks_to_us(timing.slot_duration) < STANDARD_US


@pytest.mark.parametrize(("board", "strategy", "ash"), ALL_LENGTHS)
def test_frames_of_all_lengths_fit_into_the_standards_slot(
    board: str, strategy: str, ash: str
) -> None:
    """Empty ones, and such of one octet and more, in every slot and in some. Where the template is
    longer than that of full frames, that one is refused a deadline with them."""
    timing = ALL_LENGTHS[board, strategy, ash]
    (setting,) = all_settings(board, (strategy,), (LEVEL,), ASH_FORMS[ash], BOARDS[board].clock_hz)
    runs = SettingRuns(setting, slot_image(board, strategy).read_bytes(), SEED, EXCHANGES)
    outcome = AllLengths(runs).prove(timing)
    assert (outcome.late_total, outcome.lost) == (0, 0), outcome
    assert outcome.exchanges >= EXCHANGES
    assert ticks_to_us(timing.slot_duration) < STANDARD_US
    full = TEMPLATES[board, strategy, ash]
    if full.tx_ack_delay < timing.tx_ack_delay:
        assert AllLengths(runs).prove(full).late[Value.TX_ACK_DELAY]


SHORT_GUARD = Timing(12, 10, 1, rx_guard=5, ack_guard=2)
"""The shortest of the OpenMote by the paper's definition: the receiver listens in the very tick in
which the slot begins, and stays on behind its own frame."""


GUARDED = [
    *TEMPLATES.items(),
    *((case, SHORT_GUARD) for case in TEMPLATES if case[0] == "openmote-cc2538"),
]


@pytest.mark.parametrize(("case", "timing"), GUARDED)
def test_no_guard_time_is_cut(case: tuple[str, str, str], timing: Timing) -> None:
    """From the moment at which the receiver's radio is ready to the first symbol of the frame, and of
    its Enh-Ack."""
    board, strategy, ash = case
    (setting,) = all_settings(board, (strategy,), (LEVEL,), ASH_FORMS[ash], BOARDS[board].clock_hz)
    trace = record(setting, slot_image(board, strategy).read_bytes(), timing, SEED)
    radio = BOARDS[board].radio
    data = guard_us(trace, "receiver", radio, "data frame")
    assert data == pytest.approx(ticks_to_us(timing.rx_guard), abs=APART_US)
    ack = guard_us(trace, "sender", radio, "Enh-Ack")
    assert ack == pytest.approx(ticks_to_us(timing.ack_guard), abs=APART_US)


CUT_US = {8_000_000: 2.0, 6_700_000: 8.0, 32_000_000: 1.0}
"""What the way from the alarm to the radio may take of a guard time, by the CPU's clock. At 6.7 MHz
the alarm is a part of a tick too late for the whole."""


@pytest.mark.parametrize("clock_hz", CUT_US)
@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize("strategy", AHEAD)
def test_the_receiver_is_told_in_time(strategy: str, ash: str, clock_hz: int) -> None:
    """By its own clock, from the begin of its slot: no work before the alarm makes it late."""
    board = "openmote-cc2538" if clock_hz == 32_000_000 else "telosb"
    timing = ALL_LENGTHS[board, strategy, ash]
    (setting,) = all_settings(board, (strategy,), (LEVEL,), ASH_FORMS[ash], clock_hz)
    if clock_hz != BOARDS[board].clock_hz:
        timing = dataclasses.replace(timing, tx_ack_delay=60, tail=30)
    seen = Seen(
        setting,
        timing,
        observe(setting, slot_image(board, strategy).read_bytes(), timing, SEED),
    )
    floor = Floor(TURNAROUND_US, *[0.0] * 4)
    for parts, guard in (
        (seen.receives_at_offset(floor), timing.rx_guard),
        (seen.hears_the_ack(floor), timing.ack_guard),
    ):
        [is_us] = [part.us for part in parts if part.name == "guard time"]
        assert is_us > ticks_to_us(guard) - CUT_US[clock_hz], (is_us, parts)


@pytest.mark.parametrize("ppm", [30, -30])
def test_the_shortest_guard_time_lasts_until_the_leaf_gives_up(ppm: int) -> None:
    """The crystals are 60 ppm apart, and nine of ten acks and beacons are lost: at any phase of the
    two clocks no frame begins outside the guard time."""
    board = "openmote-cc2538"
    image = slot_image(board, "ahead-software").read_bytes()
    (setting,) = all_settings(
        board, ("ahead-software",), (LEVEL,), ASH_FORMS["paper"], BOARDS[board].clock_hz
    )
    seen = sparse.run(setting, image, ppm=ppm, seconds=300, seed=SEED, timing=SHORT_GUARD)
    assert seen.holds
    assert seen.given_up > 10


@pytest.mark.parametrize(("board", "strategy", "ash"), AT_ONCE)
def test_an_exchange_takes_hardly_more_energy_than_one_secured_at_once(
    board: str, strategy: str, ash: str
) -> None:
    """Each at its own shortest slot, sender and receiver each. An OpenMote that stays awake while a
    frame arrives takes 12 % and 27 % more, a TelosB up to 9 %."""
    ahead = f"ahead-{strategy}"
    spent = {}
    for name, timing in (
        (strategy, AT_ONCE[board, strategy, ash]),
        (ahead, ALL_LENGTHS[board, ahead, ash]),
    ):
        (setting,) = all_settings(board, (name,), (LEVEL,), ASH_FORMS[ash], BOARDS[board].clock_hz)
        runs = SettingRuns(setting, slot_image(board, name).read_bytes(), SEED, 600)
        outcome = runs.prove(timing)
        assert (outcome.late_total, outcome.lost) == (0, 0), outcome
        spent[name] = [runs.energy.total_uj(mote.name) for mote in (LEAF_MOTE, ROOT_MOTE)]
    for own, other in zip(spent[ahead], spent[strategy], strict=True):
        assert 0 < own <= MOST_MORE * other, spent
