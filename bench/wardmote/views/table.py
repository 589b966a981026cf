# SPDX-License-Identifier: BSD-3-Clause
"""Writes tables as text that fits a width, and as Markdown.

A table that is too wide for its width is turned on its side if it has few rows: a line for each
column. Otherwise it shows fewer columns, by their rank, and a note says which are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from wardmote.errors import UsageError

Row = TypeVar("Row")
GAP = "  "
WRAPPED_LEAST = 20
"""A column of sentences is at least this wide."""
WRAPPED_MOST = 36
"""A cell with sentences is at most this wide in a table on its side."""
SIDE_ROWS = 4
"""A table on its side is easier to read than one with fewer columns, up to this many rows."""
ALL = "all"
"""Asks for every column."""


class Column(NamedTuple, Generic[Row]):
    """One column: its name with the unit, and how a row fills it.

    A named tuple, since `wardmote frame` has no time to import dataclasses.
    """

    name: str
    cell: Callable[[Row], str]
    text: bool = False
    rank: int = 1
    """0: always shown. The column with the highest rank is left out first."""
    wrap: bool = False
    """Holds sentences, which may take several lines."""


def number(value: float | None, digits: int = 0) -> str:
    """A number, or nothing where there is none."""
    return "" if value is None else f"{value:.{digits}f}"


def band(low: float | None, high: float | None, digits: int = 0, between: str = "–") -> str:
    """A figure, or both ends of its band where they differ in these digits, the smaller first."""
    known = sorted(end for end in (low, high) if end is not None)
    ends = dict.fromkeys(number(end, digits) for end in known)
    return between.join(ends)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a text, each at most `width` wide; all but the first begin with `indent`."""
    if len(text) <= width:
        return [text]
    import textwrap

    return textwrap.wrap(text, max(width, 1), subsequent_indent=indent, break_on_hyphens=False)


def chosen(columns: Sequence[Column[Row]], names: str) -> list[Column[Row]]:
    """The columns that `names` lists, in that order; `all` stands for those that it does not name.
    Raises UsageError for one there is not."""
    if not names:
        return list(columns)
    found = {column.name.strip().lower(): column for column in columns}
    listed = [part.strip().lower() for part in names.split(",")]
    wanted = [name for part in listed for name in (found if part == ALL else (part,))]
    if unknown := [name for name in wanted if name not in found]:
        possible = ", ".join([ALL, *(column.name.strip() for column in columns)])
        raise UsageError(f"no column {unknown[0]!r}: possible are {possible}")
    return [found[name] for name in dict.fromkeys(wanted)]


def table(
    rows: Sequence[Row],
    columns: Sequence[Column[Row]],
    width: int,
    names: str = "",
    group: Callable[[Row], object] | None = None,
) -> tuple[list[str], str]:
    """The lines of a table, none wider than `width`, and a note on the columns that are left out.

    All columns in `names` are shown, on their side if need be. An empty line parts the rows of one
    `group` from the next, unless every group is a single row.
    """
    wanted = chosen(columns, names)
    cells = {column.name: [column.cell(row) for row in rows] for column in wanted}
    filled = [column for column in wanted if names or not rows or any(cells[column.name])]
    natural = {
        column.name: max([_words(column), *map(len, cells[column.name])]) for column in filled
    }
    kept = filled if _widths(filled, natural, width) is not None else None
    if kept is None and not names and len(rows) > SIDE_ROWS:
        kept = fitting(filled, natural, width)
    if kept is None:
        return on_its_side(rows, filled, width), ""
    widths = _widths(kept, natural, width) or []
    left = [column for column in filled if column not in kept]
    return _upright(rows, kept, cells, widths, group), note(left, width, cells) if left else ""


def fitting(
    columns: Sequence[Column[Row]], natural: Mapping[str, int], width: int
) -> list[Column[Row]] | None:
    """As many columns of these natural widths as fit, by rank; None if not even rank 0 does."""
    kept = list(columns)
    order = sorted(enumerate(columns), key=lambda place: (-place[1].rank, -place[0]))
    for _, column in order:
        if _widths(kept, natural, width) is not None:
            return kept
        if column.rank == 0:
            break
        kept.remove(column)
    return kept if _widths(kept, natural, width) is not None else None


