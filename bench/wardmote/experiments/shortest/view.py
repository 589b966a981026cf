# SPDX-License-Identifier: BSD-3-Clause
"""Formats the shortest slots ahead of the slot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS
from wardmote.experiments.shortest.cases import EXCHANGES, LEVEL
from wardmote.experiments.shortest.rows import ShortestRow
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import DEPLOYABLE, FULL, PAPER
from wardmote.measurements.slot.setting import ASH_FORMS, FRAME_OCTETS
from wardmote.units import TICKS_PER_S
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by, facts
from wardmote.views.words import clock_at

TITLES = {DEPLOYABLE: "deployable", FULL: "127 octets alone", PAPER: "paper's definition"}
_of = Fields(ShortestRow)
COLUMNS: tuple[Column[ShortestRow], ...] = (
    _of.word("board", rank=0),
    Column("clock", clock_at, rank=1, text=True),
    _of.word("strategy", rank=0),
    Column("timer", lambda row: timer(row), rank=0, text=True),
    Column("procedures", lambda row: "yes" if row.procedures else "no", rank=0, text=True),
    _of.word("ash", rank=0),
    _of.word("definition", rank=0),
    _of.number("slot us", "ts_slot_duration_us", 0, rank=0),
    _of.number("limit us", "limit_us", 0, rank=2),
    _of.number("energy uJ", "energy_uj", 0, rank=2),
    _of.number("receiver uJ", "energy_receiver_uj", 0, rank=2),
    _of.number("TsTxOffset us", "ts_tx_offset_us", 0, rank=3),
    _of.number("TsTxAckDelay us", "ts_tx_ack_delay_us", 0, rank=3),
    Column("proof", lambda row: proof(row), rank=1, text=True),
)


@dataclass(frozen=True, slots=True)
class Line:
    """The rows of a strategy at a clock, with a timer."""

    rows: Sequence[ShortestRow]

    @property
    def first(self) -> ShortestRow:
        """It stands for board, clock, timer and strategy."""
        return self.rows[0]

    def slots(self, definition: str, *, procedures: bool) -> str:
        """In ms, by the forms of the ASH; empty where none was measured."""
        found = {
            row.ash: row
            for row in self.rows
            if (row.definition, row.procedures) == (definition, procedures)
        }
        return " / ".join(_ms(found[ash]) for ash in ASH_FORMS if ash in found)


def lines(rows: Sequence[ShortestRow]) -> list[Line]:
    """A line for each board, clock, timer and strategy."""
    groups = by(rows, lambda row: (row.board, row.clock_hz, row.tick_hz, row.strategy))
    return [Line(own) for own in groups.values()]


def timer(row: ShortestRow) -> str:
    """The frequency of the timer that tells the slots."""
    return f"{row.tick_hz} Hz"


def energy(line: Line) -> str:
    """Of a deployable slot without the procedures: sender and receiver."""
    [row] = [
        row
        for row in line.rows
        if (row.definition, row.procedures, row.ash) == (DEPLOYABLE, False, next(iter(ASH_FORMS)))
    ]
    return f"{row.energy_uj:.0f} / {row.energy_receiver_uj:.0f}"


def _ms(row: ShortestRow) -> str:
    return f"{row.ts_slot_duration_us / 1000:.2f}"


def proof(row: ShortestRow) -> str:
    """How many exchanges prove it, or what is wrong."""
    if row.proven:
        return f"{row.exchanges} ok"
    if row.lost or row.late:
        return f"{row.lost} lost, {row.late} late"
    return "a tick less holds"


def _slots(definition: str, *, procedures: bool) -> Callable[[Line], str]:
    return lambda line: line.slots(definition, procedures=procedures)


LINE_COLUMNS: tuple[Column[Line], ...] = (
    Column("board", lambda line: BOARDS[line.first.board].title, text=True),
    Column("clock and supply", lambda line: clock_at(line.first), text=True),
    Column("timer", lambda line: timer(line.first), text=True),
    Column("strategy", lambda line: line.first.strategy, text=True),
    *(
        Column(f"{title}{end}", _slots(definition, procedures=bool(end)))
        for definition, title in TITLES.items()
        for end in ("", ", PIB")
    ),
    Column("uJ", energy),
)


def answer(rows: Sequence[ShortestRow]) -> str:
    """The deployable slot of each strategy, with the ASH of the paper and that of 6TiSCH."""
    sentences = []
    for own in by(rows, lambda row: (row.board, row.clock_hz, row.tick_hz)).values():
        said = ", ".join(
            f"{line.first.strategy} {line.slots(DEPLOYABLE, procedures=False)}"
            for line in lines(own)
        )
        fine = f", timer of {timer(own[0])}" if own[0].tick_hz != TICKS_PER_S else ""
        sentences.append(f"{BOARDS[own[0].board].title} ({clock_at(own[0])}{fine}): {said}.")
    proven = sum(row.proven for row in rows)
    return (
        f"Shortest deployable slots ahead of the slot, ms, ASH {' / '.join(ASH_FORMS)}. "
        f"{' '.join(sentences)} {proven} of {len(rows)} slots are proven."
    )


def _limits(rows: Sequence[ShortestRow]) -> str:
    """The limit of each definition."""
    ends = by(rows, lambda row: row.definition)
    return ", ".join(
        f"{own[0].limit_us / 1000:.2f} ms {TITLES[name]}" for name, own in ends.items()
    )


def conditions(rows: Sequence[ShortestRow]) -> list[tuple[str, str]]:
    """What all rows depend on."""
    timers = by(rows, lambda row: row.tick_hz)
    return [
        ("security", f"{LEVEL_NAMES[LEVEL]}, frame of {FRAME_OCTETS} octets"),
        (
            "slots",
            f"ms, with the ASH {' / '.join(ASH_FORMS)}: {_octets('paper')} octets with the counter, "
            f"{_octets('6tisch')} without",
        ),
        (
            "proof",
            f"{EXCHANGES} exchanges of each, none lost, whichever mote has the faster clock; a slot "
            "fails if any one of its three values is a tick less",
        ),
        (
            "frames",
            f"{TITLES[DEPLOYABLE]}: of all lengths; {TITLES[FULL]}, {TITLES[PAPER]}: a shorter frame "
            "may be lost",
        ),
        (
            "PIB",
            "the procedures decide about each frame by the tables of a PIB, besides the engine",
        ),
        (
            "uJ",
            "energy of an exchange in the deployable slot with the ASH "
            f"{next(iter(ASH_FORMS))}, sender / receiver, each slot used",
        ),
        ("physical limit", "the radio and the guard times alone, which are whole ticks"),
        *((f"limit, timer of {timer(own[0])}", _limits(own)) for own in timers.values()),
    ]


def _octets(ash: str) -> int:
    """Of an ASH."""
    return ASH_FORMS[ash].octets(LEVEL)


def text(rows: Sequence[ShortestRow]) -> str:
    """For documents."""
    return f"{facts(conditions(rows))}\n{to_markdown(lines(rows), LINE_COLUMNS)}"
