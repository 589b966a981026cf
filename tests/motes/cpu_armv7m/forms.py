# SPDX-License-Identifier: BSD-3-Clause
"""The forms of the instructions that random programs are made of.

A form is a line of fields: binary digits stand for themselves, a letter with a width is filled in
at random:

    i  any bits            c  a condition, 0–13
    d  a destination       s  a source                 (3 bits: R0–R7, 4 bits: all)
    b  a base              a  a base that is aligned   w  the base that may be written
    x  the index register  l  a register list of destinations

Roles: R6, R10 and R11 point into RAM, R6 and R10 always aligned; R7 is a small index; SP points
into RAM; all others are destinations and sources of everything.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LOW_DESTINATIONS = (0, 1, 2, 3, 4, 5)
DESTINATIONS = (*LOW_DESTINATIONS, 8, 9, 12, 14)
SOURCES = (*range(13), 14)
BASES, ALIGNED, WRITABLE, INDEX = (6, 10, 11), (6, 10), 11, 7

_NARROW = """
LSL-imm     00000 i5 s3 d3
LSR-imm     00001 i5 s3 d3
ASR-imm     00010 i5 s3 d3
ADD-reg     0001100 s3 s3 d3
SUB-reg     0001101 s3 s3 d3
ADD-imm3    0001110 i3 s3 d3
SUB-imm3    0001111 i3 s3 d3
MOV-imm8    00100 d3 i8
CMP-imm8    00101 s3 i8
ADD-imm8    00110 d3 i8
SUB-imm8    00111 d3 i8
AND         0100000000 s3 d3
EOR         0100000001 s3 d3
LSL         0100000010 s3 d3
LSR         0100000011 s3 d3
ASR         0100000100 s3 d3
ADC         0100000101 s3 d3
SBC         0100000110 s3 d3
ROR         0100000111 s3 d3
TST         0100001000 s3 s3
RSB         0100001001 s3 d3
CMP         0100001010 s3 s3
CMN         0100001011 s3 s3
ORR         0100001100 s3 d3
MUL         0100001101 s3 d3
BIC         0100001110 s3 d3
MVN         0100001111 s3 d3
ADD-high    010001000 s4 d3
ADD-HIGH    0100010010 s3 100
CMP-high    010001010 s4 s3
CMP-HIGH    0100010110 s3 001
MOV-high    010001100 s4 d3
MOV-HIGH    010001101 s4 001
LDR-lit     01001 d3 i8
STR-reg     0101000 x3 b3 s3
STRH-reg    0101001 x3 b3 s3
STRB-reg    0101010 x3 b3 s3
LDRSB-reg   0101011 x3 b3 d3
LDR-reg     0101100 x3 b3 d3
LDRH-reg    0101101 x3 b3 d3
LDRB-reg    0101110 x3 b3 d3
LDRSH-reg   0101111 x3 b3 d3
STR-imm     01100 i5 b3 s3
LDR-imm     01101 i5 b3 d3
STRB-imm    01110 i5 b3 s3
LDRB-imm    01111 i5 b3 d3
STRH-imm    10000 i5 b3 s3
LDRH-imm    10001 i5 b3 d3
STR-sp      10010 s3 i8
LDR-sp      10011 d3 i8
ADR         10100 d3 i8
ADD-sp      10101 d3 i8
SXTH        1011001000 s3 d3
SXTB        1011001001 s3 d3
UXTH        1011001010 s3 d3
UXTB        1011001011 s3 d3
REV         1011101000 s3 d3
REV16       1011101001 s3 d3
REVSH       1011101011 s3 d3
PUSH        1011010 i1 00 l6
POP         1011110000 l6
NOP         1011111100000000
SEV         1011111101000000
STM         11000 b3 00 l6
LDM         11001 b3 00 l6
"""

_IMMEDIATE = [
    "AND 0000",
    "BIC 0001",
    "ORR 0010",
    "ORN 0011",
    "EOR 0100",
    "ADD 1000",
    "ADC 1010",
    "SBC 1011",
]
_IMMEDIATE += ["SUB 1101", "RSB 1110"]
_COMPARE = ["TST 0000", "TEQ 0100", "CMN 1000", "CMP 1101"]

_WIDE = """
ADDW        11110 i1 100000 s4 0 i3 d4 i8
SUBW        11110 i1 101010 s4 0 i3 d4 i8
MOVW        11110 i1 100100 i4 0 i3 d4 i8
MOVT        11110 i1 101100 i4 0 i3 d4 i8
ADR+        11110 i1 1000001111 0 i3 d4 i8
ADR-        11110 i1 1010101111 0 i3 d4 i8
SSAT-lsl    111100110000 s4 0 i3 d4 i2 0 i5
SSAT-asr    111100110010 s4 0 i3 d4 010 i5
USAT-lsl    111100111000 s4 0 i3 d4 i2 0 i5
USAT-asr    111100111010 s4 0 i3 d4 010 i5
SBFX-low    111100110100 s4 000 i1 d4 i2 00 i4
SBFX-high   111100110100 s4 0100 d4 i2 000 i3
UBFX-low    111100111100 s4 000 i1 d4 i2 00 i4
UBFX-high   111100111100 s4 0110 d4 i2 0000 i2
BFI-low     111100110110 s4 000 i1 d4 i2 010 i3
BFI-high    111100110110 s4 010 i1 d4 i2 011 i3
BFC-low     1111001101101111 000 i1 d4 i2 010 i3
BFC-high    1111001101101111 010 i1 d4 i2 011 i3
LSL.W       11111010000 i1 s4 1111 d4 0000 s4
LSR.W       11111010001 i1 s4 1111 d4 0000 s4
ASR.W       11111010010 i1 s4 1111 d4 0000 s4
ROR.W       11111010011 i1 s4 1111 d4 0000 s4
SXTH.W      1111101000001111 1111 d4 10 i2 s4
UXTH.W      1111101000011111 1111 d4 10 i2 s4
SXTB.W      1111101001001111 1111 d4 10 i2 s4
UXTB.W      1111101001011111 1111 d4 10 i2 s4
MUL.W       111110110000 s4 1111 d4 0000 s4
MLA         111110110000 s4 s4 d4 0000 s4
MLS         111110110000 s4 s4 d4 0001 s4
SDIV        111110111001 s4 1111 d4 1111 s4
UDIV        111110111011 s4 1111 d4 1111 s4
STRB.W      111110001000 b4 s4 i12
STRH.W      111110001010 b4 s4 i12
STR.W       111110001100 b4 s4 i12
LDRB.W      111110001001 b4 d4 i12
LDRH.W      111110001011 b4 d4 i12
LDR.W       111110001101 b4 d4 i12
LDRSB.W     111110011001 b4 d4 i12
LDRSH.W     111110011011 b4 d4 i12
STRB-neg    111110000000 b4 s4 1100 i8
STRH-neg    111110000010 b4 s4 1100 i8
STR-neg     111110000100 b4 s4 1100 i8
LDRB-neg    111110000001 b4 d4 1100 i8
LDRH-neg    111110000011 b4 d4 1100 i8
LDR-neg     111110000101 b4 d4 1100 i8
LDRSB-neg   111110010001 b4 d4 1100 i8
LDRSH-neg   111110010011 b4 d4 1100 i8
STRBT       111110000000 b4 s4 1110 i8
STRHT       111110000010 b4 s4 1110 i8
STRT        111110000100 b4 s4 1110 i8
LDRBT       111110000001 b4 d4 1110 i8
LDRHT       111110000011 b4 d4 1110 i8
LDRT        111110000101 b4 d4 1110 i8
LDRSBT      111110010001 b4 d4 1110 i8
LDRSHT      111110010011 b4 d4 1110 i8
STRB-pre    111110000000 w4 d4 11 i1 1 i8
STRH-pre    111110000010 w4 d4 11 i1 1 i8
STR-pre     111110000100 w4 d4 11 i1 1 i8
LDRB-pre    111110000001 w4 d4 11 i1 1 i8
LDRH-pre    111110000011 w4 d4 11 i1 1 i8
LDR-pre     111110000101 w4 d4 11 i1 1 i8
LDRSB-pre   111110010001 w4 d4 11 i1 1 i8
LDRSH-pre   111110010011 w4 d4 11 i1 1 i8
STRB-post   111110000000 w4 d4 10 i1 1 i8
STRH-post   111110000010 w4 d4 10 i1 1 i8
STR-post    111110000100 w4 d4 10 i1 1 i8
LDRB-post   111110000001 w4 d4 10 i1 1 i8
LDRH-post   111110000011 w4 d4 10 i1 1 i8
LDR-post    111110000101 w4 d4 10 i1 1 i8
LDRSB-post  111110010001 w4 d4 10 i1 1 i8
LDRSH-post  111110010011 w4 d4 10 i1 1 i8
STRB-Reg    111110000000 b4 s4 000000 i2 x4
STRH-Reg    111110000010 b4 s4 000000 i2 x4
STR-Reg     111110000100 b4 s4 000000 i2 x4
LDRB-Reg    111110000001 b4 d4 000000 i2 x4
LDRH-Reg    111110000011 b4 d4 000000 i2 x4
LDR-Reg     111110000101 b4 d4 000000 i2 x4
LDRSB-Reg   111110010001 b4 d4 000000 i2 x4
LDRSH-Reg   111110010011 b4 d4 000000 i2 x4
LDRB-Lit    11111000 i1 0011111 d4 i12
LDRH-Lit    11111000 i1 0111111 d4 i12
LDR-Lit     11111000 i1 1011111 d4 i12
LDRSB-Lit   11111001 i1 0011111 d4 i12
LDRSH-Lit   11111001 i1 0111111 d4 i12
LDRD        11101001 i1 101 a4 00 i1 0 0 i1 01 i8
LDRD-pre    11101001 i1 111 a4 00 i1 0 0 i1 01 i8
LDRD-post   11101000 i1 111 a4 00 i1 0 0 i1 01 i8
LDRD-Lit    11101001 i1 1011111 00 i1 0 0 i1 01 i8
STRD        11101001 i1 100 a4 d4 d4 i8
STRD-pre    11101001 i1 110 a4 d4 d4 i8
STRD-post   11101000 i1 110 a4 d4 d4 i8
STM.W       1110100010 i1 0 a4 0 i1 0 i1 00 i2 00 i4 11
STMDB       1110100100 i1 0 a4 0 i1 0 i1 00 i2 00 i4 11
LDM.W       1110100010 i1 1 a4 0 i1 0 i1 00 i2 00 i4 11
LDMDB       1110100100 i1 1 a4 0 i1 0 i1 00 i2 00 i4 11
PUSH.W      1110100100101101 0 i1 0 i1 00 i2 00 i4 11
POP.W       1110100010111101 0 i1 0 i1 00 i2 00 i4 11
CLREX       11110011101111111000111100101111
DSB         11110011101111111000111101001111
DMB         11110011101111111000111101011111
ISB         11110011101111111000111101101111
NOP.W       11110011101011111000000000000000
PLD         111110001001 b4 1111 i12
PLD-neg     111110000001 b4 1111 1100 i8
PLD-reg     111110000001 b4 1111 000000 i2 x4
MRS-APSR    11110011111011111000 d4 00000000
MRS-PRIMASK 11110011111011111000 d4 00010000
MSR-APSR    111100111000 s4 1000100000000000
"""

# What a Cortex-M4 has besides: the DSP extension.
_DSP = """
PKHBT       111010101100 s4 0 i3 d4 i2 00 s4
PKHTB       111010101100 s4 0 i3 d4 i2 10 s4
SSAT16      111100110010 s4 0000 d4 0000 i4
USAT16      111100111010 s4 0000 d4 0000 i4
SXTAH       111110100000 s4 1111 d4 10 i2 s4
UXTAH       111110100001 s4 1111 d4 10 i2 s4
SXTAB16     111110100010 s4 1111 d4 10 i2 s4
UXTAB16     111110100011 s4 1111 d4 10 i2 s4
SXTAB       111110100100 s4 1111 d4 10 i2 s4
UXTAB       111110100101 s4 1111 d4 10 i2 s4
SXTB16      1111101000101111 1111 d4 10 i2 s4
UXTB16      1111101000111111 1111 d4 10 i2 s4
QADD        111110101000 s4 1111 d4 10 i2 s4
SEL         111110101010 s4 1111 d4 1000 s4
SMULxy      111110110001 s4 1111 d4 00 i2 s4
SMLAxy      111110110001 s4 s4 d4 00 i2 s4
SMUAD       111110110010 s4 1111 d4 000 i1 s4
SMLAD       111110110010 s4 s4 d4 000 i1 s4
SMULWy      111110110011 s4 1111 d4 000 i1 s4
SMLAWy      111110110011 s4 s4 d4 000 i1 s4
SMUSD       111110110100 s4 1111 d4 000 i1 s4
SMLSD       111110110100 s4 s4 d4 000 i1 s4
SMMUL       111110110101 s4 1111 d4 000 i1 s4
SMMLA       111110110101 s4 s4 d4 000 i1 s4
SMMLS       111110110110 s4 s4 d4 000 i1 s4
USAD8       111110110111 s4 1111 d4 0000 s4
USADA8      111110110111 s4 s4 d4 0000 s4
SMULL.4     111110111000 s4 00 i2 010 i1 0000 s4
UMULL.4     111110111010 s4 00 i2 010 i1 0000 s4
SMLAL.4     111110111100 s4 00 i2 010 i1 0000 s4
UMLAL.4     111110111110 s4 00 i2 010 i1 0000 s4
SMLALxy     111110111100 s4 00 i2 010 i1 10 i2 s4
SMLALD      111110111100 s4 00 i2 010 i1 110 i1 s4
SMLSLD      111110111101 s4 00 i2 010 i1 110 i1 s4
UMAAL       111110111110 s4 00 i2 010 i1 0110 s4
MSR-GE      111100111000 s4 1000110000000000
"""
_PARALLEL = ["ADD8 000", "ADD16 001", "ASX 010", "SUB8 100", "SUB16 101", "SAX 110"]
_PREFIXES = ["S 0000", "Q 0001", "SH 0010", "U 0100", "UQ 0101", "UH 0110"]

# Its FPU, as far as it holds words.
_FPU = """
VMOV-in     111011100000 i4 d4 1010 i1 0010000
VMOV-out    111011100001 i4 d4 1010 i1 0010000
VMOV.32-in  1110111000 i1 0 i4 d4 101100010000
VMOV.32-out 1110111000 i1 1 i4 d4 101100010000
VMOV-2in    111011000100 d4 d4 101000 i1 1 0 i3
VMOV-2out   111011000101 00 i2 010 i1 101000 i1 1 0 i3
VMOV-Din    111011000100 d4 d4 10110001 i4
VMOV-Dout   111011000101 00 i2 010 i1 10110001 i4
VMOV-reg    111011101 i1 110000 i4 101001 i1 0 i4
VMOV-imm    111011101 i1 11 i4 i4 10100000 i4
VMRS        1110111011110001 d4 101000010000
VMRS-APSR   1110111011110001 1111 101000010000
VMSR        1110111011100001 s4 101000010000
VLDR        11101101 i1 i1 01 a4 i4 1010 i8
VSTR        11101101 i1 i1 00 a4 i4 1010 i8
VLDR-D      11101101 i1 001 a4 i4 1011 i8
VSTR-D      11101101 i1 000 a4 i4 1011 i8
VLDR-Lit    11101101 i1 i1 01 1111 i4 1010 i8
VLDM        111011001 i1 i1 1 a4 0 i3 10100000 0 i2 1
VSTM        111011001 i1 i1 0 a4 0 i3 10100000 0 i2 1
VLDMDB      111011010 i1 11 a4 0 i3 10100000 0 i2 1
VPUSH       1110110100101101 0 i3 101100001 i2 0
VPOP        1110110010111101 0 i3 101100001 i2 0
"""
_V6M_WIDE = ("DSB", "DMB", "ISB", "MRS-APSR", "MRS-PRIMASK", "MSR-APSR")


@dataclass(frozen=True, slots=True)
class Form:
    """A name, halfwords, the bits that stand for themselves, and what fills the rest: shift, source
    of bits, and the values that matter."""

    name: str
    wide: bool
    fixed: int
    fields: tuple[tuple[int, Callable[[], int], tuple[int, ...]], ...]

    def encode(self) -> int:
        """A random instruction of this form, first halfword in the high bits of a wide one."""
        word = self.fixed
        for shift, bits, _ in self.fields:
            word |= bits() << shift
        return word

    def directed(self) -> Iterator[int]:
        """For each field and each value of it that matters, an instruction that is random besides:
        each register in each place that may have it, and the least, the greatest and single bits of
        constants."""
        for place, (_, _, values) in enumerate(self.fields):
            for value in values:
                word = self.fixed
                for at, (shift, bits, _) in enumerate(self.fields):
                    word |= (value if at == place else bits()) << shift
                yield word
        if not self.fields:
            yield self.fixed


def lines(core: str = "armv7m") -> list[str]:
    """All forms of a core as text, narrow ones and wide ones."""
    if core == "cortex-m0plus":
        wide = [line for line in _WIDE.splitlines() if line.split()[:1] in [[n] for n in _V6M_WIDE]]
        return [*filter(None, _NARROW.splitlines()), *wide]
    if core == "cortex-m4":
        return [*lines(), *_extensions()]
    return _v7m_lines()


def _extensions() -> list[str]:
    """What ARMv7E-M adds to ARMv7-M, and the FPU."""
    text = [line for line in (_DSP + _FPU).splitlines() if line]
    for lanes, opcode in (entry.split() for entry in _PARALLEL):
        for prefix, code in (entry.split() for entry in _PREFIXES):
            text.append(f"{prefix}{lanes} 111110101 {opcode} s4 1111 d4 {code} s4")
    return text


def _v7m_lines() -> list[str]:
    """Those of ARMv7-M."""
    text = [line for line in (_NARROW + _WIDE).splitlines() if line]
    for name, code in (entry.split() for entry in _IMMEDIATE):
        text.append(f"{name}-Imm 11110 i1 0 {code} i1 s4 0 i3 d4 i8")
        text.append(f"{name}-Shift 1110101 {code} i1 s4 0 i3 d4 i4 s4")
    for name, code in (("MOV", "0010"), ("MVN", "0011")):
        text.append(f"{name}-Imm 11110 i1 0 {code} i1 1111 0 i3 d4 i8")
        text.append(f"{name}-Shift 1110101 {code} i1 1111 0 i3 d4 i4 s4")
    for name, code in (entry.split() for entry in _COMPARE):
        text.append(f"{name}-Imm 11110 i1 0 {code} 1 s4 0 i3 1111 i8")
        text.append(f"{name}-Shift 1110101 {code} 1 s4 0 i3 1111 i4 s4")
    return text


def _source(kind: str, width: int, rng: random.Random) -> tuple[Callable[[], int], tuple[int, ...]]:
    choice, getrandbits = rng.choice, rng.getrandbits
    wide = width == 4
    match kind:
        case "i":
            corners = {0, (1 << width) - 1, *(1 << bit for bit in range(width))}
            return lambda: getrandbits(width), tuple(sorted(corners))
        case "d":
            registers: tuple[int, ...] = DESTINATIONS if wide else LOW_DESTINATIONS
        case "s":
            registers = SOURCES if wide else tuple(range(8))
        case "b":
            registers = BASES if wide else (6,)
        case "a":
            registers = ALIGNED
        case "w":
            registers = (WRITABLE,)
        case "x":
            registers = (INDEX,)
        case "l":
            registers = tuple(range(1, 1 << width))
        case _:
            raise ValueError(kind)
    return lambda: choice(registers), registers


def compile_forms(rng: random.Random, core: str = "armv7m") -> list[Form]:
    """All forms of a core, filled from a source of randomness."""
    forms = []
    for line in lines(core):
        name, *tokens = line.split()
        position = fixed = 0
        fields = []
        for token in reversed(tokens):
            if token[0] in "01":
                fixed |= int(token, 2) << position
                position += len(token)
            else:
                width = int(token[1:])
                fields.append((position, *_source(token[0], width, rng)))
                position += width
        assert position in (16, 32), line
        forms.append(Form(name, position == 32, fixed, tuple(fields)))
    return forms
