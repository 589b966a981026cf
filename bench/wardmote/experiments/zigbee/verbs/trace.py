# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee trace`: the paper's Figs. 7 and 8, the current of a sender over time."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee.energy import PAPER, SHEETS, TIMES
from wardmote.experiments.zigbee.node import PAPERS_BOARDS
from wardmote.experiments.zigbee.trace import (
    ACK,
    AFTER,
    BACKOFF,
    BEFORE,
    ENCRYPTS,
    SENDS,
    STACK,
    ZigbeeTraceRow,
    cases,
    gathered,
    images,
    measure,
)
from wardmote.study.trace import Span, Step, Trace
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by, facts
from wardmote.views.trace import drawn

BEST = "AES tab"
COLOURS = {ENCRYPTS: "#c1443c", STACK: "#e3b23c", SENDS: "#8a97a6", ACK: "#b9c2cc"}
SHOWN = ((PAPER, TIMES), (PAPER, BEST), (SHEETS, BEST))
"""What the chart has."""

_of = Fields(ZigbeeTraceRow)
COLUMNS: tuple[Column[ZigbeeTraceRow], ...] = (
    _of.word("currents", rank=0),
    Column("way", lambda row: f"{row.way} (setting)" if row.setting else row.way, True, 0),
    _of.word("phase", rank=0),
    _of.number("from ms", "begin_ms", 2, rank=1),
    _of.number("to ms", "end_ms", 2, rank=1),
    _of.number("CPU ms", "active_ms", 2, rank=2),
    _of.number("mA", "mean_ma", 2, rank=0),
    _of.number("uJ", "energy_uj", 1, rank=0),
)


def parts(rows: Sequence[ZigbeeTraceRow], source: str, way: str) -> dict[str, float]:
    """The energy of each phase of a packet."""
    return {
        row.phase: row.energy_uj
        for row in rows
        if (row.currents, row.way) == (source, way) and row.phase not in (BEFORE, AFTER)
    }


def answer(rows: Sequence[ZigbeeTraceRow]) -> str:
    """The share of each phase."""
    said = []
    for source, way in SHOWN:
        own = parts(rows, source, way)
        whole = sum(own.values())
        shares = ", ".join(f"{name} {100 * uj / whole:.0f} %" for name, uj in own.items())
        said.append(f"{way} on {source}, {whole:.0f} µJ: {shares}")
    waits = parts(rows, SHEETS, BEST)
    listens = waits[BACKOFF] + waits[ACK]
    return (
        f"{'; '.join(said)}. As it runs, our mote listens through back-off and until its ack, which "
        f"takes {listens:.0f} µJ, {listens / waits[ENCRYPTS]:.0f} times what AES takes."
    )


def conditions(rows: Sequence[ZigbeeTraceRow]) -> list[tuple[str, str]]:
    """What is shown."""
    return [
        ("board", BOARDS[rows[0].board].title),
        ("packet", "16 octets, sent at -15 dBm; at 0 ms its data are there"),
        (PAPER, "9.04 V; a mote that neither computes nor sends sleeps, as in the paper's Fig. 7"),
        (SHEETS, "3 V; the mote as it runs: its radio listens when it does not send"),
        ("setting", "a loop takes the time that the paper prints for a block"),
    ]


def traced(rows: Sequence[ZigbeeTraceRow]) -> Trace:
    """Some of them, one below the other, from the same moment on."""
    found = by(rows, lambda row: (row.currents, row.way))
    wanted = {f"{way}, {source}": found[source, way] for source, way in SHOWN}
    begin = min(own[0].begin_ms for own in wanted.values())
    steps, spans = [], []
    for name, own in wanted.items():
        changes = [(row.phase, ms, ma) for row in own for ms, ma in row.current]
        changes.append((AFTER, own[-1].end_ms, 0.0))
        steps += [Step(name, 1000 * (ms - begin), phase, (), ma) for phase, ms, ma in changes]
        spans += [
            Span(name, row.phase, 1000 * (row.begin_ms - begin), 1000 * (row.end_ms - begin))
            for row in own
        ]
    ends = [1000 * (own[-1].end_ms - begin) for own in wanted.values()]
    return Trace(max(ends), tuple(steps), tuple(spans))


def figure(rows: Sequence[ZigbeeTraceRow]) -> str:
    """SVG: current over time, with the phases behind it."""
    title = "Encrypting and sending 16 octets at -15 dBm"
    return drawn(traced(rows), title, "svg", COLOURS, "ms").decode()


def text(rows: Sequence[ZigbeeTraceRow]) -> str:
    """For documents."""
    chart = "![Current of a sender over time](zigbee-trace.svg)"
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{chart}\n\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = Experiment(
    "What is the current of a mote that encrypts and sends a packet, over time?",
    "picture",
    cases,
    images,
    measure,
    ZigbeeTraceRow,
    COLUMNS,
    answer,
    gathered=lambda values: list(gathered(values)),
    figure=figure,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
