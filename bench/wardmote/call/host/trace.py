# SPDX-License-Identifier: BSD-3-Clause
"""The steps of a call as path, addresses, conditional jumps and depth of the stack."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wardmote.call.errors import StepError
from wardmote.call.host.decode import (
    COLUMN,
    MOST_OCTETS,
    NONE,
    REGISTERS,
    WORD,
    DecodeError,
    Decoder,
    Instruction,
)
from wardmote.call.host.machine import Stepped
from wardmote.call.outcome import Outcome, Trace, TraceMode

Words = npt.NDArray[np.uint64]
PC, SP, COUNTER = COLUMN["rip"], COLUMN["rsp"], COLUMN["rcx"]
PAGE = 4096


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of one call, in numbers that do not depend on load addresses."""

    pcs: Words
    sps: Words
    """Stack pointer after each of them."""
    addresses: Words
    writes: npt.NDArray[np.bool_]
    access_pcs: Words
    branches: tuple[tuple[int, int, int], ...]
    stack_octets: int
    """Down to the deepest octet of any access, the return address included: below its stack
    pointer, too, a function has 128 octets."""

    @property
    def pc_hash(self) -> int:
        """Over the path."""
        return _hash(self.pcs.tobytes())

    @property
    def address_hash(self) -> int:
        """Over all accesses."""
        return _hash(self.addresses.tobytes() + self.writes.tobytes())


class Tracer:
    """Decodes each instruction once."""

    def __init__(self, read: Callable[[int, int], bytes]) -> None:
        """`read` gives octets of the memory that holds the code."""
        self._read = read
        self._decoder = Decoder()
        self._known: dict[int, Instruction] = {}

    def outcome(self, value: int, call: Stepped, mode: TraceMode) -> Outcome:
        """The call with what it met; StepError if an instruction is not known."""
        try:
            steps = self.steps(call)
        except DecodeError as error:
            raise StepError(str(error)) from error
        trace = Trace(steps.pc_hash, steps.address_hash, (), (), ())
        if mode == "full":
            trace = Trace(
                steps.pc_hash,
                steps.address_hash,
                tuple(steps.pcs.tolist()),
                tuple(zip(steps.addresses.tolist(), steps.writes.tolist(), strict=True)),
                steps.branches,
                tuple(steps.access_pcs.tolist()),
                sps=tuple(steps.sps.tolist()),
            )
        return Outcome(value, (), None, steps.stack_octets, trace, instructions=len(steps.pcs))

    def steps(self, call: Stepped) -> Steps:
        """Path, addresses, jumps and stack of a call."""
        steps: Words = np.frombuffer(call.registers, dtype=np.uint64).reshape(-1, len(REGISTERS))
        top = call.top + WORD
        pcs, sps = steps[:, PC], np.append(steps[1:, SP], np.uint64(top))
        unique, turn = np.unique(pcs, return_inverse=True)
        found = [self._instruction(int(pc)) for pc in unique]
        addresses, writes, which = _accesses(steps, found, turn)
        near = addresses[(addresses >= call.stack) & (addresses < top)]
        deepest = min(int(sps.min()), int(near.min()) if near.size else top)
        return Steps(
            _in_file(pcs, call),
            sps,
            _in_file(addresses, call),
            writes,
            _in_file(pcs[which], call),
            _branches(pcs, _in_file(unique, call), found, turn),
            top - deepest,
        )

    def _instruction(self, pc: int) -> Instruction:
        if pc not in self._known:
            # The next page may not be mapped; the instruction then ends on this page.
            self._known[pc] = self._decode(pc, min(MOST_OCTETS, PAGE - pc % PAGE))
        return self._known[pc]

    def _decode(self, pc: int, octets: int) -> Instruction:
        try:
            return self._decoder.decode(self._read(pc, octets), pc)
        except DecodeError:
            if octets == MOST_OCTETS:
                raise
            return self._decoder.decode(self._read(pc, MOST_OCTETS), pc)


def _accesses(
    steps: Words, found: Sequence[Instruction], turn: npt.NDArray[np.intp]
) -> tuple[Words, npt.NDArray[np.bool_], npt.NDArray[np.intp]]:
    """Address, kind and step of every access, in order: base + index * scale + displacement, modulo
    2 ** 64."""
    most = max(1, max(len(one.accesses) for one in found))
    parts = np.zeros((4, len(found), most), dtype=np.uint64)
    parts[:2] = NONE
    present = np.zeros((len(found), most), dtype=np.bool_)
    writing = np.zeros((len(found), most), dtype=np.bool_)
    repeated = np.array([one.repeated for one in found])
    for n, one in enumerate(found):
        for k, access in enumerate(one.accesses):
            modulo = access.displacement & 0xFFFF_FFFF_FFFF_FFFF
            parts[:, n, k] = (access.base, access.index, access.scale, modulo)
            present[n, k], writing[n, k] = True, access.write
    registers = np.hstack((steps, np.zeros((len(steps), 1), dtype=np.uint64)))
    base, index, scale, displacement = (part[turn] for part in parts)
    rows = np.arange(len(steps))[:, None]
    addresses = registers[rows, base.astype(np.intp)] + displacement
    addresses += registers[rows, index.astype(np.intp)] * scale
    there = present[turn] & ~(repeated[turn] & (steps[:, COUNTER] == 0))[:, None]
    return addresses[there], writing[turn][there], np.nonzero(there)[0]


def _in_file(addresses: Words, call: Stepped) -> Words:
    """Addresses in the library as its file has them; others stay."""
    moved = addresses.copy()
    moved[(addresses >= call.base) & (addresses < call.end)] -= np.uint64(call.base)
    return moved


def _branches(
    pcs: Words, numbers: Words, found: Sequence[Instruction], turn: npt.NDArray[np.intp]
) -> tuple[tuple[int, int, int], ...]:
    """Address of each conditional jump, times taken, times not taken."""
    octets = np.array([one.octets for one in found], dtype=np.uint64)
    straight = np.append(pcs[1:] == pcs[:-1] + octets[turn[:-1]], False)
    counted: list[tuple[int, int, int]] = []
    for n, one in enumerate(found):
        if one.conditional:
            met = turn == n
            passed = int(np.count_nonzero(straight & met))
            counted.append((int(numbers[n]), int(np.count_nonzero(met)) - passed, passed))
    return tuple(counted)


def _hash(octets: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(octets, digest_size=8).digest(), "little")
