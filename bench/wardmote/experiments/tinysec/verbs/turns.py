# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec turns`: why a base receives fewer packets of AE."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NamedTuple

from wardmote.commands.records import LIST, Texts, option
from wardmote.experiments.tinysec import form
from wardmote.experiments.tinysec.intervals import Interval, interval, paired, paired_sums
from wardmote.experiments.tinysec.stacks import STACKS
from wardmote.experiments.tinysec.throughput import Case
from wardmote.experiments.tinysec.turns import measure
from wardmote.experiments.tinysec.verbs.throughput import MOST_SENDERS, senders_text
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing
from wardmote.views.table import Column
from wardmote.views.text import by

COMPARED = ("none", "ae", "none-29", "auth-28")
SHORT, FULL, FULL_SEEDS = (2, 6, 10), (1, 2, 5, 6, 8, 10), 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is measured."""

    full: form.FullOption = False
    senders: Annotated[Texts, option(f"Senders, 1 to {MOST_SENDERS}. {LIST}")] = None
    seeds: form.SeedsOption = None

    def cases(self, board: str, first: int) -> Iterator[Case]:
        """The cases; raises UsageError where an option cannot be."""
        every = FULL if self.full else SHORT
        seconds = load("tinysec")["throughput"]["seconds"]
        for count in form.numbers("number of senders", self.senders, every, 1, MOST_SENDERS):
            for seed in form.seeds_of(self.seeds, first, FULL_SEEDS if self.full else 1):
                for stack in COMPARED:
                    yield Case(board, stack, seed, count, seconds, 0)


@dataclass(frozen=True, slots=True)
class TinysecTurnsRow:
    """So many senders with a stack: means over seeds, and the halves of their intervals of 95 %."""

    board: str
    stack: str
    senders: int
    seconds: int
    seeds: list[int]
    turns: float
    """From a silent channel to the next one."""
    turns_half: float | None
    turns_each: list[int]
    """With each seed."""
    reference: str
    """The stack that it is compared with, at the same seeds."""
    ratio: float | None
    """Of its turns to those of the reference; None: not measured."""
    ratio_half: float | None
    alone: float
    """Turns with a single packet."""
    received: float
    received_each: list[int]
    chance: float
    """Packets received in a turn."""
    chance_half: float | None
    captured: float | None
    """Packets received in a turn in which some collide; None: none do."""
    wardmote: str
    commit: str


def _row(name: str, own: form.Values, beside: form.Values | None) -> Mapping[str, Any]:
    first, reference = own[0], STACKS[name].reference
    turns, alone, received = ([one[what] for one in own] for what in ("turns", "alone", "received"))
    collided = sum(turns) - sum(alone)
    chance, found = paired(received, turns), interval(turns)
    ratio: Interval | None = None
    if beside is not None and name != reference:
        ratio = paired(turns, [one["turns"] for one in beside])
    return {
        **{field: first[field] for field in ("board", "stack", "senders", "seconds")},
        "seeds": [one["seed"] for one in own],
        "turns": found.mean,
        "turns_half": found.half,
        "turns_each": turns,
        "alone": interval(alone).mean,
        "received": interval(received).mean,
        "received_each": received,
        "chance": chance.mean,
        "chance_half": chance.half,
        "captured": (sum(received) - sum(alone)) / collided if collided else None,
        "reference": reference,
        "ratio": ratio and ratio.mean,
        "ratio_half": ratio and ratio.half,
    }


gathered = partial(form.over_seeds, place="senders", row=_row)
"""A row for each stack and number of senders, of the cases of all seeds."""
_of = Fields(TinysecTurnsRow)
COLUMNS: tuple[Column[TinysecTurnsRow], ...] = (
    _of.number("senders", rank=0),
    _of.word("stack", rank=0),
    Column("turns", lambda row: form.with_half(row.turns, row.turns_half, 0), rank=0),
    _of.word("beside", "reference", rank=1),
    Column("ratio", lambda row: form.with_half(row.ratio, row.ratio_half, 3), rank=0),
    _of.number("alone", digits=0, rank=1),
    _of.number("received", digits=0, rank=1),
    Column("in a turn", lambda row: form.with_half(row.chance, row.chance_half, 3), rank=0),
    Column("in a collision", lambda row: form.with_half(row.captured, None, 3), rank=2),
)


class Shares(NamedTuple):
    """What is counted with a stack beside its reference."""

    turns: Interval
    chance: Interval
    """Of what is received in a turn."""
    received: Interval


def over_all(rows: Sequence[TinysecTurnsRow], stack: str) -> Shares:
    """A value for each seed, over all numbers of senders."""
    stacks = by(rows, lambda row: row.stack)
    own = stacks[stack]
    counts = {row.senders for row in own}
    beside = [row for row in stacks[STACKS[stack].reference] if row.senders in counts]
    return Shares(
        paired_sums([row.turns_each for row in own], [row.turns_each for row in beside]),
        paired(_chances(own), _chances(beside)),
        paired_sums([row.received_each for row in own], [row.received_each for row in beside]),
    )


def _chances(rows: Sequence[TinysecTurnsRow]) -> list[float]:
    """With each seed."""
    received = zip(*(row.received_each for row in rows), strict=True)
    turns = zip(*(row.turns_each for row in rows), strict=True)
    return [sum(each) / sum(all_) for each, all_ in zip(received, turns, strict=True)]


def answer(rows: Sequence[TinysecTurnsRow]) -> str:
    """The ratios over all numbers of senders, and of AE over those of the paper's loss."""
    above = load("tinysec")["throughput"]["senders_above"]
    parts = []
    for stack, least, what in (
        ("ae", above + 1, "AE beside plain TinyOS"),
        ("none-29", 1, "plain packets as long as AE's, beside AE"),
        ("auth-28", 1, "Auth's as long, beside AE"),
    ):
        pair = stack, STACKS[stack].reference
        among = [row for row in rows if row.senders >= least and row.stack in pair]
        if not all(any(row.stack == name for row in among) for name in pair):
            continue
        shares, senders = over_all(among, stack), senders_text(among)
        parts.append(
            f"{what}, with {senders}: turns {shares.turns.text(3)}, received in a turn "
            f"{shares.chance.text(3)}, received in all {shares.received.text(3)}"
        )
    return "; ".join(parts) + "." if parts else "No stack was compared with another."


def conditions(rows: Sequence[TinysecTurnsRow]) -> list[tuple[str, str]]:
    """Time and seeds."""
    return [
        ("board", rows[0].board),
        ("counted", f"{rows[0].seconds} s; places and seeds are those of throughput"),
        form.seeds_text(rows),
    ]


def figure(rows: Sequence[TinysecTurnsRow]) -> str:
    """SVG: turns against senders, and what is received in one."""
    with drawing(9, 3.6) as page:
        turns, chances = page.subplots(1, 2)
        for own in by(rows, lambda row: row.stack).values():
            form.line(turns, own, ("senders", "turns"))
            form.line(chances, own, ("senders", "chance"))
        labels = {turns: f"turns in {rows[0].seconds} s", chances: "packets received in a turn"}
        for axis, label in labels.items():
            axis.set(ylabel=label, ylim=(0, None))
        return form.finished(page, "senders")


EXPERIMENT = form.of_network(
    "How many turns do senders take on the channel, and what does a base receive in one?",
    Wanted,
    measure,
    gathered,
    TinysecTurnsRow,
    form.View(
        "tinysec-turns",
        "Turns on the channel, and packets received in one, against senders",
        COLUMNS,
        answer,
        conditions,
        figure,
    ),
)
