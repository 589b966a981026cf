# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote shortest`: every case is there, a cheap one is measured again, and the document has what is
promised."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wardmote.boards import BOARDS
from wardmote.campaign.cases import IMAGE
from wardmote.experiments.shortest import EXPERIMENT
from wardmote.experiments.shortest.cases import cases
from wardmote.experiments.shortest.rows import ShortestRow, gathered
from wardmote.experiments.shortest.view import LINE_COLUMNS, answer, lines, proof
from wardmote.measurements.slot.campaign import figures_of
from wardmote.measurements.slot.setting import AHEAD, AHEAD_PIB, ASH_FORMS, FINE
from wardmote.units import ticks_to_us
from wardmote.views.document import texts

TICK_MS = ticks_to_us(1) / 1000
FRAME_US = (6 + 127) * 32
"""Air time of a frame of 127 octets: synchronization header, PHY header and frame."""
DEFINITIONS = ("deployable", "paper", "full")
FINE_BOARDS = ("openmote-cc2538",)
USUAL_TIMER, FINE_TIMER = "32768 Hz", "250000 Hz"
CLOCKS = {
    "telosb": {8_000_000: 3.6, 6_700_000: 3.0},
    "openmote-cc2538": {32_000_000: 3.0},
}
"""Each clock with its supply. 4.19 MHz is legal at 3.0 V too, but is not the fastest."""
MOST_MS = {
    ("TelosB", "8 MHz at 3.6 V", "ahead-software"): (10.0, 10.0, 9.0),
    ("TelosB", "8 MHz at 3.6 V", "ahead-hybrid"): (9.5, 9.2, 8.3),
    ("TelosB", "8 MHz at 3.6 V", "ahead-hardware"): (9.2, 9.2, 8.3),
    **{("OpenMote-CC2538", "32 MHz at 3 V", name): (8.6, 8.6, 7.4) for name in AHEAD},
}
"""No slot without the procedures is longer, deployable, with 127 octets alone, and by the paper's
definition. With the ASH of 6TiSCH, one of an engine that does AES only may be."""


@pytest.mark.parametrize("board", CLOCKS)
def test_every_case_is_measured(board: str) -> None:
    """Six strategies, and three with a finer timer where there is one, with two forms of the ASH at each
    clock, 1 000 exchanges, both definitions together."""
    found = cases(BOARDS[board], 1)
    assert len(found) == len({case.slot for case in found})
    for case in found:
        assert case.slot.supply_v == CLOCKS[board][case.slot.clock_hz]
        assert case.slot.clock_allowed
        assert case.exchanges == 1000
        assert tuple(one.name for one in case.definitions) == DEFINITIONS
    assert {(one.slot.clock_hz, one.slot.strategy, one.slot.ash) for one in found} == {
        (clock, strategy, ash)
        for clock in CLOCKS[board]
        for strategy in (
            *AHEAD,
            *AHEAD_PIB,
            *(f"{name}{FINE}" for name in AHEAD if board in FINE_BOARDS),
        )
        for ash in ASH_FORMS.values()
    }


def cells(root: Path) -> dict[tuple[str, str, str, str], list[str]]:
    """The table of the document: by board, clock, timer and strategy, what is in its columns."""
    text = (root / "docs/what-does-work-ahead-cost.md").read_text(encoding="utf-8")
    block = texts(text, "shortest")["text"]
    found = {}
    for line in (line for line in block.splitlines() if re.match(r"\| (?!board|---)", line)):
        board, clock, timer, strategy, *values = (
            cell.strip() for cell in line.strip("|").split("|")
        )
        found[board, clock, timer, strategy] = values
    return found


def measured() -> list[ShortestRow]:
    """The rows of the cheapest case: a TelosB at 3.0 V whose engine does CCM*, ASH of the paper."""
    [case] = [
        one
        for one in cases(BOARDS["telosb"], 1)
        if (one.slot.strategy, one.slot.ash, one.slot.clock_hz)
        == ("ahead-hardware", ASH_FORMS["paper"], 6_700_000)
    ]
    case = replace(case, exchanges=200)
    figures = figures_of(case, {IMAGE: case.image.read_bytes()})
    values: list[dict[str, Any]] = gathered([{"seed": 1} | figures])
    return [EXPERIMENT.from_values(one | {"wardmote": "", "commit": ""}) for one in values]


