# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote assumptions`: a changed number has its effect on the motes, and the document lists
every assumption."""

from pathlib import Path

import pytest

from scripts.update_docs import close
from wardmote.batteries import DEFAULT_BATTERY
from wardmote.boards import BOARDS, SLOT_BOARDS, board_data, changed, current_of
from wardmote.campaign.cases import IMAGE
from wardmote.commands.battery import Use, measured
from wardmote.cpus import CPUS
from wardmote.experiments.assumptions.cases import STRATEGIES, Case, cases
from wardmote.experiments.assumptions.measure import LEVEL, AssumptionRow, measure, slot_row
from wardmote.experiments.assumptions.view import COLUMNS, has_effect
from wardmote.measurements.slot.setting import ASH_FORMS, all_settings
from wardmote.paths import slot_image
from wardmote.study.parameters import assumed
from wardmote.views.document import texts
from wardmote.views.table import to_markdown

SEED = 1


def case_of(parameter: str, board: str = "telosb", strategy: str = "hardware") -> Case:
    """The case of one number."""
    found = cases(BOARDS[board], SEED)
    [case] = [one for one in found if (one.parameter, one.strategy) == (parameter, strategy)]
    return case


def row_of(parameter: str) -> AssumptionRow:
    """Its row, measured now."""
    case = case_of(parameter)
    found = measure(case, {IMAGE: slot_image(case.board, case.strategy).read_bytes()})
    names = ("board", "strategy", "parameter", "assumed", "low", "high", "unit", "seed")
    own = {name: getattr(case, name) for name in names}
    return AssumptionRow(**own, **found, wardmote="", commit="")


def days_of_the_battery_verb(board: str, strategy: str) -> float | None:
    """What `wardmote battery` says of a sender with the same slot."""
    [setting] = all_settings(board, [strategy], [LEVEL], ASH_FORMS["paper"], BOARDS[board].clock_hz)
    row = slot_row(setting, (), slot_image(board, strategy).read_bytes(), SEED)
    assert row is not None
    sender, _ = measured(row, Use(), DEFAULT_BATTERY, SEED)
    return sender.battery_days


def test_a_changed_record_is_changed_everywhere_until_the_end() -> None:
    """Supply, clocks and currents come from the changed record; afterwards from the record."""
    before = current_of("telosb", "cpu", "lpm0").ma
    with changed("telosb", (("current.cpu.lpm0", 100.0), ("clock_limit.high", 9.0))):
        assert current_of("telosb", "cpu", "lpm0", supply_v=3.0).ma == pytest.approx(0.1)
        assert BOARDS["telosb"].supply.fastest_hz(3.6) == 9_000_000
        assert board_data("openmote-cc2538") is board_data("openmote-cc2538")
    assert current_of("telosb", "cpu", "lpm0").ma == before
    assert BOARDS["telosb"].supply.fastest_hz(3.6) == 8_000_000


def test_20_per_cent_of_a_number() -> None:
    """Both ways; whole numbers by one at least; what has no meaning has another number."""
    ends = {
        "supply": (2.4, 3.6),
        "timing.msp430f1611.dco_jitter": (1, 3),
        "timing.msp430f1611.usart_start": (0, 8),
        "timing.cc2420.noise_floor_dbm": (-120, -80),
        "battery.charge": (2821.5 * 0.8, 2821.5 * 1.2),
    }
    for parameter, (low, high) in ends.items():
        case = case_of(parameter)
        assert (case.low, case.high) == pytest.approx((low, high)), parameter
    band = case_of("timing band", "openmote-cc2538")
    assert (band.assumed, band.low, band.high) == (1, 0, 1)


def test_what_a_number_does_and_that_the_document_says_so(root: Path) -> None:
    """A battery of a fifth more charge lives a fifth longer; a USART that begins late costs energy.
    A life is the one that `wardmote battery` says, to the tenth of a day.
    The document has the same figures within half a per cent, or a twentieth."""
    charge, usart = row_of("battery.charge"), row_of("timing.msp430f1611.usart_start")
    assert charge.slot_ms == charge.slot_ms_low == charge.slot_ms_high == usart.slot_ms_low
    lives = (charge.battery_days_low, charge.battery_days, charge.battery_days_high)
    assert lives == pytest.approx([charge.battery_days * part for part in (0.8, 1, 1.2)], rel=1e-3)
    assert usart.energy_uj_low == usart.energy_uj == charge.energy_uj
    assert usart.energy_uj_high is not None
    assert 1 < usart.energy_uj_high / usart.energy_uj < 1.01
    assert charge.battery_days == days_of_the_battery_verb("telosb", "hardware")
    document = (root / "docs/what-do-the-numbers-rest-on.md").read_text(encoding="utf-8")
    lines = texts(document, "assumptions")["text"].splitlines()
    for row in filter(has_effect, (charge, usart)):
        *_, want = to_markdown([row], COLUMNS).splitlines()
        start = " | ".join(want.split(" | ")[:3])
        [have] = [line for line in lines if line.startswith(start)]
        assert close(have, want, 0.5), have


def test_the_document_has_every_assumption(root: Path) -> None:
    """In the table, or among those without effect."""
    document = (root / "docs/what-do-the-numbers-rest-on.md").read_text(encoding="utf-8")
    text = texts(document, "assumptions")["text"]
    for board in SLOT_BOARDS.values():
        for case in cases(board, SEED):
            moves = [
                f"| {board.name} | {strategy} | {case.parameter} |" in text
                for strategy in STRATEGIES
            ]
            assert any(moves) or f"`{case.parameter}`" in text, case.label
    assert len(assumed(["telosb"])) < len(cases(BOARDS["telosb"], SEED)) / 2


def test_what_is_an_estimate_says_so() -> None:
    """No count of a CPU with two ends of timing is printed as exact or as a bound."""
    models = [cpu.timing_model for cpu in CPUS.values() if cpu.bands]
    models += [board.timing_model for board in BOARDS.values() if board.bands]
    assert len(models) >= 2
    assert all("estimate" in model and "no bound" in model for model in models)
