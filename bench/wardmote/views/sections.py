# SPDX-License-Identifier: BSD-3-Clause
"""Sections of the report's page: energy, throughput, one slot, footprint, parameters and published
figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.rows import SlotRow
from wardmote.study.compare import compare
from wardmote.study.energy import energy_rows
from wardmote.study.parameters import assumed
from wardmote.study.throughput import Schedule, throughput_rows
from wardmote.study.trace import Trace
from wardmote.views import compare as compare_view
from wardmote.views import energy as energy_view
from wardmote.views import footprint as footprint_view
from wardmote.views import parameters as parameters_view
from wardmote.views import throughput as throughput_view
from wardmote.views.table import Column
from wardmote.views.trace import picture


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the page. A cell of its table is its text and whether it is a word."""

    title: str
    text: str
    notes: tuple[tuple[str, str], ...] = ()
    figure: str = ""
    header: tuple[tuple[str, bool], ...] = ()
    lines: tuple[tuple[tuple[str, bool], ...], ...] = ()


def sections(
    rows: Sequence[SlotRow], footprints: Sequence[FootprintRow], traces: Sequence[tuple[str, Trace]]
) -> list[Section]:
    """All sections of the report."""
    energies = energy_rows(rows)
    schedule = Schedule(n_i=1, n_ts=101)
    rates = throughput_rows(rows, schedule)
    comparisons = compare(rows, footprints)
    found = [
        table_section(
            "Charge of a slot by phase",
            energies,
            energy_view.COLUMNS,
            energy_view.answer(energies),
            energy_view.conditions(energies),
            energy_view.figure(energies),
        ),
        table_section(
            "Throughput and battery",
            rates,
            throughput_view.COLUMNS,
            throughput_view.answer(rates),
            throughput_view.conditions(rates, schedule),
        ),
    ]
    found += [
        Section(title, "", figure=picture(trace, title, "svg").decode()) for title, trace in traces
    ]
    if footprints:
        text, notes = footprint_view.answer(footprints), footprint_view.conditions(footprints)
        names = footprint_view.modules(footprints)
        found.append(
            table_section(
                "Footprint of link security", footprints, footprint_view.COLUMNS, text, notes
            )
        )
        found.append(
            table_section(
                "Footprint by module", names, footprint_view.module_columns(footprints), "", ()
            )
        )
    parameters = assumed(list(dict.fromkeys(row.board for row in rows)))
    text = parameters_view.answer(parameters)
    found.append(table_section("What is assumed", parameters, parameters_view.COLUMNS, text, ()))
    text = compare_view.answer(comparisons)
    found.append(
        table_section(
            "Every published figure beside ours", comparisons, compare_view.COLUMNS, text, ()
        )
    )
    return found


def table_section(
    title: str,
    rows: Sequence[Any],
    columns: Sequence[Column[Any]],
    text: str = "",
    notes: Sequence[tuple[str, str]] = (),
    figure: str = "",
) -> Section:
    """A section with rows as a table."""
    header = tuple((column.name, column.text) for column in columns)
    lines = tuple(tuple((column.cell(row), column.text) for column in columns) for row in rows)
    return Section(title, text, tuple(notes), figure, header, lines)
