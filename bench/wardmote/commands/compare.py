# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote compare`: every figure of the paper beside ours."""

from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, FolderArgument, SeedOption, Shown
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.slot.setting import STRATEGIES
from wardmote.study.compare import compare as compare_rows
from wardmote.views import compare as view
from wardmote.views.folder import read_report
from wardmote.views.words import conditions


@verb("Show a report again", 80)
def compare(folder: FolderArgument = DEFAULT_FOLDER, seed: SeedOption = 1, *, shown: Shown) -> int:
    """Set every figure of the paper on timeslot length beside ours."""
    shown = shown.checked(view.COLUMNS)
    slots = read_report(folder)
    boards = dict.fromkeys(row.board for row in slots)
    rows = compare_rows(slots, [row for name in boards for row in measure(name, STRATEGIES, seed)])
    shown.show(rows, view.COLUMNS, conditions(slots), view.answer(rows))
    return 0
