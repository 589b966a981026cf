# SPDX-License-Identifier: BSD-3-Clause
"""A trace of one slot: phases without gaps, charge as the meter has it, and the same in CSV and
picture."""

import csv
import io
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.setting import ASH_FORMS, Setting
from wardmote.measurements.slot.trace import record
from wardmote.rows import SlotRow
from wardmote.study.definition import headline
from wardmote.study.energy import energy_rows
from wardmote.study.trace import Trace
from wardmote.units import cycles_to_us
from wardmote.views.folder import read_report
from wardmote.views.trace import picture, to_csv

LEVEL = 5
NODES = {
    "sender": ("sec1", "data frame", "Enh-Ack", "sec4"),
    "receiver": ("data frame", "sec2", "sec3", "Enh-Ack"),
}


@pytest.fixture(
    scope="module", params=[(p, s) for p in SLOT_BOARDS for s in ("software", "hardware")], ids=str
)
def traced(request: pytest.FixtureRequest, root: Path) -> tuple[SlotRow, Trace]:
    """A case of the report, and a trace at its template."""
    board, strategy = request.param
    rows = headline(read_report(root / "build/report"))
    [row] = [
        row
        for row in rows
        if (row.board, row.strategy, row.level, row.clock_hz)
        == (board, strategy, LEVEL, SLOT_BOARDS[board].clock_hz)
    ]
    facts = SLOT_BOARDS[board]
    band = facts.bands[-1] if facts.bands else None
    case = Setting(board, strategy, LEVEL, ASH_FORMS["paper"], facts.clock_hz, 127, band)
    image = (root / f"build/firmware/{board}/slot-{strategy}.elf").read_bytes()
    return row, record(case, image, template_of(row), seed=1)


def test_phases_follow_each_other(traced: tuple[SlotRow, Trace]) -> None:
    """From the start of the slot to its end, without gap or overlap, the named phases in their
    order."""
    row, trace = traced
    assert trace.slot_us == pytest.approx(row.ts_slot_duration_us, abs=0.01)
    for node, names in NODES.items():
        spans = [span for span in trace.spans if span.node == node]
        assert spans[0].begin_us == 0
        assert spans[-1].end_us == trace.slot_us
        assert all(span.end_us == after.begin_us for span, after in pairwise(spans))
        assert tuple(span.name for span in spans if not span.name.startswith("to ")) == names


def test_phases_are_as_long_as_the_row_says(traced: tuple[SlotRow, Trace]) -> None:
    """Security operations take what the marks said of them, frames their time on the air."""
    row, trace = traced
    lengths = {span.name: span.end_us - span.begin_us for span in trace.spans}
    assert lengths["data frame"] == pytest.approx(4256, abs=0.01)
    for name in ("sec1", "sec2", "sec3", "sec4"):
        worst_us = cycles_to_us(getattr(row, f"{name}_cycles"), row.clock_measured_hz)
        assert 0.8 * worst_us < lengths[name] < worst_us + 5


def test_charge_is_that_of_the_meter(traced: tuple[SlotRow, Trace]) -> None:
    """The integral of the current over this slot is the average slot's charge, up to a tick of
    guard time."""
    row, trace = traced
    averages = {r.node: r.charge_uc for r in energy_rows([row])}
    for node in NODES:
        assert trace.charge_uc(node) == pytest.approx(averages[node], rel=0.02)


def test_total_is_the_sum_of_the_devices(traced: tuple[SlotRow, Trace]) -> None:
    """At every step; and steps are in order of time within the slot."""
    _, trace = traced
    for node in NODES:
        steps = trace.of(node)
        assert [step.us for step in steps] == sorted({step.us for step in steps})
        assert steps[0].us == 0
        assert steps[-1].us < trace.slot_us
        for step in steps:
            assert step.total_ma == pytest.approx(sum(current for _, _, current in step.states))


def test_csv_and_picture_show_the_trace(traced: tuple[SlotRow, Trace]) -> None:
    """A line a step, the same currents; pictures are well-formed and repeatable."""
    _, trace = traced
    lines = list(csv.DictReader(io.StringIO(to_csv(trace))))
    assert len(lines) == len(trace.steps)
    assert [float(line["total_ma"]) for line in lines] == pytest.approx(
        [s.total_ma for s in trace.steps], abs=1e-5
    )
    svg = picture(trace, "one slot", "svg")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    for name in ("sec1", "sec2", "sec3", "sec4", "data frame", "Enh-Ack"):
        assert f">{name}<" in svg.decode()
    assert picture(trace, "one slot", "svg") == svg
    assert picture(trace, "one slot", "png").startswith(b"\x89PNG")
