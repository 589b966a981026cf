# SPDX-License-Identifier: BSD-3-Clause
"""Formats the account of a slot."""

from collections.abc import Callable, Sequence

from wardmote.boards import BOARDS, SLOT_BOARDS, Board
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import MEASURED_TOGETHER
from wardmote.study.account import AccountRow
from wardmote.study.clocks import clocks_hz
from wardmote.views.columns import Fields
from wardmote.views.document import Blocks
from wardmote.views.table import Column
from wardmote.views.text import by
from wardmote.views.words import clock_at

LEAST_US = 0.5
"""A table leaves parts out that no slot has so much of over the limit."""
VALUES = ("TsTxOffset", "TsMaxTx", "TsTxAckDelay", "TsMaxAck", "rest")
_of = Fields(AccountRow)
COLUMNS: tuple[Column[AccountRow], ...] = (
    *_of.words("board", "strategy", rank=2),
    _of.word("definition", rank=2),
    *_of.words("value", "node", rank=1),
    _of.word("part", rank=0),
    _of.number("us", digits=1, rank=0),
    _of.number("of it in the limit", "limit_us", digits=1, rank=0),
    _of.number("over it", "over_us", digits=1, rank=0),
)


def case(row: AccountRow) -> tuple[str, str, str, str]:
    """Which slot a part belongs to."""
    return row.board, clock_at(row), row.strategy, row.definition


def answer(rows: Sequence[AccountRow]) -> str:
    """Each slot beside its limit, and how much of the difference has a name."""
    lines = []
    for parts in by(rows, case).values():
        one = parts[0]
        named = sum(row.over_us for row in parts)
        lines.append(
            f"{BOARDS[one.board].title} at {clock_at(one)}, {one.strategy}, {one.definition}: "
            f"{one.slot_us:.0f} us, the limit is {one.slot_limit_us:.0f} us, "
            f"{named:.0f} us of the {one.slot_us - one.slot_limit_us:.0f} us between have a name."
        )
    return "\n".join(lines)


def conditions(rows: Sequence[AccountRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    clocks = dict.fromkeys(f"{row.board} {clock_at(row)}" for row in rows)
    return [
        ("security level", LEVEL_NAMES[rows[0].level]),
        ("clock", ", ".join(clocks)),
        ("measured", "one exchange at the shortest template that was proven"),
    ]


def table(rows: Sequence[AccountRow]) -> str:
    """A Markdown table: the limit, every part that is over it, and their sum, with a column for each
    strategy."""
    slots = list(by(rows, case).values())
    names = dict.fromkeys((row.value, row.part) for row in sorted(rows, key=_place))
    body = [["**limit**", *(f"**{parts[0].slot_limit_us:.0f}**" for parts in slots)]]
    for name in names:
        cells = [sum(r.over_us for r in parts if (r.value, r.part) == name) for parts in slots]
        if any(abs(us) >= LEAST_US for us in cells):
            words = name[1] if name[0] in name[1] else f"{name[0]}: {name[1]}"
            body.append([words, *(f"{us:.0f}" if abs(us) >= LEAST_US else "" for us in cells)])
    sums = [parts[0].slot_limit_us + sum(row.over_us for row in parts) for parts in slots]
    body.append(["**sum**", *(f"**{us:.0f}**" for us in sums)])
    body.append(["TsSlotDuration", *(f"{parts[0].slot_us:.0f}" for parts in slots)])
    header = ["µs", *(parts[0].strategy for parts in slots)]
    rule = ["---", *("---:" for _ in slots)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, rule, *body))


def _place(row: AccountRow) -> int:
    return VALUES.index(row.value)


def _rows_of(
    board: str, clock_hz: int, definition: str
) -> Callable[[Sequence[AccountRow]], list[AccountRow]]:
    """The rows of a board's slots at a clock that the data sheets allow, in a definition."""

    def chosen(rows: Sequence[AccountRow]) -> list[AccountRow]:
        return [
            row
            for row in rows
            if (row.board, row.clock_hz, row.definition) == (board, clock_hz, definition)
            and row.supply_v == BOARDS[board].supply.for_clock(clock_hz)
        ]

    return chosen


def _supply(board: Board, clock_hz: int) -> str:
    """What the names of a clock's tables have: nothing for the first clock, its supply for another."""
    first = clock_hz == board.clock_hz
    return "" if first else f"{board.supply.for_clock(clock_hz):g}v-"


CHOSEN = {
    f"{name}-{_supply(board, clock_hz)}{definition}": _rows_of(name, clock_hz, definition)
    for name, board in SLOT_BOARDS.items()
    for clock_hz in clocks_hz(board)
    for definition in MEASURED_TOGETHER
}
"""The rows of each table."""


def _table_of(name: str) -> Callable[[Sequence[AccountRow]], str]:
    return lambda rows: table(CHOSEN[name](rows))


BLOCKS: Blocks[Sequence[AccountRow]] = Blocks("account", {name: _table_of(name) for name in CHOSEN})


def blocks_of(rows: Sequence[AccountRow]) -> Blocks[Sequence[AccountRow]]:
    """The tables that these rows fill; the others of a document stay as they are."""
    return Blocks("account", {name: _table_of(name) for name in CHOSEN if CHOSEN[name](rows)})
