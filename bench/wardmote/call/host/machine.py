# SPDX-License-Identifier: BSD-3-Clause
"""Calls on this machine in a process of their own, 64 and 32 bits wide.

The server of `bench/host` makes each call in a child: static variables begin anew, a crash is one
call's, and memory, stack and functions have the same addresses in all of them.
"""

from __future__ import annotations

import abc
import os
import platform
import select
import signal
import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from wardmote import elf
from wardmote.call.arena import ALIGN, Arena
from wardmote.call.errors import CallError, StepError
from wardmote.call.outcome import Outcome, Trace, TraceMode
from wardmote.call.target import Target
from wardmote.errors import MissingError, UsageError
from wardmote.paths import BUILD
from wardmote.prototypes import (
    HOST,
    HOST32,
    Declared,
    Function,
    Pointer,
    Prototypes,
    Scalar,
    Void,
)

if TYPE_CHECKING:
    from wardmote.call.host.trace import Tracer

SERVER = BUILD / "stack" / "host" / "server"
RUN, TIME, STEP, READ, STAY = 1, 2, 3, 4, 5
ARENA, AREA_OCTETS = 0x6000_0000, 1 << 20
STACK = 0x6FF0_0000
GUARD_OCTETS = 1 << 18
"""Below the stack: an access there is one of a stack that has grown too large."""
WORDS, TEXT_OCTETS, MOST_BATCHES = 16, 128, 64
REQUEST = struct.Struct(f"<{6 + WORDS}Q")
ANSWER = struct.Struct(f"<12Q{TEXT_OCTETS}s")
BATCH = struct.Struct("<2Q")
"""All of these as in `bench/host/server.h` and `addresses.h`."""
STEP_OCTETS = 18 * 8
"""Of the registers before one instruction, as in `x86_64/steps.c`."""
STEP_SECONDS = 120
"""Of a call that is followed: for a function that sleeps. Others meet the limit of instructions."""
MEMCPY = Function(
    "memcpy",
    Pointer(Void(), const=False),
    (
        Declared("to", Pointer(Void(), const=False)),
        Declared("from", Pointer(Void(), const=True)),
        Declared("octets", Scalar("pointer", signed=False)),
    ),
)
ACCESSES = {0: "reads", 1: "writes to"}


