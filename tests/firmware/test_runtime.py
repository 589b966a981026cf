# SPDX-License-Identifier: BSD-3-Clause
"""The MSP430 runtime that compiled code calls: arithmetic of the EABI, as linked."""

import random
from collections.abc import Callable

import pytest

from wardmote._motes import Program
from wardmote.linked import linked

ROUNDS = 120
EDGES = {
    16: (0, 1, 2, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF),
    32: (0, 1, 2, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF),
    64: (0, 1, 2, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1),
}


@pytest.fixture(scope="module")
def program() -> Program:
    """The runtime, as it is linked for calls."""
    return Program(linked("msp430", [*BINARY, *SHIFTS]).read_bytes())


def _operand(source: random.Random, bits: int) -> int:
    """An edge in a third of the cases, else any number of any length."""
    if source.random() < 0.3:
        return source.choice(EDGES[bits])
    return source.getrandbits(source.randint(1, bits))


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def _quotient(n: int, d: int) -> int:
    """C11 6.5.5: truncated towards zero."""
    return abs(n) // abs(d) * (-1 if (n < 0) != (d < 0) else 1)


def _remainder(n: int, d: int) -> int:
    return n - _quotient(n, d) * d


def _product(a: int, b: int) -> int:
    return a * b


BINARY: dict[str, tuple[int, bool, Callable[[int, int], int]]] = {
    "__mspabi_mpyi": (16, False, _product),
    "__mspabi_mpyi_hw": (16, False, _product),
    "__mspabi_mpyl": (32, False, _product),
    "__mspabi_mpyl_hw": (32, False, _product),
    "__mspabi_mpyll": (64, False, _product),
    "__mspabi_mpyll_hw": (64, False, _product),
    "__mspabi_divu": (16, False, _quotient),
    "__mspabi_remu": (16, False, _remainder),
    "__mspabi_divi": (16, True, _quotient),
    "__mspabi_remi": (16, True, _remainder),
    "__mspabi_divul": (32, False, _quotient),
    "__mspabi_remul": (32, False, _remainder),
    "__mspabi_divli": (32, True, _quotient),
    "__mspabi_remli": (32, True, _remainder),
    "runtime_divide_u64": (64, False, _quotient),
    "runtime_remainder_u64": (64, False, _remainder),
    "runtime_divide_s64": (64, True, _quotient),
    "runtime_remainder_s64": (64, True, _remainder),
}
SHIFTS = ("__mspabi_slll", "__mspabi_srll", "__mspabi_sral")


@pytest.mark.parametrize("name", BINARY)
def test_two_operands(program: Program, name: str) -> None:
    """Every helper with two operands gives what C says, at the edges of its type and between."""
    bits, signed, wanted = BINARY[name]
    source = random.Random(name)
    for _ in range(ROUNDS):
        a, b = _operand(source, bits), _operand(source, bits)
        if b == 0 and "mpy" not in name:
            b = 3
        result = program.call(name, [(a, bits // 8), (b, bits // 8)])
        want = wanted(_signed(a, bits), _signed(b, bits)) if signed else wanted(a, b)
        assert result.value & (1 << bits) - 1 == want & (1 << bits) - 1, f"{name}({a:#x}, {b:#x})"


@pytest.mark.parametrize("distance", range(32))
def test_shifts_of_32_bits(program: Program, distance: int) -> None:
    """Every distance of the three 32-bit shifts."""
    source = random.Random(distance)
    for _ in range(8):
        a = _operand(source, 32)
        shifted = a << distance, a >> distance, _signed(a, 32) >> distance
        for name, want in zip(SHIFTS, shifted, strict=True):
            value = program.call(name, [(a, 4), distance]).value
            assert value & 0xFFFFFFFF == want & 0xFFFFFFFF, f"{name}({a:#x}, {distance})"
