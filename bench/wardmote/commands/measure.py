# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote measure`: what any C function costs, without a board."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.boards import BOARDS
from wardmote.commands.register import verb
from wardmote.commands.shared import ColumnsOption, FormatOption, SeedOption
from wardmote.errors import UsageError
from wardmote.measurements.function.api import measure_and_profile
from wardmote.measurements.function.baseline import compare, read_baseline, read_tolerance
from wardmote.measurements.function.files import PLACES
from wardmote.measurements.function.job import CYCLE_LIMIT, RUNS
from wardmote.measurements.function.profile import Profile
from wardmote.measurements.function.rows import MeasureRow
from wardmote.paths import require_checkout
from wardmote.views import baseline as baseline_view
from wardmote.views import measure as view
from wardmote.views import profile as profile_view
from wardmote.views.show import show, show_table
from wardmote.views.table import chosen

TOLERANCE = "0%"


@verb("Measure code", 90)
def measure(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="The source FILE.c or FILE.S with the headers, archives (.a) and "
            "objects (.o) it needs, or one linked x.elf."
        ),
    ],
    call: Annotated[
        list[str],
        typer.Option(
            help="Prototype of the function, such as 'void f(const uint8_t key[16], "
            "uint8_t block[16])'. Once."
        ),
    ],
    arg: Annotated[
        list[str] | None,
        typer.Option(
            help="Value of an argument: NAME=random, NAME=zero, NAME=hex:DIGITS or "
            "NAME=NUMBER. random:N and zero:N have N octets. A trailing :secret "
            "marks a secret. Default: random and public."
        ),
    ] = None,
    size: Annotated[
        str,
        typer.Option(
            help="Lengths of a buffer, one row for each: 16,32,64, or len=16,32,64 to "
            "name the parameter."
        ),
    ] = "",
    expect: Annotated[
        list[str] | None,
        typer.Option(
            help="Expected output: NAME=hex:DIGITS, or return=NUMBER. Exit code 1 if another comes."
        ),
    ] = None,
    cpu: Annotated[
        list[str] | None,
        typer.Option(help=f"CPU: all, {', '.join(PLACES)}. Repeat the option for several."),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Board for time and energy: {', '.join(BOARDS)}, or "
            "NAME@CLOCK. Repeat the option for several."
        ),
    ] = None,
    runs: Annotated[
        int, typer.Option(help="Number of random inputs, and of random sets of secrets.")
    ] = RUNS,
    seed: SeedOption = 1,
    flags: Annotated[
        str, typer.Option(help="Compiler flags, added after -std=c11 -ffreestanding -O2.")
    ] = "",
    include: Annotated[
        list[Path] | None, typer.Option(help="Folder with headers. Repeat the option for several.")
    ] = None,
    cycle_limit: Annotated[
        int, typer.Option(help="Give a call up after so many cycles.")
    ] = CYCLE_LIMIT,
    baseline: Annotated[
        Path | None,
        typer.Option(help="Earlier output of --format json. Exit code 1 if a figure got worse."),
    ] = None,
    tolerance: Annotated[
        str, typer.Option(help="How much worse a figure may be than in --baseline, such as 2%.")
    ] = TOLERANCE,
    profile: Annotated[
        Path | None,
        typer.Option(help="Write a flame graph of one call: a folder, or a FILE.svg."),
    ] = None,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """What does a C function cost on each CPU, and does it keep its secrets?"""
    if len(call) != 1:
        raise UsageError(f"--call is given {len(call)} times: measure one function at a time")
    [prototype] = call
    require_checkout("measure")
    form, percent = options.output_format(form), read_tolerance(tolerance)
    chosen(view.COLUMNS, columns)
    earlier = None if baseline is None else (baseline, read_baseline(baseline))
    if profile is not None and profile.suffix and profile.suffix != ".svg":
        raise UsageError(f"{profile}: give a file .svg, or a folder")
    rows, profiles = measure_and_profile(
        files,
        prototype,
        profiled=profile is not None,
        args=arg or (),
        sizes=size or (),
        expect=expect or (),
        cpus=cpu or "all",
        boards=board or (),
        runs=runs,
        seed=seed,
        flags=flags,
        include=include or (),
        cycle_limit=cycle_limit,
    )
    comparison = None if earlier is None else compare(rows, *earlier, percent)
    if profile is not None:
        _write(profiles, profile)
    show(
        rows,
        view.COLUMNS,
        form,
        conditions=view.conditions(rows),
        answer=view.answer(rows),
        names=columns,
    )
    if form == "table":
        _show_profiles(profiles)
    if comparison is not None:
        if form == "table":
            show_table(comparison.changes, baseline_view.COLUMNS, f"against {comparison.baseline}")
        sys.stderr.write(baseline_view.answer(comparison) + "\n")
    for fault in view.faults(rows):
        sys.stderr.write(f"wardmote: {fault}\n")
    return 0 if _holds(rows) and not (comparison and comparison.worse) else 1


def _holds(rows: Sequence[MeasureRow]) -> bool:
    return all(row.holds for row in rows)


def _write(profiles: Sequence[Profile], place: Path) -> None:
    """The files of each profile, named on stderr."""
    found = profile_view.targets(
        place, profiles[0].operation if profiles else "", tuple(p.cpu for p in profiles)
    )
    for one in profiles:
        profile_view.write(one, found[one.cpu])
        sys.stderr.write(f"profile: {found[one.cpu]}, and beside it .folded and .json\n")


def _show_profiles(profiles: Sequence[Profile]) -> None:
    """Functions and the lines that take most, CPU by CPU."""
    for one in profiles:
        title = f"{one.operation} of {one.octets} octets on {one.cpu}: {one.cycles} cycles"
        show_table(one.functions, profile_view.function_columns(one), title)
        show_table(
            one.lines[: profile_view.MOST_LINES],
            profile_view.line_columns(one),
            f"{title}, by line",
        )
