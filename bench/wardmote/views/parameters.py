# SPDX-License-Identifier: BSD-3-Clause
"""Formats parameters of the instrument."""

from collections.abc import Sequence

from wardmote.study.parameters import ParameterRow, assumed
from wardmote.views.columns import Fields
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column
from wardmote.views.text import by

_of = Fields(ParameterRow)
COLUMNS: tuple[Column[ParameterRow], ...] = (
    *_of.words("board", "parameter", rank=0),
    Column("value", lambda row: f"{row.value:g}", rank=0),
    _of.word("unit", rank=0),
    _of.word("why", "source", wrap=True),
)


def answer(rows: Sequence[ParameterRow]) -> str:
    """Counts the assumed numbers of each board."""
    boards = by(rows, lambda row: row.board)
    names = ", ".join(f"{len(own)} on {board}" for board, own in boards.items())
    return (
        "Numbers of the boards' data files that are assumed, because no datasheet at hand "
        f"prints them: {names}."
    )


@section(50)
def assumptions(report: Report) -> list[Section]:
    """Numbers that no datasheet prints."""
    rows = assumed(list(dict.fromkeys(row.board for row in report.rows)))
    return [Section("What is assumed", rows, COLUMNS, answer(rows))]
