# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote sweep`: the shortest timeslot over forms of the Auxiliary Security Header and lengths
of the frame."""

from typing import Annotated

import typer

from wardmote import options
from wardmote.campaign.choice import LOCAL
from wardmote.commands.running import EngineOption, FreshOption, JobsOption, runner_of
from wardmote.commands.shared import ColumnsOption, FormatOption
from wardmote.commands.slot import MOST_EXCHANGES
from wardmote.measurements.slot.campaign import SlotCase, slot_rows
from wardmote.measurements.slot.cases import all_cases
from wardmote.views.show import show
from wardmote.views.sweep import COLUMNS, answer
from wardmote.views.words import conditions


def sweep(
    board: Annotated[
        list[str] | None, typer.Option(help="Board; may be repeated. Default: all.")
    ] = None,
    strategy: Annotated[
        list[str] | None, typer.Option(help="Strategy; may be repeated. Default: all.")
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option(help="Security level; may be repeated. Default: 5.")
    ] = None,
    key_id_mode: Annotated[
        list[str] | None, typer.Option(help="KeyIdMode; may be repeated. Default: 0 to 3.")
    ] = None,
    counter: Annotated[
        list[str] | None, typer.Option(help="carried, elided; may be repeated. Default: both.")
    ] = None,
    frame_octets: Annotated[
        list[str] | None, typer.Option(help="Data frame; may be repeated. Default: 127.")
    ] = None,
    exchanges: Annotated[int, typer.Option(help="Exchanges that prove a template.")] = 1000,
    seed: Annotated[int, typer.Option(help="Same seed, same rows.")] = 1,
    engine: EngineOption = LOCAL,
    jobs: JobsOption = None,
    fresh: FreshOption = False,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """What do header forms and frame lengths do to the shortest slot?"""
    form = options.output_format(form)
    forms = options.ash_forms(key_id_mode or (), counter or ())
    lengths = options.frame_lengths(frame_octets or ())
    runner = runner_of(engine, jobs, fresh=fresh)
    proof = options.positive("number of exchanges", exchanges, MOST_EXCHANGES)
    cases = [
        SlotCase(case, proof, seed)
        for record in options.boards(board or ())
        for ash in forms
        for octets in lengths
        for case in all_cases(
            record.name,
            options.strategies(strategy or ()),
            options.levels(level or ("5",)),
            ash,
            record.clock_hz,
            octets,
        )
    ]
    rows = slot_rows(cases, runner)
    show(rows, COLUMNS, form, conditions=conditions(rows), answer=answer(rows), names=columns)
    return 0 if all(row.verified for row in rows) else 1
