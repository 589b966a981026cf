# SPDX-License-Identifier: BSD-3-Clause
"""Formats parameters of the instrument."""

from collections.abc import Sequence

from wardmote.study.parameters import ParameterRow
from wardmote.views.table import Column

COLUMNS: tuple[Column[ParameterRow], ...] = (
    Column("board", lambda row: row.board, text=True, rank=0),
    Column("parameter", lambda row: row.parameter, text=True, rank=0),
    Column("value", lambda row: f"{row.value:g}", rank=0),
    Column("unit", lambda row: row.unit, text=True, rank=0),
    Column("why", lambda row: row.source, text=True, rank=1, wrap=True),
)


def answer(rows: Sequence[ParameterRow]) -> str:
    """Counts the assumed numbers of each board."""
    names = ", ".join(
        f"{sum(row.board == p for row in rows)} on {p}"
        for p in dict.fromkeys(r.board for r in rows)
    )
    return (
        "Numbers of the boards' data files that are assumed, because no datasheet at hand "
        f"prints them: {names}."
    )
