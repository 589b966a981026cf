# SPDX-License-Identifier: BSD-3-Clause
"""The cases that the lock-step leaves out, why, and which side is right. Everything else must be
equal.

| case | simavr 1.6 | here | who is right |
| --- | --- | --- | --- |
| ADIW, SBIW of a K whose low four bits are 12 to 15, skipped | skips two words, 3 cycles | one word, 2 | here: manual |
| SPM | writes flash as its SPMCSR says | the board's `store_program` | not comparable |
| SLEEP | state of its own; the driver clears it | `sleeping`; the caller asks | equal as an instruction |
| bits 7 to 1 of RAMPZ | kept | read 0 | here: data sheets, 128 KiB of flash |
| illegal words, addresses outside SRAM | end the process | `Fault` | not comparable |
| I/O registers other than GPIOR, SP, SREG, RAMPZ | devices | the board's bus | no matter of the CPU |
| interrupts | its own priorities and timing | `interrupt`, `interruptible` | unit tests of the crate |
"""


def taken_for_two_words(word: int) -> bool:
    """Whether simavr 1.6 skips two words where this one word is: it masks bit 9, and ADIW looks
    like JMP then."""
    return word & 0xFE0C == 0x960C
