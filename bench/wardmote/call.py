# SPDX-License-Identifier: BSD-3-Clause
"""Calling the stack's C functions on any target through one interface: `host` (a shared library),
`msp430`, `avr` and `armv7m` (the emulated CPU running the ELF that is shipped).

    target = open_target("msp430")
    block = bytearray(16)
    outcome = target.call("wm_aes128_tab_encrypt", expanded_key, block)
    print(outcome.cycles, block.hex())

Every buffer that is passed has guard octets around it; a function that writes one octet too many
raises GuardError.
"""

from __future__ import annotations

import abc
import ctypes
import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from wardmote import _motes
from wardmote.errors import UsageError, WardmoteError
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import (
    ARMV7M,
    AVR,
    HOST,
    MSP430,
    Array,
    DataModel,
    Function,
    Layout,
    Parameter,
    Pointer,
    Prototypes,
    Scalar,
    Void,
    pack_integer,
    read_public,
)

GUARD_OCTETS = 16
_ALIGN = 16
TraceMode = Literal["off", "hash", "full"]
Timing = Literal["low", "high", "flash"]
"""Of a CPU whose exact timing is not published: `low` and `high`, the ends of its band without wait
states, and `flash`, the high end with the wait states that the board's flash may have."""


class CallError(WardmoteError):
    """A call that cannot be made or did not return; the text is one line."""


class GuardError(CallError):
    """A function wrote outside the octets it was given, or into octets it promised to leave
    alone."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a recorded run met. The lists are empty unless it was recorded in full."""

    pc_hash: int
    address_hash: int
    pcs: tuple[int, ...]
    accesses: tuple[tuple[int, bool], ...]
    branches: tuple[tuple[int, int, int], ...]
    access_pcs: tuple[int, ...] = ()
    cycles: tuple[int, ...] = ()
    """Cycles since the call began, after each instruction of `pcs`."""
    sps: tuple[int, ...] = ()
    """Stack pointer after each instruction of `pcs`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call did. What a target does not count is None."""

    value: int
    buffers: tuple[bytes, ...]
    cycles: int | None = None
    stack_octets: int | None = None
    trace: Trace | None = None
    instructions: int | None = None


