# SPDX-License-Identifier: BSD-3-Clause
"""Formats throughput bounds."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.study.definition import headline
from wardmote.study.payload import FCS_OCTETS, MHR_OCTETS
from wardmote.study.throughput import Schedule, ThroughputRow, throughput_rows
from wardmote.views.case import case_columns
from wardmote.views.columns import Fields
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column, number
from wardmote.views.templates import conditions_of
from wardmote.views.words import supply_conditions

_of = Fields(ThroughputRow)
COLUMNS: tuple[Column[ThroughputRow], ...] = (
    *case_columns(_of, definition=3),
    _of.number("slot us", rank=0),
    _of.number("A_j bits", "a_bits"),
    _of.number("published A_j", "a_published_bits", rank=3),
    Column("R bit/s", lambda row: number(row.rate_bps, 1) or "slot too short", rank=0),
    _of.number("R with published A_j", "rate_published_a_bps", 1, rank=3),
    _of.number("slot uC", "slot_charge_uc", 1, rank=2),
)


def answer(rows: Sequence[ThroughputRow]) -> str:
    """The fastest and the slowest case."""
    bound = [(row.rate_bps, row) for row in rows if row.rate_bps is not None]
    if not bound:
        return "The slot is too short for every case."
    parts = ", ".join(
        f"at {word} {rate:.0f} bit/s ({BOARDS[row.board].title}, {row.strategy}, {row.level_name})"
        for word, end in (("most", max), ("least", min))
        for rate, row in [end(bound, key=lambda one: one[0])]
    )
    return f"A node with {rows[0].n_i} of {rows[0].n_ts} slots can send {parts}."


def conditions(rows: Sequence[ThroughputRow], schedule: Schedule) -> list[tuple[str, str]]:
    """What the figures depend on."""
    return conditions_of(
        "throughput",
        schedule=schedule,
        frames=sorted({row.frame_octets for row in rows}),
        fcs_octets=FCS_OCTETS,
        mhr_octets=MHR_OCTETS,
        currents=supply_conditions(rows),
    )


@section(20)
def rates(report: Report) -> list[Section]:
    """What a node of a usual schedule can send."""
    schedule = Schedule(n_i=1, n_ts=101)
    rows = throughput_rows(headline(report.rows), schedule)
    notes = conditions(rows, schedule)
    return [Section("Throughput", rows, COLUMNS, answer(rows), notes)]
