# SPDX-License-Identifier: BSD-3-Clause
"""Every printed figure has a row, and every row that is far off has a sentence."""

from pathlib import Path

import pytest

from tests.bench.footprints import measured
from wardmote.boards import SLOT_BOARDS
from wardmote.published import load
from wardmote.study.compare import FAR, MEASURED, READ_AS, ComparisonRow, compare, row_of
from wardmote.study.parameters import assumed, parameter_rows
from wardmote.study.why import WHY
from wardmote.views.compare import answer
from wardmote.views.folder import read_report

# One worker, so computed once.
pytestmark = pytest.mark.xdist_group("footprint")

ELSEWHERE = {"slot_standard", "cpu", "radio"}
"""Printed words, and the standard's slot: a limit, not a result."""


@pytest.fixture(scope="module")
def rows(root: Path) -> list[ComparisonRow]:
    """All rows."""
    footprints = [row for name in SLOT_BOARDS for row in measured(name)]
    return compare(read_report(root / "build/report"), footprints)


def test_every_printed_figure_has_its_row(rows: list[ComparisonRow]) -> None:
    """As many rows as the file of printed figures has numbers; a range of a footprint is two of
    them, and the ratio of strategies is ours on both boards."""
    printed = load("tsch_slot")
    expected = sum(len(strategies) for strategies in printed["timeslot_min_ms"].values())
    expected += len(set(printed["constants_ms"]) - ELSEWHERE)
    expected += 1 + len(SLOT_BOARDS)
    expected += sum(len(strategies) for strategies in printed["energy_saving_vs_software"].values())
    expected += 2 * sum(len(memories) for memories in printed["footprint_fraction"].values())
    expected += sum(len(figures) for figures in printed["engine"].values()) + len(READ_AS)
    expected += sum(len(set(facts) - ELSEWHERE) for facts in printed["platform"].values())
    expected += len(printed["application_payload_max_bits"])
    expected += len(printed["ash_bytes"]["range_2011"]) + 1
    assert len(rows) == len({row.figure for row in rows}) == expected


def test_what_differs_says_why(rows: list[ComparisonRow]) -> None:
    """Ours more than 20 per cent off theirs: a sentence. Less: none."""
    for row in rows:
        assert row.differs == (abs(1 / row.ratio - 1) > FAR)
        assert bool(row.why) == row.differs, f"{row.figure}: {row.ours} for {row.published}"
        assert not row.why or row.why.endswith(".")


def test_sentences_are_about_figures_that_exist(rows: list[ComparisonRow]) -> None:
    """No sentence is left over from a figure that is not compared."""
    assert set(WHY) <= {row.figure for row in rows}


@pytest.mark.parametrize(
    ("printed", "ours", "ratio"),
    [(10.0, 5.0, 2.0), ([2, 4], 3.0, 1.0), ([2, 4], 1.0, 2.0), ([2, 4], 8.0, 0.5)],
)
def test_ratio_is_theirs_over_ours(printed: float | list[float], ours: float, ratio: float) -> None:
    """Above 1, ours is less. Within a range nothing differs; outside, the nearer end counts."""
    row = row_of("nothing", "x", printed, ours)
    assert row.ratio == ratio
    assert row.differs == (ratio != 1.0)


def test_slots_are_shorter_than_printed(rows: list[ComparisonRow]) -> None:
    """Every printed timeslot is at least as long as ours."""
    slots = [row for row in rows if row.figure.startswith("slot ") and row.unit == "ms"]
    assert len(slots) == 3
    assert all(row.ratio >= 1 for row in slots)


def test_only_measurements_count_as_agreement(rows: list[ComparisonRow]) -> None:
    """The sentence counts them alone, and what comes from a datasheet, the paper or the standard is
    none."""
    measured = [row for row in rows if row.basis == MEASURED]
    near = [row.figure for row in measured if abs(row.ours - row.published) <= row.published / 5]
    ours = answer(rows)
    assert f"{len(measured)} are measured here" in ours
    assert {row.figure.split()[0] for row in measured} == {
        *("slot", "software", "energy", "flash", "ram", "cc2420")
    }
    assert not any(word in row.figure for row in measured for word in ("clock", "_us", "A_j"))
    assert set(near) <= {row.figure for row in measured if not row.differs}


def test_both_readings_of_the_time_of_ccm(rows: list[ComparisonRow]) -> None:
    """85 us is printed for a block of 128 bits, and 12 Mbit/s: by the latter, a block takes
    128 / 12 us and a frame of eight blocks 8 * 128 / 12."""
    ours = {row.figure: row.ours for row in rows}
    assert ours["cc2538 ccm_block_us"] == pytest.approx(128 / 12, abs=0.01)
    assert ours["cc2538 ccm_block_us_for_a_frame"] == pytest.approx(8 * 128 / 12, abs=0.01)


@pytest.mark.document
def test_every_assumption_is_listed(root: Path) -> None:
    """Each number of a data file has a unit, a source and a kind; those that are assumed are in the
    document."""
    rows = parameter_rows(list(SLOT_BOARDS))
    assert {row.kind for row in rows} <= {"datasheet", "measured", "assumed"}
    assert all(row.source for row in rows)
    guessed = assumed(list(SLOT_BOARDS))
    assert 0 < len(guessed) < len(rows)
    text = (root / "docs/what-do-the-numbers-rest-on.md").read_text(encoding="utf-8")
    for row in guessed:
        assert f"| {row.board} | {row.parameter} | {row.value:g} | {row.unit} |" in text
