# SPDX-License-Identifier: BSD-3-Clause
"""Formats the comparison with the paper."""

from collections.abc import Sequence

from wardmote.study.compare import ComparisonRow
from wardmote.views.table import Column


def published_text(row: ComparisonRow) -> str:
    """The printed figure or range."""
    to = "" if row.published_to is None else f" to {row.published_to:g}"
    return f"{row.published:g}{to}"


def ours_text(row: ComparisonRow) -> str:
    """Our figure; both ends of a timing band."""
    low = "" if row.ours_low is None else f"{row.ours_low:.3g} to "
    return f"{low}{row.ours:.3g}" if abs(row.ours) < 1000 else f"{low}{row.ours:.0f}"


COLUMNS: tuple[Column[ComparisonRow], ...] = (
    Column("figure", lambda row: row.figure, text=True, rank=0, wrap=True),
    Column("unit", lambda row: row.unit, text=True, rank=0),
    Column("published", published_text, rank=0),
    Column("ours", ours_text, rank=0),
    Column("basis", lambda row: row.basis, text=True, rank=2),
    Column("ratio", lambda row: f"{row.ratio:.2f}", rank=0),
    Column("why", lambda row: row.why, text=True, rank=1, wrap=True),
)


def answer(rows: Sequence[ComparisonRow]) -> str:
    """Counts the figures, and those that differ."""
    far = sum(row.differs for row in rows)
    return (
        f"Of {len(rows)} printed figures, {len(rows) - far} are within 20 % of ours; {far} are "
        "not, and each has a reason."
    )
