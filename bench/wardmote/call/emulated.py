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
from wardmote.errors import UsageError
from wardmote.prototypes import ARMV7M, AVR, MSP430, Function, Prototypes, Void

Timing = Literal["low", "high", "flash"]
"""Of a CPU whose exact timing is not published: `low` and `high`, the ends of its band without wait
states, and `flash`, the high end with the wait states that the board's flash may have."""


class EmulatedTarget(Target):
    """A CPU of the instrument: counts cycles and stack, records traces."""

    cycle_limit = 100_000_000
    """Cycles after which a call that has not returned is given up."""

    def __init__(self, elf: Path, prototypes: Prototypes, timing: Timing | None = None) -> None:
        """Loads the executable at `elf`; `timing` only where the CPU has more than one model."""
        super().__init__(prototypes)
        try:
            self.program = _motes.Program(elf.read_bytes(), timing=timing)
        except OSError as error:
            raise UsageError(f"{elf}: {error.strerror}; `make stack` builds it") from error
        except (_motes.MoteError, ValueError) as error:
            raise UsageError(f"{elf}: {error}") from error

    def address_of(self, symbol: str) -> int:
        """Address of a symbol in the ELF."""
        try:
            return self.program.symbol(symbol)[0]
        except _motes.MoteError as error:
            raise CallError(str(error)) from error

    def read(self, address: int, length: int) -> bytes:
        """Octets of RAM or flash."""
        try:
            return self.program.read(address, length)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error

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
            base,
            lambda: program.read(base, length),
            lambda offset, octets: program.write(base + offset, octets),
        )

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        args: list[tuple[int, int]] = []
        for parameter, value in zip(function.parameters, values, strict=True):
            # Most ABIs widen what is smaller to a word; _value has sign-extended what is signed.
            size = max(
                self.least_argument_octets, self.prototypes.sizeof(parameter.type, self.model)
            )
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

    @property
    def least_argument_octets(self) -> int:
        """Octets that the smallest argument takes."""
        return self.model.int_octets

    def _raw(self, function: Function, registers: int) -> int:
        """The result in its lowest bits, from the result registers."""
        return registers


class Msp430Target(EmulatedTarget):
    """The emulated MSP430, whose timing is exact."""

    name = "msp430"
    model = MSP430


class AvrTarget(EmulatedTarget):
    """The emulated ATmega128 or ATmega1281, whose timing is exact. Addresses are what the program's
    own pointers hold: of data and of constants in RAM in the data space, of functions in words."""

    name = "avr"
    model = AVR
    data_offset = 0x80_0000
    """Of the data space in ELF files."""

    def address_of(self, symbol: str) -> int:
        """What a pointer to a symbol of the ELF holds."""
        found = self.program.symbols().get(symbol)
        if found is None:
            raise CallError(f"this ELF has no symbol {symbol}")
        address, _, function = found
        return address >> 1 if function else address & 0xFFFF

    def read(self, address: int, length: int) -> bytes:
        """Octets of RAM."""
        return super().read(address | self.data_offset, length)

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        base, load, store = super()._place(arena)
        return base & 0xFFFF, load, store

    @property
    def least_argument_octets(self) -> int:
        """An octet on the stack is one octet there."""
        return 1

    def _raw(self, function: Function, registers: int) -> int:
        """R18 to R25 are the result registers; a short result is in the last ones."""
        if isinstance(function.result, Void):
            return 0
        return registers >> (64 - 8 * max(2, self.prototypes.sizeof(function.result, self.model)))


class Armv7mTarget(EmulatedTarget):
    """The emulated Cortex-M3 without wait states, by default at the upper end of its timing
    band."""

    name = "armv7m"
    model = ARMV7M

    def __init__(self, elf: Path, prototypes: Prototypes, timing: Timing | None = "high") -> None:
        """Loads the executable at `elf`."""
        super().__init__(elf, prototypes, timing)