@dataclass(frozen=True, slots=True)
class Answer:
    """`struct answer` of the server."""

    returned: int
    status: int
    value: int
    instructions: int
    path: int
    stack_octets: int
    top: int
    exhausted: int
    signal: int
    address: int
    pc: int
    access: int
    text: bytes
    batches: tuple[tuple[int, int], ...]

    @property
    def said(self) -> str:
        """The name of a function, or a reason."""
        return self.text.rstrip(b"\0").decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Timed:
    """One call in batches of equal length."""

    calls: int
    """In a batch."""
    ns: tuple[float, ...]
    """Of one call, batch by batch, without what the call itself takes."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """The registers before each instruction of a call, and where things lie."""

    registers: bytes
    top: int
    """Stack pointer at the first instruction: the return address is there."""
    stack: int
    """Lowest address of the stack."""
    base: int
    """The library's first address, and past its last one: addresses in it are reported as its file
    has them."""
    end: int


class Machine(Target):
    """A server from its first call to the end of `with`."""

    seconds = 3
    """After which a call is given up."""
    patience = 30
    """Seconds beyond that after which the server is given up. It gives up calls by itself."""

    def __init__(self, program: Path, prototypes: Prototypes) -> None:
        """Takes the file that holds the functions."""
        super().__init__(prototypes)
        if not program.is_file():
            raise MissingError(f"{program}: no such file; `make stack` builds it")
        self.program = program
        self.base = self.end = 0
        """Where the functions' file lies in the server's memory."""
        self._memory = bytearray()
        self._process: subprocess.Popen[bytes] | None = None
        self._stays = self._changed = False
        """Calls are made in the server itself; some have been."""
        self._limit = self.patience
        """Seconds for the next octets of the server."""

    @abc.abstractmethod
    def _command(self) -> Sequence[Path]:
        """What starts the server."""

    @abc.abstractmethod
    def words_of(self, function: Function, values: Sequence[int]) -> list[int]:
        """Arguments as the words of the ABI."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        self._changed = False

    @cached_property
    def symbols(self) -> dict[str, int]:
        """Addresses of functions and objects, as the file has them."""
        return self._executable.addresses

    @cached_property
    def _executable(self) -> elf.Executable:
        octets, bits = self.program.read_bytes(), 8 * self.model.pointer_octets
        return elf.read(octets, self.program.name, bits, big=self.model.big_endian)

    def address_of(self, symbol: str) -> int:
        """Address of a function or an object in the server."""
        if symbol not in self.symbols:
            raise CallError(f"{self.program.name} has no symbol {symbol}")
        self._started()
        return self.base + self.symbols[symbol]

    def read(self, address: int, length: int) -> bytes:
        """Octets of the memory that calls are given, or of the server."""
        at = address - ARENA
        if at >= 0 and at + length <= len(self._memory):
            return bytes(self._memory[at : at + length])
        answer, octets, _ = self._ask(READ, address, octets=length)
        if not answer.returned:
            raise CallError(f"no memory at 0x{address:08X}")
        return octets

    def reset(self) -> None:
        """Drops every buffer, and what calls have left in objects."""
        self._buffers.clear()
        self._memory.clear()
        if self._changed:
            self.close()

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Makes calls in the server itself, so that objects keep what the calls leave."""
        self._stays = self._changed = True
        try:
            yield
        finally:
            self._stays = False

    def store(self, symbol: str, octets: bytes) -> None:
        """Writes an object by the program's own memcpy, in the server itself."""
        to = self.address_of(symbol)
        sizes = {one.name: one.octets for one in self._executable.objects}
        room = sizes.get(symbol, 0)
        if len(octets) > room:
            raise CallError(f"it is of {room} octets, not {len(octets)}")
        with self.keeping(), self._scope():
            source = -(-len(self._memory) // ALIGN) * ALIGN
            self._memory.extend(bytes(source - len(self._memory)) + octets)
            self._call(STAY, MEMCPY, [to, ARENA + source, len(octets)], 0, self.seconds)

    def time(self, function: Function, values: Sequence[int], batches: int) -> Timed:
        """Times a call, each on memory as it is now."""
        answer, _, _ = self._ask(
            TIME,
            self.address_of(function.name),
            batches,
            self.words_of(function, values),
            self._memory,
        )
        self._require(answer, function, self.seconds)
        ns = [(with_it - without) / answer.value for with_it, without in answer.batches[:batches]]
        return Timed(answer.value, tuple(ns))

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
        kind = STAY if self._stays else RUN
        answer = self._call(kind, function, values, 0, self.seconds)[0]
        counted = answer.instructions or None
        met = Trace(answer.path, 0, (), (), ()) if trace != "off" and counted else None
        return Outcome(answer.value, (), None, answer.stack_octets, met, instructions=counted)

    def _call(
        self, kind: int, function: Function, values: Sequence[int], limit: int, seconds: int
    ) -> tuple[Answer, bytes]:
        """A call that may write to memory, and the registers of its steps."""
        words = self.words_of(function, values)
        entry = self.address_of(function.name)
        answer, memory, steps = self._ask(kind, entry, limit, words, self._memory, seconds)
        self._require(answer, function, seconds)
        self._memory[:] = memory
        return answer, steps

    def _require(self, answer: Answer, function: Function, seconds: int) -> None:
        """Raises CallError if the call did not come back."""
        where = f"{function.name} on {self.name}"
        killed = answer.status & 0x7F
        if killed == signal.SIGALRM:
            raise CallError(f"{where}: no return within {seconds} s")
        if killed:
            name = signal.Signals(killed).name
            raise CallError(f"{where}: stopped by {name}: it reached memory that is not its own")
        if not answer.returned:
            raise CallError(f"{where}: it ended its process instead of returning")
        if answer.signal or answer.exhausted:
            raise CallError(f"{where}: {self._fault(answer)}")

    def _fault(self, answer: Answer) -> str:
        """Why a call that was followed did not return: instruction, function, what happened."""
        name = f" ({answer.said})" if answer.said else ""
        pc = answer.pc - self.base if self.base <= answer.pc < self.end else answer.pc
        where = f"PC {pc:#x}{name}"
        if answer.exhausted:
            return f"no return within {answer.instructions} instructions, {where}"
        where += f", instruction {answer.instructions}"
        if STACK - GUARD_OCTETS <= answer.address < STACK:
            return f"{where}: the stack has grown beyond its {AREA_OCTETS} octets"
        stopped = signal.Signals(answer.signal)
        if stopped not in (signal.SIGSEGV, signal.SIGBUS):
            return f"{where}: stopped by {stopped.name}"
        if answer.access not in ACCESSES:
            reason = "it uses an address that no memory has, or one that is not aligned"
        else:
            reason = f"it {ACCESSES[answer.access]} {answer.address:#x}, which is not its own"
        return f"{where}: {stopped.name}: {reason}"

    def _ask(
        self,
        kind: int,
        address: int,
        limit: int = 0,
        words: Sequence[int] = (),
        memory: bytes | bytearray = b"",
        seconds: int = 0,
        octets: int = 0,
    ) -> tuple[Answer, bytes, bytes]:
        """Gives the server a request; takes its answer, the memory, and the registers of steps."""
        self._started()
        octets = octets or len(memory)
        padded = [*words, *[0] * (WORDS - len(words))]
        seconds = seconds or self.seconds
        request = self._in_order(REQUEST).pack(
            kind, octets, address, limit, seconds, len(words), *padded
        )
        self._limit = seconds + self.patience
        self._write(request + memory)
        answer = self._answer(limit if kind == TIME else 0)
        steps = answer.instructions * STEP_OCTETS if kind == STEP else 0
        return answer, self._read(octets), self._read(steps)

    def _answer(self, batches: int = 0) -> Answer:
        """The next answer, with so many batches."""
        octets = self._read(ANSWER.size + BATCH.size * MOST_BATCHES)
        *numbers, text = self._in_order(ANSWER).unpack_from(octets)
        timed = octets[ANSWER.size : ANSWER.size + BATCH.size * batches]
        return Answer(*(*numbers, text, tuple(self._in_order(BATCH).iter_unpack(timed))))

    def _in_order(self, form: struct.Struct) -> struct.Struct:
        """A form with the server's order of octets."""
        return struct.Struct(f">{form.format[1:]}") if self.model.big_endian else form

    def _write(self, octets: bytes) -> None:
        """Gives octets to the server. If it has ended, the missing answer shows that."""
        assert self._process is not None
        assert self._process.stdin is not None
        file, left = self._process.stdin.fileno(), memoryview(octets)
        try:
            while left:
                self._wait(file, select.POLLOUT)
                # As much as a pipe takes at once whenever it is ready: it does not block.
                left = left[os.write(file, left[: select.PIPE_BUF]) :]
        except BrokenPipeError:
            return

    def _read(self, octets: int) -> bytes:
        """Octets from the server."""
        assert self._process is not None
        assert self._process.stdout is not None
        file, found = self._process.stdout.fileno(), bytearray()
        while len(found) < octets:
            self._wait(file, select.POLLIN)
            part = os.read(file, octets - len(found))
            if not part:
                ended = self._process.wait()
                raise CallError(f"{self.program.name}: its server ended with {ended}")
            found += part
        return bytes(found)

    def _wait(self, file: int, event: int) -> None:
        """Waits until a pipe of the server is ready; ends the server if it never is."""
        waiting = select.poll()
        waiting.register(file, event)
        if not waiting.poll(1000 * self._limit):
            self.close()
            raise CallError(
                f"{self.program.name}: its server does not answer within {self._limit} s"
            )

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            words, pipe = self._command(), subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    words, bufsize=0, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
                )
            except FileNotFoundError as error:
                raise MissingError(f"{words[0]}: no such file; `make stack` builds it") from error
            except OSError as error:
                bits = 8 * self.model.pointer_octets
                raise UsageError(
                    f"{self.name}: this machine runs no {bits}-bit x86 programs ({error.strerror})"
                ) from error
            self._limit = self.patience
            greeting = self._answer()
            if not greeting.returned:
                raise UsageError(f"{self.program} cannot be loaded: {greeting.said}")
            self.base, self.end = greeting.address, greeting.top
        return self._process


