# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote report`: shows what a report folder holds, without measuring, or what changed in it."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from wardmote.changes import read_tolerance
from wardmote.commands.pages import Pages
from wardmote.commands.records import Text, option
from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, FolderArgument, Shown
from wardmote.errors import UsageError
from wardmote.study.baseline import RowSets, compare, printed
from wardmote.views import report_baseline as baseline_view
from wardmote.views.folder import read_report
from wardmote.views.kept import row_sets, row_sets_at
from wardmote.views.slot import COLUMNS, case
from wardmote.views.words import answer, conditions

PUBLISHED = "published"
TOLERANCE = "0%"


@verb("Show a report again", 50)
def report(
    folder: FolderArgument = DEFAULT_FOLDER,
    *,
    baseline: Annotated[
        Text,
        option(
            "Show what changed since an earlier report instead: its folder, a file of its rows, a "
            "git revision that has this folder, or `published`, for what papers printed. Exit "
            "code 1 if a figure got worse.",
            PUBLISHED,
        ),
    ] = None,
    tolerance: Annotated[
        str, option("How much worse a figure may be than in --baseline, such as 2%.")
    ] = TOLERANCE,
    pages: Pages,
    shown: Shown,
) -> int:
    """Show the rows of a report again, in any format, its pages, or what changed since an earlier
    one."""
    if pages.show(folder):
        return 0
    percent = read_tolerance(tolerance)
    if baseline is not None:
        return _against(folder, baseline, percent, shown.checked(baseline_view.COLUMNS))
    if tolerance != TOLERANCE:
        raise UsageError("--tolerance is that of a --baseline: give one")
    shown = shown.checked(COLUMNS)
    rows = read_report(folder)
    shown.show(rows, COLUMNS, conditions(rows), answer(rows), case)
    return 0


def _against(folder: Path, baseline: str, percent: float, shown: Shown) -> int:
    """What changed, what did not, and the verdict."""
    now = row_sets(folder)
    found = compare(_earlier(baseline, folder, now), now, baseline, percent)
    if baseline == PUBLISHED:  # Of what papers did not print, nothing is missing.
        found = replace(found, missing=(), added=())
    changes = baseline_view.by_weight(found.changes)
    columns = baseline_view.COLUMNS
    shown.show(changes, columns, baseline_view.conditions(found), baseline_view.answer(found))
    return 1 if found.worse else 0


def _earlier(baseline: str, folder: Path, now: RowSets) -> RowSets:
    """The rows of a baseline. A file or folder goes before a git revision of the same name."""
    if baseline == PUBLISHED:
        return printed(now)
    place = Path(baseline)
    try:
        there = bool(baseline) and place.exists()
    except (OSError, ValueError):
        there = False
    return row_sets(place) if there else row_sets_at(baseline, folder)
