# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote compare`: every figure of the paper beside ours."""

from wardmote import options
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    DEFAULT_FOLDER,
    ColumnsOption,
    FolderArgument,
    FormatOption,
    SeedOption,
)
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.slot.cases import STRATEGIES
from wardmote.study.compare import compare as compare_rows
from wardmote.views import compare as view
from wardmote.views.folder import read_report
from wardmote.views.show import show
from wardmote.views.table import chosen
from wardmote.views.words import conditions


@verb("Show a report again", 80)
def compare(
    folder: FolderArgument = DEFAULT_FOLDER,
    seed: SeedOption = 1,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """Set every figure of the paper on timeslot length beside ours."""
    form = options.output_format(form)
    chosen(view.COLUMNS, columns)
    slots = read_report(folder)
    boards = dict.fromkeys(row.board for row in slots)
    rows = compare_rows(slots, [row for name in boards for row in measure(name, STRATEGIES, seed)])
    show(
        rows,
        view.COLUMNS,
        form,
        conditions=conditions(slots),
        answer=view.answer(rows),
        names=columns,
    )
    return 0