class Host(Machine):
    """This machine as it is. A call with a trace is followed one instruction at a time."""

    name = "host"
    model = HOST
    instruction_limit = 1_000_000
    """Of a call that is followed."""

    @cached_property
    def _tracer(self) -> Tracer:
        # Only calls that are followed need numpy and a disassembler.
        from wardmote.call.host.trace import Tracer

        return Tracer(self.read)

    def _command(self) -> Sequence[Path]:
        return (SERVER, self.program)

    def words_of(self, function: Function, values: Sequence[int]) -> list[int]:
        """Each argument is a word."""
        if len(values) > WORDS:
            raise CallError(
                f"{function.name} takes {len(values)} arguments; on host at most {WORDS}"
            )
        return [value & 0xFFFF_FFFF_FFFF_FFFF for value in values]

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        if trace == "off":
            return Outcome(super()._run(function, values, trace).value, ())
        if platform.machine() != "x86_64" or platform.system() != "Linux":
            raise StepError(
                f"single steps are for Linux on x86-64, this is {platform.system()} on "
                f"{platform.machine()}"
            )
        answer, steps = self._call(STEP, function, values, self.instruction_limit, STEP_SECONDS)
        if not answer.instructions:
            raise StepError("this machine does not stop after single instructions")
        stepped = Stepped(steps, answer.top, STACK, self.base, self.end)
        return self._tracer.outcome(answer.value, stepped, trace)


class Host32(Machine):
    """This machine as a 32-bit x86 without SSE and AES instructions. A trace is the path alone, and
    only a counted program knows it."""

    name = "host32"
    model = HOST32

    def _command(self) -> Sequence[Path]:
        return (self.program,)

    def words_of(self, function: Function, values: Sequence[int]) -> list[int]:
        """The words on the stack: two for what has 64 bits."""
        words: list[int] = []
        for parameter, value in zip(function.parameters, values, strict=True):
            wide = self.prototypes.sizeof(parameter.type, self.model) == 8
            words += [value & 0xFFFF_FFFF, *([value >> 32 & 0xFFFF_FFFF] if wide else [])]
        if len(words) > WORDS:
            raise CallError(
                f"{function.name} takes {len(words)} words of arguments; on host32 at most {WORDS}"
            )
        return words
