# SPDX-License-Identifier: BSD-3-Clause
"""The 48 rows of `make report`: all proven, within the bounds we claim, and the same figures as in
the documents."""

import itertools
from pathlib import Path

import pytest

from scripts import update_docs
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.setting import STRATEGIES
from wardmote.rows import SlotRow
from wardmote.study.composition import composition
from wardmote.views.folder import read_report

LIMIT_MS = {
    "telosb": {"software": 26.0, "hybrid": 18.0, "hardware": 11.0},
    "openmote-cc2538": {"software": 9.5, "hybrid": 9.0, "hardware": 8.0},
}
TICK_US = 30.6
RADIO_LIMIT_MS = 7.04
"""Turnaround, TsMaxTx, turnaround, TsMaxAck: no secured slot on this radio can be shorter."""


@pytest.fixture(scope="module")
def rows(root: Path) -> list[SlotRow]:
    """The rows of build/report, which `make test` brings up to date."""
    return read_report(root / "build/report")


def test_there_are_48_verified_cases(rows: list[SlotRow]) -> None:
    """Boards, strategies, levels; nothing lost or late in 1 000 exchanges, and no value can be a
    tick shorter."""
    cases = [
        (board, name, level) for board in SLOT_BOARDS for name in STRATEGIES for level in range(8)
    ]
    assert [(row.board, row.strategy, row.level) for row in rows] == cases
    assert [row for row in rows if not row.verified or row.exchanges < 1000] == []


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_slot_at_enc_mic_32_is_as_short_as_claimed(
    rows: list[SlotRow], board: str, strategy: str
) -> None:
    """127-octet frames at ENC-MIC-32 with a 14-octet ASH, full clock, slow end of the band where
    there is one."""
    [row] = [row for row in rows if (row.board, row.strategy, row.level) == (board, strategy, 5)]
    assert (row.frame_octets, row.ash_octets, row.clock_hz) == (
        127,
        14,
        SLOT_BOARDS[board].clock_hz,
    )
    assert RADIO_LIMIT_MS < row.ts_slot_duration_ms <= LIMIT_MS[board][strategy]


def test_both_ends_of_a_band_are_there(rows: list[SlotRow]) -> None:
    """Where the timing model is a band the fast end is no slower, keeps the slow end's template,
    and is in the JSON."""
    for row in rows:
        values = row.as_dict()
        assert (row.low is not None) == bool(SLOT_BOARDS[row.board].bands)
        if row.low is None:
            assert values["ts_slot_duration_us_low"] is values["ts_slot_duration_us_high"] is None
            continue
        assert row.low.holds
        assert row.low.exchanges >= 1000
        for name in (
            "sec1_cycles",
            "sec2_cycles",
            "sec3_cycles",
            "sec4_cycles",
            "ts_slot_duration_us",
        ):
            assert values[f"{name}_low"] <= values[f"{name}_high"] == values[name]
        assert row.low.sec2_cycles < row.sec2_cycles


def test_hardware_is_faster_and_cheaper(rows: list[SlotRow]) -> None:
    """At every secured level the hardware strategy has the shortest slot and the least energy,
    software the most."""
    for board, level in itertools.product(SLOT_BOARDS, range(1, 8)):
        own = [row for row in rows if (row.board, row.level) == (board, level)]
        software, hybrid, hardware = own
        assert (
            hardware.ts_slot_duration_us < hybrid.ts_slot_duration_us < software.ts_slot_duration_us
        )
        assert hardware.energy_uj < software.energy_uj
        assert hardware.energy_receiver_uj < software.energy_receiver_uj


def test_phases_add_up_to_the_slot(rows: list[SlotRow]) -> None:
    """The composition of a slot leaves nothing out; no phase is negative by more than the tick with
    which a node judges that it was in time."""
    for row in rows:
        phases = composition(row)
        assert sum(phase.us for phase in phases) == pytest.approx(row.ts_slot_duration_us, abs=0.01)
        assert min(phase.us for phase in phases) > -TICK_US


def test_energy_is_the_sum_over_states(rows: list[SlotRow]) -> None:
    """Radio and CPU are parts of the whole, every current has a source, and the states fill the
    slot's time."""
    for row in rows:
        radio = SLOT_BOARDS[row.board].radio
        for node, total in (("leaf", row.energy_uj), ("root", row.energy_receiver_uj)):
            states = [state for state in row.states if state.node == node]
            assert sum(state.energy_uj for state in states) == pytest.approx(total, rel=1e-3)
            assert all(state.source and state.kind for state in states)
            radio_us = sum(state.us_per_slot for state in states if state.device == radio)
            assert radio_us == pytest.approx(row.ts_slot_duration_us, rel=2e-3)
        assert row.energy_radio_uj + row.energy_cpu_uj <= row.energy_uj * 1.001


@pytest.mark.parametrize("document", update_docs.DOCUMENTS)
def test_documents_show_these_figures(rows: list[SlotRow], root: Path, document: str) -> None:
    """What a document says, up to 5 per cent, is what was measured."""
    text = (root / document).read_text(encoding="utf-8")
    assert update_docs.BLOCK.search(text)
    assert update_docs.stale(text, rows) == []


def test_a_wrong_figure_in_a_document_is_noticed(rows: list[SlotRow]) -> None:
    """The comparison fails on a number that is off by more than the tolerance, and on other
    words."""
    text = update_docs.updated("<!-- wardmote: answer -->\n<!-- wardmote: end -->", rows)
    assert update_docs.stale(text, rows) == []
    assert update_docs.stale(text.replace("| software | ", "| software | 1"), rows) == ["answer"]
    assert update_docs.stale(text.replace("software", "hardware"), rows) == ["answer"]
