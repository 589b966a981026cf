# SPDX-License-Identifier: BSD-3-Clause
"""Floating point of the MSP430's runtime against this machine's, bit by bit: edges of the format, each
with each, and random numbers whose exponents are close, far or at the ends."""

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from wardmote._motes import Program
from wardmote.linked import linked

ROUNDS = 400
FORMATS: dict[int, tuple[Any, Any, int, int]] = {
    32: (np.float32, np.uint32, 23, 8),
    64: (np.float64, np.uint64, 52, 11),
}
OPERATIONS: dict[str, tuple[str, str, Callable[[Any, Any], Any]]] = {
    "add": ("__mspabi_addf", "runtime_add_f64", lambda a, b: a + b),
    "subtract": ("__mspabi_subf", "runtime_subtract_f64", lambda a, b: a - b),
    "multiply": ("__mspabi_mpyf", "runtime_multiply_f64", lambda a, b: a * b),
    "divide": ("__mspabi_divf", "runtime_divide_f64", lambda a, b: a / b),
}
COMPARISONS = {32: "__mspabi_cmpf", 64: "runtime_compare_f64"}
UNORDERED = {32: "__unordsf2", 64: "__unorddf2"}
TO_INTEGER = {
    "__mspabi_fixfli": (32, 32, True), "__mspabi_fixflli": (32, 64, True),
    "__mspabi_fixful": (32, 32, False), "__mspabi_fixfull": (32, 64, False),
    "__mspabi_fixdli": (64, 32, True), "__mspabi_fixdlli": (64, 64, True),
    "__mspabi_fixdul": (64, 32, False), "__mspabi_fixdull": (64, 64, False),
}  # fmt: skip
FROM_INTEGER = {
    "__mspabi_fltlif": (32, 32, True), "__mspabi_fltllif": (32, 64, True),
    "__mspabi_fltulf": (32, 32, False), "__mspabi_fltullf": (32, 64, False),
    "__mspabi_fltlid": (64, 32, True), "__mspabi_fltllid": (64, 64, True),
    "__mspabi_fltuld": (64, 32, False), "__mspabi_fltulld": (64, 64, False),
}  # fmt: skip
BETWEEN = {"__mspabi_cvtfd": (32, 64), "__mspabi_cvtdf": (64, 32)}


@pytest.fixture(scope="module")
def program() -> Program:
    """All of it, as it is linked for calls."""
    pairs = [name for one in OPERATIONS.values() for name in one[:2]]
    names = (*pairs, *COMPARISONS.values(), *UNORDERED.values(), *TO_INTEGER, *FROM_INTEGER)
    return Program(linked("msp430", [*names, *BETWEEN, "__mulosi4"]).read_bytes())


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def _edges(bits: int) -> list[int]:
    """Zeros, the least and the greatest of every kind, ones, halves, infinities and NaNs."""
    _, _, fraction, width = FORMATS[bits]
    top, bias = (1 << width) - 1, (1 << (width - 1)) - 1
    one = bias << fraction
    found = [0, 1, (1 << fraction) - 1, 1 << fraction, (1 << fraction) + 1, one - 1, one, one + 1]
    found += [(bias - 1) << fraction, (bias + 1) << fraction, (bias + fraction) << fraction]
    found += [(bias + 31) << fraction, (top << fraction) - 1, top << fraction]
    found += [(top << fraction) + 1, (top << fraction) + (1 << (fraction - 1))]
    return found + [edge | 1 << (bits - 1) for edge in found]


def _number(source: random.Random, bits: int) -> int:
    """Bits of any number; of exponents those around 1 more often, of fractions short ones."""
    _, _, fraction, width = FORMATS[bits]
    bias = (1 << (width - 1)) - 1
    exponent = source.choice((source.getrandbits(width), bias + source.randint(-30, 30)))
    mantissa = source.getrandbits(fraction)
    if source.random() < 0.4:
        mantissa &= -1 << source.randint(0, fraction)
    return source.getrandbits(1) << (bits - 1) | (exponent << fraction) | mantissa


def _pairs(bits: int, name: str) -> Iterator[tuple[int, int]]:
    edges, source = _edges(bits), random.Random(name)
    yield from ((a, b) for a in edges for b in edges)
    for _ in range(ROUNDS):
        a = _number(source, bits)
        near = a ^ source.getrandbits(4) ^ (source.getrandbits(1) << (bits - 1))
        yield a, source.choice((_number(source, bits), near))


def _value(pattern: int, bits: int) -> Any:
    kind, integer, _, _ = FORMATS[bits]
    return integer(pattern).view(kind)


def _pattern(value: Any, bits: int) -> int:
    """Its bits; every NaN is the same."""
    kind, integer, fraction, width = FORMATS[bits]
    if np.isnan(value):
        return ((1 << width) - 1) << fraction | 1 << (fraction - 1)
    return int(kind(value).view(integer))


