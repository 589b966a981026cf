# SPDX-License-Identifier: BSD-3-Clause
"""The memory functions that compiled code calls on the ATmega128, as linked."""

import random

import pytest

from wardmote._motes import CallResult, Program
from wardmote.linked import linked

NAMES = ("memcpy", "memmove", "memset", "memcmp")
ARENA = 1024
PLACES = [(16, 520), (16, 600), (520, 16), (16, 17), (17, 16), (16, 21), (250, 260), (40, 40)]
LENGTHS = [0, 1, 2, 3, 16, 19, 255, 256, 257]
"""Either side of a length whose low octet is 0."""


@pytest.fixture(scope="module")
def program() -> Program:
    """The runtime, as it is linked for calls."""
    return Program(linked("avr", NAMES).read_bytes())


def word(result: CallResult) -> int:
    """A result of two octets: R25 and R24, the last of the result registers."""
    return result.value >> 48


def call(program: Program, name: str, *arguments: int) -> int:
    """Calls a function of pointers and words."""
    return word(program.call(name, [(argument & 0xFFFF, 2) for argument in arguments]))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(("to", "source"), PLACES)
def test_copies(program: Program, length: int, to: int, source: int) -> None:
    """memcpy and memmove copy exactly `length` octets; memmove also onto itself."""
    data = random.Random(length).randbytes(ARENA)
    names = ["memmove"] if abs(to - source) < length else ["memmove", "memcpy"]
    for name in names:
        program.reset()
        base = program.allocate(ARENA)
        program.write(base, data)
        result = call(program, name, base + to, base + source, length)
        want = bytearray(data)
        want[to : to + length] = data[source : source + length]
        assert program.read(base, ARENA) == bytes(want)
        assert result == (base + to) & 0xFFFF


@pytest.mark.parametrize("length", LENGTHS)
def test_fill(program: Program, length: int) -> None:
    """memset fills exactly `length` octets with the low octet of its value."""
    program.reset()
    base = program.allocate(ARENA)
    program.write(base, b"\x55" * ARENA)
    result = call(program, "memset", base + 17, 0x12A5, length)
    assert program.read(base, ARENA) == b"\x55" * 17 + b"\xa5" * length + b"\x55" * (
        ARENA - 17 - length
    )
    assert result == (base + 17) & 0xFFFF


@pytest.mark.parametrize("length", [1, 2, 5, 16, 33])
def test_compare(program: Program, length: int) -> None:
    """memcmp has the sign of the first difference, octets taken as unsigned, and sees nothing
    behind `length`."""
    program.reset()
    base = program.allocate(ARENA)
    left = random.Random(length).randbytes(length)
    program.write(base, left)
    for place in range(length):
        right = left[place] ^ 0x80
        program.write(base + 512, left[:place] + bytes([right]) + left[place + 1 :])
        value = call(program, "memcmp", base, base + 512, length)
        assert value != 0
        assert (value >> 15 == 0) == (left[place] > right)
        assert call(program, "memcmp", base, base + 512, place) == 0
