# SPDX-License-Identifier: BSD-3-Clause
"""Formats the account of a slot."""

from collections.abc import Callable, Sequence

from wardmote.boards import BOARDS, SLOT_BOARDS
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import MEASURED_TOGETHER
from wardmote.study.account import AccountRow
from wardmote.views.columns import Fields
from wardmote.views.document import Blocks
from wardmote.views.table import Column
from wardmote.views.text import by

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


def case(row: AccountRow) -> tuple[str, str, str]:
    """Which slot a part belongs to."""
    return row.board, row.strategy, row.definition


def answer(rows: Sequence[AccountRow]) -> str:
    """Each slot beside its limit, and how much of the difference has a name."""
    lines = []
    for parts in by(rows, case).values():
        one = parts[0]
        named = sum(row.over_us for row in parts)
        lines.append(
            f"{BOARDS[one.board].title}, {one.strategy}, {one.definition}: "
            f"{one.slot_us:.0f} us, the limit is {one.slot_limit_us:.0f} us, "
            f"{named:.0f} us of the {one.slot_us - one.slot_limit_us:.0f} us between have a name."
        )
    return "\n".join(lines)


def conditions(rows: Sequence[AccountRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    clocks = dict.fromkeys(f"{row.board} {row.clock_hz / 1e6:g} MHz" for row in rows)
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


def _block(board: str, definition: str) -> Callable[[Sequence[AccountRow]], str]:
    """The table of a board's slots in a definition."""

    def made(rows: Sequence[AccountRow]) -> str:
        return table([row for row in rows if (row.board, row.definition) == (board, definition)])

    return made


BLOCKS: Blocks[Sequence[AccountRow]] = Blocks(
    "account",
    {
        f"{board}-{definition}": _block(board, definition)
        for board in SLOT_BOARDS
        for definition in MEASURED_TOGETHER
    },
)
