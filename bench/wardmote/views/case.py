# SPDX-License-Identifier: BSD-3-Clause
"""The columns that name a case in every table of slots."""

from typing import TypeVar

from wardmote.views.columns import Fields
from wardmote.views.table import Column
from wardmote.views.words import Supplied, clock_at

Row = TypeVar("Row", bound=Supplied)


def case_columns(of: Fields[Row], definition: int) -> tuple[Column[Row], ...]:
    """Board, clock, strategy and level, which are always shown, and the definition with this
    rank."""
    return (
        of.word("board", rank=0),
        Column("clock", clock_at, text=True, rank=0),
        of.word("strategy", rank=0),
        of.word("level", "level_name", rank=0),
        of.word("definition", rank=definition),
    )
