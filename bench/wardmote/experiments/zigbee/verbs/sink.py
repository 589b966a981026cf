# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee sink`: the paper's Fig. 2, and the question of its section 5.2."""

from collections.abc import Sequence

from wardmote.boards import BOARDS, Board
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee import sink
from wardmote.experiments.zigbee.energy import TIMES
from wardmote.experiments.zigbee.node import PAPERS_BOARDS
from wardmote.experiments.zigbee.pace import BOTH
from wardmote.experiments.zigbee.rate import CLEAR
from wardmote.experiments.zigbee.sink import PAIRS, SINK, Crowd, ZigbeeSinkRow, images, measure
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by, facts

BEST = "AES tab"
STYLES = {
    CLEAR: ("#8a97a6", "o"),
    BEST: ("#4f8a5b", "s"),
    TIMES: ("#e3b23c", "^"),
    BOTH: ("#c1443c", "v"),
}
"""Colour and mark of lines."""


def cases(board: Board, seed: int) -> list[Crowd]:
    """All."""
    return list(sink.cases_of(board.name, seed))


_of = Fields(ZigbeeSinkRow)
COLUMNS: tuple[Column[ZigbeeSinkRow], ...] = (
    _of.word("network", rank=0),
    _of.word("way", rank=0),
    _of.number("senders", rank=0),
    _of.number("offered/s", "offered_per_s", 1, rank=0),
    _of.number("acked/s", "sent_per_s", 1, rank=1),
    _of.number("taken/s", "packets_per_s", 1, rank=0),
    _of.number("lost/s", "lost_per_s", 1, rank=0),
    _of.number("kbit/s", "kbps", 1, rank=2),
    Column("CPU %", lambda row: f"{100 * row.busy:.0f}", rank=0),
    _of.number("overflows/s", "overflows_per_s", 1, rank=2),
    _of.number("retries/s", "retries_per_s", 0, rank=1),
    _of.number("resent/s", "resent_per_s", 0, rank=2),
)


def of_way(rows: Sequence[ZigbeeSinkRow], way: str, network: str = SINK) -> list[ZigbeeSinkRow]:
    """Rows of a line of the chart."""
    return [row for row in rows if (row.way, row.network) == (way, network)]


def fullest(rows: Sequence[ZigbeeSinkRow]) -> ZigbeeSinkRow:
    """That with the most packets."""
    return max(rows, key=lambda row: row.packets_per_s)


def answer(rows: Sequence[ZigbeeSinkRow]) -> str:
    """What is full first, air or CPU."""
    clear, ours, paper = (fullest(of_way(rows, way)) for way in (CLEAR, BEST, TIMES))
    both = of_way(rows, BOTH)
    worst = max(both, key=lambda row: row.lost_per_s)
    [pair] = [row for row in of_way(rows, BOTH, PAIRS) if row.senders == worst.senders]
    [bare] = [row for row in of_way(rows, CLEAR) if row.senders == worst.senders]
    last = of_way(rows, BEST)[-1]
    return (
        f"The air is full before a sink's CPU is. In clear it takes {clear.packets_per_s:.0f} packets "
        f"a second at most, from {clear.senders} senders; with our AES {ours.packets_per_s:.0f}, and "
        f"its CPU works {100 * ours.busy:.0f} % of the time; with the paper's AES {paper.packets_per_s:.0f}, "
        f"{100 * paper.busy:.0f} %. So a coprocessor gains a sink nothing. It would with the paper's AES "
        f"and its stack: from {worst.senders} senders the sink takes {worst.packets_per_s:.0f} packets "
        f"a second in place of {bare.packets_per_s:.0f}, and loses {worst.lost_per_s:.0f} more that its "
        f"radio has acknowledged; where each sender has a receiver of its own, they take "
        f"{pair.packets_per_s:.0f}. With {last.senders} senders CSMA-CA breaks down whoever decrypts: "
        f"of {last.offered_per_s:.0f} packets a second {last.packets_per_s:.0f} arrive."
    )


def conditions(rows: Sequence[ZigbeeSinkRow]) -> list[tuple[str, str]]:
    """What senders do."""
    printed = load("zigbee")["result"]["plain_ms_per_packet"]
    return [
        ("board", BOARDS[rows[0].board].title),
        (
            "senders",
            f"each has a packet of 16 octets every {printed:g} ms, the paper's, give or take "
            f"{100 * sink.SPREAD:.0f} %, once the one before is acknowledged; all hear each other",
        ),
        ("counted", f"{sink.COUNTED_MS / 1000:g} s, after {sink.SETTLE_MS / 1000:g} s"),
        ("pairs", "each sender has a receiver of its own: the paper's distributed network"),
        ("lost", "acknowledged by the receiver's radio, but not taken out of it in time"),
        (
            "the paper's AES",
            "a setting: a loop takes the time that it prints for a block; with its stack, for that too",
        ),
        ("seed", f"{rows[0].seed} alone: from 12 senders on rows differ by chance as well"),
    ]


def figure(rows: Sequence[ZigbeeSinkRow]) -> str:
    """SVG: packets taken, and how busy the sink is, against senders."""
    with drawing(9, 3.4) as page:
        taken, busy = page.subplots(1, 2)
        for (way, network), own in by(rows, lambda row: (row.way, row.network)).items():
            colour, mark = STYLES[way]
            style = {"color": colour, "marker": mark, "markersize": 4, "linewidth": 1}
            dashes = "--" if network == PAIRS else "-"
            across = [row.senders for row in own]
            name = f"{way}, {network}"
            for axis, up in (
                (taken, [row.packets_per_s for row in own]),
                (busy, [100 * row.busy for row in own]),
            ):
                axis.plot(across, up, label=name, linestyle=dashes, **style)
        sinks = of_way(rows, CLEAR)
        offered = [row.offered_per_s for row in sinks]
        taken.plot([row.senders for row in sinks], offered, color="black", linewidth=0.6)
        taken.set_ylabel("packets taken in a second (thin: offered)")
        busy.set_ylabel("CPU of a receiver, %")
        busy.set_ylim(0, 100)
        taken.set_ylim(bottom=0)
        for axis in (taken, busy):
            axis.set_xlabel("senders")
            axis.spines[["top", "right"]].set_visible(False)
        taken.legend(fontsize=7, frameon=False)
        return to_svg(page)


def text(rows: Sequence[ZigbeeSinkRow]) -> str:
    """For documents."""
    chart = "![Packets that a sink takes from many senders](zigbee-sink.svg)"
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{chart}\n\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = Experiment(
    "Is a sink that decrypts for many senders too slow?",
    "picture",
    cases,
    images,
    measure,
    ZigbeeSinkRow,
    COLUMNS,
    answer,
    figure=figure,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
