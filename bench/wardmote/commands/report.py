# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote report`: shows what a report folder holds, without measuring."""

from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.commands.output import print_rows
from wardmote.views.folder import read_report

DEFAULT_FOLDER = Path("build/report")


def report(
    folder: Annotated[
        Path, typer.Argument(help="Folder written by `wardmote slot --report`.")
    ] = DEFAULT_FOLDER,
    form: Annotated[str, typer.Option("--format", help="table, json, csv or markdown.")] = "table",
) -> int:
    """Show the rows of a report again, in any format."""
    print_rows(read_report(folder), options.output_format(form))
    return 0
