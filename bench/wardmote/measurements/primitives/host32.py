# SPDX-License-Identifier: BSD-3-Clause
"""The same operations on this machine as a 32-bit x86: instructions, which are exact, and time,
which is its own.

`make stack` links the library to `bench/host32/server.c`, which is told here what to call: once as
it is, and once with a count in front of each block of instructions. Both start from the same
memory; the counted one gives instructions and path, the plain one stack and time.
"""

import statistics
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from wardmote.call import Arena, CallError, Outcome, Target, Trace, TraceMode
from wardmote.errors import UsageError
from wardmote.measurements.footprint.elf import read as read_elf
from wardmote.measurements.function.host32 import HOST32
from wardmote.measurements.primitives.entry import MESSAGE, Case, Operation, Primitive
from wardmote.measurements.primitives.run import Secrets, operate, place
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import Function, Prototypes, read_public

CPU = "host32"
FOLDER = BUILD / "stack" / CPU
SMALL = "-small"
ARENA, AREA_OCTETS, WORDS = 0x2000_0000, 1 << 20, 16
ALIGN = 16
RUN, TIME = 1, 2
"""All of these as in `server.c`."""
BATCHES = 15
"""Of a timed operation; each is 0.1 ms at least."""
REQUEST, CALL, OUTCOME, BATCH = (
    struct.Struct(f"<{form}") for form in ("3I", f"{1 + WORDS}I", "4Q", "2Q")
)
WORD = 0xFFFF_FFFF


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


@dataclass(frozen=True, slots=True)
class _Ran:
    """What one call did."""

    value: int
    instructions: int
    path: int
    stack_octets: int
    calls: int = 0
    """In a batch, where it was timed."""
    ns: tuple[float, ...] = ()
    """Of one call, batch by batch."""


def programs(primitive: Primitive) -> tuple[Path, Path]:
    """The plain and the counted program that an entry is measured with."""
    name = f"primitives{SMALL}" if primitive.executable.endswith(SMALL) else "primitives"
    return FOLDER / f"{name}.elf", FOLDER / f"{name}-counted.elf"


def compiled_with(primitive: Primitive) -> tuple[str, str]:
    """Compiler and options, as the Makefile leaves them beside the programs."""
    try:
        compiler, full, small = (FOLDER / "options.txt").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise UsageError(f"no build/stack/{CPU}/options.txt: build it with `make stack`") from error
    return compiler, small if primitive.executable.endswith(SMALL) else full


