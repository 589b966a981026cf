# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote sweep`: the shortest timeslot over forms of the Auxiliary Security Header and lengths
of the frame."""

from typing import Annotated

import typer

from wardmote import options
from wardmote.campaign.choice import LOCAL
from wardmote.commands.register import verb
from wardmote.commands.running import EngineOption, FreshOption, JobsOption, runner_of
from wardmote.commands.shared import (
    LEVELS,
    LEVELS_HELP,
    LIST,
    BoardsOption,
    ColumnsOption,
    ExchangesOption,
    FormatOption,
    SeedOption,
    StrategiesOption,
    completion,
)
from wardmote.commands.slot import MOST_EXCHANGES, announce, say_exchanges
from wardmote.measurements.slot.campaign import SlotCase, slot_rows
from wardmote.measurements.slot.cases import LEVEL_NAMES, all_cases
from wardmote.views.show import show
from wardmote.views.sweep import COLUMNS, answer
from wardmote.views.table import chosen
from wardmote.views.words import conditions


@verb("Measure slots", 20)
def sweep(
    board: BoardsOption = None,
    strategy: StrategiesOption = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Security level, {LEVELS_HELP}. {LIST} Default: 5.",
            autocompletion=completion(*LEVELS, *LEVEL_NAMES),
        ),
    ] = None,
    key_id_mode: Annotated[
        list[str] | None,
        typer.Option(
            help=f"KeyIdMode: 0 to 3. {LIST} Default: all.",
            autocompletion=completion(*options.KEY_ID_MODES),
        ),
    ] = None,
    counter: Annotated[
        list[str] | None,
        typer.Option(
            help="Frame Counter in the frame (carried) or left out (elided). Default: both.",
            autocompletion=completion(*options.COUNTERS),
        ),
    ] = None,
    frame_octets: Annotated[
        list[str] | None,
        typer.Option(help=f"Length of the data frame in octets, 53 to 127. {LIST} Default: 127."),
    ] = None,
    exchanges: ExchangesOption = 1000,
    seed: SeedOption = 1,
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
    chosen(COLUMNS, columns)
    announce(len(cases), proof)
    rows = slot_rows(cases, runner)
    show(rows, COLUMNS, form, conditions=conditions(rows), answer=answer(rows), names=columns)
    say_exchanges(rows, proof)
    return 0 if all(row.verified for row in rows) else 1
