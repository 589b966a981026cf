# SPDX-License-Identifier: BSD-3-Clause
"""Formats the changes since a baseline."""

from wardmote.measurements.function.baseline import Change, Comparison
from wardmote.views.columns import Fields
from wardmote.views.table import Column, number

HOLDS = {None: "", 0: "NO", 1: "yes"}


def _value(change: Change, value: int | None) -> str:
    return HOLDS[value] if change.quantity == "constant_time" else number(value)


_of = Fields(Change)
COLUMNS: tuple[Column[Change], ...] = (
    _of.word("cpu", rank=0),
    _of.word("function", "operation", rank=0),
    _of.number("octets"),
    Column("quantity", lambda change: change.quantity.replace("_", " "), text=True, rank=0),
    Column("old", lambda change: _value(change, change.old), rank=0),
    Column("new", lambda change: _value(change, change.new), rank=0),
    Column("change %", lambda change: "" if change.percent is None else f"{change.percent:+.1f}"),
    Column("worse", lambda change: "WORSE" if change.worse else "", text=True, rank=0),
)


def answer(comparison: Comparison) -> str:
    """Names what is worse and what cannot be compared."""
    lines = [
        f"worse than {comparison.baseline}: {change.quantity} of {change.operation} "
        f"({change.octets} octets) on {change.cpu}, {_value(change, change.old) or 'not known'} "
        f"then, {_value(change, change.new) or 'not known'} now"
        for change in comparison.worse
    ]
    lines += [f"in {comparison.baseline}, not measured now: {row}" for row in comparison.missing]
    lines += [f"not in {comparison.baseline}: {row}" for row in comparison.added]
    lines += [f"another compiler on {text}" for text in comparison.compilers]
    if not comparison.worse:
        percent = comparison.tolerance_percent
        more = f" by more than {percent:g} %" if percent else ""
        lines.append(f"Nothing is worse than {comparison.baseline}{more}.")
    return "\n".join(lines)
