# SPDX-License-Identifier: BSD-3-Clause
"""Where output goes: data to stdout, everything else to stderr."""

import sys
from collections.abc import Sequence

from rich.console import Console

from wardmote.rows import SlotRow
from wardmote.views.data import to_csv, to_json
from wardmote.views.table import print_table, to_markdown
from wardmote.views.words import answer

PIPE_WIDTH = 180
"""Columns of a table that does not go to a terminal."""


def print_rows(rows: Sequence[SlotRow], form: str) -> None:
    """Prints rows in a format, then the answer in words: after a table to stdout, else to
    stderr."""
    if form == "table":
        console = Console() if sys.stdout.isatty() else Console(width=PIPE_WIDTH)
        print_table(rows, console)
        sys.stdout.write(answer(rows) + "\n")
        return
    sys.stdout.write({"json": to_json, "csv": to_csv, "markdown": to_markdown}[form](rows))
    sys.stderr.write(answer(rows) + "\n")
