# SPDX-License-Identifier: BSD-3-Clause
"""The same operations on this machine as a 32-bit x86: instructions, which are exact, and time,
which is its own.

`make stack` links the library to the server of `bench/host`: once as it is, and once with a count in
front of each block of instructions. Both start from the same memory. The counted program gives
instructions and path; the plain one gives stack and time.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.call import Host32, Outcome, Timed, TraceMode
from wardmote.elf import read as read_elf
from wardmote.errors import UsageError
from wardmote.measurements.primitives.entry import MESSAGE, Case, Operation, Primitive
from wardmote.measurements.primitives.run import Secrets, operate, place
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import HOST32, Function, Prototypes, read_public

CPU = "host32"
FOLDER = BUILD / "stack" / CPU
SMALL = "-small"
BATCHES = 15
"""Of a timed operation; each is 0.1 ms at least."""
Ran = tuple[Outcome, Timed | None]
"""What one call did, and its time if it was asked for."""


@dataclass(frozen=True, slots=True)
class Host32Cost:
    """One operation over all secrets."""

    operation: str
    instructions: int
    """The most over all secrets; of a repeated instruction there is none."""
    instructions_min: int
    stack_octets: int
    no_secret_branch: bool
    """The path is the same for all secrets, and so is the number of instructions."""
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
        raise UsageError(f"no build/stack/{CPU}/options.txt: build it with `make stack`") from error
    return compiler, small if primitive.form == "small" else full


class Machine(Host32):
    """A program that keeps what its measured calls did: those with a trace."""

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


def lacking(primitive: Primitive) -> tuple[str, ...]:
    """What the entry names and its program does not hold."""
    present = read_elf(programs(primitive)[0].read_bytes(), CPU).addresses
    return tuple(name for name in primitive.symbols if name not in present)


def context_octets(primitive: Primitive) -> int:
    """Octets of RAM that a caller keeps: expanded keys and contexts."""
    prototypes = read_public(ROOT)
    records = (value.record for value in primitive.values.values() if value.kind == "record")
    return sum(prototypes.layout(name, HOST32).size for name in records)


def measure(
    primitive: Primitive, cases: Sequence[Case], runs: int, seed: int, *, timed: bool = True
) -> list[tuple[Case, Host32Cost]]:
    """Every operation of the cases, with as many sets of secrets as `runs`; time is that of the
    first."""
    prototypes = read_public(ROOT)
    plain_path, counted_path = programs(primitive)
    with (
        Machine(plain_path, prototypes, timed=timed) as plain,
        Machine(counted_path, prototypes) as counted,
    ):
        found = []
        for case in cases:
            first = _operations(plain, case, Secrets(seed, 0))
            seen = [_operations(counted, case, Secrets(seed, n)) for n in range(runs)]
            for n, operation in enumerate(primitive.operations):
                if case.shows(operation):
                    found.append((case, _cost(operation, first[n], [run[n] for run in seen])))
        return found


def _operations(machine: Machine, case: Case, secrets: Secrets) -> list[list[Ran]]:
    """All operations, one after the other, as on the emulated CPUs: the calls of each that are
    measured."""
    machine.reset()
    values = place(machine, case, secrets.source())
    message = values[MESSAGE].read()
    done = []
    for operation in case.primitive.operations:
        machine.ran.clear()
        operate(machine, case, operation, values, message, secrets, trace=True)
        done.append(list(machine.ran))
    return done


def _cost(operation: Operation, first: Sequence[Ran], seen: Sequence[Sequence[Ran]]) -> Host32Cost:
    instructions = [sum(one.instructions or 0 for one, _ in run) for run in seen]
    paths = {tuple(one.trace.pc_hash for one, _ in run if one.trace) for run in seen}
    # An operation of several calls: batch by batch their sum.
    timed = [one for _, one in first if one is not None]
    ns = [sum(of_calls) for of_calls in zip(*(one.ns for one in timed), strict=True)]
    low, median, high = (
        [round(one, 2) for one in statistics.quantiles(ns, n=4)] if ns else [None] * 3
    )
    return Host32Cost(
        operation.name,
        instructions=max(instructions),
        instructions_min=min(instructions),
        stack_octets=max(one.stack_octets or 0 for one, _ in first),
        no_secret_branch=len(paths) == 1,
        time_ns=median,
        time_ns_low=low,
        time_ns_high=high,
        calls=min((one.calls for one in timed), default=0),
        batches=len(ns),
    )