def note(
    left: Sequence[Column[Row]], width: int, cells: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Says which columns are left out, with the value of those that have only one."""
    names = []
    for column in left:
        values = set(cells[column.name]) if cells and not column.wrap else set()
        same = f" ({values.pop()} in all rows)" if len(values) == 1 else ""
        names.append(column.name.strip() + same)
    return (
        f"Left out to fit {width} columns: {', '.join(names)}. "
        "To see them: --columns all, --format csv, or a wider terminal."
    )


def _words(column: Column[Row]) -> int:
    """The longest word of a column's name: the name may be broken between words."""
    return max(map(len, column.name.split()), default=1)


def _widths(
    columns: Sequence[Column[Row]], natural: Mapping[str, int], width: int
) -> list[int] | None:
    """How wide each column is, or None if they do not fit."""
    most = [natural[column.name] for column in columns]
    found = [
        min(wide, max(WRAPPED_LEAST, _words(column))) if column.wrap else wide
        for column, wide in zip(columns, most, strict=True)
    ]
    spare = width - sum(found) - len(GAP) * (len(columns) - 1)
    if spare < 0:
        return None
    for n, wide in enumerate(most):
        more = min(spare, wide - found[n])
        found[n] += more
        spare -= more
    return found


def _block(
    texts: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool] = ()
) -> list[str]:
    """Cells of several lines side by side, to the left or to the right of their columns."""
    height = max(map(len, texts), default=0)
    sides = right or [False] * len(texts)
    return [
        GAP.join(
            f"{text[n] if n < len(text) else '':{'>' if to_right else '<'}{width}}"
            for text, width, to_right in zip(texts, widths, sides, strict=True)
        ).rstrip()
        for n in range(height)
    ]


def _upright(
    rows: Sequence[Row],
    columns: Sequence[Column[Row]],
    cells: Mapping[str, Sequence[str]],
    widths: Sequence[int],
    group: Callable[[Row], object] | None,
) -> list[str]:
    """A line for each row, or several where a cell wraps."""
    names = [wrapped(column.name, width) for column, width in zip(columns, widths, strict=True)]
    height = max(map(len, names), default=0)
    head = [[""] * (height - len(name)) + name for name in names]
    right = [not column.text for column in columns]
    lines = _block(head, widths, right)
    lines.append(GAP.join("-" * width for width in widths))
    wraps = any(column.wrap for column in columns)
    places = [group(row) for row in rows] if group else []
    parted = any(one == before for before, one in pairwise(places))
    for n in range(len(rows)):
        if parted and n and places[n] != places[n - 1]:
            lines.append("")
        texts = [
            wrapped(cells[column.name][n], width) if column.wrap else [cells[column.name][n]]
            for column, width in zip(columns, widths, strict=True)
        ]
        lines += _block(texts, widths, right)
        if wraps and n + 1 < len(rows) and max(map(len, texts)) > 1:
            lines.append("")
    return lines


def on_its_side(rows: Sequence[Row], columns: Sequence[Column[Row]], width: int) -> list[str]:
    """A line for each column, and as many rows side by side as fit; the rest below."""
    names = [column.name.strip() for column in columns]
    first_width = max(map(len, names), default=0)
    room = max(width - first_width - len(GAP), WRAPPED_LEAST)
    most = room if len(rows) == 1 else min(WRAPPED_MOST, room)
    cells = [[column.cell(row) for column in columns] for row in rows]
    widths = [min(max(map(len, own), default=0), most) for own in cells]
    lines: list[str] = []
    first = 0
    while first < len(rows):
        last, used = first + 1, widths[first]
        while last < len(rows) and used + len(GAP) + widths[last] <= room:
            used += len(GAP) + widths[last]
            last += 1
        lines += [""] * bool(lines)
        for n, name in enumerate(names):
            texts = [wrapped(cells[place][n], widths[place]) for place in range(first, last)]
            lines += _block([[name], *texts], [first_width, *widths[first:last]])
        first = last
    return lines


def to_markdown(rows: Sequence[Row], columns: Sequence[Column[Row]]) -> str:
    """A Markdown table with every column."""
    rule = ["---" if column.text else "---:" for column in columns]
    body = [[column.cell(row) for column in columns] for row in rows]
    lines = ([column.name for column in columns], rule, *body)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def markdown(header: Sequence[str], body: Sequence[Sequence[object]], numbers: bool = False) -> str:
    """A Markdown table of cells; with `numbers` all columns but the first stand to the right."""
    rule = ["---", *("---:" if numbers else "---" for _ in header[1:])]
    lines: list[Sequence[object]] = [header, rule, *body]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
