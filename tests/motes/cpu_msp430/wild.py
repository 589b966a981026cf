# SPDX-License-Identifier: BSD-3-Clause
"""Random memory executed from random places, until an instruction that cannot be compared."""

import random
from dataclasses import dataclass

from tests.motes.cpu_msp430 import state
from tests.motes.cpu_msp430.exclusions import excluded
from tests.motes.cpu_msp430.simulators import Core

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Excursion:
    """Registers at the beginning, and how many instructions can be compared."""

    registers: state.Registers
    steps: int


def image(rng: random.Random) -> bytes:
    """Random words above the peripheral space; few of them illegal, so that runs last."""
    words = bytearray(rng.randbytes(state.MEMORY_LENGTH))
    for high in range(1, state.MEMORY_LENGTH, 2):
        if words[high] < 0x10 or (words[high] & 0xFC) == 0x14:
            words[high] = rng.randrange(0x20, 0x100)
    return bytes(words)


def registers(rng: random.Random) -> state.Registers:
    """Random registers above the peripheral space, most of them even; SP with room."""
    values = [
        rng.randrange(state.MEMORY_START, 0x1_0000) & (~1 if rng.random() < 0.8 else ~0)
        for _ in range(16)
    ]
    values[state.PC], values[state.SP] = (
        rng.randrange(state.MEMORY_START, 0xFFF0, 2),
        rng.randrange(0x0400, 0xFFF0, 2),
    )
    values[state.SR], values[state.R3] = rng.getrandbits(9) & ~state.CPUOFF, 0
    return tuple(values)


def next_excursion(core: Core, rng: random.Random) -> Excursion:
    """Sets the core's registers and looks ahead; nothing is executed yet."""
    start = registers(rng)
    core.set_registers(start)
    steps = 0
    for step in core.trace(LONGEST):
        # mspdebug sleeps on CPUOFF; without an interrupt there is nothing to compare then.
        if step.registers[state.SR] & state.CPUOFF or excluded(step):
            break
        steps += 1
    return Excursion(start, steps)
