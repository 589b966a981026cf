# SPDX-License-Identifier: BSD-3-Clause
"""Calls on this machine as a 32-bit x86 without AES instructions: a program of its own for every
call."""

import signal
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

from wardmote.call import Arena, CallError, Outcome, Target, TraceMode
from wardmote.prototypes import DataModel, Function, Prototypes

HOST32 = DataModel("host32", int_octets=4, long_octets=4, pointer_octets=4, max_align=4)
SOURCES = Path(__file__).resolve().parent
ARENA = 0x2000_0000
"""Where the program has the memory that it is given: the same number as in `server.c`."""
LINK = ("-e", "_start")
ARENA_OCTETS = 1 << 20
WORDS = 16
ALIGN = 16
LIMIT_SECONDS = 3
WORD = 0xFFFF_FFFF


class Host32Target(Target):
    """One function of one program, which counts nothing. Its variables begin anew with every
    call."""

    name = "host32"
    model = HOST32

    def __init__(self, program: Path, prototypes: Prototypes) -> None:
        """Takes the program that `server.c` and the function are linked to."""
        super().__init__(prototypes)
        self.program = program
        self._memory = bytearray()

    def address_of(self, symbol: str) -> int:
        """Nothing but the function can be reached."""
        raise CallError(f"{symbol}: a program of host32 has one function to call")

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

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        start = -(-len(self._memory) // ALIGN) * ALIGN
        end = start + len(arena.image)
        if end > ARENA_OCTETS:
            raise CallError(
                f"{len(arena.image)} octets of memory wanted, {ARENA_OCTETS - start} left"
            )
        self._memory.extend(bytes(start - len(self._memory)) + arena.image)

        def store(offset: int, octets: bytes) -> None:
            self._memory[start + offset : start + offset + len(octets)] = octets

        return ARENA + start, lambda: bytes(self._memory[start:end]), store

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        if trace != "off":
            raise CallError("host32 records no traces")
        words: list[int] = []
        for parameter, value in zip(function.parameters, values, strict=True):
            wide = self.prototypes.sizeof(parameter.type, self.model) == 8
            words += [value & WORD, *([value >> 32 & WORD] if wide else [])]
        if len(words) > WORDS:
            raise CallError(
                f"{function.name} takes {len(words)} words of arguments; on host32 at most {WORDS}"
            )
        request = struct.pack(f"<I{WORDS}I", len(self._memory), *words, *[0] * (WORDS - len(words)))
        answer = self._ask(function.name, request + self._memory)
        self._memory[:] = answer[8:]
        return Outcome(int.from_bytes(answer[:8], "little"), ())

    def _ask(self, function: str, request: bytes) -> bytes:
        where = f"{function} on host32"
        try:
            done = subprocess.run(
                [self.program],
                input=request,
                capture_output=True,
                check=False,
                timeout=LIMIT_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise CallError(f"{where}: no return within {LIMIT_SECONDS} s") from error
        except OSError as error:
            raise CallError(
                f"{where}: this machine runs no 32-bit x86 programs ({error.strerror})"
            ) from error
        if done.returncode < 0:
            name = signal.Signals(-done.returncode).name
            raise CallError(f"{where}: stopped by {name}: it reached memory that is not its own")
        if done.returncode or len(done.stdout) != 8 + len(self._memory):
            raise CallError(f"{where}: the call could not be made")
        return done.stdout
