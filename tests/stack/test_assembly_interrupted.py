# SPDX-License-Identifier: BSD-3-Clause
"""Assembly may be interrupted after any instruction: a handler overwrites everything below the
stack pointer, and finds it whole. That the registers of the caller are kept is what every call on
an emulated CPU checks (wardmote.call)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from tests.stack.primitive_calls import FORMS, GROUPS, Calls
from wardmote.call import Argument, Trace
from wardmote.cpus import CPU_NAMES

BELOW = 256
"""Octets below the deepest stack of a call that still count as stack."""
CLI, OUT_MASK, OUT_SPH, OUT_SPL, OUT_SREG = 0x94F8, 0xFE0F, 0xBE0E, 0xBE0D, 0xBE0F
"""Instructions of the AVR, OUT without its register."""


@dataclass(frozen=True, slots=True)
class Abi:
    """What a CPU's stack is like."""

    cell: int
    """Octets of the smallest access that a compiled program makes to it by PUSH."""
    free: int = 0
    """Octets at the stack pointer that are not in use yet."""
    data: int = 0
    """What addresses of data have in traces beside their own."""
    return_octets: int = 0
    """Of the return address that a caller leaves on it."""
    aligned: int = 1
    """Multiple of which SP is whenever a function begins."""


ABIS = {
    "msp430": Abi(cell=2, return_octets=2, aligned=2),
    "avr": Abi(cell=1, free=1, data=0x80_0000, return_octets=2),
    "armv7m": Abi(cell=4, aligned=8),
}


@dataclass(slots=True)
class Stack:
    """The stack of one call as instructions go by: what lies there, and what a handler may have
    destroyed."""

    abi: Abi
    entry: int
    """SP as the function begins."""
    written: set[int] = field(default_factory=set)
    """Cells that hold what the function put there."""
    lost: set[int] = field(default_factory=set)
    """Cells that held it until SP went past them."""
    wrong: list[str] = field(default_factory=list)

    def move(self, before: int, after: int) -> None:
        """SP goes up. What is below it now is lost."""
        passed = {
            cell for cell in self.written if before + self.abi.free <= cell < after + self.abi.free
        }
        self.written -= passed
        self.lost |= passed

    def access(self, address: int, write: bool, limit: int, where: str) -> None:
        """An access to an address of which `limit` is the lowest in use."""
        if address + self.abi.cell <= limit:
            self.wrong.append(
                f"{where} {'writes' if write else 'reads'} {limit - address} octets below SP"
            )
        cell = address - address % self.abi.cell
        if write:
            self.written.add(cell)
            self.lost.discard(cell)
        elif cell in self.lost:
            self.wrong.append(f"{where} reads what a handler may have overwritten")


Words = Callable[[int], int]
"""The instruction word at an address."""
Names = Callable[[int], str]
"""How messages name an address."""


def whole_pointers(
    abi: Abi,
    entry: int,
    trace: Trace,
    word: Words,
    describe: Names,
    wrong: list[str],
) -> list[int]:
    """SP before the first instruction and after each, as it is when a handler could run. The AVR
    sets it half by half, with interrupts off from before the first half to the instruction before
    the second."""
    if abi is not ABIS["avr"]:
        return [entry, *trace.sps]
    pointers, torn = [entry], False
    words = [word(pc) for pc in trace.pcs]
    for i, (now, sp) in enumerate(zip(words, trace.sps, strict=True)):
        if now & OUT_MASK == OUT_SPH:
            torn = True
            after = [w & OUT_MASK for w in words[i + 1 : i + 3]]
            if i == 0 or words[i - 1] != CLI or after != [OUT_SREG, OUT_SPL]:
                wrong.append(f"{describe(trace.pcs[i])} sets half of SP while a handler can run")
        elif now & OUT_MASK == OUT_SPL:
            torn = False
        pointers.append(pointers[-1] if torn else sp)
    return pointers


def faults(
    cpu: str,
    trace: Trace,
    word: Words,
    describe: Names,
    begins: set[int],
) -> list[str]:
    """What an interrupt could do harm to in a recorded call: data below SP, SP itself, SP not
    aligned at one of the functions that begin at `begins`."""
    abi = ABIS[cpu]
    entry = trace.sps[-1] - abi.return_octets
    stack = Stack(abi, entry)
    pointers = whole_pointers(abi, entry, trace, word, describe, stack.wrong)
    floor = min(pointers) - BELOW
    ceiling = entry + abi.free
    taken = 0
    for pc, (before, after) in zip(trace.pcs, pairwise(pointers), strict=True):
        if pc in begins and before % abi.aligned:
            stack.wrong.append(
                f"{describe(pc)} begins with SP at {before:#x}, no multiple of {abi.aligned}"
            )
        limit = min(before, after) + abi.free
        while taken < len(trace.accesses) and trace.access_pcs[taken] == pc:
            address, write = trace.accesses[taken][0] - abi.data, trace.accesses[taken][1]
            taken += 1
            if floor <= address < ceiling:
                stack.access(address, write, limit, describe(pc))
        if after > before:
            stack.move(before, after)
    assert taken == len(trace.accesses)
    return stack.wrong


