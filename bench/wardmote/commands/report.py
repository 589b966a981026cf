# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote report`: shows what a report folder holds, without measuring."""

from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, FolderArgument, Shown
from wardmote.views.folder import read_report
from wardmote.views.slot import COLUMNS, case
from wardmote.views.words import answer, conditions


@verb("Show a report again", 50)
def report(folder: FolderArgument = DEFAULT_FOLDER, *, shown: Shown) -> int:
    """Show the rows of a report again, in any format."""
    shown = shown.checked(COLUMNS)
    rows = read_report(folder)
    shown.show(rows, COLUMNS, conditions(rows), answer(rows), case)
    return 0
