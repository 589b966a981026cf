# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote footprint`: flash, RAM and stack of link security."""

from typing import Annotated

import typer

from wardmote import options
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    BoardsOption,
    ColumnsOption,
    FormatOption,
    SeedOption,
    StrategiesOption,
)
from wardmote.measurements.footprint.measure import measure
from wardmote.views import footprint as view
from wardmote.views.show import show
from wardmote.views.table import chosen


@verb("Measure slots", 40)
def footprint(
    board: BoardsOption = None,
    strategy: StrategiesOption = None,
    modules: Annotated[
        bool, typer.Option("--modules", help="Show one row for each module of stack and firmware.")
    ] = False,
    seed: SeedOption = 1,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """What does link security take of flash, RAM and stack?"""
    form = options.output_format(form)
    chosen(view.COLUMNS, "" if modules else columns)
    strategies = options.strategies(strategy or ())
    rows = [
        row
        for record in options.boards(board or ())
        for row in measure(record.name, strategies, seed)
    ]
    conditions, answer = view.conditions(rows), view.answer(rows)
    if modules and form in ("table", "markdown"):
        names, of_modules = view.modules(rows), view.module_columns(rows)
        show(names, of_modules, form, conditions=conditions, answer=answer, names=columns)
    else:
        show(rows, view.COLUMNS, form, conditions=conditions, answer=answer, names=columns)
    return 0
