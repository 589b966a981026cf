# SPDX-License-Identifier: BSD-3-Clause
"""The memory functions that compiled code calls, as linked, on every CPU."""

import random
from typing import NamedTuple

import pytest

from wardmote._motes import Program
from wardmote.linked import linked

NAMES = ("memcpy", "memmove", "memset", "memcmp")
BACKGROUND = 0x55
FILL = 0x12A5
"""Only the low octet of what memset is given counts."""


class Cpu(NamedTuple):
    """The functions to try on a CPU, and how to call them."""

    name: str
    """As wardmote.cpus has it."""
    arena: int
    """Octets of memory that a test watches."""
    copied: tuple[int, ...]
    """Lengths to copy."""
    places: tuple[tuple[int, int], ...]
    """Where a copy goes and where it comes from: apart, overlapping, at each alignment."""
    filled: tuple[int, ...]
    """Lengths to fill."""
    fills: tuple[int, ...]
    """Where a fill begins."""
    compared: tuple[int, ...]
    """Lengths to compare."""
    pointer_octets: int = 2
    """Octets of an address, 2 or 4."""
    result_shift: int = 0
    """Bits of the result registers below a result of two octets."""

    @property
    def mask(self) -> int:
        """All bits of a pointer."""
        return (1 << 8 * self.pointer_octets) - 1


AROUND_256 = (0, 1, 2, 3, 16, 19, 255, 256, 257)
"""Either side of a length whose low octet is 0."""
OVERLAPS = ((17, 16), (16, 18), (18, 16), (40, 40))
SHORT_AND_LONG = (*range(20), 31, 32, 33, 64, 69)
CPUS = (
    Cpu(
        "msp430",
        256,
        SHORT_AND_LONG,
        ((16, 120), (16, 121), (17, 120), (17, 121), *OVERLAPS),
        (*range(12), 33, 64),
        (16, 17),
        (*range(12), 33, 64),
    ),
    Cpu(
        "avr",
        1024,
        AROUND_256,
        ((16, 520), (16, 600), (520, 16), (16, 17), (17, 16), (16, 21), (250, 260), (40, 40)),
        AROUND_256,
        (17,),
        (1, 2, 5, 16, 33),
        result_shift=48,
    ),
    Cpu(
        "armv7m",
        256,
        SHORT_AND_LONG,
        ((16, 120), (16, 121), (17, 120), (19, 122), (16, 21), *OVERLAPS),
        (*range(12), 33, 64),
        (16, 17, 18, 19),
        (1, 2, 3, 4, 5, 16, 33),
        pointer_octets=4,
    ),
)


class Memory:
    """The functions of a CPU over one arena, whose offsets stand for addresses."""

    def __init__(self, cpu: Cpu) -> None:
        self.cpu = cpu
        self.program = Program(linked(cpu.name, NAMES).read_bytes())

    def begin(self, octets: bytes) -> None:
        """A new arena that holds these octets."""
        self.program.reset()
        self.base = self.program.allocate(self.cpu.arena, 4)
        self.program.write(self.base, octets)

    def arena(self) -> bytes:
        """The octets of the memory."""
        return self.program.read(self.base, self.cpu.arena)

    def call(self, name: str, *arguments: int) -> int:
        """Result of a function of pointers and words."""
        sized = [(value & self.cpu.mask, self.cpu.pointer_octets) for value in arguments]
        return self.program.call(name, sized).value >> self.cpu.result_shift & self.cpu.mask

    def address(self, offset: int) -> int:
        """The address of an octet of the arena, as a result has it."""
        return (self.base + offset) & self.cpu.mask


@pytest.fixture(params=CPUS, ids=lambda cpu: cpu.name, scope="module")
def memory(request: pytest.FixtureRequest) -> Memory:
    """The runtime of each CPU, as it is linked for calls."""
    return Memory(request.param)


def test_copies(memory: Memory) -> None:
    """memcpy and memmove copy exactly as many octets as they are told, at any alignment; memmove
    also onto itself."""
    cpu = memory.cpu
    for length in cpu.copied:
        data = random.Random(length).randbytes(cpu.arena)
        for to, source in cpu.places:
            want = bytearray(data)
            want[to : to + length] = data[source : source + length]
            for name in ("memmove",) if abs(to - source) < length else ("memmove", "memcpy"):
                memory.begin(data)
                base = memory.base
                result = memory.call(name, base + to, base + source, length)
                assert memory.arena() == bytes(want), (name, to, source, length)
                assert result == memory.address(to)


def test_fill(memory: Memory) -> None:
    """memset fills exactly as many octets as it is told with the low octet of its value."""
    cpu = memory.cpu
    for length in cpu.filled:
        for to in cpu.fills:
            want = bytearray([BACKGROUND] * cpu.arena)
            memory.begin(bytes(want))
            want[to : to + length] = [FILL & 0xFF] * length
            result = memory.call("memset", memory.base + to, FILL, length)
            assert memory.arena() == bytes(want), (to, length)
            assert result == memory.address(to)


def test_compare(memory: Memory) -> None:
    """memcmp has the sign of the first difference, octets taken as unsigned, and sees nothing
    behind the length."""
    cpu = memory.cpu
    for length in cpu.compared:
        left = random.Random(length).randbytes(length)
        memory.begin(left)
        one, other = memory.base, memory.base + cpu.arena // 2
        for place in range(length):
            right = left[place] ^ 0x80
            memory.program.write(other, left[:place] + bytes([right]) + left[place + 1 :])
            value = memory.call("memcmp", one, other, length)
            assert value != 0
            negative = value > cpu.mask // 2
            assert negative == (left[place] < right), (length, place)
            assert memory.call("memcmp", one, other, place) == 0
