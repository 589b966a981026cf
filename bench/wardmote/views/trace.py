# SPDX-License-Identifier: BSD-3-Clause
"""A trace as CSV, and as a picture of the current over time with the phases behind it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from wardmote.study.trace import Trace
from wardmote.views.data import csv_text
from wardmote.views.drawing import drawing, to_png, to_svg
from wardmote.views.sections import Report, Section, section

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {
    "sec1": "#c1443c",
    "sec2": "#d98032",
    "sec3": "#e3b23c",
    "sec4": "#4f8a5b",
    "data frame": "#8a97a6",
    "Enh-Ack": "#b9c2cc",
}


def to_csv(trace: Trace) -> str:
    """One line for each change; a state lasts until the next line of its node."""
    devices = sorted({device for step in trace.steps for device, _, _ in step.states})
    of_devices = [f"{device}_{what}" for device in devices for what in ("state", "ma")]
    names = ["us", "node", "phase", *of_devices, "total_ma"]
    lines = []
    for step in trace.steps:
        values: dict[str, object] = {}
        for device, state, current_ma in step.states:
            values |= {f"{device}_state": state, f"{device}_ma": round(current_ma, 6)}
        known = [values.get(name, "") for name in of_devices]
        lines.append([round(step.us, 3), step.node, step.phase, *known, round(step.total_ma, 6)])
    return csv_text(names, lines)


def picture(trace: Trace, title: str, form: Literal["svg", "png"]) -> bytes:
    """A slot in one of two formats."""
    return drawn(trace, title, form, COLOURS, "ms from the start of the sender's slot")


def drawn(
    trace: Trace,
    title: str,
    form: Literal["svg", "png"],
    colours: Mapping[str, str],
    axis_title: str,
) -> bytes:
    """A trace, with the phases that have a colour behind it; the same trace gives the same octets."""
    nodes = list(dict.fromkeys(step.node for step in trace.steps))
    with drawing(11, 2.6 * len(nodes) + 0.8) as sheet:
        axes = sheet.subplots(len(nodes), 1, sharex=True, squeeze=False)
        for axis, node in zip(axes[:, 0], nodes, strict=True):
            _node(axis, trace, node, colours)
        axes[-1, 0].set_xlabel(axis_title)
        sheet.suptitle(title, fontsize=10)
        return to_svg(sheet).encode() if form == "svg" else to_png(sheet)


def _node(axis: "Axes", trace: Trace, node: str, colours: Mapping[str, str]) -> None:
    steps = trace.of(node)
    most = max(step.total_ma for step in steps)
    for span in trace.spans:
        if span.node != node or span.name not in colours:
            continue
        begin, end = span.begin_us / 1000, span.end_us / 1000
        axis.axvspan(begin, end, color=colours[span.name], alpha=0.35, linewidth=0)
        middle = (span.begin_us + span.end_us) / 2000
        axis.text(middle, 1.08 * most, span.name, ha="center", va="bottom", fontsize=8)
    times = [*(step.us / 1000 for step in steps), trace.slot_us / 1000]
    axis.stairs(
        [step.total_ma for step in steps], times, baseline=None, color="black", linewidth=1.0
    )
    axis.set_xlim(0, trace.slot_us / 1000)
    axis.set_ylim(0, 1.25 * most)
    axis.set_ylabel("mA")
    axis.set_title(f"{node}, {trace.charge_uc(node):.1f} µC", loc="left", fontsize=9)
    axis.spines[["top", "right"]].set_visible(False)


@section(30)
def slots(report: Report) -> list[Section]:
    """One slot of each board."""
    return [
        Section(title, figure=picture(trace, title, "svg").decode())
        for title, trace in report.traces
    ]
