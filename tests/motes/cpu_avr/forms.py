# SPDX-License-Identifier: BSD-3-Clause
"""Every instruction of the AVRe+ set as a bit pattern, from the opcodes of Atmel's "AVR Instruction
Set Manual"."""

import re
from dataclasses import dataclass

# Mnemonics whose patterns overlap are one instruction there and here: TST is AND, CLR is EOR, LSL
# is ADD, ROL is ADC, SBR is ORI, CBR is ANDI, SER is LDI, BRxx are BRBS and BRBC, SEx and CLx are
# BSET and BCLR.
_PATTERNS = """
add 000011rdddddrrrr|adc 000111rdddddrrrr|sub 000110rdddddrrrr|sbc 000010rdddddrrrr|and 001000rdddddrrrr
or 001010rdddddrrrr|eor 001001rdddddrrrr|mov 001011rdddddrrrr|cp 000101rdddddrrrr|cpc 000001rdddddrrrr
cpse 000100rdddddrrrr|mul 100111rdddddrrrr|movw 00000001ddddrrrr|muls 00000010ddddrrrr|mulsu 000000110ddd0rrr
fmul 000000110ddd1rrr|fmuls 000000111ddd0rrr|fmulsu 000000111ddd1rrr|cpi 0011kkkkddddkkkk|sbci 0100kkkkddddkkkk
subi 0101kkkkddddkkkk|ori 0110kkkkddddkkkk|andi 0111kkkkddddkkkk|ldi 1110kkkkddddkkkk|adiw 10010110kkddkkkk
sbiw 10010111kkddkkkk|com 1001010ddddd0000|neg 1001010ddddd0001|swap 1001010ddddd0010|inc 1001010ddddd0011
asr 1001010ddddd0101|lsr 1001010ddddd0110|ror 1001010ddddd0111|dec 1001010ddddd1010|bset 100101000sss1000
bclr 100101001sss1000|bst 1111101ddddd0bbb|bld 1111100ddddd0bbb|sbrc 1111110ddddd0bbb|sbrs 1111111ddddd0bbb
sbi 10011010aaaaabbb|cbi 10011000aaaaabbb|sbic 10011001aaaaabbb|sbis 10011011aaaaabbb|in 10110aadddddaaaa
out 10111aadddddaaaa|rjmp 1100kkkkkkkkkkkk|rcall 1101kkkkkkkkkkkk|brbs 111100kkkkkkksss|brbc 111101kkkkkkksss
jmp 1001010kkkkk110k|call 1001010kkkkk111k|ijmp 1001010000001001|icall 1001010100001001|ret 1001010100001000
reti 1001010100011000|nop 0000000000000000|sleep 1001010110001000|break 1001010110011000|wdr 1001010110101000
lds 1001000ddddd0000|sts 1001001ddddd0000|ld_x 1001000ddddd1100|ld_x+ 1001000ddddd1101|ld_-x 1001000ddddd1110
ld_y+ 1001000ddddd1001|ld_-y 1001000ddddd1010|ld_z+ 1001000ddddd0001|ld_-z 1001000ddddd0010
ldd_y 10q0qq0ddddd1qqq|ldd_z 10q0qq0ddddd0qqq|st_x 1001001ddddd1100|st_x+ 1001001ddddd1101|st_-x 1001001ddddd1110
st_y+ 1001001ddddd1001|st_-y 1001001ddddd1010|st_z+ 1001001ddddd0001|st_-z 1001001ddddd0010
std_y 10q0qq1ddddd1qqq|std_z 10q0qq1ddddd0qqq|push 1001001ddddd1111|pop 1001000ddddd1111|lpm_r0 1001010111001000
lpm 1001000ddddd0100|lpm_z+ 1001000ddddd0101|elpm_r0 1001010111011000|elpm 1001000ddddd0110
elpm_z+ 1001000ddddd0111|spm 1001010111101000
"""


@dataclass(frozen=True, slots=True)
class Form:
    """One pattern: the fixed bits, and for each operand letter its bit positions from the most
    significant."""

    name: str
    mask: int
    value: int
    fields: dict[str, tuple[int, ...]]

    def width(self, letter: str) -> int:
        """Number of bits of an operand."""
        return len(self.fields[letter])

    def word(self, **operands: int) -> int:
        """The instruction word with these operands; an operand's excess high bits are dropped."""
        word = self.value
        for letter, bits in self.fields.items():
            for weight, bit in enumerate(reversed(bits)):
                word |= (operands[letter] >> weight & 1) << bit
        return word


def _form(name: str, pattern: str) -> Form:
    fields: dict[str, tuple[int, ...]] = {}
    for i, letter in enumerate(pattern):
        if letter not in "01":
            fields[letter] = (*fields.get(letter, ()), 15 - i)
    mask = int(re.sub("[a-z]", "0", pattern.replace("0", "1")), 2)
    return Form(name, mask, int(re.sub("[a-z]", "0", pattern), 2), fields)


FORMS = {
    name: _form(name, pattern)
    for name, pattern in re.findall(r"(\S+) ([01a-z]{16})", _PATTERNS.replace("|", "\n"))
}


def name_of(word: int) -> str | None:
    """Which instruction a word is the first word of; None if it is none."""
    return next((form.name for form in FORMS.values() if word & form.mask == form.value), None)
