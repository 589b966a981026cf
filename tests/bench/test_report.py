# SPDX-License-Identifier: BSD-3-Clause
"""The 24 rows of `make report`: all proven, within the bounds we claim, and the same figures as in the documents."""

from pathlib import Path

import pytest

from scripts import update_docs
from wardmote.rows import SlotRow
from wardmote.slot.cases import STRATEGIES
from wardmote.views.composition import composition
from wardmote.views.folder import read_report

LIMIT_MS = {"software": 26.0, "hybrid": 18.0, "hardware": 11.0}
RADIO_LIMIT_MS = 7.04
"""Turnaround, TsMaxTx, turnaround, TsMaxAck: no secured slot on this radio can be shorter."""


@pytest.fixture(scope="module")
def rows(root: Path) -> list[SlotRow]:
    """The rows of build/report, which `make test` brings up to date."""
    return read_report(root / "build/report")


def test_there_are_24_verified_cases(rows: list[SlotRow]) -> None:
    """Three strategies at eight levels; nothing lost or late in 1 000 exchanges, and no value can be a tick shorter."""
    assert [(row.strategy, row.level) for row in rows] == [(name, level) for name in STRATEGIES for level in range(8)]
    assert [row for row in rows if not row.verified or row.exchanges < 1000] == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_slot_at_enc_mic_32_is_as_short_as_claimed(rows: list[SlotRow], strategy: str) -> None:
    """127-octet frames at ENC-MIC-32 with a 14-octet ASH, 8 MHz."""
    [row] = [row for row in rows if (row.strategy, row.level) == (strategy, 5)]
    assert (row.frame_octets, row.ash_octets, row.clock_hz) == (127, 14, 8_000_000)
    assert RADIO_LIMIT_MS < row.ts_slot_duration_ms <= LIMIT_MS[strategy]


def test_hardware_is_faster_and_cheaper(rows: list[SlotRow]) -> None:
    """At every secured level the hardware strategy has the shortest slot and the least energy, software the most."""
    for level in range(1, 8):
        software, hybrid, hardware = (next(r for r in rows if (r.strategy, r.level) == (s, level)) for s in STRATEGIES)
        assert hardware.ts_slot_duration_us < hybrid.ts_slot_duration_us < software.ts_slot_duration_us
        assert hardware.energy_uj < software.energy_uj
        assert hardware.energy_receiver_uj < software.energy_receiver_uj


def test_phases_add_up_to_the_slot(rows: list[SlotRow]) -> None:
    """The composition of a slot leaves nothing out, and no phase is negative."""
    for row in rows:
        phases = composition(row)
        assert sum(phase.us for phase in phases) == pytest.approx(row.ts_slot_duration_us, abs=0.01)
        assert min(phase.us for phase in phases) >= 0


def test_energy_is_the_sum_over_states(rows: list[SlotRow]) -> None:
    """Radio and CPU are parts of the whole, every current has a source, and the states fill the slot's time."""
    for row in rows:
        for node, total in (("leaf", row.energy_uj), ("root", row.energy_receiver_uj)):
            states = [state for state in row.states if state.node == node]
            assert sum(state.energy_uj for state in states) == pytest.approx(total, rel=1e-3)
            assert all(state.source and state.kind for state in states)
            radio_us = sum(state.us_per_slot for state in states if state.device == "cc2420")
            assert radio_us == pytest.approx(row.ts_slot_duration_us, rel=2e-3)
        assert row.energy_radio_uj + row.energy_cpu_uj <= row.energy_uj * 1.001


@pytest.mark.parametrize("document", update_docs.DOCUMENTS)
def test_documents_show_these_figures(rows: list[SlotRow], root: Path, document: str) -> None:
    """What a document says, up to 5 per cent, is what was measured."""
    text = (root / document).read_text(encoding="utf-8")
    assert update_docs.BLOCK.search(text)
    assert update_docs.stale(text, rows) == []


def test_a_wrong_figure_in_a_document_is_noticed(rows: list[SlotRow]) -> None:
    """The comparison fails on a number that is off by more than the tolerance, and on other words."""
    text = update_docs.updated("<!-- wardmote: answer -->\n<!-- wardmote: end -->", rows)
    assert update_docs.stale(text, rows) == []
    assert update_docs.stale(text.replace("| software | ", "| software | 1"), rows) == ["answer"]
    assert update_docs.stale(text.replace("software", "hardware"), rows) == ["answer"]
