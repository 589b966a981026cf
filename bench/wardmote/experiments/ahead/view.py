# SPDX-License-Identifier: BSD-3-Clause
"""Formats what an exchange takes ahead of its slot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS
from wardmote.experiments.ahead.cases import ASH, AT_ONCE, EXCHANGES, LEVEL
from wardmote.experiments.ahead.measure import EQUAL, SHORTEST, AheadRow
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import DEPLOYABLE
from wardmote.measurements.slot.setting import FRAME_OCTETS
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by, facts

_of = Fields(AheadRow)
COLUMNS: tuple[Column[AheadRow], ...] = (
    _of.word("board", rank=0),
    _of.word("strategy", rank=0),
    _of.word("template", rank=0),
    _of.number("slot us", digits=0, rank=1),
    _of.number("empty %", "empty_percent", 0, rank=0),
    _of.number("exchanges", digits=0, rank=4),
    _of.number("sender uJ", "sender_uj", 0, rank=0),
    _of.number("receiver uJ", "receiver_uj", 0, rank=0),
    _of.number("sender more %", "sender_more_percent", 1, rank=1),
    _of.number("receiver more %", "receiver_more_percent", 1, rank=1),
    *(
        _of.number(f"{node} {what}", digits=0, rank=rank)
        for node, rank in (("sender", 3), ("receiver", 2))
        for what in ("made", "used", "wiped")
    ),
)
SLOTS = {SHORTEST: "with each in its own shortest slot", EQUAL: "in equal slots"}


@dataclass(frozen=True, slots=True)
class Line:
    """The rows of one strategy at one template, by their share of empty cells."""

    rows: Sequence[AheadRow]

    @property
    def first(self) -> AheadRow:
        """The row without empty cells, which stands for board, strategy and template."""
        return self.rows[0]

    def at(self, empty_percent: int) -> AheadRow:
        """The row with this share of empty cells."""
        [found] = [row for row in self.rows if row.empty_percent == empty_percent]
        return found


def lines(rows: Sequence[AheadRow]) -> list[Line]:
    """A line for each board, template and strategy."""
    groups = by(rows, lambda row: (row.board, row.template, row.strategy))
    return [Line(sorted(own, key=lambda row: row.empty_percent)) for own in groups.values()]


def energies(row: AheadRow) -> str:
    """Both nodes, and what they take more than at once."""
    text = f"{row.sender_uj:.0f} / {row.receiver_uj:.0f}"
    return text if row.sender_more_percent is None else f"{text} ({more(row)})"


def more(row: AheadRow) -> str:
    """What both nodes take more than at once."""
    return f"{_signed(row.sender_more_percent)} / {_signed(row.receiver_more_percent)} %"


def _signed(percent: float | None) -> str:
    return "" if percent is None else f"{round(percent, 1) + 0.0:+.1f}".replace("-", "−")


def _energies_at(empty_percent: int) -> Callable[[Line], str]:
    return lambda line: energies(line.at(empty_percent))


def line_columns(rows: Sequence[AheadRow]) -> list[Column[Line]]:
    """A table of energies with a column for each share of empty cells."""
    return [
        Column("board", lambda line: line.first.board, text=True),
        Column("slot", lambda line: line.first.template, text=True),
        Column("ms", lambda line: f"{line.first.slot_us / 1000:.2f}"),
        Column("strategy", lambda line: line.first.strategy, text=True),
        *(
            Column(f"{percent} % empty", _energies_at(percent))
            for percent in sorted({row.empty_percent for row in rows})
        ),
    ]


@dataclass(frozen=True, slots=True)
class Pair:
    """A strategy ahead of the slot and the same AES at once, on a board."""

    board: str
    strategy: str
    ahead: dict[str, Line]
    at_once: dict[str, Line]
    """By the template."""

    def more_at(self, template: str, empty_percent: int) -> str:
        """What an exchange takes more, with the empty cells that come with it."""
        return more(self.ahead[template].at(empty_percent))

    def empty_cell(self, template: str) -> str:
        """What a cell that stays empty takes, and what it takes at once, in uJ."""
        ours, theirs = (_of_empty(line[template]) for line in (self.ahead, self.at_once))
        return f"{ours} ({theirs})"


def _of_empty(line: Line) -> str:
    """With half of the cells empty one comes with each exchange."""
    none, half = line.at(0), line.at(50)
    sender, receiver = half.sender_uj - none.sender_uj, half.receiver_uj - none.receiver_uj
    return f"{sender:.0f} / {receiver:.0f}"


def pairs(rows: Sequence[AheadRow]) -> list[Pair]:
    """Each strategy ahead of each board."""
    found = {
        (line.first.board, line.first.template, line.first.strategy): line for line in lines(rows)
    }
    return [
        Pair(
            board,
            strategy,
            {template: found[board, template, strategy] for template in SLOTS},
            {template: found[board, template, AT_ONCE[strategy]] for template in SLOTS},
        )
        for board in dict.fromkeys(row.board for row in rows)
        for strategy in AT_ONCE
    ]


def summary(rows: Sequence[AheadRow]) -> str:
    """What each takes more, sender and receiver, in both slots."""
    most = max(row.empty_percent for row in rows)

    def of(what: Callable[[Pair, str], str], template: str) -> Callable[[Pair], str]:
        return lambda pair: what(pair, template)

    asked: dict[str, Callable[[Pair, str], str]] = {
        "no cell empty": lambda pair, template: pair.more_at(template, 0),
        f"{most} % of cells empty": lambda pair, template: pair.more_at(template, most),
        "uJ of an empty cell (at once)": Pair.empty_cell,
    }
    columns = [
        Column[Pair]("board", lambda pair: BOARDS[pair.board].title, text=True),
        Column[Pair]("strategy", lambda pair: pair.strategy, text=True),
        *(
            Column(f"{name}, {template} slot", of(what, template))
            for name, what in asked.items()
            for template in SLOTS
        ),
    ]
    return to_markdown(pairs(rows), columns)


BLOCK_COLUMNS: tuple[Column[AheadRow], ...] = (
    _of.number("empty %", "empty_percent", 0),
    *(
        _of.number(f"{node}: {what}", f"{node}_{what}", 1)
        for node in ("sender", "receiver")
        for what in ("made", "used", "wiped")
    ),
)


def block_table(rows: Sequence[AheadRow]) -> str:
    """Blocks by the share of empty cells. Boards, strategies and templates that count the same share a
    table."""
    counted = [row for row in rows if row.receiver_made is not None]
    of_lines = by(lines(counted), lambda line: to_markdown(line.rows, BLOCK_COLUMNS))
    parts = []
    for table, own in of_lines.items():
        groups = by(own, lambda line: line.first.board)
        who = "; ".join(
            f"{board}: {', '.join(dict.fromkeys(line.first.strategy for line in its))}"
            for board, its in groups.items()
        )
        parts.append(f"Blocks of AES of one exchange, {who}:\n\n{table}")
    return "\n".join(parts)


def answer(rows: Sequence[AheadRow]) -> str:
    """What each strategy ahead takes more than the same AES at once, without empty cells and with the
    greatest share of them."""
    sentences = []
    for board, own in by(rows, lambda row: row.board).items():
        most = max(row.empty_percent for row in own)
        strategies = "; ".join(_said(own, strategy) for strategy in AT_ONCE)
        sentences.append(
            f"{BOARDS[board].title}, energy of an exchange more than with the same AES at once, sender "
            f"/ receiver, with no cell empty and with {most} % of them empty: {strategies}."
        )
    return " ".join(sentences)


def _said(rows: Sequence[AheadRow], strategy: str) -> str:
    """Both comparisons of one strategy on a board."""
    parts = []
    for template, where in SLOTS.items():
        own = [row for row in rows if (row.strategy, row.template) == (strategy, template)]
        least, most = (end(own, key=lambda row: row.empty_percent) for end in (min, max))
        parts.append(f"{more(least)} and {more(most)} {where}")
    return f"{strategy} {', '.join(parts)}"


def conditions(rows: Sequence[AheadRow]) -> list[tuple[str, str]]:
    """What all rows depend on."""
    boards = {row.board: row for row in rows}.values()
    clocks = [f"{r.board} {r.clock_hz / 1e6:g} MHz at {r.supply_v:g} V" for r in boards]
    equal = {r.board: r for r in rows if r.template == EQUAL}.values()
    slots = [f"{r.board} {r.slot_us / 1000:.2f} ms" for r in equal]
    return [
        ("security", f"{LEVEL_NAMES[LEVEL]}, frame of {FRAME_OCTETS} octets, ASH {ASH}"),
        ("clock", ", ".join(clocks)),
        ("shortest slot", f"the shortest {DEPLOYABLE} one, proven by {EXCHANGES} exchanges"),
        (
            "equal slot",
            f"the most that one of the strategies needs of each value: {', '.join(slots)}",
        ),
        (
            "energy",
            "uJ of sender / receiver, the whole mote, from the meters: a cell with an exchange, and the "
            "empty cells that come with it, in which the receiver listens in vain. In brackets: more "
            "than the strategy above, which has the same AES at once. Slots of beacons are left out",
        ),
        (
            "blocks",
            "keystream and CBC-MAC made ahead, from the nodes' counters `made` and `wasted`",
        ),
    ]


def text(rows: Sequence[AheadRow]) -> str:
    """For documents."""
    return (
        "Energy more than with the same AES at once, sender / receiver:\n\n"
        f"{summary(rows)}\n{facts(conditions(rows))}\n"
        f"{to_markdown(lines(rows), line_columns(rows))}\n"
        f"{block_table(rows)}"
    )
