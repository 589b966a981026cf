# SPDX-License-Identifier: BSD-3-Clause
"""Formats and draws what assumed numbers do to the headline."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wardmote.experiments.assumptions.measure import AssumptionRow
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by
from wardmote.views.words import BOARD_TITLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURES = {
    "slot_ms": ("TsSlotDuration", "ms", 2),
    "energy_uj": ("energy of the sender", "µJ", 0),
    "battery_days": ("battery life", "days", 0),
}
"""Names of the three figures, their units and decimals."""
LEAST = 0.0005
"""A figure that moves by less has not moved."""
BARS = 8
"""Bars of a panel at most."""
BAR_INCHES = 0.24
LOW_COLOUR, HIGH_COLOUR = "#4f8a5b", "#c1443c"


def change(row: AssumptionRow, figure: str, end: str) -> float | None:
    """By which part of it a figure moves."""
    base, other = getattr(row, figure), getattr(row, figure + end)
    return None if other is None else float(other / base - 1)


def moves(row: AssumptionRow, figure: str) -> float:
    """The largest part by which a figure moves; infinite if it is not there any more."""
    changes = [change(row, figure, end) for end in ("_low", "_high")]
    return max(float("inf") if one is None else abs(one) for one in changes)


def has_effect(row: AssumptionRow) -> bool:
    """Whether any figure moves."""
    return any(moves(row, figure) >= LEAST for figure in FIGURES)


def _percent(row: AssumptionRow, figure: str) -> str:
    if moves(row, figure) < LEAST:
        return "0"
    changes = (change(row, figure, end) for end in ("_low", "_high"))
    return ", ".join("none" if one is None else f"{100 * one:+.1f}" for one in changes).replace(
        "-0.0", "+0.0"
    )


_of = Fields(AssumptionRow)
COLUMNS: tuple[Column[AssumptionRow], ...] = (
    *_of.words("board", "strategy", "parameter", rank=0),
    Column("assumed", lambda row: f"{row.assumed:g} {row.unit}".strip(), rank=2),
    Column("instead", lambda row: f"{row.low:g}, {row.high:g}", rank=1),
    Column("slot %", lambda row: _percent(row, "slot_ms"), rank=0),
    Column("energy %", lambda row: _percent(row, "energy_uj"), rank=0),
    Column("battery %", lambda row: _percent(row, "battery_days"), rank=0),
)


def groups(rows: Sequence[AssumptionRow]) -> dict[str, list[AssumptionRow]]:
    """Rows of each board and strategy, by their name."""
    return by(rows, lambda row: f"{BOARD_TITLES.get(row.board, row.board)}, {row.strategy}")


def answer(rows: Sequence[AssumptionRow]) -> str:
    """The figures of each board and strategy, and what moves each of them most."""
    return " ".join(_sentence(name, own) for name, own in groups(rows).items())


def _sentence(name: str, rows: Sequence[AssumptionRow]) -> str:
    parts = []
    for figure, (title, unit, digits) in FIGURES.items():
        most = max(rows, key=lambda row: moves(row, figure))
        base = f"{title} {getattr(most, figure):.{digits}f} {unit}"
        if moves(most, figure) < LEAST:
            parts.append(f"{base}, which no assumption moves")
        else:
            parts.append(f"{base}, moved most by {most.parameter} ({_percent(most, figure)} %)")
    return f"{name}: {'; '.join(parts)}."


def text(rows: Sequence[AssumptionRow]) -> str:
    """For documents: the answer, the figure, what has an effect, and what has none."""
    idle = by((row for row in rows if not has_effect(row)), lambda row: row.board)
    lines = [
        f"No effect on {BOARD_TITLES.get(board, board)}, with either strategy: "
        f"{', '.join(f'`{name}`' for name in _of_all(own, rows))}."
        for board, own in idle.items()
    ]
    chart = "![The assumptions that move the headline most](assumptions.svg)"
    table = to_markdown([row for row in rows if has_effect(row)], COLUMNS).rstrip()
    return "\n\n".join([answer(rows), chart, table, *lines]) + "\n"


def _of_all(idle: Sequence[AssumptionRow], rows: Sequence[AssumptionRow]) -> list[str]:
    """Assumptions without effect on every row of theirs."""
    moving = {(row.board, row.parameter) for row in rows if has_effect(row)}
    names = dict.fromkeys(row.parameter for row in idle if (row.board, row.parameter) not in moving)
    return list(names)


def figure(rows: Sequence[AssumptionRow]) -> str:
    """SVG: for each board and strategy a panel for each figure, the assumptions that move it most
    on top; the same rows give the same octets."""
    found = groups(rows)
    with drawing(12, 0.6 + (BARS * BAR_INCHES + 0.6) * len(found)) as page:
        axes = page.subplots(len(found), len(FIGURES), squeeze=False)
        for line, (name, own) in zip(axes, found.items(), strict=True):
            for axis, (key, (title, unit, digits)) in zip(line, FIGURES.items(), strict=True):
                _panel(axis, own, key)
                value = f"{getattr(own[0], key):.{digits}f} {unit}"
                axis.set_title(f"{name}\n{title}, {value}", loc="left", fontsize=8)
        for axis in axes[-1]:
            axis.set_xlabel("per cent")
        return to_svg(page)


def _panel(axis: "Axes", rows: Sequence[AssumptionRow], key: str) -> None:
    """Bars from the figure with the number less (green) to the one with the number more (red)."""
    moved = [row for row in rows if moves(row, key) >= LEAST]
    shown = sorted(moved, key=lambda row: -moves(row, key))[:BARS]
    for place, row in enumerate(shown):
        for end, colour in (("_low", LOW_COLOUR), ("_high", HIGH_COLOUR)):
            part = change(row, key, end)
            if part is None:
                axis.text(0, place, " none", va="center", fontsize=7)
            else:
                axis.barh(place, 100 * part, color=colour, height=0.7)
    axis.set_yticks(range(len(shown)), [row.parameter for row in shown], fontsize=7)
    axis.set_ylim(BARS - 0.4, -0.6)
    axis.axvline(0, color="black", linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
