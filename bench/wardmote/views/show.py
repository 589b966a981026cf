# SPDX-License-Identifier: BSD-3-Clause
"""Prints rows on stdout, in the chosen format and columns."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from wardmote.views.data import to_csv, to_json
from wardmote.views.table import Column, table, to_markdown, wrapped
from wardmote.views.text import facts

Row = TypeVar("Row")
Conditions = Sequence[tuple[str, str]]
FORMATS = ("table", "json", "csv", "markdown")
USUAL_WIDTH = 80
LEAST_WIDTH = 40


def text_width() -> int:
    """How wide text may be: the environment's COLUMNS, the terminal's width, or 80."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked):
        return max(LEAST_WIDTH, int(asked))
    try:
        return max(LEAST_WIDTH, os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError):  # Not a terminal, or closed.
        return USUAL_WIDTH


def show(
    tables: Sequence[tuple[Sequence[Any], Sequence[Column[Any]]]],
    form: str,
    *,
    conditions: Conditions,
    answer: str,
    names: str = "",
    group: Callable[[Any], object] | None = None,
) -> None:
    """Prints rows of one or more kinds in a format: all together as data, one table after the other
    as text. Conditions come first and the answer in words comes last. Beside JSON and CSV the
    answer goes to stderr."""
    if form == "table":
        show_conditions(conditions)
        for rows, columns in tables:
            show_table(rows, columns, names=names, group=group)
        show_text(answer)
        return
    if form == "markdown":
        sys.stdout.write("\n".join([facts(conditions), *(to_markdown(*one) for one in tables)]))
    else:
        every = [row for rows, _ in tables for row in rows]
        sys.stdout.write(to_json(every) if form == "json" else to_csv(every))
    sys.stderr.write(answer + "\n")


def show_conditions(conditions: Conditions) -> None:
    """Prints what the figures depend on, and an empty line."""
    width = text_width()
    lines = [
        line for name, value in conditions for line in wrapped(f"{name}: {value}", width, "  ")
    ]
    sys.stdout.write("".join(f"{line}\n" for line in [*lines, ""]))


def show_table(
    rows: Sequence[Row],
    columns: Sequence[Column[Row]],
    title: str = "",
    *,
    names: str = "",
    group: Callable[[Row], object] | None = None,
) -> None:
    """Prints rows as a table that fits, below its title, and an empty line."""
    width = text_width()
    lines, note = table(rows, columns, width, names, group)
    head = [*wrapped(title, width), ""] if title else []
    tail = ["", *wrapped(note, width)] if note else []
    sys.stdout.write("".join(f"{line}\n" for line in [*head, *lines, *tail, ""]))


def show_text(text: str) -> None:
    """Prints sentences, each line of them no wider than the terminal."""
    width = text_width()
    for line in text.splitlines():
        sys.stdout.write("".join(f"{part}\n" for part in wrapped(line, width, "  ")))
