# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote measure`: what any C function costs, without a board."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from wardmote.changes import read_tolerance
from wardmote.commands.measure_beside import tables_beside
from wardmote.commands.primitives import NAMES, chosen_of
from wardmote.commands.records import LIST, SEVERAL, File, Texts, option
from wardmote.commands.register import verb
from wardmote.commands.shared import CostBoardsOption, SeedOption, Shown
from wardmote.errors import DONE, FAILED, PARTLY, UsageError
from wardmote.measurements.function.api import measure_and_profile
from wardmote.measurements.function.baseline import (
    Comparison,
    compare,
    read_baseline,
)
from wardmote.measurements.function.files import PLACES
from wardmote.measurements.function.profile import Profile
from wardmote.measurements.function.question import CYCLE_LIMIT, RUNS
from wardmote.measurements.function.rows import MeasureRow
from wardmote.measurements.primitives.entry import Primitive
from wardmote.paths import require_checkout
from wardmote.views import baseline as baseline_view
from wardmote.views import measure as view
from wardmote.views import profile as profile_view
from wardmote.views import show
from wardmote.views.show import show_table
from wardmote.views.table import Column

TOLERANCE = "0%"


@dataclass(frozen=True, slots=True)
class Function:
    """Which function is called, and with what."""

    files: Annotated[
        list[Path],
        typer.Argument(
            help="The source FILE.c or FILE.S with the headers, archives (.a) and objects (.o) it "
            "needs, or one linked x.elf."
        ),
    ]
    call: Annotated[
        list[str],
        option(
            "Prototype of the function, such as 'void f(const uint8_t key[16], uint8_t block[16])'."
            " Given several times, all are called in order, on the same memory; the last is measured."
        ),
    ]
    arg: Annotated[
        Texts,
        option(
            "Value of an argument: NAME=random, NAME=zero, NAME=hex:DIGITS or NAME=NUMBER. "
            "random:N and zero:N have N octets. NAME=SYMBOL passes the address of a function or an "
            "object, NAME.MEMBER=… sets a member of a structure, or what it points to. A trailing "
            ":secret marks a secret. Default: random and public."
        ),
    ] = None
    global_: Annotated[
        Texts,
        option(
            "Value of a global object before the calls: NAME=random:secret and so on, as in --arg.",
            name="--global",
        ),
    ] = None
    size: Annotated[
        str,
        option(
            "Lengths of a buffer, one row for each: 16,32,64, or len=16,32,64 to name the "
            "parameter."
        ),
    ] = ""
    public: Annotated[
        Texts,
        option(
            "Function whose result is public, whatever secrets it was made of: the verdict of a "
            f"comparison of tags. {SEVERAL}"
        ),
    ] = None
    expect: Annotated[
        Texts,
        option("Expected output: NAME=hex:DIGITS, or return=NUMBER. Exit code 1 if another comes."),
    ] = None


@dataclass(frozen=True, slots=True)
class Way:
    """How it is measured."""

    cpu: Annotated[Texts, option(f"CPU: all, {', '.join(PLACES)}. {LIST}", "all", *PLACES)] = None
    board: CostBoardsOption = None
    runs: Annotated[int, option("Number of random inputs, and of random sets of secrets.")] = RUNS
    seed: SeedOption = 1
    flags: Annotated[str, option("Compiler flags, added after -std=c11 -ffreestanding -O2.")] = ""
    include: Annotated[list[Path] | None, option(f"Folder with headers. {SEVERAL}")] = None
    cycle_limit: Annotated[int, option("Give a call up after so many cycles.")] = CYCLE_LIMIT


@dataclass(frozen=True, slots=True)
class Beside:
    """What is compared with and written, besides the rows."""

    baseline: Annotated[
        File, option("Earlier output of --format json. Exit code 1 if a figure got worse.")
    ] = None
    tolerance: Annotated[
        str, option("How much worse a figure may be than in --baseline, such as 2%.")
    ] = TOLERANCE
    beside: Annotated[
        Texts,
        option(
            "Primitives of the stack to set beside the function, such as aes128, with those of "
            f"other libraries that `make libraries` has fetched. {LIST}",
            *NAMES,
        ),
    ] = None
    profile: Annotated[
        File, option("Write a flame graph of one call: a folder, or a FILE.svg.")
    ] = None

    def comparer(self) -> Callable[[Sequence[MeasureRow]], Comparison | None]:
        """Compares rows with the baseline, which is read at once; with None, if none is given."""
        percent = read_tolerance(self.tolerance)
        if self.baseline is None:
            return lambda rows: None
        place, earlier = self.baseline, read_baseline(self.baseline)
        return lambda rows: compare(rows, place, earlier, percent)

    def of_the_stack(self) -> tuple[Primitive, ...]:
        """The primitives to set beside; refuses names that there are not."""
        return chosen_of(self.beside) if self.beside else ()

    def refuse_no_picture(self) -> None:
        """Refuses to write a profile into a file of another kind."""
        if self.profile is not None and self.profile.suffix not in ("", ".svg"):
            raise UsageError(f"{self.profile}: give a file .svg, or a folder")


@verb("Measure code", 90)
def measure(function: Function, way: Way, beside: Beside, shown: Shown) -> int:
    """What does a C function cost on each CPU, and does it keep its secrets?"""
    require_checkout("measure")
    shown = shown.checked(view.COLUMNS)
    compared = beside.comparer()
    beside.refuse_no_picture()
    primitives = beside.of_the_stack()
    rows, profiles = measure_and_profile(
        function.files,
        function.call,
        profiled=beside.profile is not None,
        args=function.arg or (),
        globals=function.global_ or (),
        public=function.public or (),
        sizes=function.size or (),
        expect=function.expect or (),
        cpus=way.cpu or "all",
        boards=way.board or (),
        runs=way.runs,
        seed=way.seed,
        flags=way.flags,
        include=way.include or (),
        cycle_limit=way.cycle_limit,
    )
    comparison = compared(rows)
    if beside.profile is not None:
        _write(profiles, beside.profile)
    others = tables_beside(rows, primitives, way.seed) if primitives else []
    tables: list[tuple[Sequence[Any], Sequence[Column[Any]]]] = [(rows, view.COLUMNS)]
    if shown.form != "table":
        tables += [(one.rows, one.columns) for one in others]
    show.show(
        tables,
        shown.form,
        conditions=view.conditions(rows),
        answer=view.answer(rows),
        names=shown.columns,
    )
    if shown.form == "table":
        for one in others:
            show_table(one.rows, one.columns, one.title)
        _show_profiles(profiles)
    if comparison is not None:
        if shown.form == "table":
            show_table(comparison.changes, baseline_view.COLUMNS, f"against {comparison.baseline}")
        sys.stderr.write(baseline_view.answer(comparison) + "\n")
    for fault in view.faults(rows):
        sys.stderr.write(f"wardmote: {fault}\n")
    if not all(row.holds for row in rows) or (comparison and comparison.worse):
        return FAILED
    return PARTLY if any(row.failure is not None for row in rows) else DONE


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
