# SPDX-License-Identifier: BSD-3-Clause
"""Image `slot` ahead of the slot: its templates hold, and its air is what the stack alone reads."""

from __future__ import annotations

import pytest

from wardmote.boards import BOARDS
from wardmote.measurements.slot.experiment import SettingRuns
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, all_settings
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import slot_image
from wardmote.units import ticks_to_us

LEVEL, EXCHANGES, SEED = 5, 120, 1
TEMPLATES = {
    ("telosb", "ahead-software", "paper"): Timing(45, 22, 18),
    ("telosb", "ahead-software", "6tisch"): Timing(45, 26, 14),
    ("telosb", "ahead-hybrid", "paper"): Timing(45, 16, 11),
    ("telosb", "ahead-hybrid", "6tisch"): Timing(45, 19, 10),
    ("openmote-cc2538", "ahead-software", "paper"): Timing(44, 16, 1),
    ("openmote-cc2538", "ahead-software", "6tisch"): Timing(44, 16, 1),
    ("openmote-cc2538", "ahead-hybrid", "paper"): Timing(44, 16, 1),
    ("openmote-cc2538", "ahead-hybrid", "6tisch"): Timing(44, 16, 1),
}
"""With the whole guard time; at most a tick longer in TsTxAckDelay and in the end than the shortest
that tuning finds."""
STANDARD_US = 10_000


def test_all_cases_have_a_template() -> None:
    """None is forgotten."""
    assert {(strategy, ash) for _, strategy, ash in TEMPLATES} == {
        (strategy, ash) for strategy in AHEAD for ash in ASH_FORMS
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