class Machine(Target):
    """One program from its start to the end of `with`."""

    name = CPU
    model = HOST32

    def __init__(self, program: Path, prototypes: Prototypes) -> None:
        """Takes a program of `bench/host32`."""
        super().__init__(prototypes)
        if not program.is_file():
            raise UsageError(f"no build/stack/{CPU}/{program.name}: build it with `make stack`")
        self.program = program
        self.symbols: Mapping[str, int] = read_elf(program.read_bytes(), program.name).addresses
        self.ran: list[_Ran] = []
        """Calls that were made with a trace, which here is the path."""
        self.timed = False
        """Those are timed, too."""
        self._memory = bytearray()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def address_of(self, symbol: str) -> int:
        """Address of a function or an object in the program."""
        if symbol not in self.symbols:
            raise CallError(f"{self.program.name} has no symbol {symbol}")
        return self.symbols[symbol]

    def read(self, address: int, length: int) -> bytes:
        """Octets of the memory that calls are given."""
        at = address - ARENA
        if at < 0 or at + length > len(self._memory):
            raise CallError(f"no memory at 0x{address:08X}")
        return bytes(self._memory[at : at + length])

    def reset(self) -> None:
        """Drops every buffer."""
        self._buffers.clear()
        self._memory.clear()

    def time(self, call: bytes, batches: int) -> tuple[int, tuple[float, ...]]:
        """Calls in a batch, and nanoseconds of one call by batch, each on memory as it is."""
        answer = self._ask(TIME, call, batches, 4 + batches * BATCH.size)
        calls = int.from_bytes(answer[:4], "little")
        return calls, tuple((ns - without) / calls for ns, without in BATCH.iter_unpack(answer[4:]))

    def words_of(self, function: str, values: Sequence[int]) -> bytes:
        """A call as the program is asked for it: the ABI's words on the stack."""
        words: list[int] = []
        for parameter, value in zip(
            self.prototypes.function(function).parameters, values, strict=True
        ):
            wide = self.prototypes.sizeof(parameter.type, self.model) == 8
            words += [value & WORD, *([value >> 32 & WORD] if wide else [])]
        if len(words) > WORDS:
            raise CallError(
                f"{function} takes {len(words)} words of arguments; on {CPU} at most {WORDS}"
            )
        return CALL.pack(self.address_of(function), *words, *[0] * (WORDS - len(words)))

    @contextmanager
    def _scope(self) -> Iterator[None]:
        mark = len(self._memory)
        try:
            yield
        finally:
            del self._memory[mark:]

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        start, length = -(-len(self._memory) // ALIGN) * ALIGN, len(arena.image)
        end = start + length
        if end > AREA_OCTETS:
            raise CallError(f"{length} octets of memory wanted, {AREA_OCTETS - start} left")
        self._memory.extend(bytes(start - len(self._memory)) + arena.image)

        def store(offset: int, octets: bytes) -> None:
            self._memory[start + offset : start + offset + len(octets)] = octets

        return ARENA + start, lambda: bytes(self._memory[start:end]), store

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        call = self.words_of(function.name, values)
        measured = trace != "off"
        calls, ns = self.time(call, BATCHES) if measured and self.timed else (0, ())
        answer = self._ask(RUN, call, 0, OUTCOME.size + len(self._memory))
        value, instructions, path, stack = OUTCOME.unpack(answer[: OUTCOME.size])
        self._memory[:] = answer[OUTCOME.size :]
        ran = _Ran(value, instructions, path, stack, calls, ns)
        if measured:
            self.ran.append(ran)
        met = Trace(path, 0, (), (), ()) if measured else None
        return Outcome(value, (), None, stack, met, instructions=instructions)

    def _ask(self, kind: int, call: bytes, batches: int, octets: int) -> bytes:
        """Gives the program a call with the memory, and takes its answer."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(
                REQUEST.pack(kind, len(self._memory), batches) + call + self._memory
            )
            process.stdin.flush()
            answer = process.stdout.read(octets)
        except BrokenPipeError:
            answer = b""
        if len(answer) != octets:
            raise CallError(
                f"{self.program.name}: it ended with {process.wait()} instead of answering"
            )
        return answer

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            except OSError as error:
                raise UsageError(
                    f"{CPU}: this machine runs no 32-bit x86 programs ({error.strerror})"
                ) from error
        return self._process


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
    with Machine(plain_path, prototypes) as plain, Machine(counted_path, prototypes) as counted:
        plain.timed = timed
        found = []
        for case in cases:
            first = _operations(plain, case, Secrets(seed, 0))
            seen = [_operations(counted, case, Secrets(seed, n)) for n in range(runs)]
            for n, operation in enumerate(primitive.operations):
                if case.shows(operation):
                    found.append((case, _cost(operation, first[n], [run[n] for run in seen])))
        return found


def _operations(machine: Machine, case: Case, secrets: Secrets) -> list[list[_Ran]]:
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


def _cost(
    operation: Operation, first: Sequence[_Ran], seen: Sequence[Sequence[_Ran]]
) -> Host32Cost:
    instructions = [sum(one.instructions for one in run) for run in seen]
    # An operation of several calls: batch by batch their sum.
    ns = [sum(of_calls) for of_calls in zip(*(one.ns for one in first), strict=True)]
    low, median, high = (
        [round(one, 2) for one in statistics.quantiles(ns, n=4)] if ns else [None] * 3
    )
    return Host32Cost(
        operation.name,
        instructions=max(instructions),
        instructions_min=min(instructions),
        stack_octets=max(one.stack_octets for one in first),
        no_secret_branch=len({tuple(one.path for one in run) for run in seen}) == 1,
        time_ns=median,
        time_ns_low=low,
        time_ns_high=high,
        calls=min(one.calls for one in first),
        batches=len(ns),
    )
