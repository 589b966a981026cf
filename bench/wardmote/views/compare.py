# SPDX-License-Identifier: BSD-3-Clause
"""Formats the comparison with the paper."""

from collections.abc import Sequence

from wardmote.study.compare import MEASURED, ComparisonRow, compare
from wardmote.views.columns import Fields
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column


def published_text(row: ComparisonRow) -> str:
    """The printed figure or range."""
    to = "" if row.published_to is None else f" to {row.published_to:g}"
    return f"{row.published:g}{to}"


def ours_text(row: ComparisonRow) -> str:
    """Our figure; both ends of a timing band."""
    ours = f"{row.ours:.3g}" if abs(row.ours) < 1000 else f"{row.ours:.0f}"
    low = ours if row.ours_low is None else f"{row.ours_low:.3g}"
    return ours if low == ours else " to ".join(sorted((low, ours), key=float))


_of = Fields(ComparisonRow)
COLUMNS: tuple[Column[ComparisonRow], ...] = (
    _of.word("figure", rank=0, wrap=True),
    _of.word("unit", rank=0),
    Column("published", published_text, rank=0),
    Column("ours", ours_text, rank=0),
    _of.word("basis", rank=2),
    _of.number("ratio", digits=2, rank=0),
    _of.word("why", wrap=True),
)


def answer(rows: Sequence[ComparisonRow]) -> str:
    """Counts the measured figures, those that agree, and the rest."""
    measured = [row for row in rows if row.basis == MEASURED]
    near = sum(not row.differs for row in measured)
    return (
        f"Of {len(rows)} printed figures, {len(measured)} are measured here: of {near} ours is within "
        f"20 % of the printed figure or range, and of {len(measured) - near} it is not. The other "
        f"{len(rows) - len(measured)} are settings or formats, which prove nothing by agreeing."
    )


@section(60)
def published(report: Report) -> list[Section]:
    """The comparison with the paper."""
    rows = compare(report.rows, report.footprints)
    return [Section("Every published figure beside ours", rows, COLUMNS, answer(rows))]
