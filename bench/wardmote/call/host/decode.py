# SPDX-License-Identifier: BSD-3-Clause
"""Which memory an x86-64 instruction reads and writes, as a sum of registers."""

from dataclasses import dataclass

import capstone
from capstone import x86

from wardmote.errors import WardmoteError

REGISTERS = (
    *("r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"),
    *("rdi", "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp", "rip", "eflags"),
)
"""Of a step, in the order of `bench/host/x86_64/steps.c`."""
COLUMN = {name: n for n, name in enumerate(REGISTERS)}
NONE = len(REGISTERS)
"""The column of no register, which holds zeros."""
MOST_OCTETS = 15
"""Of an instruction."""
WORD = 8
NO_ACCESS = frozenset(
    {"lea", "nop", "prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw"}
)
BIT_STRINGS = frozenset({"bt", "bts", "btr", "btc"})
"""With a register as bit number they reach octets beyond those that their operand names."""


class DecodeError(WardmoteError):
    """An instruction whose addresses cannot be told."""


@dataclass(frozen=True, slots=True)
class Access:
    """One access: base + index * scale + displacement."""

    base: int
    index: int
    scale: int
    displacement: int
    write: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """What one instruction does to memory."""

    octets: int
    accesses: tuple[Access, ...]
    repeated: bool
    """Under `rep`, each turn is a step; with RCX = 0 there is none, and one step without access."""
    conditional: bool
    """A jump that may not be taken."""


class Decoder:
    """Instructions by their octets."""

    def __init__(self) -> None:
        self._engine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self._engine.detail = True

    def decode(self, octets: bytes, pc: int) -> Instruction:
        """The instruction at the beginning of `octets`; raises DecodeError if its accesses are not
        known."""
        found = next(self._engine.disasm(octets, pc, 1), None)
        if found is None:
            raise DecodeError(f"no known instruction {octets[:4].hex()}")
        name = found.mnemonic.split()[-1]
        accesses = [] if name in NO_ACCESS else self._explicit(found, name)
        accesses += _implicit(found, name)
        accesses.sort(key=lambda access: access.write)
        conditional = found.group(capstone.CS_GRP_JUMP) and name != "jmp"
        repeated = found.prefix[0] in (
            x86.X86_PREFIX_REP,
            x86.X86_PREFIX_REPNE,
        ) and found.mnemonic.startswith("rep")
        return Instruction(found.size, tuple(accesses), repeated, conditional)

    def _explicit(self, found: capstone.CsInsn, name: str) -> list[Access]:
        """Memory operands. An operand that is read and written is listed as both."""
        accesses: list[Access] = []
        for n, operand in enumerate(found.operands):
            if operand.type != x86.X86_OP_MEM:
                continue
            base, index = (
                self._column(found, register) for register in (operand.mem.base, operand.mem.index)
            )
            if name in BIT_STRINGS and found.operands[-1].type == x86.X86_OP_REG:
                raise DecodeError(
                    f"the addresses of `{found.mnemonic} {found.op_str}` are not followed"
                )
            displacement = operand.mem.disp + (found.size if base == COLUMN["rip"] else 0)
            # Of stores of AVX capstone says that they read: no such instruction reads its first
            # operand from memory.
            stores = name[0] == "v" and n == 0
            writes = stores or bool(operand.access & capstone.CS_AC_WRITE)
            reads = (not stores and bool(operand.access & capstone.CS_AC_READ)) or not writes
            kinds = [write for write, present in ((False, reads), (True, writes)) if present]
            accesses += [
                Access(base, index, operand.mem.scale, displacement, write) for write in kinds
            ]
        return accesses

    def _column(self, found: capstone.CsInsn, register: int) -> int:
        """Where a step has a register of an address."""
        if register == 0:
            return NONE
        column = COLUMN.get(str(found.reg_name(register)))
        if column is None:  # vectors of indices, and addresses of 32 bits
            raise DecodeError(
                f"the addresses of `{found.mnemonic} {found.op_str}` are not followed"
            )
        return column


def _implicit(found: capstone.CsInsn, name: str) -> list[Access]:
    """Memory that an instruction accesses through the stack pointer."""
    if found.group(capstone.CS_GRP_CALL) or name in ("push", "pushfq"):
        return [Access(COLUMN["rsp"], NONE, 1, -WORD, True)]
    if found.group(capstone.CS_GRP_RET) or name in ("pop", "popfq"):
        return [Access(COLUMN["rsp"], NONE, 1, 0, False)]
    if name == "leave":
        return [Access(COLUMN["rbp"], NONE, 1, 0, False)]
    if name in ("xlatb", "enter", "maskmovdqu", "vmaskmovdqu", "maskmovq"):
        raise DecodeError(f"the addresses of `{name}` are not followed")
    return []
