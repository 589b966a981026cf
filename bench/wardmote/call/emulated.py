# SPDX-License-Identifier: BSD-3-Clause
"""The emulated CPUs, running the ELF files that are shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wardmote import _motes
from wardmote.call.arena import ALIGN, Arena
from wardmote.call.errors import CallError
from wardmote.call.outcome import Outcome, Trace, TraceMode
from wardmote.call.target import Buffer, Target
from wardmote.cpus import CPUS, MEASURED, cpu_of
from wardmote.errors import MissingError, UsageError
from wardmote.prototypes import Function, Pointer, Prototypes, Void

Timing = Literal["low", "high", "flash"]
"""Of a CPU whose exact timing is not published: `low` and `high`, the ends of its band without wait
states, and `flash`, the high end with the wait states that the board's flash may have."""


MOST_SECRETS = 32
"""Secrets that are told apart; further ones count as the last."""


@dataclass(frozen=True, slots=True)
class Following:
    """What to follow through calls."""

    secrets: tuple[str, ...]
    """Names of buffers, of arguments and of objects."""
    published: tuple[int, ...]
    """Addresses of functions whose results are public."""

    def bits(self, name: str) -> int:
        """The set of the one secret of that name; empty if it is none."""
        if name not in self.secrets:
            return 0
        return 1 << min(self.secrets.index(name), MOST_SECRETS - 1)

    def names(self, bits: int) -> tuple[str, ...]:
        """The secrets of a set."""
        return tuple(name for name in self.secrets if bits & self.bits(name))


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
        self._following: Following | None = None
        self._arenas: list[tuple[int, Arena]] = []
        """What is placed now, by address."""

    @contextmanager
    def follow(self, secrets: Sequence[str], published: Sequence[str] = ()) -> Iterator[None]:
        """Calls inside the block are followed: each octet knows on which of the secrets it depends,
        and an access to an octet that belongs to nobody raises CallError. Secrets are named as
        buffers, parameters or objects, and must be placed or stored inside the block; what the
        functions in `published` return is public."""
        if missing := next((name for name in published if name not in self._symbols), None):
            raise CallError(f"{self.name}: this ELF has no function {missing} to call public")
        addresses = [self._symbols[name][0] for name in published]
        self._following = Following(tuple(secrets), tuple(addresses))
        try:
            yield
        finally:
            self._following = None

    def mark(self, buffer: Buffer, offset: int, octets: int, name: str) -> None:
        """Part of a buffer is the secret of that name."""
        self._mark(buffer.address + offset | self.cpu.data_space, octets, name)

    def _mark(self, address: int, octets: int, name: str) -> None:
        if self._following and (bits := self._following.bits(name)):
            self.program.mark_secret(address, octets, bits)

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
        self._mark(address, len(octets), symbol)

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
        self._arenas.clear()
        self.program.reset()

    @contextmanager
    def _scope(self) -> Iterator[None]:
        mark, placed = self.program.mark(), len(self._arenas)
        try:
            yield
        finally:
            self.program.release(mark)
            del self._arenas[placed:]

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        program, length = self.program, len(arena.image)
        try:
            base = program.allocate(length, ALIGN)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error
        program.write(base, bytes(arena.image))
        self._arenas.append((base, arena))
        for offset, (name, octets, _) in zip(arena.offsets, arena.named, strict=True):
            self._mark(base + offset, len(octets), name)
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
        limit, following = self.cycle_limit, self._following
        try:
            if following:
                done = self.program.call(
                    function.name,
                    args,
                    cycle_limit=limit,
                    buffers=self._owned(),
                    secrets=[
                        0 if isinstance(parameter.type, Pointer) else following.bits(parameter.name)
                        for parameter in function.parameters
                    ],
                    published=following.published,
                )
            else:
                done = self.program.call(function.name, args, cycle_limit=limit, trace=trace)
        except _motes.MoteError as error:
            raise CallError(str(error)) from error
        recorded = None
        if trace != "off" or following:
            recorded = Trace(
                done.pc_trace_hash,
                done.address_trace_hash,
                tuple(done.pc_trace),
                tuple(done.address_trace),
                tuple(done.branches),
                tuple(done.access_pcs),
                tuple(done.cycle_trace),
                tuple(done.sp_trace),
                tuple(
                    (pc, kind, following.names(bits) if following else ())
                    for pc, kind, bits in done.dependences
                ),
            )
        return Outcome(
            self._raw(function, done.value),
            (),
            done.cycles,
            done.stack_octets,
            recorded,
            done.instructions,
        )

    def _owned(self) -> list[tuple[int, int, str, int | None]]:
        """All buffers that are placed: address, octets, name, and no change of what they hold."""
        return [
            (base + offset, len(octets), name, None)
            for base, arena in self._arenas
            for offset, (name, octets, _) in zip(arena.offsets, arena.named, strict=True)
        ]

    def _raw(self, function: Function, registers: int) -> int:
        """The result in its lowest bits, from the result registers."""
        if isinstance(function.result, Void) or not self.cpu.result_octets:
            return registers
        octets = max(2, self.prototypes.sizeof(function.result, self.model))
        return registers >> 8 * (self.cpu.result_octets - octets)
