# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote compare`: every figure of the paper beside ours, or every claim with our verdict."""

from typing import Annotated

from wardmote.commands.records import option
from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, FolderArgument, SeedOption, Shown
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.slot.setting import STRATEGIES
from wardmote.study.claims.slot import slot_claims
from wardmote.study.compare import compare as compare_rows
from wardmote.views import claims as claims_view
from wardmote.views import compare as view
from wardmote.views.folder import read_report
from wardmote.views.words import conditions


@verb("Show a report again", 80)
def compare(
    folder: FolderArgument = DEFAULT_FOLDER,
    seed: SeedOption = 1,
    *,
    claims: Annotated[
        bool, option("Show every claim of the paper with our verdict instead.", name="--claims")
    ] = False,
    shown: Shown,
) -> int:
    """Set every figure of the paper on timeslot length beside ours."""
    shown = shown.checked(claims_view.COLUMNS if claims else view.COLUMNS)
    slots = read_report(folder)
    boards = dict.fromkeys(row.board for row in slots)
    footprints = [row for name in boards for row in measure(name, STRATEGIES, seed)]
    if claims:
        judged = slot_claims(slots, footprints)
        shown.show(judged, claims_view.COLUMNS, conditions(slots), claims_view.answer(judged))
        return 0
    rows = compare_rows(slots, footprints)
    shown.show(rows, view.COLUMNS, conditions(slots), view.answer(rows))
    return 0