class _Arena:
    """Several buffers in one piece of memory, with guard octets before, between and after them."""

    def __init__(self, named: Sequence[tuple[str, bytes, bool]], align: int) -> None:
        """`named` holds name, contents and whether the function promised not to write."""
        self.named = named
        self.offsets: list[int] = []
        cursor = GUARD_OCTETS
        for _, octets, _ in named:
            cursor = -(-cursor // align) * align
            self.offsets.append(cursor)
            cursor += len(octets) + GUARD_OCTETS
        self.image = bytearray((0xA5 ^ i * 7) & 0xFF for i in range(cursor))
        for offset, (_, octets, _) in zip(self.offsets, named, strict=True):
            self.image[offset : offset + len(octets)] = octets

    def check(self, after: bytes, where: str) -> list[bytes]:
        """The buffers' contents after a call; raises GuardError if anything else changed."""
        contents: list[bytes] = []
        gap = 0
        before = ""
        for offset, (name, octets, const) in zip(self.offsets, self.named, strict=True):
            self._check_gap(
                after, gap, offset, f"{before or 'memory'}" if before else f"before {name}", where
            )
            gap = offset + len(octets)
            before = f"past the end of {name} ({len(octets)} octets)"
            contents.append(after[offset:gap])
            if const and contents[-1] != octets:
                raise GuardError(f"{where} wrote into {name}, which it declares const")
        self._check_gap(after, gap, len(after), before, where)
        return contents

    def _check_gap(self, after: bytes, start: int, end: int, what: str, where: str) -> None:
        if after[start:end] == self.image[start:end]:
            return
        changed = [i for i in range(start, end) if after[i] != self.image[i]]
        if changed:
            raise GuardError(
                f"{where} wrote {len(changed)} octets {what}, first at {changed[0] - start:+d}"
            )


class Buffer:
    """Octets at an address that stays valid until the target is reset; for pointers inside
    structures."""

    def __init__(
        self,
        address: int,
        octets: bytes,
        arena: _Arena,
        load: Callable[[], bytes],
        store: Callable[[int, bytes], None],
    ) -> None:
        self.address = address
        self._length = len(octets)
        self._arena = arena
        self._load = load
        self._store = store

    def __len__(self) -> int:
        return self._length

    def read(self) -> bytes:
        """Its contents."""
        return self.check("the program")

    def write(self, octets: bytes) -> None:
        """Replaces its contents from the start."""
        if len(octets) > self._length:
            raise CallError(f"{len(octets)} octets do not fit a buffer of {self._length}")
        self._store(self._arena.offsets[0], bytes(octets))

    def check(self, where: str) -> bytes:
        """Its contents; raises GuardError if `where` wrote around it."""
        return self._arena.check(self._load(), where)[0]


Argument = int | bytes | bytearray | Buffer | None


class Target(abc.ABC):
    """A place where the stack's functions run."""

    name: str
    model: DataModel

    def __init__(self, prototypes: Prototypes) -> None:
        self.prototypes = prototypes
        self._buffers: list[Buffer] = []

    @abc.abstractmethod
    def address_of(self, symbol: str) -> int:
        """Address of a function or object, e.g. a cipher descriptor."""

    @abc.abstractmethod
    def read(self, address: int, length: int) -> bytes:
        """Octets of the target's memory, e.g. of an object at `address_of`."""

    @abc.abstractmethod
    def reset(self) -> None:
        """Drops every buffer; where memory is ours, brings it into the state start-up code
        leaves."""

    @abc.abstractmethod
    def _place(
        self, arena: _Arena
    ) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        """Copies an arena into the target's memory: its address, how to read it back, how to write
        at an offset."""

    @abc.abstractmethod
    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        """Calls with plain integers."""

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """What is placed inside is dropped at the end."""
        yield

    def layout(self, record: str) -> Layout:
        """How a struct or union lies in this target's memory."""
        return self.prototypes.layout(record, self.model)

    def pack(self, record: str, **values: Any) -> bytearray:
        """Octets of a struct for a call; it receives what the function left in it."""
        return bytearray(self.layout(record).pack(**values))

    def unpack(self, record: str, octets: bytes | bytearray) -> dict[str, Any]:
        """Members of a struct."""
        return self.layout(record).unpack(octets)

    def buffer(self, contents: bytes | bytearray | int) -> Buffer:
        """Octets that stay at one address until reset; an integer gives that many zeros."""
        octets = bytes(contents)
        arena = _Arena([(f"buffer of {len(octets)}", octets, False)], _ALIGN)
        address, load, store = self._place(arena)
        buffer = Buffer(address + arena.offsets[0], octets, arena, load, store)
        self._buffers.append(buffer)
        return buffer

    def call(self, name: str, *args: Argument, trace: TraceMode = "off") -> Outcome:
        """Calls a function by the prototype in the public headers.

        `bytes` are passed by address; a `bytearray` also receives what the function left in it;
        `None` is a null pointer. `Outcome.buffers` holds the contents of every octet argument after
        the call.
        """
        function = self.prototypes.function(name)
        where = f"{name} on {self.name}"
        if len(args) != len(function.parameters):
            names = ", ".join(p.name for p in function.parameters)
            raise CallError(
                f"{name} takes {len(function.parameters)} arguments ({names}), got {len(args)}"
            )
        pairs = list(zip(function.parameters, args, strict=True))
        octets = [(p, a) for p, a in pairs if isinstance(a, (bytes, bytearray))]
        arena = _Arena([(p.name, bytes(a), self._const(p, a)) for p, a in octets], _ALIGN)
        with self._scope():
            base, load, _ = self._place(arena)
            places = iter(base + offset for offset in arena.offsets)
            values = [self._value(name, p, a, places) for p, a in pairs]
            outcome = self._run(function, values, trace)
            contents = arena.check(load(), where)
        for kept in self._buffers:
            kept.check(where)
        for (_, given), after in zip(octets, contents, strict=True):
            if isinstance(given, bytearray):
                given[:] = after
        return replace(
            outcome, value=self._result(function, outcome.value), buffers=tuple(contents)
        )

    @staticmethod
    def _const(parameter: Parameter, given: bytes | bytearray) -> bool:
        return isinstance(parameter.type, Pointer) and parameter.type.const

    def _value(
        self, name: str, parameter: Parameter, given: Argument, places: Iterator[int]
    ) -> int:
        type_ = parameter.type
        where = f"{name}: {parameter.name}"
        if isinstance(type_, Pointer):
            if isinstance(given, (bytes, bytearray, Buffer)):
                least = (
                    type_.extent * self.prototypes.sizeof(type_.target, self.model)
                    if type_.extent
                    else 0
                )
                if len(given) < least:
                    raise CallError(f"{where} needs {least} octets, got {len(given)}")
                return given.address if isinstance(given, Buffer) else next(places)
            return int(given or 0)
        if not isinstance(type_, Scalar) or not isinstance(given, int):
            raise CallError(f"{where} cannot be given a {type(given).__name__}")
        size = self.model.octets(type_.kind)
        return int.from_bytes(pack_integer(given, size, where), "little", signed=type_.signed)

    def _result(self, function: Function, raw: int) -> int:
        if isinstance(function.result, Void):
            return 0
        size = self.prototypes.sizeof(function.result, self.model)
        signed = isinstance(function.result, Scalar) and function.result.signed
        return int.from_bytes(
            (raw & ((1 << 8 * size) - 1)).to_bytes(size, "little"), "little", signed=signed
        )


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

    def _place(
        self, arena: _Arena
    ) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        program, length = self.program, len(arena.image)
        try:
            base = program.allocate(length, _ALIGN)
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

    def _place(
        self, arena: _Arena
    ) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
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


class HostTarget(Target):
    """This machine's own CPU: fast, and counts nothing but where a trace is wanted: then it goes
    step by step."""

    name = "host"
    model = HOST
    instruction_limit = 1_000_000

    def __init__(self, library: Path, prototypes: Prototypes) -> None:
        """Loads the shared library at `library`."""
        super().__init__(prototypes)
        if not library.is_file():
            raise UsageError(f"{library}: no such file; `make stack` builds it")
        try:
            self._library = ctypes.CDLL(str(library))
        except OSError as error:
            raise UsageError(f"{library} cannot be loaded: {error}") from error

    def address_of(self, symbol: str) -> int:
        """Address of a symbol in the library."""
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self._library, symbol))
        except ValueError as error:
            raise CallError(f"the library has no symbol {symbol}") from error

    def read(self, address: int, length: int) -> bytes:
        """Octets of this process; a wrong address ends it."""
        return ctypes.string_at(address, length)

    def reset(self) -> None:
        """Drops every buffer."""
        self._buffers.clear()

    def _place(
        self, arena: _Arena
    ) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        length = len(arena.image)
        memory = ctypes.create_string_buffer(length + _ALIGN)
        shift = -ctypes.addressof(memory) % _ALIGN

        def load() -> bytes:
            return memory.raw[shift : shift + length]

        def store(offset: int, octets: bytes) -> None:
            ctypes.memmove(ctypes.addressof(memory) + shift + offset, octets, len(octets))

        store(0, bytes(arena.image))
        return ctypes.addressof(memory) + shift, load, store

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        entry = getattr(self._library, function.name, None)
        if entry is None:
            raise CallError(f"the library has no symbol {function.name}")
        if trace != "off":  # Only who traces needs a compiler and a disassembler.
            from wardmote.steps.host import traced

            return traced(
                self.address_of(function.name), function.name, values, trace, self.instruction_limit
            )
        entry.argtypes = [self._ctype(p.type) for p in function.parameters]
        entry.restype = None if isinstance(function.result, Void) else self._ctype(function.result)
        return Outcome(int(entry(*values) or 0), ())

    def _ctype(self, type_: Any) -> Any:
        if isinstance(type_, (Pointer, Array)):
            return ctypes.c_void_p
        size = self.prototypes.sizeof(type_, self.model)
        signed = isinstance(type_, Scalar) and type_.signed
        types = (
            (ctypes.c_int8, ctypes.c_int16, ctypes.c_int32, ctypes.c_int64)
            if signed
            else (ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64)
        )
        return types[size.bit_length() - 1]


TARGETS = ("host", "msp430", "avr", "armv7m")


@functools.cache
def open_target(name: str, executable: str = "stack") -> Target:
    """The stack as `make stack` builds it, on the target of that name; opened once in a process.
    The executable is link security and what it needs, or one of `ciphers`, `hashes`, `macs`,
    `modes`; the host has all in one library."""
    prototypes = read_public(ROOT)
    if name == "host":
        return HostTarget(BUILD / "stack" / "host" / "libwardmote.so", prototypes)
    kinds: dict[str, type[EmulatedTarget]] = {
        "msp430": Msp430Target,
        "avr": AvrTarget,
        "armv7m": Armv7mTarget,
    }
    if name in kinds:
        return kinds[name](BUILD / "stack" / name / f"{executable}.elf", prototypes)
    raise UsageError(f"unknown target {name!r}; targets are: {', '.join(TARGETS)}")
