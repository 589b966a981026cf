# SPDX-License-Identifier: BSD-3-Clause
"""A place where the stack's functions run: what all targets have in common."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from wardmote.call.arena import ALIGN, Arena
from wardmote.call.errors import CallError
from wardmote.call.outcome import Outcome, TraceMode
from wardmote.prototypes import (
    DataModel,
    Declared,
    Function,
    Layout,
    Pointer,
    Prototypes,
    Scalar,
    Void,
    pack_integer,
)


class Buffer:
    """Octets at an address that stays valid until the target is reset; for pointers inside
    structures."""

    def __init__(
        self,
        address: int,
        octets: bytes,
        arena: Arena,
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
    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        """Copies an arena into the target's memory: its address, how to read it back, how to write
        at an offset."""

    @abc.abstractmethod
    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        """Calls with plain integers."""

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """Everything placed inside the block is dropped at its end."""
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

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """What calls inside the block leave in memory is there for the next ones, until reset."""
        yield

    @contextmanager
    def limited(self, limit: int | None) -> Iterator[None]:
        """Calls inside the block are given up after so many cycles, where cycles are counted."""
        yield

    @abc.abstractmethod
    def store(self, symbol: str, octets: bytes) -> None:
        """Writes an object of the program, until reset."""

    def buffer(self, contents: bytes | bytearray | int, name: str = "") -> Buffer:
        """Octets that stay at one address until reset; an integer gives that many zeros."""
        octets = bytes(contents)
        arena = Arena([(name or f"buffer of {len(octets)}", octets, False)], ALIGN)
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
        arena = Arena([(p.name, bytes(a), self._const(p, a)) for p, a in octets], ALIGN)
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
    def _const(parameter: Declared, given: bytes | bytearray) -> bool:
        return isinstance(parameter.type, Pointer) and parameter.type.const

    def _value(self, name: str, parameter: Declared, given: Argument, places: Iterator[int]) -> int:
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