@pytest.fixture(scope="module")
def rows() -> list[ShortestRow]:
    """Those rows."""
    return measured()


def test_a_case_is_proven(rows: list[ShortestRow]) -> None:
    """Nothing lost, one tick less fails, and no slot is shorter than its radio allows."""
    assert [row.definition for row in rows] == list(DEFINITIONS)
    for row in rows:
        assert (row.strategy, row.procedures, row.ash) == ("ahead-hardware", False, "paper")
        assert (row.clock_hz, row.supply_v, row.clock_allowed) == (6_700_000, 3.0, True)
        assert row.tick_hz == 32_768
        assert 0 < row.energy_uj < row.energy_receiver_uj < 1.2 * row.energy_uj
        assert row.proven
        assert row.one_less_fails
        assert row.exchanges >= 200
        assert row.limit_us < row.ts_slot_duration_us < row.limit_us + 1000
        assert row.ts_tx_offset_us > 0
        assert row.ts_tx_ack_delay_us > 0
        on_air_us = row.ts_tx_offset_us + FRAME_US + row.ts_tx_ack_delay_us
        assert on_air_us < row.ts_slot_duration_us
    assert re.search(r"ahead-hardware 9\.0\d\.", answer(rows))
    assert "3 of 3 slots are proven" in answer(rows)
    broken = replace(rows[0], lost=2, proven=False)
    assert proof(broken) == "2 lost, 0 late"
    assert "1 of 2 slots are proven" in answer([broken, rows[1]])


@pytest.mark.document
def test_the_document_has_this_case(rows: list[ShortestRow], root: Path) -> None:
    """Within a tick: fewer exchanges may need one less. It has each board, clock and strategy."""
    have = cells(root)
    assert set(have) == {
        (BOARDS[board].title, f"{hz / 1e6:g} MHz at {supply:g} V", timer, strategy)
        for board, clocks in CLOCKS.items()
        for hz, supply in clocks.items()
        for timer in (USUAL_TIMER, *([FINE_TIMER] if board in FINE_BOARDS else []))
        for strategy in AHEAD
    }
    [line] = lines(rows)
    board, clock, timer, strategy, *values = (column.cell(line) for column in LINE_COLUMNS)
    for new, old in zip(values[:-1], have[board, clock, timer, strategy][:-1], strict=True):
        assert old
        if new:  # the procedures were not measured
            first, _ = old.split(" / ")
            assert float(first) == pytest.approx(float(new), abs=TICK_MS + 0.01)


@pytest.mark.document
def test_slots_are_as_short_as_promised(root: Path) -> None:
    """With the ASH of the paper; the procedures make no slot shorter, and a finer timer makes each
    shorter and takes no more energy."""
    have = cells(root)
    for (board, clock, timer, strategy), values in have.items():
        case = (board, clock, strategy)
        *slots, energy = ([float(one) for one in cell.split(" / ")] for cell in values if cell)
        assert all(len(slot) == len(ASH_FORMS) for slot in slots)
        if timer == FINE_TIMER:
            usual = [
                [float(one) for one in cell.split(" / ")]
                for cell in have[board, clock, USUAL_TIMER, strategy]
            ]
            for fine, coarse in zip(slots, usual[:-1:2], strict=True):
                assert all(a < b for a, b in zip(fine, coarse, strict=True))
            assert all(a <= b for a, b in zip(energy, usual[-1], strict=True))
            continue
        alone, with_pib = slots[::2], slots[1::2]
        ends = 1 if case[::2] == ("TelosB", "ahead-hybrid") else 2
        for slot, most in zip(alone, MOST_MS.get(case, ()), strict=False):
            assert all(ms <= most for ms in slot[:ends]), case
        for own, more in zip(alone, with_pib, strict=True):
            assert all(b >= a for a, b in zip(own, more, strict=True)), case
