# SPDX-License-Identifier: BSD-3-Clause
"""Every word that is an instruction on data, once: each operand in each register, with each constant
and each displacement. Words that go elsewhere (jumps, calls, returns, branches) are in the random
programs; those of SPM and of I/O registers with devices behind them are not compared (see
exclusions.py)."""

from collections.abc import Iterator
from random import Random

from tests.motes.cpu_avr.forms import FORMS, name_of
from tests.motes.cpu_avr.streams import GPIOR, PLAIN, POINTERS, RAMPZ, SPH, SPL, SREG, WORDS

ROOM = WORDS - 200
"""Words of one program."""
SKIPS = ("cpse", "sbrc", "sbrs", "sbic", "sbis")
BITS = ("sbi", "cbi", "sbic", "sbis")
WRITTEN, READ = (*GPIOR, SREG), (*GPIOR, SREG, SPL, SPH, RAMPZ)
PIECE = tuple[int, ...]
STACK, POINTED = (0x10, 0x20), (0x04, 0x1F)
"""High octets of SP and of pointers: the stack is above what they reach down from."""


def _load(register: int, octet: int) -> int:
    return FORMS["ldi"].word(d=register - 16, k=octet)


def _pointed(name: str, word: int, rng: Random) -> PIECE:
    """An access through a pointer that is set before it."""
    low = POINTERS[name.removesuffix("+")[-1]]
    high = rng.randrange(*POINTED)
    return _load(low, rng.randrange(256)), _load(low + 1, high), word


def _place(word: int) -> int:
    """The data address of an I/O register in IN, OUT and their like."""
    return 0x20 + ((word >> 5 & 0x30 | word & 0x0F) if word & 0xF000 == 0xB000 else word >> 3 & 31)


def piece(word: int, rng: Random) -> PIECE | None:
    """The word and what it needs around it; None if it is not compared here."""
    name = name_of(word)
    if name is None:
        return None
    if name in SKIPS:
        if name in BITS and _place(word) != GPIOR[0]:
            return None
        return word, FORMS["nop"].value
    if name in BITS:
        return (word,) if _place(word) == GPIOR[0] else None
    if name in ("in", "out"):
        return (word,) if _place(word) in (READ if name == "in" else WRITTEN) else None
    if name in ("lds", "sts"):
        return word, rng.randrange(0x300, 0x2100)
    if name in ("brbs", "brbc"):
        # To the next word, whether it branches or not.
        return (word,) if word >> 3 & 0x7F == 0 else None
    if name.startswith(("ld_", "st_", "ldd_", "std_")):
        return _pointed(name, word, rng)
    return (word,) if name in (*PLAIN, "push", "pop", "elpm_z+") else None


def _stack(rng: Random) -> PIECE:
    """SP in its part of SRAM, with any SREG then."""
    return (
        *(_load(16, rng.randrange(256)), FORMS["out"].word(a=SPL - 0x20, d=16)),
        *(_load(16, rng.randrange(*STACK)), FORMS["out"].word(a=SPH - 0x20, d=16)),
        *(_load(16, rng.randrange(256)), FORMS["out"].word(a=SREG - 0x20, d=16)),
    )


def programs(seed: int) -> Iterator[list[int]]:
    """Programs that hold every such word in a random order, for ever."""
    rng = Random(seed)
    pieces = [found for word in range(0x1_0000) if (found := piece(word, rng))]
    rng.shuffle(pieces)
    program: list[int] = []
    for number, found in enumerate(pieces):
        if len(program) > ROOM:
            yield [*program, FORMS["jmp"].value, 0]
            program = []
        if number % 64 == 0 or not program:
            program += _stack(rng)
        program += found
    yield [*program, FORMS["jmp"].value, 0]
