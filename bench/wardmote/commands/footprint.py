# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote footprint`: flash, RAM and stack of link security."""

from typing import Annotated

import typer

from wardmote import options
from wardmote.measurements.footprint.measure import measure
from wardmote.views import footprint as view
from wardmote.views.plain import show


def footprint(
    board: Annotated[
        list[str] | None, typer.Option(help="Board; may be repeated. Default: all.")
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help="software, hybrid, hardware; may be repeated. Default: all."),
    ] = None,
    modules: Annotated[
        bool, typer.Option("--modules", help="One row a module of the stack and the firmware.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Same seed, same stack.")] = 1,
    form: Annotated[str, typer.Option("--format", help="table, json, csv or markdown.")] = "table",
) -> int:
    """What does link security take of flash, RAM and stack?"""
    form = options.output_format(form)
    strategies = options.strategies(strategy or ())
    rows = [
        row
        for record in options.boards(board or ())
        for row in measure(record.name, strategies, seed)
    ]
    if modules and form in ("table", "markdown"):
        columns = view.module_columns(rows)
        show(
            view.modules(rows),
            columns,
            form,
            conditions=view.conditions(rows),
            answer=view.answer(rows),
        )
    else:
        show(rows, view.COLUMNS, form, conditions=view.conditions(rows), answer=view.answer(rows))
    return 0
