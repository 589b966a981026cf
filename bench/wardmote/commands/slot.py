# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote slot`: the shortest secured timeslot, case by case."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.campaign.choice import LOCAL
from wardmote.commands.register import verb
from wardmote.commands.running import EngineOption, FreshOption, JobsOption, runner_of
from wardmote.commands.shared import (
    AshOption,
    BoardsOption,
    ClockOption,
    ColumnsOption,
    CounterOption,
    ExchangesOption,
    FormatOption,
    FrameOctetsOption,
    LevelsOption,
    SeedOption,
    StrategiesOption,
)
from wardmote.commands.study import study_sections
from wardmote.errors import UsageError
from wardmote.experiments.section import sections
from wardmote.measurements.slot.block import decryption_line
from wardmote.measurements.slot.campaign import SlotCase, capture, slot_rows
from wardmote.measurements.slot.cases import (
    DEFAULT_BOARD,
    FRAME_OCTETS,
    OWN_IMAGE,
    all_cases,
)
from wardmote.paths import require_file, write_atomically
from wardmote.rows import SlotRow
from wardmote.views.folder import ROWS, write_report
from wardmote.views.show import show
from wardmote.views.slot import COLUMNS
from wardmote.views.slot import case as case_name
from wardmote.views.table import chosen
from wardmote.views.words import USUAL_LEVEL, answer, conditions

SECONDS_A_CASE = 0.0035
"""Seconds that one core takes for one exchange of a case, tuning included."""
LEAST_EXCHANGES = 200
"""A proof has about so many, for the energy of a whole slotframe."""
MOST_EXCHANGES = 20_000
"""The node counts its slots in 16 bits, and needs some of them around the proof."""


@verb("Measure slots", 10)
def slot(
    board: BoardsOption = None,
    strategy: StrategiesOption = None,
    level: LevelsOption = None,
    ash: AshOption = None,
    key_id_mode: Annotated[
        int | None,
        typer.Option(help="KeyIdMode of the data frame: 0 to 3. Needs --counter."),
    ] = None,
    counter: CounterOption = None,
    frame_octets: FrameOctetsOption = FRAME_OCTETS,
    clock: ClockOption = None,
    exchanges: ExchangesOption = 1000,
    seed: SeedOption = 1,
    engine: EngineOption = LOCAL,
    jobs: JobsOption = None,
    fresh: FreshOption = False,
    image: Annotated[
        Path | None,
        typer.Option(help="Your own image `slot` (ELF file) instead of the built ones."),
    ] = None,
    pcap: Annotated[
        Path | None,
        typer.Option(
            help="File for a capture of the frames (pcap). Needs one strategy and one level."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="Folder for a report: page, figures, table, rows and a capture."),
    ] = None,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
    max_slot: Annotated[
        str | None,
        typer.Option(help="Longest slot allowed, such as 10ms: exit code 1 if one is longer."),
    ] = None,
) -> int:
    """How short can a secured timeslot be?

    Measures all strategies and levels of all boards, unless options choose some."""
    boards = options.boards(board or ([DEFAULT_BOARD] if image else ()))
    clocks = options.clock_hz(clock, boards)
    runner = runner_of(engine, jobs, fresh=fresh)
    proof = options.positive("number of exchanges", exchanges, MOST_EXCHANGES)
    cases = [
        SlotCase(case, proof, seed, image)
        for record in boards
        for case in all_cases(
            record.name,
            options.strategies(strategy or ()) if strategy or not image else (OWN_IMAGE,),
            options.levels(level or ()),
            options.ash_form(ash, key_id_mode, counter),
            clocks[record.name],
            options.frame_octets(frame_octets),
        )
    ]
    form = options.output_format(form)
    limit_us = options.duration_us(max_slot) if max_slot is not None else None
    if pcap and len(cases) != 1:
        raise UsageError(
            f"--pcap holds one case, this is {len(cases)}: give one --strategy and one --level"
        )
    if image and len({(case.slot.board, case.slot.strategy) for case in cases}) != 1:
        raise UsageError(
            "--image is one strategy: give at most one --strategy, as which it is compared"
        )
    chosen(COLUMNS, columns)
    for path in (pcap, report and report / ROWS):
        require_file(path)
    announce(len(cases), proof)
    rows = slot_rows(cases, runner)
    if pcap:
        write_atomically(pcap, capture(cases[0], rows[0]))
        sys.stderr.write(f"tshark -r {pcap} {decryption_line()}\n")
    if report:
        case, row = example_of(cases, rows)
        name = f"{row.board}-{row.strategy}-level{row.level}.pcap"
        parts = study_sections([one.slot for one in cases], rows, seed, built=image is None)
        shown = capture(case, row)
        write_report(report, rows, name, shown, decryption_line(), parts, sections(report))
    show(
        rows,
        COLUMNS,
        form,
        conditions=conditions(rows),
        answer=answer(rows),
        names=columns,
        group=case_name,
    )
    say_exchanges(rows, proof)
    too_long = limit_us is not None and any(row.ts_slot_duration_us > limit_us for row in rows)
    return 1 if too_long or not all(row.verified for row in rows) else 0


def announce(cases: int, exchanges: int) -> None:
    """Says before the work begins how much there is."""
    if cases > 1:
        seconds = cases * SECONDS_A_CASE * max(exchanges, LEAST_EXCHANGES) / (os.cpu_count() or 1)
        sys.stderr.write(
            f"{cases} cases of {exchanges} exchanges: up to about {max(1, round(seconds))} s on "
            "this machine; cases that earlier runs kept take no time\n"
        )


def say_exchanges(rows: Sequence[SlotRow], asked: int) -> None:
    """Says why more exchanges were run than asked for."""
    most = max(row.exchanges for row in rows)
    if most > asked:
        sys.stderr.write(
            f"{most} exchanges were run where {asked} were asked for: the energy is measured over "
            "a whole slotframe, and each exchange of it counts\n"
        )


def example_of(cases: list[SlotCase], rows: list[SlotRow]) -> tuple[SlotCase, SlotRow]:
    """The case whose capture goes into a report: the usual level if it was measured, in the fastest
    strategy of the first board."""
    first = [pair for pair in zip(cases, rows, strict=True) if pair[1].board == rows[0].board]
    usual = [pair for pair in first if pair[1].level == USUAL_LEVEL]
    return (usual or first)[-1]
