# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote report`: shows what a report folder holds, without measuring."""

from wardmote import options
from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, ColumnsOption, FolderArgument, FormatOption
from wardmote.views.folder import read_report
from wardmote.views.show import show
from wardmote.views.slot import COLUMNS, case
from wardmote.views.words import answer, conditions


@verb("Show a report again", 50)
def report(
    folder: FolderArgument = DEFAULT_FOLDER,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """Show the rows of a report again, in any format."""
    form = options.output_format(form)
    rows = read_report(folder)
    show(
        rows,
        COLUMNS,
        form,
        conditions=conditions(rows),
        answer=answer(rows),
        names=columns,
        group=case,
    )
    return 0
