# SPDX-License-Identifier: BSD-3-Clause
"""The runtime that compiled code calls: on the MSP430 arithmetic of the EABI, as linked; on the AVR a
product."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import wardmote
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


def test_the_product_of_the_avr(tmp_path: Path) -> None:
    """avr-gcc calls it for 16 by 16 bits. Its parameters are in registers of its own, so a function
    calls it; what the function folds of all pairs is the same on this machine."""
    source = tmp_path / "products.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdint.h>\n"
        "uint32_t products(const uint16_t *of, size_t n) { uint32_t all = 0;\n"
        "for (size_t i = 0; i < n; i++) for (size_t j = 0; j < n; j++)\n"
        "all = (all << 1 | all >> 31) ^ (uint32_t)of[i] * of[j];\nreturn all; }\n"
    )
    call = "uint32_t products(const uint16_t *of, size_t n)"
    rows = wardmote.measure(source, call, args=["n=24"], cpus="host,avr", runs=8)
    assert {row.cpu: row.disagreement for row in rows} == {"host": None, "avr": None}