def _called(program: Program, name: str, bits: int, *operands: tuple[int, int]) -> int:
    value: int = program.call(name, list(operands)).value
    return value & ((1 << bits) - 1)


@pytest.mark.parametrize("bits", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_arithmetic(program: Program, operation: str, bits: int) -> None:
    """Sums, differences, products and quotients, rounded as this machine rounds them."""
    short, long, wanted = OPERATIONS[operation]
    name = short if bits == 32 else long
    for a, b in _pairs(bits, name):
        want = _pattern(wanted(_value(a, bits), _value(b, bits)), bits)
        have = _called(program, name, bits, (a, bits // 8), (b, bits // 8))
        assert _pattern(_value(have, bits), bits) == want, f"{name}({a:#x}, {b:#x})"


@pytest.mark.parametrize("bits", FORMATS)
def test_comparisons(program: Program, bits: int) -> None:
    """-1, 0 or 1; 1 where one is no number, which a function of its own tells."""
    for a, b in _pairs(bits, "compare"):
        x, y = _value(a, bits), _value(b, bits)
        nan = bool(np.isnan(x) or np.isnan(y))
        want = 1 if nan else int(x > y) - int(x < y)
        operands = (a, bits // 8), (b, bits // 8)
        assert _called(program, COMPARISONS[bits], 16, *operands) == want & 0xFFFF, (a, b)
        assert (_called(program, UNORDERED[bits], 16, *operands) != 0) == nan, (a, b)


@pytest.mark.parametrize("name", TO_INTEGER)
def test_to_integers(program: Program, name: str) -> None:
    """Truncated towards zero; beyond the range its nearest end, where C says nothing."""
    bits, width, signed = TO_INTEGER[name]
    _, _, fraction, exponents = FORMATS[bits]
    bias, source = (1 << (exponents - 1)) - 1, random.Random(name)
    least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    patterns = _edges(bits) + [_number(source, bits) for _ in range(ROUNDS)]
    ends = [(bias + width - n) << fraction for n in (0, 1, 2)]
    ends += [end + step for end in ends for step in (-1, 1)]
    for pattern in (*patterns, *ends, *(end | 1 << (bits - 1) for end in ends)):
        value = _value(pattern, bits)
        if np.isnan(value):
            continue
        want = (most if value > 0 else least) if np.isinf(value) else int(value)
        want = max(least, min(most, want))
        have = _called(program, name, width, (pattern, bits // 8))
        assert have == want & ((1 << width) - 1), f"{name}({pattern:#x})"


@pytest.mark.parametrize("name", FROM_INTEGER)
def test_from_integers(program: Program, name: str) -> None:
    """Rounded to nearest, ties to even."""
    bits, width, signed = FROM_INTEGER[name]
    kind, _, fraction, _ = FORMATS[bits]
    source = random.Random(name)
    numbers = [0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1]
    for shift in range(width):
        numbers += [1 << shift, (1 << shift) - 1, (1 << shift) + 1]
    numbers += [source.getrandbits(source.randint(1, width)) for _ in range(ROUNDS)]
    half = width - fraction - 2
    if half > 0:
        numbers += [source.getrandbits(fraction + 2) << half | 1 << (half - 1) for _ in range(40)]
    for number in numbers:
        number &= (1 << width) - 1
        value = number - (1 << width) if signed and number >> (width - 1) else number
        have = _called(program, name, bits, (number, width // 8))
        assert have == _pattern(kind(value), bits), f"{name}({number:#x})"


@pytest.mark.parametrize("name", BETWEEN)
def test_between_formats(program: Program, name: str) -> None:
    """The longer holds all of the shorter; the other way is rounded."""
    of, to = BETWEEN[name]
    source = random.Random(name)
    patterns = _edges(of) + [_number(source, of) for _ in range(ROUNDS)]
    if of == 64:
        patterns += [_pattern(np.float64(_value(p, 32)), 64) for p in _edges(32)]
        patterns += [
            (896 + source.randint(-26, 258)) << 52 | source.getrandbits(52) for _ in range(ROUNDS)
        ]
    for pattern in patterns:
        want = _pattern(FORMATS[to][0](_value(pattern, of)), to)
        have = _called(program, name, to, (pattern, of // 8))
        assert _pattern(_value(have, to), to) == want, f"{name}({pattern:#x})"


def test_products_that_overflow(program: Program) -> None:
    """The flag is set just where the product does not fit."""
    source = random.Random("mulo")
    edges = (0, 1, -1, 46340, 46341, -46341, 2**31 - 1, -(2**31), 65536, -65536)
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(source.randint(-70000, 70000), source.randint(-70000, 70000)) for _ in range(99)]
    flag = program.allocate(2, 2)
    for a, b in pairs:
        have = _called(program, "__mulosi4", 32, (a % 2**32, 4), (b % 2**32, 4), (flag, 2))
        fits = -(2**31) <= a * b < 2**31
        assert have == a * b % 2**32
        assert program.read(flag, 2) == (b"\0\0" if fits else b"\1\0"), (a, b)
