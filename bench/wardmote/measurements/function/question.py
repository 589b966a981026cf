# SPDX-License-Identifier: BSD-3-Clause
"""Checks the options of a measurement."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from wardmote.choices import choice, parts
from wardmote.errors import UsageError
from wardmote.measurements.function.arguments import read_arguments, read_expected, read_sizes
from wardmote.measurements.function.board import BoardAtClock, boards
from wardmote.measurements.function.build import Order
from wardmote.measurements.function.files import ALL, PLACES, Files, sort_files
from wardmote.measurements.function.inputs import Assignment, assignments
from wardmote.measurements.function.prototype import read_calls

RUNS = 16
MOST_RUNS = 10_000
CYCLE_LIMIT = 100_000_000


class Asked(TypedDict, total=False):
    """The options of a measurement, as on the command line. Pairs are `NAME=VALUE` or a mapping."""

    args: Sequence[str] | Mapping[str, str]
    globals: Sequence[str] | Mapping[str, str]
    """Values of global objects of the program, in the words of `args`."""
    expect: Sequence[str] | Mapping[str, str]
    sizes: Sequence[int] | str
    """Values of the parameter that holds a buffer's length: numbers, or `len=16,32`."""
    cpus: Sequence[str] | str
    boards: Sequence[str] | str
    """Boards whose clock and current give time and energy, for example `telosb@8MHz`."""
    runs: int
    seed: int
    flags: str
    include: Sequence[str | Path]
    cycle_limit: int
    public: Sequence[str]
    """Functions whose results are public, whatever secrets they were made of."""


@dataclass(frozen=True, slots=True)
class Question:
    """The checked options."""

    order: Order
    assignments: tuple[Assignment, ...]
    """One assignment for each size."""
    cpus: tuple[str, ...]
    """In the order of the report."""
    boards: Mapping[str, BoardAtClock]
    expected: Mapping[str, int | bytes]
    arguments: tuple[str, ...]
    runs: int
    seed: int
    cycle_limit: int
    published: tuple[str, ...] = ()
    """Functions whose results are public."""

    @property
    def function(self) -> str:
        """Name of the function."""
        return self.order.function

    @property
    def files(self) -> Files:
        """The files that contain the function."""
        return self.order.files


def question_of(
    files: str | Path | Sequence[str | Path], call: str | Sequence[str], asked: Asked
) -> Question:
    """Checks all options; compiles nothing. Of several calls the last is measured."""
    given_files = sort_files(
        [Path(file) for file in ([files] if isinstance(files, str | Path) else files)]
    )
    chosen = _cpus(asked.get("cpus", "all"), given_files)
    runs, cycle_limit = asked.get("runs", RUNS), asked.get("cycle_limit", CYCLE_LIMIT)
    for what, number, most in (
        ("number of runs", runs, MOST_RUNS),
        ("cycle limit", cycle_limit, 10**12),
    ):
        if not 1 <= number <= most:
            raise UsageError(f"no {what} {number}: possible are 1 to {most}")
    folders = tuple(Path(folder) for folder in asked.get("include", ()))
    texts, wanted = _pairs(asked.get("args", ())), _pairs(asked.get("expect", ()))
    given, expected = read_arguments(texts), read_expected(wanted)
    named_objects = _pairs(asked.get("globals", ()))
    objects = read_arguments(named_objects)
    calls = read_calls([call] if isinstance(call, str) else call, given_files.types, folders)
    assigned = assignments(calls, given, objects, *_sizes(asked.get("sizes", ())))
    if stray := next(
        (name for name in expected if name not in (*assigned[0].outputs, "return")), None
    ):
        raise UsageError(
            f"no output {stray!r}: possible are {', '.join((*assigned[0].outputs, 'return'))}"
        )
    words = tuple(_split(asked.get("flags", "")))
    symbols = [one.symbol for one in given.values() if one.kind == "symbol"]
    order = Order(
        given_files,
        calls[-1].function.name,
        words,
        folders,
        calls[-1].plain,
        tuple((one.function.name, one.plain) for one in calls[:-1]),
        tuple(dict.fromkeys((*symbols, *objects))),
    )
    named = asked.get("boards", ())
    places = boards([named] if isinstance(named, str) else named, chosen)
    return Question(
        order,
        tuple(assigned),
        chosen,
        places,
        expected,
        (*texts, *(f"global {text}" for text in named_objects)),
        runs,
        asked.get("seed", 1),
        cycle_limit,
        tuple(asked.get("public", ())),
    )


def _pairs(texts: Sequence[str] | Mapping[str, str]) -> tuple[str, ...]:
    return (
        tuple(f"{k}={v}" for k, v in texts.items()) if isinstance(texts, Mapping) else tuple(texts)
    )


def _sizes(sizes: Sequence[int] | str) -> tuple[str | None, tuple[int, ...]]:
    if isinstance(sizes, str):
        return read_sizes(sizes)
    return read_sizes(",".join(map(str, sizes))) if sizes else (None, ())


def _split(flags: str) -> list[str]:
    try:
        return shlex.split(flags)
    except ValueError as error:
        raise UsageError(f"no flags {flags!r}: {error}") from error


def _cpus(asked: Sequence[str] | str, files: Files) -> tuple[str, ...]:
    """The chosen CPUs in the order of the report. A compiled file is for its own CPU only."""
    named = {choice("cpu", text, ("all", *PLACES)) for text in parts(asked)}
    possible = files.possible()
    if "all" in named:
        usual = files.compiled_for() or ALL
        return tuple(cpu for cpu in possible if cpu in (*usual, *named))
    chosen = tuple(cpu for cpu in PLACES if cpu in named)
    if other := next((cpu for cpu in chosen if cpu not in possible), None):
        compiled = files.executable[1] if files.executable else files.linked[0][1]
        raise UsageError(f"{compiled} is for {', '.join(possible)}, not for {other}")
    return chosen
