# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote energy`: charge of a slot by phase, from the rows of a report."""

from typing import Annotated

from wardmote import options
from wardmote.commands.records import File, option
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    DEFAULT_FOLDER,
    BoardsOption,
    FolderArgument,
    LevelsOption,
    Shown,
)
from wardmote.errors import UsageError
from wardmote.paths import require_file, write_atomically
from wardmote.study.definition import headline
from wardmote.study.energy import energy_rows
from wardmote.views import energy as view
from wardmote.views.folder import read_report


@verb("Show a report again", 60)
def energy(
    folder: FolderArgument = DEFAULT_FOLDER,
    figure: Annotated[File, option("File for the figure (SVG).")] = None,
    *,
    board: BoardsOption = None,
    level: LevelsOption = None,
    shown: Shown,
) -> int:
    """Where does the charge of a slot go, and what do the engines save?"""
    shown = shown.checked(view.COLUMNS)
    require_file(figure)
    boards, levels = {one.name for one in options.boards(board or ())}, options.levels(level or ())
    every = energy_rows(headline(read_report(folder)))
    rows = [row for row in every if row.board in boards and row.level in levels]
    if not rows:
        raise UsageError(f"no row of {folder} has such a board and level")
    if figure:
        write_atomically(figure, view.figure(rows).encode())
    shown.show(rows, view.COLUMNS, view.conditions(rows), view.answer(rows))
    return 0
