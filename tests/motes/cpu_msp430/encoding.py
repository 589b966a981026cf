# SPDX-License-Identifier: BSD-3-Clause
"""MSP430 instruction words from operands, and back."""

from dataclasses import dataclass
from enum import Enum

FORMAT_I = ("MOV", "ADD", "ADDC", "SUBC", "SUB", "CMP", "DADD", "BIT", "BIC", "BIS", "XOR", "AND")
OPCODE = {name: 4 + index for index, name in enumerate(FORMAT_I)}
FORMAT_II = {
    "RRC": 0x1000,
    "SWPB": 0x1080,
    "RRA": 0x1100,
    "SXT": 0x1180,
    "PUSH": 0x1200,
    "CALL": 0x1280,
}
MODIFIERS = ("RRC", "SWPB", "RRA", "SXT")
RETI = 0x1300
JUMPS = ("JNE", "JEQ", "JNC", "JC", "JN", "JGE", "JL", "JMP")

# As bits and register of the generated constants.
CONSTANTS = {0: (0, 3), 1: (1, 3), 2: (2, 3), -1: (3, 3), 4: (2, 2), 8: (3, 2)}


class Kind(Enum):
    """How an operand is addressed."""

    REGISTER = "Rn"
    CONSTANT = "#CG"
    IMMEDIATE = "#N"
    INDEXED = "x(Rn)"
    SYMBOLIC = "EDE"
    ABSOLUTE = "&EDE"
    INDIRECT = "@Rn"
    AUTOINCREMENT = "@Rn+"


@dataclass(frozen=True, slots=True)
class Operand:
    """`value` is the constant, immediate, index or (EDE, &EDE) the address; `register` counts where
    one is named."""

    kind: Kind
    register: int = 0
    value: int = 0

    def fields(self, at: int) -> tuple[int, int, list[int]]:
        """Register and As bits, and the words that follow. The first of these words is at `at`."""
        word = self.value & 0xFFFF
        match self.kind:
            case Kind.REGISTER:
                return self.register, 0, []
            case Kind.CONSTANT:
                mode, register = CONSTANTS[self.value]
                return register, mode, []
            case Kind.IMMEDIATE:
                return 0, 3, [word]
            case Kind.INDEXED:
                return self.register, 1, [word]
            case Kind.SYMBOLIC:
                return 0, 1, [(word - at) & 0xFFFF]
            case Kind.ABSOLUTE:
                return 2, 1, [word]
            case Kind.INDIRECT:
                return self.register, 2, []
            case Kind.AUTOINCREMENT:
                return self.register, 3, []


def register(number: int) -> Operand:
    """Rn."""
    return Operand(Kind.REGISTER, number)


def immediate(value: int) -> Operand:
    """#N, in a word of its own."""
    return Operand(Kind.IMMEDIATE, value=value)


def constant(value: int) -> Operand:
    """A constant of the generator."""
    return Operand(Kind.CONSTANT, value=value)


def absolute(addr: int) -> Operand:
    """&EDE."""
    return Operand(Kind.ABSOLUTE, value=addr)


def two(at: int, name: str, src: Operand, dst: Operand, byte: bool = False) -> list[int]:
    """The words of a format-I instruction at address `at`."""
    src_register, src_mode, src_words = src.fields(at + 2)
    dst_register, dst_mode, dst_words = dst.fields(at + 2 + 2 * len(src_words))
    first = (
        OPCODE[name] << 12
        | src_register << 8
        | dst_mode << 7
        | byte << 6
        | src_mode << 4
        | dst_register
    )
    return [first, *src_words, *dst_words]


def one(at: int, name: str, operand: Operand, byte: bool = False) -> list[int]:
    """The words of a format-II instruction at address `at`."""
    number, mode, words = operand.fields(at + 2)
    return [FORMAT_II[name] | byte << 6 | mode << 4 | number, *words]


def jump(name: str, words: int) -> int:
    """A jump over a number of words, backwards if negative. -1 jumps to itself."""
    return 0x2000 | JUMPS.index(name) << 10 | words & 0x3FF


def octets(words: list[int]) -> bytes:
    """Words as they lie in memory."""
    return b"".join(word.to_bytes(2, "little") for word in words)
