# SPDX-License-Identifier: BSD-3-Clause
"""The same operations on this machine as a 32-bit x86: instructions, which are exact, and time,
which is its own.

`make stack` links the library to the server of `bench/host`: once as it is, and once with a count in
front of each block of instructions. Both start from the same memory. The counted program gives
instructions and path; the plain one gives stack and time.
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wardmote.call import Host32, Outcome, Timed, TraceMode
from wardmote.elf import read as read_elf
from wardmote.errors import MissingError
from wardmote.measurements.primitives.entry import MESSAGE, Primitive, Workload
from wardmote.measurements.primitives.run import Secrets, operate, place
from wardmote.paths import BUILD, ROOT, as_file
from wardmote.prototypes import Function, Prototypes, read_public

CPU = "host32"
FOLDER = BUILD / "stack" / CPU
SMALL = "-small"
BATCHES = 15
"""Of a timed operation; each is 0.1 ms at least."""
Ran = tuple[Outcome, Timed | None]
"""What one call did, and its time if it was asked for."""


@dataclass(frozen=True, slots=True)
class Counts:
    """One operation over all secrets, in the counted program."""

    operation: str
    instructions: int
    """The most over all secrets; of a repeated instruction there is none."""
    instructions_min: int
    no_secret_branch: bool
    """The path is the same for all secrets, and so is the number of instructions."""


@dataclass(frozen=True, slots=True)
class Times:
    """One operation with the first secrets, in the plain program."""

    operation: str
    stack_octets: int
    time_ns: float | None
    """Median over the batches; in each, the time of the calls without that of as many calls of an
    empty function. None where it was not asked for."""
    time_ns_low: float | None
    time_ns_high: float | None
    """Lower and upper quartile of the batches."""
    calls: int
    """In a batch."""
    batches: int


def programs(primitive: Primitive) -> tuple[Path, Path]:
    """The plain and the counted program that an entry is measured with."""
    name = f"primitives{SMALL}" if primitive.form == "small" else "primitives"
    return FOLDER / f"{name}.elf", FOLDER / f"{name}-counted.elf"


def compiled_with(primitive: Primitive) -> tuple[str, str]:
    """Compiler and options, as the Makefile leaves them beside the programs."""
    try:
        compiler, full, small = (FOLDER / "options.txt").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise MissingError(
            f"no build/stack/{CPU}/options.txt: build it with `make stack`"
        ) from error
    return compiler, small if primitive.form == "small" else full


class Machine(Host32):
    """A program that keeps the outcomes of its measured calls: those with a trace."""

    seconds = 60

    def __init__(self, program: Path, prototypes: Prototypes, *, timed: bool = False) -> None:
        """Takes a plain or a counted program; `timed` says whether measured calls are timed too."""
        super().__init__(program, prototypes)
        self.timed = timed
        self.ran: list[Ran] = []

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        measured = trace != "off"
        timed = self.time(function, values, BATCHES) if measured and self.timed else None
        outcome = super()._run(function, values, trace)
        if measured:
            self.ran.append((outcome, timed))
        return outcome


@cache
def present(program: Path) -> Mapping[str, int]:
    """What a program holds, read once in a process."""
    if not program.is_file():
        raise MissingError(f"no build/stack/{CPU}/{program.name}: build it with `make stack`")
    return read_elf(program.read_bytes(), program.name).addresses


def lacking(primitive: Primitive) -> tuple[str, ...]:
    """Symbols that the entry names and one of its programs lacks."""
    plain, counted = map(present, programs(primitive))
    return tuple(name for name in primitive.symbols if name not in plain or name not in counted)


@contextmanager
def running(program: bytes, *, timed: bool = False) -> Iterator[Machine]:
    """The machine that runs a program, which lies in a file of its own meanwhile."""
    with as_file(program) as path, Machine(path, read_public(ROOT), timed=timed) as machine:
        yield machine


def counts(counted: Machine, workload: Workload, runs: int, seed: int) -> list[Counts]:
    """Every operation, with as many sets of secrets as `runs`."""
    seen = [_operations(counted, workload, Secrets(seed, n)) for n in range(runs)]
    return [
        _counts(operation.name, [run[n] for run in seen])
        for n, operation in enumerate(workload.primitive.operations)
        if workload.shows(operation)
    ]


def times(plain: Machine, workload: Workload, seed: int) -> list[Times]:
    """Stack and, if the machine is timed, time of every operation with the first secrets."""
    ran = _operations(plain, workload, Secrets(seed, 0))
    return [
        _times(operation.name, ran[n])
        for n, operation in enumerate(workload.primitive.operations)
        if workload.shows(operation)
    ]


def _operations(machine: Machine, workload: Workload, secrets: Secrets) -> list[list[Ran]]:
    """All operations, one after the other, as on the emulated CPUs: the calls of each that are
    measured."""
    machine.reset()
    values = place(machine, workload, secrets.source())
    message = values[MESSAGE].read()
    done = []
    for operation in workload.primitive.operations:
        machine.ran.clear()
        operate(machine, workload, operation, values, message, secrets, trace=True)
        done.append(list(machine.ran))
    return done


def _counts(operation: str, seen: Sequence[Sequence[Ran]]) -> Counts:
    instructions = [sum(one.instructions or 0 for one, _ in run) for run in seen]
    paths = {tuple(one.trace.pc_hash for one, _ in run if one.trace) for run in seen}
    return Counts(operation, max(instructions), min(instructions), len(paths) == 1)


def _times(operation: str, ran: Sequence[Ran]) -> Times:
    # An operation of several calls: batch by batch their sum.
    timed = [one for _, one in ran if one is not None]
    ns = [sum(of_calls) for of_calls in zip(*(one.ns for one in timed), strict=True)]
    low, median, high = (
        [round(one, 2) for one in statistics.quantiles(ns, n=4)] if ns else [None] * 3
    )
    return Times(
        operation,
        stack_octets=max(one.stack_octets or 0 for one, _ in ran),
        time_ns=median,
        time_ns_low=low,
        time_ns_high=high,
        calls=min((one.calls for one in timed), default=0),
        batches=len(ns),
    )
