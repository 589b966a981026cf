# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figure of the report: a stacked bar for the slot of each case, with printed durations."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wardmote.rows import SlotRow
from wardmote.study.composition import PHASES, composition
from wardmote.study.definition import headline, of_the_paper
from wardmote.views.drawing import bars, drawing, to_svg
from wardmote.views.text import by
from wardmote.views.words import BOARD_TITLES, clock_at

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
    """SVG of the headline's rows, one group of bars for each board and strategy, with marks for the
    paper's definition; the same rows give the same octets."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shortest = headline(rows)
    papers = {_case(row): row for row in of_the_paper(rows)}
    groups = list(by(shortest, lambda row: (row.board, row.strategy)).values())
    width_ms = max(row.ts_slot_duration_ms for row in rows) * ROOM
    with drawing(10, 1.2 + BAR_INCHES * (len(shortest) + 2 * len(groups))) as figure:
        heights = [len(group) + 1 for group in groups]
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axis, group in zip(axes[:, 0], groups, strict=True):
            _bars(axis, group, papers, width_ms)
        axes[-1, 0].set_xlabel("ms from the start of the slot")
        axes[-1, 0].set_xlim(0, width_ms)
        handles: list[Artist] = [Patch(color=COLOURS[name], label=name) for name in PHASES]
        for marker, label in (("D", "published"), ("|", "by the paper's definition")):
            handles.append(Line2D([], [], color="black", marker=marker, linestyle="", label=label))
        figure.legend(handles=handles, loc="outside upper center", ncols=5, frameon=False)
        return to_svg(figure)


def _case(row: SlotRow) -> tuple[object, ...]:
    return (row.board, row.strategy, row.level, row.ash_octets, row.frame_octets, row.clock_hz)


def _bars(
    axis: "Axes",
    rows: Sequence[SlotRow],
    papers: Mapping[tuple[object, ...], SlotRow],
    width_ms: float,
) -> None:
    """One bar for each row, the first row on top."""
    parts = [[(phase.us / 1000, COLOURS[phase.name]) for phase in composition(row)] for row in rows]
    usual = clock_at(rows[0])
    names = [
        f"{row.level} {row.level_name}" + (f", {clock_at(row)}" if clock_at(row) != usual else "")
        for row in rows
    ]
    for place, (row, left) in enumerate(zip(rows, bars(axis, parts, names), strict=True)):
        axis.text(
            left, place, f" {row.ts_slot_duration_ms:.1f}", va="center", ha="left", fontsize=8
        )
        paper = papers.get(_case(row))
        if paper is not None:
            ends = [paper.ts_slot_duration_ms]
            axis.plot(ends, [place], "|", color="black", markersize=9)
        if paper is not None and paper.published_ms is not None:
            beyond = paper.published_ms > width_ms
            place_ms = 0.99 * width_ms if beyond else paper.published_ms
            axis.plot(place_ms, place, ">" if beyond else "D", color="black", markersize=5)
            text = f"published {paper.published_ms:g}"
            room = place_ms - left > LABEL_ROOM * width_ms
            side, align = (-1, "right") if beyond or room else (1, "left")
            axis.text(
                place_ms + side * 0.012 * width_ms, place, text, va="center", ha=align, fontsize=8
            )
    board = BOARD_TITLES.get(rows[0].board, rows[0].board)
    axis.set_title(
        f"{board} at {usual}, {rows[0].strategy}, {rows[0].definition}",
        loc="left",
        fontsize=10,
        fontweight="bold",
    )
    axis.grid(axis="x", linewidth=0.4, color="#dddddd")
    axis.set_axisbelow(True)
