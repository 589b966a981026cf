# SPDX-License-Identifier: BSD-3-Clause
"""Formats energy by phase; draws a stacked bar for every case."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wardmote.boards import BOARDS
from wardmote.study.definition import headline
from wardmote.study.energy import EnergyRow, energy_rows
from wardmote.views.case import case_columns
from wardmote.views.columns import Fields
from wardmote.views.drawing import bars, drawing, to_svg
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column
from wardmote.views.templates import conditions_of
from wardmote.views.text import by
from wardmote.views.words import clock_at, supply_conditions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = {
    "cpu": ("CPU active", "#c1443c"),
    "tx": ("radio TX", "#4c6a92"),
    "rx": ("radio RX", "#8aa6c1"),
    "idle": ("idle", "#d9d9d9"),
    "engine": ("engine", "#e3b23c"),
}
"""Name and colour of each phase."""
BAR_INCHES = 0.2


def percent(fraction: float | None) -> str:
    """A fraction in per cent."""
    return "" if fraction is None else f"{round(100 * fraction)} %"


_of = Fields(EnergyRow)
COLUMNS: tuple[Column[EnergyRow], ...] = (
    *case_columns(_of, definition=3),
    _of.word("node", rank=0),
    _of.number("CPU uC", digits=1),
    *_of.numbers("TX uC", "RX uC", digits=1, rank=3),
    *_of.numbers("idle uC", "engine uC", digits=1, rank=4),
    _of.number("all uC", "charge_uc", 1, rank=0),
    _of.number("energy uJ", rank=2),
    Column("saves", lambda row: percent(row.saving)),
    Column("of CPU", lambda row: percent(row.cpu_saving), rank=2),
    Column("published", lambda row: percent(row.published_saving), rank=2),
)


def _case(row: EnergyRow) -> tuple[str, str, str]:
    return row.board, clock_at(row), row.strategy


def answer(rows: Sequence[EnergyRow]) -> str:
    """One sentence for each board and strategy that can be compared."""
    secured = [row for row in rows if row.node == "sender" and row.level]
    sentences = []
    for (board, clock, strategy), own in by(secured, _case).items():
        saved = [row.saving for row in own if row.saving is not None]
        of_cpu = [row.cpu_saving for row in own if row.cpu_saving is not None]
        if saved and of_cpu:
            printed = percent(own[0].published_saving)
            published = f" (published: up to {printed})" if printed else ""
            sentences.append(
                f"On {BOARDS[board].named} ({clock}), {strategy} saves the sender up to "
                f"{percent(max(saved))} of a slot's energy against software{published}, and up to "
                f"{percent(max(of_cpu))} of what the CPU takes of it."
            )
    return (
        " ".join(sentences) or "Nothing to compare: no strategy besides software at the same level."
    )


def conditions(rows: Sequence[EnergyRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    return conditions_of("energy", currents=supply_conditions(rows))


def figure(rows: Sequence[EnergyRow]) -> str:
    """SVG: charge of sender and receiver, one group of bars for each board and strategy."""
    from matplotlib.patches import Patch

    groups = by(rows, _case)
    nodes = list(dict.fromkeys(row.node for row in rows))
    most = max(map(len, groups.values())) // len(nodes)
    with drawing(10, 1.0 + len(groups) * (0.55 + BAR_INCHES * most)) as sheet:
        axes = sheet.subplots(len(groups), len(nodes), sharex=True, squeeze=False)
        for line, ((board, clock, strategy), group) in zip(axes, groups.items(), strict=True):
            for axis, node in zip(line, nodes, strict=True):
                _bars(axis, [row for row in group if row.node == node])
                title = f"{BOARDS[board].title} at {clock}, {strategy}, {node}"
                axis.set_title(title, loc="left", fontsize=9)
        for axis in axes[-1]:
            axis.set_xlabel("µC a slot")
        handles = [Patch(color=colour, label=name) for name, colour in LOOKS.values()]
        sheet.legend(handles=handles, loc="outside upper center", ncols=5, frameon=False)
        return to_svg(sheet)


def _bars(axis: "Axes", rows: Sequence[EnergyRow]) -> None:
    parts = [[(getattr(row, f"{phase}_uc"), LOOKS[phase][1]) for phase in LOOKS] for row in rows]
    for place, end in enumerate(bars(axis, parts, [row.level_name for row in rows])):
        axis.text(end, place, f" {end:.0f}", va="center", ha="left", fontsize=8)


@section(10)
def charges(report: Report) -> list[Section]:
    """Energy by phase, as a figure and a table."""
    rows = energy_rows(headline(report.rows))
    notes, drawn = conditions(rows), figure(rows)
    return [Section("Charge of a slot by phase", rows, COLUMNS, answer(rows), notes, drawn)]
