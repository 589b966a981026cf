# SPDX-License-Identifier: BSD-3-Clause
"""Formats what the procedures over the PIB add to a slot."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.policy.measure import PolicyRow
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by

_of = Fields(PolicyRow)
COLUMNS: tuple[Column[PolicyRow], ...] = (
    _of.word("board", rank=0),
    *_of.numbers("devices", "keys", digits=0, rank=0),
    *(_of.number(f"sec{n} + cycles", f"sec{n}_added_cycles", 0, rank=2) for n in (1, 2, 3, 4)),
    _of.number("added us", digits=0, rank=1),
    _of.number("slot us", digits=0, rank=0),
    _of.number("slot with us", digits=0, rank=0),
)


def answer(rows: Sequence[PolicyRow]) -> str:
    """The least and the most on each board."""
    sentences = []
    for board, own in by(rows, lambda row: row.board).items():
        ends = [end(own, key=lambda row: row.slot_with_us) for end in (min, max)]
        parts = " and ".join(
            f"{row.slot_with_us / 1000:.2f} ms ({_count(row.devices, 'device')}, "
            f"{_count(row.keys, 'key')})"
            for row in ends
        )
        sentences.append(
            f"{BOARDS[board].title} at {own[0].clock_hz / 1e6:g} MHz: the shortest deployable slot "
            f"by the software strategy is {own[0].slot_us / 1000:.2f} ms with the rules of the "
            f"TSCH engine, and with the procedures {parts}."
        )
    return " ".join(sentences)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def text(rows: Sequence[PolicyRow]) -> str:
    """For documents: the answer and the table."""
    return f"{answer(rows)}\n\n{to_markdown(rows, COLUMNS)}"
