# SPDX-License-Identifier: BSD-3-Clause
"""Formats energy by phase; draws a stacked bar for every case."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wardmote.boards import BOARDS
from wardmote.study.energy import PHASES, EnergyRow
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PHASE_NAMES = {
    "cpu": "CPU active",
    "tx": "radio TX",
    "rx": "radio RX",
    "idle": "idle",
    "engine": "engine",
}
COLOURS = {
    "cpu": "#c1443c",
    "tx": "#4c6a92",
    "rx": "#8aa6c1",
    "idle": "#d9d9d9",
    "engine": "#e3b23c",
}
BAR_INCHES = 0.2


def percent(fraction: float | None) -> str:
    """A fraction in per cent."""
    return "" if fraction is None else f"{round(100 * fraction)} %"


COLUMNS: tuple[Column[EnergyRow], ...] = (
    Column("board", lambda row: row.board, text=True, rank=0),
    Column("strategy", lambda row: row.strategy, text=True, rank=0),
    Column("level", lambda row: row.level_name, text=True, rank=0),
    Column("node", lambda row: row.node, text=True, rank=0),
    Column("CPU uC", lambda row: number(row.cpu_uc, 1), rank=1),
    Column("TX uC", lambda row: number(row.tx_uc, 1), rank=3),
    Column("RX uC", lambda row: number(row.rx_uc, 1), rank=3),
    Column("idle uC", lambda row: number(row.idle_uc, 1), rank=4),
    Column("engine uC", lambda row: number(row.engine_uc, 1), rank=4),
    Column("all uC", lambda row: number(row.charge_uc, 1), rank=0),
    Column("energy uJ", lambda row: number(row.energy_uj), rank=2),
    Column("saves", lambda row: percent(row.saving)),
    Column("of CPU", lambda row: percent(row.cpu_saving), rank=2),
    Column("published", lambda row: percent(row.published_saving), rank=2),
)


def answer(rows: Sequence[EnergyRow]) -> str:
    """One sentence for each board and strategy that can be compared."""
    sentences = []
    for board, strategy in dict.fromkeys((row.board, row.strategy) for row in rows):
        own = [
            r
            for r in rows
            if (r.board, r.strategy, r.node) == (board, strategy, "sender") and r.level
        ]
        saved = [
            (row.saving, row.cpu_saving)
            for row in own
            if row.saving is not None and row.cpu_saving is not None
        ]
        if saved:
            printed = percent(own[0].published_saving)
            most, of_cpu = (max(values) for values in zip(*saved, strict=True))
            published = f" (published: up to {printed})" if printed else ""
            sentences.append(
                f"On {BOARDS[board].named}, {strategy} saves the sender up to "
                f"{percent(most)} of a slot's energy"
                f" against software{published}, and up to {percent(of_cpu)} of what the CPU "
                "takes of it."
            )
    return (
        " ".join(sentences) or "Nothing to compare: no strategy besides software at the same level."
    )


def conditions(rows: Sequence[EnergyRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    return [
        ("slot", "each case at its own shortest TsSlotDuration, with a data frame and an Enh-Ack"),
        ("charge", "time in each device state x current of the board's data file"),
        ("engine", "0 where the datasheet gives the security engine no current of its own"),
    ]


def figure(rows: Sequence[EnergyRow]) -> str:
    """SVG: charge of sender and receiver, one group of bars for each board and strategy."""
    from matplotlib.patches import Patch

    names = list(dict.fromkeys((row.board, row.strategy) for row in rows))
    nodes = list(dict.fromkeys(row.node for row in rows))
    bars = max(sum((r.board, r.strategy) == name for r in rows) for name in names) // len(nodes)
    with drawing(10, 1.0 + len(names) * (0.55 + BAR_INCHES * bars)) as sheet:
        axes = sheet.subplots(len(names), len(nodes), sharex=True, squeeze=False)
        for line, (board, strategy) in enumerate(names):
            for place, node in enumerate(nodes):
                own = [r for r in rows if (r.board, r.strategy, r.node) == (board, strategy, node)]
                _bars(axes[line, place], own)
                axes[line, place].set_title(
                    f"{BOARDS[board].title}, {strategy}, {node}", loc="left", fontsize=9
                )
        for axis in axes[-1]:
            axis.set_xlabel("µC a slot")
        handles = [Patch(color=COLOURS[phase], label=PHASE_NAMES[phase]) for phase in PHASES]
        sheet.legend(handles=handles, loc="outside upper center", ncols=5, frameon=False)
        return to_svg(sheet)


def _bars(axis: "Axes", rows: Sequence[EnergyRow]) -> None:
    for place, row in enumerate(rows):
        left = 0.0
        for phase in PHASES:
            width = getattr(row, f"{phase}_uc")
            axis.barh(place, width, left=left, color=COLOURS[phase], height=0.78)
            left += width
        axis.text(left, place, f" {left:.0f}", va="center", ha="left", fontsize=8)
    axis.set_yticks(range(len(rows)), [row.level_name for row in rows])
    axis.set_ylim(len(rows) - 0.4, -0.8)
    axis.spines[["top", "right"]].set_visible(False)
