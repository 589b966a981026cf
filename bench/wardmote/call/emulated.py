# SPDX-License-Identifier: BSD-3-Clause
"""The emulated CPUs, running the ELF files that are shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from wardmote import _motes
from wardmote.call.arena import ALIGN, Arena
from wardmote.call.errors import CallError
from wardmote.call.outcome import Outcome, Trace, TraceMode
from wardmote.call.target import Target
from wardmote.cpus import CPUS, MEASURED, cpu_of
from wardmote.errors import MissingError, UsageError
from wardmote.prototypes import Function, Prototypes, Void

Timing = Literal["low", "high", "flash"]
"""Of a CPU whose exact timing is not published: `low` and `high`, the ends of its band without wait
states, and `flash`, the high end with the wait states that the board's flash may have."""


class EmulatedTarget(Target):
    """A CPU of the instrument, the one that the executable is for: counts cycles and stack, records
    traces. Addresses are what the program's own pointers hold."""

    cycle_limit = 100_000_000
    """Cycles after which a call that has not returned is given up."""

    def __init__(
        self,
        elf: Path | bytes,
        prototypes: Prototypes,
        timing: Timing | None = None,
        cpu: str | None = None,
    ) -> None:
        """Loads an executable, or the one at a path; `timing` only where the CPU has more than one
        model, the slow end of its band by default. `cpu` names one of those that the executable can
        run on, the one whose name its ELF machine has by default."""
        super().__init__(prototypes)
        where = "the executable" if isinstance(elf, bytes) else str(elf)
        try:
            image = elf if isinstance(elf, bytes) else elf.read_bytes()
            chosen = MEASURED[cpu] if cpu else cpu_of(image)
            core, slow = (chosen.core, chosen.slow_end) if chosen else (None, None)
            self.program = _motes.Program(image, core=core, timing=timing or slow)
        except OSError as error:
            raise MissingError(f"{where}: {error.strerror}; `make stack` builds it") from error
        except (_motes.MoteError, ValueError) as error:
            raise UsageError(f"{where}: {error}") from error
        if chosen is None:
            raise UsageError(f"{where}: an ELF file for no CPU of {', '.join(CPUS)}")
        self.cpu, self.name, self.model = chosen, chosen.name, chosen.model
        self._symbols = self.program.symbols()

    def address_of(self, symbol: str) -> int:
        """What a pointer to a symbol of the ELF holds."""
        if symbol not in self._symbols:
            raise CallError(f"this ELF has no symbol {symbol}")
        address, _, function = self._symbols[symbol]
        if function:
            return address // self.cpu.code_unit | self.cpu.code_bits
        return self._pointer(address)

    def _pointer(self, address: int) -> int:
        """What a pointer to data holds."""
        return address & ((1 << 8 * self.model.pointer_octets) - 1)

    def read(self, address: int, length: int) -> bytes:
        """Octets of RAM or flash, at what a pointer to data holds."""
        try:
            return self.program.read(address | self.cpu.data_space, length)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error

    def store(self, symbol: str, octets: bytes) -> None:
        """Writes an object of the program; raises CallError if it does not fit or is code."""
        if symbol not in self._symbols:
            raise CallError(f"this ELF has no symbol {symbol}")
        address, room, function = self._symbols[symbol]
        if function or len(octets) > room:
            what = "a function" if function else f"of {room} octets, not {len(octets)}"
            raise CallError(f"it is {what}")
        try:
            self.program.write(address, octets)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error

    @contextmanager
    def limited(self, limit: int | None) -> Iterator[None]:
        """Calls inside the block are given up after so many cycles."""
        usual = self.cycle_limit
        self.cycle_limit = usual if limit is None else limit
        try:
            yield
        finally:
            self.cycle_limit = usual

    def reset(self) -> None:
        """Memory as start-up code leaves it."""
        self._buffers.clear()
        self.program.reset()

    @contextmanager
    def _scope(self) -> Iterator[None]:
        mark = self.program.mark()
        try:
            yield
        finally:
            self.program.release(mark)

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        program, length = self.program, len(arena.image)
        try:
            base = program.allocate(length, ALIGN)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error
        program.write(base, bytes(arena.image))
        return (
            self._pointer(base),
            lambda: program.read(base, length),
            lambda offset, octets: program.write(base + offset, octets),
        )

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        args: list[tuple[int, int]] = []
        for parameter, value in zip(function.parameters, values, strict=True):
            # Most ABIs widen smaller values to a word; _value has sign-extended the signed ones.
            octets = self.prototypes.sizeof(parameter.type, self.model)
            size = max(self.cpu.least_argument_octets, octets)
            args.append((value & ((1 << 8 * size) - 1), size))
        try:
            done = self.program.call(function.name, args, cycle_limit=self.cycle_limit, trace=trace)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error
        recorded = None
        if trace != "off":
            recorded = Trace(
                done.pc_trace_hash,
                done.address_trace_hash,
                tuple(done.pc_trace),
                tuple(done.address_trace),
                tuple(done.branches),
                tuple(done.access_pcs),
                tuple(done.cycle_trace),
                tuple(done.sp_trace),
            )
        return Outcome(
            self._raw(function, done.value),
            (),
            done.cycles,
            done.stack_octets,
            recorded,
            done.instructions,
        )

    def _raw(self, function: Function, registers: int) -> int:
        """The result in its lowest bits, from the result registers."""
        if isinstance(function.result, Void) or not self.cpu.result_octets:
            return registers
        octets = max(2, self.prototypes.sizeof(function.result, self.model))
        return registers >> 8 * (self.cpu.result_octets - octets)
