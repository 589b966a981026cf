# SPDX-License-Identifier: BSD-3-Clause
"""Registers and memory of the MSP430, as the tests compare them."""

from dataclasses import dataclass

Registers = tuple[int, ...]

PC, SP, SR, R3 = range(4)
CPUOFF = 0x10

# Both machines are compared on all memory but the peripheral space.
MEMORY_START = 0x200
MEMORY_LENGTH = 0x1_0000 - MEMORY_START


@dataclass(frozen=True, slots=True)
class Step:
    """The state before one instruction: the three words at the PC and the registers."""

    words: tuple[int, int, int]
    registers: Registers
