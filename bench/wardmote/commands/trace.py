# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote trace`: current over time in one slot."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.boards import board_of
from wardmote.measurements.slot.cases import DEFAULT_BOARD, FRAME_OCTETS, all_cases
from wardmote.measurements.slot.experiment import CaseRuns
from wardmote.measurements.slot.trace import record
from wardmote.measurements.slot.tuning import tune
from wardmote.paths import slot_image, write_atomically
from wardmote.views.trace import picture, to_csv
from wardmote.views.words import clock_name

EXCHANGES = 200
"""Exchanges that prove the template at which the slot is traced."""


def trace(
    folder: Annotated[Path, typer.Argument(help="Where the files go.")] = Path("build/trace"),
    board: Annotated[str, typer.Option(help="Board.")] = DEFAULT_BOARD,
    strategy: Annotated[str, typer.Option(help="software, hybrid or hardware.")] = "hardware",
    level: Annotated[str, typer.Option(help="Security level 0..7.")] = "5",
    ash: Annotated[str, typer.Option(help="paper or 6tisch.")] = "paper",
    clock: Annotated[str | None, typer.Option(help="CPU clock.")] = None,
    frame_octets: Annotated[
        int, typer.Option(help="Data frame, MIC and FCS included.")
    ] = FRAME_OCTETS,
    seed: Annotated[int, typer.Option(help="Same seed, same trace.")] = 1,
) -> int:
    """Write the current over time of one slot, sender and receiver: CSV, SVG and PNG."""
    facts = board_of(board)
    [case] = all_cases(
        facts.name,
        options.strategies([strategy]),
        options.levels([level]),
        options.ash_form(ash, None, None),
        options.clock_hz(clock, [facts])[facts.name],
        options.frame_octets(frame_octets),
    )
    image = slot_image(case.board, case.strategy).read_bytes()
    runs = CaseRuns(case, image, seed, EXCHANGES)
    tuned = tune(runs.survey().first_timing, runs)
    traced = record(case, image, tuned.timing, seed)
    title = f"{facts.title} at {clock_name(case.clock_hz)}, {case.strategy}, level {case.level}"
    title += f", frame of {case.frame_octets} octets, TsSlotDuration {traced.slot_us / 1000:.2f} ms"
    stem = f"{case.board}-{case.strategy}-level{case.level}"
    write_atomically(folder / f"{stem}.csv", to_csv(traced).encode())
    write_atomically(folder / f"{stem}.svg", picture(traced, title, "svg"))
    write_atomically(folder / f"{stem}.png", picture(traced, title, "png"))
    sys.stdout.write(f"{folder / stem}.csv, .svg, .png: {title}\n")
    for node in ("sender", "receiver"):
        sys.stdout.write(f"{node}: {traced.charge_uc(node):.1f} uC\n")
    return 0
