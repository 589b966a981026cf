# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec trace`: the paper's Fig. 2, the current of a sender over time."""

from collections.abc import Sequence

from wardmote.experiments.tinysec.forms import of_senders
from wardmote.experiments.tinysec.stacks import TITLES
from wardmote.experiments.tinysec.trace import (
    AFTER,
    BEFORE,
    COMPUTATION,
    FLUSH,
    PACKET,
    SYMBOL,
    TinysecTraceRow,
    cases,
    gathered,
    measure,
)
from wardmote.study.trace import Span, Step, Trace
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by
from wardmote.views.trace import drawn

COLOURS = {COMPUTATION: "#c1443c", SYMBOL: "#e3b23c", PACKET: "#8a97a6", FLUSH: "#b9c2cc"}

_of = Fields(TinysecTraceRow)
COLUMNS: tuple[Column[TinysecTraceRow], ...] = (
    *_of.words("stack", "phase", rank=0),
    _of.number("from ms", "begin_ms", 2, rank=0),
    _of.number("to ms", "end_ms", 2, rank=0),
    _of.number("CPU ms", "active_ms", 2, rank=0),
    _of.number("mA", "mean_ma", 2, rank=0),
    _of.number("most mA", digits=2, rank=1),
    _of.number("uC", "charge_uc", 1, rank=0),
)


def sending_ms(rows: Sequence[TinysecTraceRow]) -> float:
    """From leaving the receiver to coming back."""
    inside = [row for row in rows if row.phase not in (BEFORE, AFTER)]
    return inside[-1].end_ms - inside[0].begin_ms


def answer(rows: Sequence[TinysecTraceRow]) -> str:
    """How much longer each stack sends, and computes."""
    parts = []
    stacks = by(rows, lambda row: row.stack)
    least = sending_ms(stacks["none"])
    for stack, own in stacks.items():
        [made] = [row for row in own if row.phase == COMPUTATION]
        ms = made.end_ms - made.begin_ms
        longer = sending_ms(own) - least
        more = f", sends {longer:.2f} ms longer" if longer else ""
        parts.append(f"{TITLES[stack]} computes for {ms:.2f} ms in its start symbol{more}")
    return f"{'; '.join(parts)}. An interrupt an octet is a step of the current."


def traced(rows: Sequence[TinysecTraceRow]) -> Trace:
    """The three, one below the other, from the same moment on; nothing behind their ends."""
    begin = min(row.begin_ms for row in rows)
    steps = [
        Step(TITLES[row.stack], 1000 * (ms - begin), row.phase, (), ma)
        for row in rows
        for ms, ma in (*row.current, *([(row.end_ms, 0.0)] if row.phase == AFTER else []))
    ]
    spans = [
        Span(
            TITLES[row.stack], row.phase, 1000 * (row.begin_ms - begin), 1000 * (row.end_ms - begin)
        )
        for row in rows
    ]
    ends = [1000 * (own[-1].end_ms - begin) for own in by(rows, lambda row: row.stack).values()]
    return Trace(max(ends), tuple(steps), tuple(spans))


def figure(rows: Sequence[TinysecTraceRow]) -> str:
    """SVG: the current of each stack, with its phases behind it."""
    row = rows[0]
    title = f"Sending {row.data_octets} octets of data, PA_POW {row.power:#04x}"
    return drawn(traced(rows), title, "svg", COLOURS, "ms").decode()


def text(rows: Sequence[TinysecTraceRow]) -> str:
    """For documents."""
    chart = "![Current of a sender over time](tinysec-trace.svg)"
    return f"{answer(rows)}\n\n{chart}\n\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = of_senders(
    "What is the current of a mote that sends a packet, over time?",
    cases,
    measure,
    TinysecTraceRow,
    COLUMNS,
    answer,
    gathered=gathered,
    figure=figure,
    text=text,
)