class Looked(Calls):
    """Calls whose every instruction is looked at."""

    def __init__(self, name: str, group: str) -> None:
        super().__init__(name, group)
        symbols = self.target.program.symbols()
        self.named = {
            name: address & ~1 for name, (address, _, function) in symbols.items() if function
        }
        self.begins = set(self.named.values())
        self.met: set[int] = set()
        self.wrong: list[str] = []
        self._words: dict[int, int] = {}

    def _word(self, pc: int) -> int:
        if pc not in self._words:
            self._words[pc] = int.from_bytes(self.target.program.read(pc, 2), "little")
        return self._words[pc]

    def __call__(self, name: str, *args: Argument) -> None:
        """One call."""
        trace = self.target.call(name, *args, trace="full").trace
        assert trace is not None
        self.met |= self.begins & set(trace.pcs)
        self.wrong += faults(self.cpu, trace, self._word, self.target.program.describe, self.begins)


GLOBAL = re.compile(r"^\s+(?:\.globl|THROUGH)\s+(wm_\w+)", re.MULTILINE)
THROUGH_OCTETS = re.compile(r"^\s+octets_(\w+) (wm_\w+)", re.MULTILINE | re.IGNORECASE)


def assembled(root: Path, cpu: str) -> Iterator[str]:
    """Names that assembly of a CPU defines for others, of functions and of tables."""
    for source in (root / "stack/arch" / cpu).rglob("*.S"):
        text = source.read_text()
        yield from GLOBAL.findall(text)
        yield from (f"{name}_{verb}" for verb, name in THROUGH_OCTETS.findall(text))


@pytest.mark.parametrize("form", FORMS, ids=["fast", "small"])
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_a_handler_could_run_after_any_instruction(root: Path, cpu: str, form: str) -> None:
    """No instruction of any primitive reads or writes below SP, reads what it left below SP, or
    leaves half of an SP to a handler; and every function in assembly was called."""
    called: set[str] = set()
    there: set[str] = set()
    for group, run in GROUPS.items():
        calls = Looked(cpu + form, group)
        run(calls)
        assert calls.wrong == []
        there |= set(calls.named)
        called |= {name for name, address in calls.named.items() if address in calls.met}
    functions = {name for name in assembled(root, cpu) if name in there}
    assert len(functions) >= 10
    assert functions - called == set()


Step = tuple[int, int, list[tuple[int, bool]]]


def _trace(steps: list[Step]) -> Trace:
    """A recorded run of (program counter, SP afterwards, accesses)."""
    accesses = [(pc, access) for pc, _, made in steps for access in made]
    return Trace(
        0,
        0,
        tuple(pc for pc, _, _ in steps),
        tuple(access for _, access in accesses),
        (),
        tuple(pc for pc, _ in accesses),
        (),
        tuple(sp for _, sp, _ in steps),
    )


RETURN: Step = (8, 0x3900, [(0x38FE, False)])
BAD: dict[str, tuple[str, list[Step], str]] = {
    "reads below": ("msp430", [(0, 0x38FE, [(0x38FC, False)]), RETURN], "reads 2 octets below SP"),
    "writes below": ("msp430", [(0, 0x38FE, [(0x38F0, True)]), RETURN], "writes 14 octets "
                                                                        "below SP"),
    "reads what it popped": (
        "msp430",
        [(0, 0x38FC, [(0x38FC, True)]), (2, 0x38FE, []), (4, 0x38FC, []), (6, 0x38FC, [(0x38FC, False)]),
         (7, 0x38FE, []), RETURN],
        "a handler may have overwritten",
    ),
    "begins unaligned": ("armv7m", [(0, 0x38FC, []), (4, 0x38FC, []), (6, 0x3900, [])], "no multiple of 8"),
    "half a pointer": ("avr", [(0, 0x10FB, []), (2, 0x0FFB, []), (4, 0x0FF0, []), (8, 0x10FD, [])], "half of SP"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_what_would_be_wrong_is_found(what: str) -> None:
    """Runs that an interrupt would spoil are told from those it would not."""
    cpu, steps, words = BAD[what]
    code = {2: OUT_SPH, 4: OUT_SPL} if cpu == "avr" else {}
    found = faults(cpu, _trace(steps), lambda pc: code.get(pc, 0), hex, {4})
    assert len(found) == 1
    assert words in found[0]


def test_what_compilers_do_is_not_wrong() -> None:
    """A frame is made with interrupts off, written, read and given back."""
    code = dict(
        enumerate([CLI, OUT_SPH, OUT_SREG, OUT_SPL, 0, 0, CLI, OUT_SPH, OUT_SREG, OUT_SPL, 0])
    )
    low, high = 0x0FF0, 0x10FB
    frame: list[list[tuple[int, bool]]] = [
        [],
        [],
        [],
        [],
        [(0x80_0FF1, True)],
        [(0x80_0FF1, False)],
        [],
        [],
        [],
        [],
        [(0x80_10FC, False)],
    ]
    sps = [high, 0x0FFB, 0x0FFB, *[low] * 4, 0x10F0, 0x10F0, high, high + 2]
    steps = [(pc, sp, made) for pc, (sp, made) in enumerate(zip(sps, frame, strict=True))]
    assert faults("avr", _trace(steps), code.__getitem__, hex, set()) == []
