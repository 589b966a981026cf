# SPDX-License-Identifier: BSD-3-Clause
"""A shared library in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wardmote.call.arena import ALIGN, Arena
from wardmote.call.errors import CallError
from wardmote.call.outcome import Outcome, TraceMode
from wardmote.call.target import Target
from wardmote.errors import MissingError, UsageError
from wardmote.prototypes import HOST, Array, Function, Pointer, Prototypes, Scalar, Void


class HostTarget(Target):
    """A shared library in this process: fast, and it counts nothing."""

    name = "host"
    model = HOST

    def __init__(self, library: Path, prototypes: Prototypes) -> None:
        """Loads the shared library at `library`."""
        super().__init__(prototypes)
        if not library.is_file():
            raise MissingError(f"{library}: no such file; `make stack` builds it")
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

    def store(self, symbol: str, octets: bytes) -> None:
        """Writes an object of the library."""
        ctypes.memmove(self.address_of(symbol), octets, len(octets))

    def reset(self) -> None:
        """Drops every buffer."""
        self._buffers.clear()

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        length = len(arena.image)
        memory = ctypes.create_string_buffer(length + ALIGN)
        shift = -ctypes.addressof(memory) % ALIGN

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
        if trace != "off":
            raise CallError(
                "in this process no trace is recorded: wardmote.call.Host follows calls"
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
