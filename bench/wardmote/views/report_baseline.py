# SPDX-License-Identifier: BSD-3-Clause
"""Formats what changed in a report since its baseline, and the verdict."""

from collections.abc import Sequence

from wardmote.study.baseline import ReportChange, ReportComparison
from wardmote.views.columns import Fields
from wardmote.views.sections import Section
from wardmote.views.table import Column

MOST_NAMED = 5
"""So many of each kind are named; the table and the data have all of them."""


def figure(value: float | None) -> str:
    """A whole number as it is, others with four digits."""
    if value is None:
        return "not known"
    return f"{value:.0f}" if value == int(value) or abs(value) >= 10_000 else f"{value:.4g}"


def verdict(change: ReportChange) -> str:
    """One word."""
    if change.worse:
        return "WORSE"
    return "better" if change.better else "within tolerance"


_of = Fields(ReportChange)
COLUMNS: tuple[Column[ReportChange], ...] = (
    _of.word("rows", rank=2),
    _of.word("case", rank=0, wrap=True),
    Column("quantity", lambda one: one.quantity.replace("_", " "), text=True, rank=0),
    Column("old", lambda one: figure(one.old), rank=0),
    Column("new", lambda one: figure(one.new), rank=0),
    Column("change %", lambda one: "" if one.percent is None else f"{one.percent:+.1f}", rank=0),
    Column("verdict", verdict, text=True, rank=0),
)


def by_weight(changes: Sequence[ReportChange]) -> list[ReportChange]:
    """What is worse first, and of each kind what changed most."""
    return sorted(
        changes,
        key=lambda one: (
            not one.worse,
            one.better,
            -abs(float("inf") if one.percent is None else one.percent),
        ),
    )


def answer(found: ReportComparison) -> str:
    """The verdict, and what it rests on."""
    count, same = found.compared, found.compared - len(found.changes)
    within = len(found.changes) - len(found.worse) - len(found.better)
    parts = [f"{len(found.worse)} worse", f"{len(found.better)} better", f"{same} the same"]
    if within:
        parts.append(f"{within} worse by no more than {found.tolerance_percent:g} %")
    lines = [f"Of {count} figures, against {found.baseline}: {', '.join(parts)}."]
    for word, changes in (("worse", found.worse), ("better", found.better)):
        ordered = by_weight(changes)
        lines += [f"{word}: {_line(one)}" for one in ordered[:MOST_NAMED]]
        if len(ordered) > MOST_NAMED:
            lines.append(f"{word}: {len(ordered) - MOST_NAMED} more")
    for text, rows in (
        (f"in {found.baseline}, not in this report", found.missing),
        (f"not in {found.baseline}", found.added),
    ):
        lines += [f"{text}: {row}" for row in rows[:MOST_NAMED]]
        if len(rows) > MOST_NAMED:
            lines.append(f"{text}: {len(rows) - MOST_NAMED} more")
    lines += [f"rows of another version, not compared: {one}" for one in found.left_out]
    lines.append("VERDICT: worse" if found.worse else "VERDICT: nothing is worse")
    return "\n".join(lines)


def _line(one: ReportChange) -> str:
    percent = "" if one.percent is None else f" ({one.percent:+.1f} %)"
    return f"{one.quantity} of {one.case}, {figure(one.old)} then, {figure(one.new)} now{percent}"


def conditions(found: ReportComparison) -> list[tuple[str, str]]:
    """What was compared with what."""
    return [
        ("baseline", found.baseline),
        ("tolerance", f"{found.tolerance_percent:g} %"),
    ]


def section(found: ReportComparison) -> Section:
    """The section of the report's page."""
    return Section(
        f"What changed since {found.baseline}?",
        by_weight(found.changes),
        COLUMNS,
        answer(found),
        conditions(found),
    )
