# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figure of the report: a stacked bar for the slot of each case, with printed durations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wardmote.rows import SlotRow
from wardmote.study.composition import PHASES, composition
from wardmote.views.drawing import bars, drawing, to_svg
from wardmote.views.text import by
from wardmote.views.words import BOARD_TITLES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

COLOURS = {
    "sec1": "#c1443c",
    "to TsTxOffset": "#e8d9d6",
    "TsMaxTx": "#8a97a6",
    "sec2": "#d98032",
    "sec3": "#e3b23c",
    "to TsTxAckDelay": "#f3e9d2",
    "TsMaxAck": "#b9c2cc",
    "sec4": "#4f8a5b",
    "to the end": "#d7e6da",
}
BAR_INCHES = 0.27
LABEL_ROOM = 0.2
"""Share of the width for the number of a bar and a label left of a mark."""
ROOM = 1.3
"""Width of the figure over our longest slot; an arrow at the edge marks a longer printed duration."""


def slot_figure(rows: Sequence[SlotRow]) -> str:
    """SVG of all rows, one group of bars for each board and strategy; the same rows give the same
    octets."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    groups = list(by(rows, lambda row: (row.board, row.strategy)).values())
    width_ms = max(row.ts_slot_duration_ms for row in rows) * ROOM
    with drawing(10, 1.2 + BAR_INCHES * (len(rows) + 2 * len(groups))) as figure:
        heights = [len(group) + 1 for group in groups]
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axis, group in zip(axes[:, 0], groups, strict=True):
            _bars(axis, group, width_ms)
        axes[-1, 0].set_xlabel("ms from the start of the slot")
        axes[-1, 0].set_xlim(0, width_ms)
        handles: list[Artist] = [Patch(color=COLOURS[name], label=name) for name in PHASES]
        handles.append(Line2D([], [], color="black", marker="D", linestyle="", label="published"))
        figure.legend(handles=handles, loc="outside upper center", ncols=5, frameon=False)
        return to_svg(figure)


def _bars(axis: "Axes", rows: Sequence[SlotRow], width_ms: float) -> None:
    """One bar for each row, the first row on top."""
    parts = [[(phase.us / 1000, COLOURS[phase.name]) for phase in composition(row)] for row in rows]
    names = [f"{row.level} {row.level_name}" for row in rows]
    for place, (row, left) in enumerate(zip(rows, bars(axis, parts, names), strict=True)):
        axis.text(
            left, place, f" {row.ts_slot_duration_ms:.1f}", va="center", ha="left", fontsize=8
        )
        if row.published_ms is not None:
            beyond = row.published_ms > width_ms
            place_ms = 0.99 * width_ms if beyond else row.published_ms
            axis.plot(place_ms, place, ">" if beyond else "D", color="black", markersize=5)
            text = f"published {row.published_ms:g}"
            room = place_ms - left > LABEL_ROOM * width_ms
            side, align = (-1, "right") if beyond or room else (1, "left")
            axis.text(
                place_ms + side * 0.012 * width_ms, place, text, va="center", ha=align, fontsize=8
            )
    board = BOARD_TITLES.get(rows[0].board, rows[0].board)
    axis.set_title(f"{board}, {rows[0].strategy}", loc="left", fontsize=10, fontweight="bold")
    axis.grid(axis="x", linewidth=0.4, color="#dddddd")
    axis.set_axisbelow(True)
