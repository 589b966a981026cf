# SPDX-License-Identifier: BSD-3-Clause
"""Formats the list of a paper's claims with our verdicts."""

from collections.abc import Sequence

from wardmote.study.claims.judge import FAILS, HOLDS, MEASURED, UNJUDGED, ClaimFigure, ClaimRow
from wardmote.study.claims.slot import slot_claims
from wardmote.views.columns import Fields
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import bullets, by


def shown_number(value: float) -> str:
    """Three digits, all of a whole number."""
    return f"{value:.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"


def figure_text(one: ClaimFigure) -> str:
    """Name, value or range, and unit."""
    to = "" if one.to is None else f" to {shown_number(one.to)}"
    return " ".join(filter(None, (one.name, f"{shown_number(one.value)}{to}", one.unit)))


def figures_text(figures: Sequence[ClaimFigure]) -> str:
    """All of them."""
    return "; ".join(map(figure_text, figures))


def why_text(row: ClaimRow) -> str:
    """The reason and what has to be known."""
    return " ".join(filter(None, (row.why, row.note)))


def basis_text(row: ClaimRow) -> str:
    """What a verdict rests on; nothing where there is none."""
    return "" if row.verdict == UNJUDGED else row.basis


def shown_text(row: ClaimRow) -> str:
    """A link to a document, or the name of a section of the report."""
    if row.shown.startswith("report: "):
        return row.shown
    link = row.shown.removeprefix("docs/") if "/" in row.shown else f"../{row.shown}"
    return f"[{row.shown.rpartition('/')[2]}]({link})"


_of = Fields(ClaimRow)
COLUMNS: tuple[Column[ClaimRow], ...] = (
    _of.word("at", rank=0, wrap=True),
    _of.word("the paper says", "says", rank=0, wrap=True),
    Column("printed", lambda row: figures_text(row.printed), text=True, rank=2, wrap=True),
    Column("ours", lambda row: figures_text(row.ours), text=True, rank=1, wrap=True),
    _of.word("verdict", rank=0),
    Column("basis", basis_text, text=True, rank=3),
    Column("why", why_text, text=True, rank=2, wrap=True),
    _of.word("shown", rank=4, wrap=True),
)
DOCUMENT: tuple[Column[ClaimRow], ...] = (
    *(column for column in COLUMNS if column.name not in ("why", "shown")),
    Column("why", lambda row: row.note if row.verdict == UNJUDGED else why_text(row), text=True),
    Column("shown", shown_text, text=True),
)
"""Columns of the document, which says once why something cannot be judged."""


def answer(rows: Sequence[ClaimRow]) -> str:
    """Counts the verdicts, those from measurements apart."""
    counts = {
        (verdict, measured): sum(
            row.verdict == verdict and (row.basis == MEASURED) == measured for row in rows
        )
        for verdict in (HOLDS, FAILS, UNJUDGED)
        for measured in (True, False)
    }
    other = counts[HOLDS, False], counts[FAILS, False]
    return (
        f"Of {len(rows)} claims of the paper, tables and figures included, {counts[HOLDS, True]} "
        f"hold by our measurements and {counts[FAILS, True]} do not. {sum(other)} are about formats "
        f"and settings, which no measurement decides: {other[0]} of them agree with ours and "
        f"{other[1]} do not. {counts[UNJUDGED, True] + counts[UNJUDGED, False]} cannot be judged."
    )


def unjudged(rows: Sequence[ClaimRow]) -> str:
    """Each reason why claims cannot be judged, once, with the claims that it applies to."""
    found = by((row for row in rows if row.verdict == UNJUDGED), lambda row: row.why)
    return bullets(f"{'; '.join(row.at for row in own)}: {why}" for why, own in found.items())


def block(rows: Sequence[ClaimRow]) -> str:
    """The list for a document, and what cannot be judged, each reason once."""
    return f"{answer(rows)}\n\n{to_markdown(rows, DOCUMENT)}\n{unjudged(rows)}"


@section(65)
def claimed(report: Report) -> list[Section]:
    """The claims of the paper on timeslot length."""
    rows = slot_claims(report.rows, report.footprints)
    return [Section("What the paper claims, and our verdicts", rows, COLUMNS, answer(rows))]
