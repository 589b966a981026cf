# SPDX-License-Identifier: BSD-3-Clause
"""The memory functions that compiled code calls on the CC2538, as linked."""

import random

import pytest

from wardmote._motes import Program
from wardmote.linked import linked

NAMES = ("memcpy", "memmove", "memset", "memcmp")
ARENA = 256
ALIGNMENTS = [
    (16, 120),
    (16, 121),
    (17, 120),
    (19, 122),
    (16, 18),
    (18, 16),
    (17, 16),
    (16, 21),
    (40, 40),
]


@pytest.fixture(scope="module")
def program() -> Program:
    """The runtime, as it is linked for calls."""
    return Program(linked("armv7m", NAMES).read_bytes())


@pytest.mark.parametrize("length", [*range(20), 31, 32, 33, 64, 69])
@pytest.mark.parametrize(("to", "source"), ALIGNMENTS)
def test_copies(program: Program, length: int, to: int, source: int) -> None:
    """memcpy and memmove copy exactly `length` octets at any alignment; memmove also onto
    itself."""
    data = random.Random(length).randbytes(ARENA)
    names = ["memmove"] if abs(to - source) < length else ["memmove", "memcpy"]
    for name in names:
        program.reset()
        base = program.allocate(ARENA)
        program.write(base, data)
        result = program.call(name, [base + to, base + source, length])
        want = bytearray(data)
        want[to : to + length] = data[source : source + length]
        assert program.read(base, ARENA) == bytes(want)
        assert result.value & 0xFFFFFFFF == base + to


@pytest.mark.parametrize("length", [*range(12), 33, 64])
@pytest.mark.parametrize("to", [16, 17, 18, 19])
def test_fill(program: Program, length: int, to: int) -> None:
    """memset fills exactly `length` octets with the low octet of its value."""
    program.reset()
    base = program.allocate(ARENA)
    program.write(base, b"\x55" * ARENA)
    result = program.call("memset", [base + to, 0x12A5, length])
    assert program.read(base, ARENA) == b"\x55" * to + b"\xa5" * length + b"\x55" * (
        ARENA - to - length
    )
    assert result.value & 0xFFFFFFFF == base + to


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 16, 33])
def test_compare(program: Program, length: int) -> None:
    """memcmp has the sign of the first difference, octets taken as unsigned, and sees nothing
    behind `length`."""
    program.reset()
    base = program.allocate(ARENA)
    left = random.Random(length).randbytes(length)
    program.write(base, left)
    for place in range(length):
        right = left[place] ^ 0x80
        program.write(base + 128, left[:place] + bytes([right]) + left[place + 1 :])
        value = program.call("memcmp", [base, base + 128, length]).value & 0xFFFFFFFF
        assert value != 0
        assert (value >> 31 == 0) == (left[place] > right)
        assert program.call("memcmp", [base, base + 128, place]).value & 0xFFFFFFFF == 0
