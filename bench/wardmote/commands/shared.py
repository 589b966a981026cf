# SPDX-License-Identifier: BSD-3-Clause
"""Options that several commands share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from wardmote.views.show import FORMATS

DEFAULT_FOLDER = Path("build/report")


def completion(*possible: str) -> Callable[[str], list[str]]:
    """Completes a value; of a list with commas, its last part."""

    def found(incomplete: str) -> list[str]:
        head, comma, last = incomplete.rpartition(",")
        return [f"{head}{comma}{one}" for one in possible if one.lower().startswith(last.lower())]

    return found


def listed(possible: Sequence[str]) -> str:
    """Values in a help text."""
    return ", ".join(possible)


FormatOption = Annotated[
    str,
    typer.Option(
        "--format", help=f"Output: {listed(FORMATS)}.", autocompletion=completion(*FORMATS)
    ),
]
ColumnsOption = Annotated[
    str,
    typer.Option(
        help="Columns of the table: all, or names such as 'cpu,octets'. Default: those that fit "
        "the terminal."
    ),
]
FolderArgument = Annotated[
    Path, typer.Argument(help="Report folder, written by `wardmote slot --report FOLDER`.")
]
