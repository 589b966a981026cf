# SPDX-License-Identifier: BSD-3-Clause
"""Rows of any kind as JSON, CSV, Markdown or a table; which columns there are is the caller's to
say."""

import csv
import dataclasses
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rich.console import Console
from rich.table import Table

Row = TypeVar("Row")
WRAPPED = "why"
"""The column that holds sentences."""
PIPE_WIDTH = 180
"""Columns of a table that does not go to a terminal."""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column: name with its unit, and how a row fills it."""

    name: str
    cell: Callable[[Row], str]
    text: bool = False


def number(value: float | None, digits: int = 0) -> str:
    """A number, or nothing where there is none."""
    return "" if value is None else f"{value:.{digits}f}"


def to_json(rows: Sequence[Any]) -> str:
    """A JSON list of rows, with everything they hold."""
    return json.dumps([dataclasses.asdict(row) for row in rows], indent=2) + "\n"


def scalars(row: Any) -> dict[str, Any]:
    """The scalars of a row; those of a nested object carry its name, lists are left to JSON."""
    flat: dict[str, Any] = {}
    for name, value in dataclasses.asdict(row).items():
        if isinstance(value, Mapping):
            flat |= {
                f"{name}_{inner}": one
                for inner, one in value.items()
                if not isinstance(one, list | tuple | dict)
            }
        elif not isinstance(value, list | tuple):
            flat[name] = value
    return flat


def to_csv(rows: Sequence[Any]) -> str:
    """Comma-separated scalars with a line of names; an absent value is empty."""
    out = io.StringIO()
    flats = [scalars(row) for row in rows]
    writer = csv.DictWriter(out, fieldnames=list(flats[0]) if flats else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(flats)
    return out.getvalue()


def to_markdown(rows: Sequence[Row], columns: Sequence[Column[Row]]) -> str:
    """A Markdown table."""
    rule = ["---" if column.text else "---:" for column in columns]
    body = [[column.cell(row) for column in columns] for row in rows]
    lines = ([column.name for column in columns], rule, *body)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def show_table(rows: Sequence[Row], columns: Sequence[Column[Row]], title: str = "") -> None:
    """Prints rows as a table."""
    console = Console() if sys.stdout.isatty() else Console(width=PIPE_WIDTH)
    table = Table(header_style="bold", title=title or None, title_justify="left")
    for column in columns:
        name = "\n".join(column.name.split())
        table.add_column(
            name, justify="left" if column.text else "right", no_wrap=column.name != WRAPPED
        )
    for row in rows:
        table.add_row(*(column.cell(row) for column in columns))
    console.print(table)


def show(
    rows: Sequence[Row],
    columns: Sequence[Column[Row]],
    form: str,
    *,
    conditions: Sequence[tuple[str, str]],
    answer: str,
) -> None:
    """Prints rows in a format; conditions come first, the answer in words last: on stderr if the
    rows are data."""
    if form == "table":
        console = Console() if sys.stdout.isatty() else Console(width=PIPE_WIDTH)
        for name, value in conditions:
            console.print(f"{name}: {value}", style="dim", highlight=False, soft_wrap=True)
        show_table(rows, columns)
        sys.stdout.write(answer + "\n")
        return
    if form == "markdown":
        sys.stdout.write("".join(f"* {name}: {value}\n" for name, value in conditions) + "\n")
        sys.stdout.write(to_markdown(rows, columns))
    else:
        sys.stdout.write(to_json(rows) if form == "json" else to_csv(rows))
    sys.stderr.write(answer + "\n")
