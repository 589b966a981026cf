# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote measure`: what any C function costs, without a board."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.measure.api import CYCLE_LIMIT, RUNS
from wardmote.measure.api import measure as measure_function
from wardmote.views import measure as view
from wardmote.views.plain import show


def measure(
    files: Annotated[list[Path], typer.Argument(help="FILE.c or FILE.S, with what it needs; or one executable.elf.")],
    call: Annotated[str, typer.Option(help="Prototype, e.g. 'void f(const uint8_t key[16], uint8_t block[16])'.")],
    arg: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=random, zero, hex:DIGITS or a number; random:N, zero:N have N octets; :secret behind it marks a "
            "secret. Default of a buffer: random, public."
        ),
    ] = None,
    expect: Annotated[list[str] | None, typer.Option(help="NAME=hex:DIGITS, or return=NUMBER.")] = None,
    cpu: Annotated[
        list[str] | None, typer.Option(help="all, msp430, armv7m, host (avr is not there yet); may be repeated.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Random inputs, and as many random secrets.")] = RUNS,
    seed: Annotated[int, typer.Option(help="Same seed, same inputs.")] = 1,
    flags: Annotated[str, typer.Option(help="For the compilers, behind -std=c11 -ffreestanding -O2.")] = "",
    include: Annotated[list[Path] | None, typer.Option(help="Folder with headers; may be repeated.")] = None,
    cycle_limit: Annotated[int, typer.Option(help="Cycles after which a call is given up.")] = CYCLE_LIMIT,
    form: Annotated[str, typer.Option("--format", help="table, json, csv or markdown.")] = "table",
) -> int:
    """What does a C function cost on each CPU, and does it keep its secrets?"""
    form = options.output_format(form)
    rows = measure_function(
        files,
        call,
        args=arg or (),
        expect=expect or (),
        cpus=cpu or "all",
        runs=runs,
        seed=seed,
        flags=flags,
        include=include or (),
        cycle_limit=cycle_limit,
    )
    show(rows, view.COLUMNS, form, conditions=view.conditions(rows), answer=view.answer(rows))
    for fault in view.faults(rows):
        sys.stderr.write(f"wardmote: {fault}\n")
    return 0 if all(row.holds for row in rows) else 1
