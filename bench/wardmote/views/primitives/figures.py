# SPDX-License-Identifier: BSD-3-Clause
"""Draws the 13 figures of the paper from our rows: curves by length, and the printed numbers as
points."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wardmote.measurements.primitives.printed import BOARD, CLOCKS_HZ, CPU
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.system.rows import SystemRow
from wardmote.study.primitives.curves import (
    ENERGY_OF,
    PRINTED_WHOLE,
    Curve,
    Figure,
    Rows,
    curves,
    loop_curves,
)
from wardmote.study.primitives.paper import printed_figures
from wardmote.views.drawing import drawing, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""Colours that people with colour blindness can tell apart."""
MARKERS = ("o", "^", "s", "v", "D", "P")
MARKED = 8
"""Points between two markers of a curve; markers make curves distinct without colours."""


def draw(figure: Figure, rows: Rows, timed: Rows, events: Sequence[SystemRow]) -> str:
    """SVG of one figure; `timed` are rows of this machine with times, `events` those under an event
    loop. The same rows make the same octets."""
    from matplotlib.ticker import LogLocator, NullFormatter

    with drawing(10, 3.6) as canvas:
        left, right = canvas.subplots(1, 2)
        if figure.under_loop:
            _plot(left, loop_curves(figure, events, "cycles_mean"), 1000 / CLOCKS_HZ[0])
            left.set_ylabel("ms at 8 MHz, mean under the loop")
            _plot(right, loop_curves(figure, events, "overhead_percent"), 1.0)
            right.set_ylabel("% that the loop adds")
        elif figure.board == BOARD:
            _on_telosb(figure, rows, left, right)
        else:
            _plot(left, curves(figure, rows, "host32"), 1.0)
            left.set_ylabel("instructions, 32-bit x86")
            _plot(right, curves(figure, timed, "host32", timed=True), 1.0)
            right.set_ylabel("µs on this machine, quartiles")
        for axis in (left, right):
            axis.set_xlabel("octets")
            axis.set_yscale("log")
            axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            # Powers in mathematical form need fonts that a machine may lack.
            axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            axis.yaxis.set_minor_formatter(NullFormatter())
            axis.grid(linewidth=0.4, color="#dddddd")
            axis.spines[["top", "right"]].set_visible(False)
        handles, labels = left.get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside right center", frameon=False)
        canvas.suptitle(figure.caption, fontsize=9)
        return to_svg(canvas)


def _on_telosb(figure: Figure, rows: Rows, left: "Axes", right: "Axes") -> None:
    """Time at 8 MHz and energy, which is proportional to it, with the printed points."""
    found = curves(figure, rows, CPU)
    _plot(left, found, 1000 / CLOCKS_HZ[0])
    left.set_ylabel("ms at 8 MHz")
    first = next(
        (row for row in rows if isinstance(row, PrimitiveRow) and row.cpu == CPU and row.cycles),
        None,
    )
    if first is not None:
        _plot(right, found, first.energy_uj / first.cycles)
        right.set_ylabel(f"µJ of the CPU alone, {first.current_ma:g} mA at {first.supply_v:g} V")
    sections = {figure.table: left, ENERGY_OF.get(figure.table or 0): right}
    for number, axis in sections.items():
        _printed(axis, number)


def _plot(axis: "Axes", found: Sequence[Curve], scale: float) -> None:
    for n, (curve, colour, marker) in enumerate(zip(found, COLOURS, MARKERS, strict=False)):
        x = [octets for octets, _ in curve.points]
        y = [value * scale for _, value in curve.points]
        # A mark at every eighth point of long curves, at every one of short ones; no two curves at
        # the same ones.
        every = (n, MARKED) if len(x) > 2 * MARKED else 1
        look: dict[str, Any] = {
            "marker": marker,
            "markersize": 4,
            "markerfacecolor": "white",
            "markevery": every,
        }
        line = "-" if curve.papers else "--"
        axis.plot(x, y, color=colour, linestyle=line, linewidth=1.3, label=curve.label, **look)
        if curve.spread:
            below, above = zip(*curve.spread, strict=True)
            if len(below) == len(x):
                axis.errorbar(
                    x, y, yerr=(below, above), fmt="none", ecolor=colour, elinewidth=0.8, capsize=2
                )


def _printed(axis: "Axes", table: int | None) -> None:
    """The printed points, with one marker for each primitive."""
    shown = [one for one in printed_figures() if one.table == table]
    added = [one for one in printed_figures() if one.table in PRINTED_WHOLE.get(table or 0, ())]
    for name, marker in zip(
        dict.fromkeys(one.name for one in shown), ("D", "s", "^", "v"), strict=False
    ):
        more = sum(one.value for one in added if one.name == name)
        points = [(one.octets, one.value + more) for one in shown if one.name == name]
        axis.plot(
            *zip(*points, strict=True),
            marker,
            color="black",
            markersize=4,
            label=f"printed: {name}",
        )
