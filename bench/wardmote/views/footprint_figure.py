# SPDX-License-Identifier: BSD-3-Clause
"""Draws Figs. 3 and 4 of the paper on timeslot length: flash and RAM of link security by strategy,
with the ends of the ranges that its text prints."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wardmote.boards import BOARDS
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.views.drawing import bars, drawing, to_svg
from wardmote.views.text import by

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"flash": "#4c72a4", "RAM": "#d98032"}
FIGURES = {"telosb": 3, "openmote-cc2538": 4}
"""Number of the paper's figure by board."""
ROOM = 1.25
"""Width of a panel over its longest bar or mark."""


def footprint_figure(rows: Sequence[FootprintRow]) -> str:
    """SVG of all rows, one line of two panels for each board; the same rows give the same octets."""
    groups = by(rows, lambda row: row.board)
    with drawing(10, 0.3 + 1.5 * len(groups)) as figure:
        axes = figure.subplots(len(groups), len(COLOURS), squeeze=False)
        for line, own in zip(axes, groups.values(), strict=True):
            for axis, memory in zip(line, COLOURS, strict=True):
                _panel(axis, own, memory)
        return to_svg(figure)


def _panel(axis: "Axes", rows: Sequence[FootprintRow], memory: str) -> None:
    """One bar for each strategy, in per cent of the board's memory; RAM is with the stack."""
    field = f"{memory.lower()}_percent"
    shares = [float(getattr(row, field)) for row in rows]
    printed = [getattr(row, f"published_{field}") for row in rows]
    width = ROOM * max(one for one in (*shares, *printed) if one is not None)
    ends = bars(axis, [[(share, COLOURS[memory])] for share in shares], [r.strategy for r in rows])
    for place, (end, mark) in enumerate(zip(ends, printed, strict=True)):
        axis.text(end, place, f" {end:.2f} %", va="center", ha="left", fontsize=8)
        if mark is not None:
            axis.plot(mark, place, "D", color="black", markersize=5)
    board = BOARDS[rows[0].board]
    which = f"Fig. {FIGURES[board.name]}: " if board.name in FIGURES else ""
    axis.set_title(f"{which}{memory} of {board.named}", loc="left", fontsize=10)
    axis.set_xlim(0, width)
    axis.set_xlabel("% of the board's; a diamond is an end of the printed range", fontsize=8)
