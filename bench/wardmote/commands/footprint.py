# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote footprint`: flash, RAM and stack of link security."""

from typing import Annotated

from wardmote import options
from wardmote.commands.records import option
from wardmote.commands.register import verb
from wardmote.commands.shared import BoardsOption, SeedOption, Shown, StrategiesOption
from wardmote.measurements.footprint.measure import measure
from wardmote.views import footprint as view


@verb("Measure slots", 40)
def footprint(
    board: BoardsOption = None,
    strategy: StrategiesOption = None,
    modules: Annotated[
        bool, option("Show one row for each module of stack and firmware.", name="--modules")
    ] = False,
    seed: SeedOption = 1,
    *,
    shown: Shown,
) -> int:
    """What does link security take of flash, RAM and stack?"""
    shown = shown.checked(None if modules else view.COLUMNS)
    strategies = options.strategies(strategy or ())
    rows = [
        row
        for record in options.boards(board or ())
        for row in measure(record.name, strategies, seed)
    ]
    conditions, answer = view.conditions(rows), view.answer(rows)
    if modules and shown.form in ("table", "markdown"):
        shown.show(view.modules(rows), view.module_columns(rows), conditions, answer)
    else:
        shown.show(rows, view.COLUMNS, conditions, answer)
    return 0
