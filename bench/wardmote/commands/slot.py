# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote slot`: the shortest secured timeslot, case by case."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.campaign.choice import LOCAL
from wardmote.commands.running import EngineOption, FreshOption, JobsOption, runner_of
from wardmote.commands.shared import ColumnsOption, FormatOption
from wardmote.commands.study import study_sections
from wardmote.errors import UsageError
from wardmote.measurements.slot.block import decryption_line
from wardmote.measurements.slot.campaign import SlotCase, capture, slot_rows
from wardmote.measurements.slot.cases import (
    DEFAULT_BOARD,
    FRAME_OCTETS,
    OWN_IMAGE,
    all_cases,
)
from wardmote.paths import write_atomically
from wardmote.rows import SlotRow
from wardmote.views.folder import write_report
from wardmote.views.show import show
from wardmote.views.slot import COLUMNS
from wardmote.views.slot import case as case_name
from wardmote.views.words import USUAL_LEVEL, answer, conditions

MOST_EXCHANGES = 20_000
"""The node counts its slots in 16 bits, and needs some of them around the proof."""


def slot(
    board: Annotated[
        list[str] | None,
        typer.Option(help="telosb, openmote-cc2538; may be repeated. Default: all."),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help="software, hybrid, hardware; may be repeated. Default: all."),
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option(help="Security level 0..7; may be repeated. Default: all.")
    ] = None,
    ash: Annotated[
        str | None,
        typer.Option(
            help="paper: KeyIdMode 3, counter carried (default). 6tisch: KeyIdMode 1, ASN nonce."
        ),
    ] = None,
    key_id_mode: Annotated[
        int | None, typer.Option(help="KeyIdMode 0..3, together with --counter.")
    ] = None,
    counter: Annotated[
        str | None, typer.Option(help="Frame Counter carried or elided, with --key-id-mode.")
    ] = None,
    frame_octets: Annotated[
        int, typer.Option(help="Data frame, MIC and FCS included.")
    ] = FRAME_OCTETS,
    clock: Annotated[
        str | None,
        typer.Option(
            help="CPU clock: 8MHz or 4.19MHz; OpenMote 32MHz or 16MHz. Default: the first."
        ),
    ] = None,
    exchanges: Annotated[int, typer.Option(help="Exchanges that prove a template.")] = 1000,
    seed: Annotated[int, typer.Option(help="Same seed, same rows, same capture.")] = 1,
    engine: EngineOption = LOCAL,
    jobs: JobsOption = None,
    fresh: FreshOption = False,
    image: Annotated[
        Path | None, typer.Option(help="Your own image (ELF) instead of the built ones.")
    ] = None,
    pcap: Annotated[
        Path | None, typer.Option(help="Write the proof's frames; needs one case.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write every view of the rows into this folder.")
    ] = None,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
    max_slot: Annotated[
        str | None, typer.Option(help="Exit code 1 if a slot is longer, e.g. 10ms.")
    ] = None,
) -> int:
    """How short can a secured timeslot be? Without options: all strategies and levels of all
    boards."""
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
    rows = slot_rows(cases, runner)
    if pcap:
        write_atomically(pcap, capture(cases[0], rows[0]))
        sys.stderr.write(f"tshark -r {pcap} {decryption_line()}\n")
    if report:
        case, row = example_of(cases, rows)
        name = f"{row.board}-{row.strategy}-level{row.level}.pcap"
        parts = study_sections([one.slot for one in cases], rows, seed, built=image is None)
        write_report(report, rows, name, capture(case, row), decryption_line(), parts)
    show(
        rows,
        COLUMNS,
        form,
        conditions=conditions(rows),
        answer=answer(rows),
        names=columns,
        group=case_name,
    )
    too_long = limit_us is not None and any(row.ts_slot_duration_us > limit_us for row in rows)
    return 1 if too_long or not all(row.verified for row in rows) else 0


def example_of(cases: list[SlotCase], rows: list[SlotRow]) -> tuple[SlotCase, SlotRow]:
    """The case whose capture goes into a report: the usual level if it was measured, in the fastest
    strategy of the first board."""
    first = [pair for pair in zip(cases, rows, strict=True) if pair[1].board == rows[0].board]
    usual = [pair for pair in first if pair[1].level == USUAL_LEVEL]
    return (usual or first)[-1]
