# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote energy`: charge of a slot by phase, from the rows of a report."""

from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, ColumnsOption, FolderArgument, FormatOption
from wardmote.paths import require_file, write_atomically
from wardmote.study.energy import energy_rows
from wardmote.views import energy as view
from wardmote.views.folder import read_report
from wardmote.views.show import show


@verb("Show a report again", 60)
def energy(
    folder: FolderArgument = DEFAULT_FOLDER,
    figure: Annotated[Path | None, typer.Option(help="File for the figure (SVG).")] = None,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """Where does the charge of a slot go, and what do the engines save?"""
    form = options.output_format(form)
    require_file(figure)
    rows = energy_rows(read_report(folder))
    if figure:
        write_atomically(figure, view.figure(rows).encode())
    show(
        rows,
        view.COLUMNS,
        form,
        conditions=view.conditions(rows),
        answer=view.answer(rows),
        names=columns,
    )
    return 0
