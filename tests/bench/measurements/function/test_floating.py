# SPDX-License-Identifier: BSD-3-Clause
"""Functions that compute in floating point, or with integers that a CPU lacks, give the same on every
CPU: the runtimes link, and registers survive the calls."""

from pathlib import Path

import pytest

import wardmote
from wardmote.measurements.function.files import ALL

SOURCE = """#include <stdint.h>
typedef union { float value; uint32_t bits; } single;
typedef union { double value; uint64_t bits; } twofold;

/* A number between 2^-16 and 2^16, of either sign. */
static float number(uint32_t bits)
{
    single of = {.bits = (bits & 0x807FFFFF) | (111 + (bits >> 23 & 31)) << 23};
    return of.value;
}
static double wide_number(uint64_t bits)
{
    twofold of = {.bits = (bits & 0x800FFFFFFFFFFFFF) | (1007 + (bits >> 52 & 31)) << 52};
    return of.value;
}
uint32_t single_of(uint32_t a, uint32_t b, uint8_t which)
{
    float x = number(a), y = number(b);
    single of = {.value = 0};
    switch (which) {
    case 0: of.value = x + y; return of.bits;
    case 1: of.value = x - y; return of.bits;
    case 2: of.value = x * y; return of.bits;
    case 3: of.value = x / y; return of.bits;
    case 4: return (uint32_t)(x < y) | (uint32_t)(x <= y) << 1 | (uint32_t)(x == y) << 2
                   | (uint32_t)(x != y) << 3 | (uint32_t)(x > y) << 4 | (uint32_t)(x >= x) << 5;
    case 5: return (uint32_t)(int32_t)x ^ (uint32_t)(int64_t)y;
    case 6: of.value = (float)(int32_t)a; return of.bits;
    case 7: of.value = (float)b; return of.bits;
    case 8: of.value = (float)((uint64_t)a << 32 | b); return of.bits;
    default: of.value = (float)(int64_t)((uint64_t)a << 32 | b); return of.bits;
    }
}
uint64_t double_of(uint64_t a, uint64_t b, uint8_t which)
{
    double x = wide_number(a), y = wide_number(b);
    twofold of = {.value = 0};
    switch (which) {
    case 0: of.value = x + y; return of.bits;
    case 1: of.value = x - y; return of.bits;
    case 2: of.value = x * y; return of.bits;
    case 3: of.value = x / y; return of.bits;
    case 4: return (uint64_t)(x < y) | (uint64_t)(x <= y) << 1 | (uint64_t)(x == y) << 2
                   | (uint64_t)(x != y) << 3 | (uint64_t)(x > y) << 4 | (uint64_t)(x >= x) << 5;
    case 5: return (uint64_t)(int64_t)x ^ (uint32_t)(int32_t)y;
    case 6: of.value = (double)(int64_t)a; return of.bits;
    case 7: of.value = (double)b; return of.bits;
    case 8: of.value = (float)x; return of.bits;
    default: of.value = (double)(int32_t)a * (float)y + (double)(uint32_t)b; return of.bits;
    }
}
uint32_t counts(uint64_t a, uint32_t b)
{
    int32_t small;
    int full = __builtin_mul_overflow((int32_t)a, (int32_t)(b & 0xFFFF), &small);
    uint64_t turned = a << (b & 63) | a >> (-b & 63);
    return (uint32_t)(__builtin_popcountll(a) + __builtin_clzll(a | 1) + __builtin_ctzll(a | 1ULL << 63))
           + (uint32_t)full * 3 + (full ? 0 : (uint32_t)small) + (uint32_t)(turned >> 32 ^ turned);
}
"""
CASES = range(10)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The functions above."""
    file = tmp_path_factory.mktemp("floating") / "floating.c"
    file.write_text(SOURCE)
    return file


@pytest.mark.parametrize("which", CASES)
def test_single_precision(path: Path, which: int) -> None:
    """On every CPU."""
    rows = wardmote.measure(
        path,
        "uint32_t single_of(uint32_t a, uint32_t b, uint8_t which)",
        args={"a": "random", "b": "random", "which": str(which)},
        runs=60,
    )
    assert {row.cpu for row in rows} == set(ALL)
    assert [(row.failure, row.disagreement) for row in rows] == [(None, None)] * len(rows)


@pytest.mark.parametrize("which", CASES)
def test_double_precision(path: Path, which: int) -> None:
    """On every CPU but the AVR, where a double has 32 bits."""
    rows = wardmote.measure(
        path,
        "uint64_t double_of(uint64_t a, uint64_t b, uint8_t which)",
        args={"a": "random", "b": "random", "which": str(which)},
        cpus=[cpu for cpu in ALL if cpu != "avr"],
        runs=60,
    )
    assert [(row.failure, row.disagreement) for row in rows] == [(None, None)] * len(rows)


def test_counts_and_overflow(path: Path) -> None:
    """Builtins that become calls on one CPU or another, and shifts of 64 bits by any number."""
    rows = wardmote.measure(
        path, "uint32_t counts(uint64_t a, uint32_t b)", args=["a=random", "b=random"], runs=60
    )
    assert [(row.failure, row.disagreement) for row in rows] == [(None, None)] * len(rows)
