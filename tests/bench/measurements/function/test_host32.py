# SPDX-License-Identifier: BSD-3-Clause
"""host32: the host as a 32-bit x86 without AES instructions, in programs of their own."""

import re
import subprocess
from pathlib import Path

import pytest

import wardmote
from wardmote.call import CallError, Host32
from wardmote.call.host.machine import ARENA
from wardmote.errors import WardmoteError
from wardmote.measurements.function.build import LANGUAGE, Order, build, toolchain
from wardmote.measurements.function.files import sort_files
from wardmote.prototypes import read_headers

HEADER = """#include <stdint.h>
struct pair { uint8_t first; uint64_t second; };
uint64_t ratio(uint64_t a, uint64_t b);
int64_t rest(int64_t a, int64_t b);
uint32_t sizes(void);
int8_t narrow(int8_t a, uint16_t b, uint64_t c, int8_t d);
void swap(struct pair *p);
void copy(uint8_t to[40], const uint8_t from[40]);
"""
SOURCE = (
    HEADER
    + """uint64_t ratio(uint64_t a, uint64_t b) { return a / b; }
int64_t rest(int64_t a, int64_t b) { return a % b; }
uint32_t sizes(void) { return (uint32_t)(sizeof(long) << 8 | sizeof(void *)); }
int8_t narrow(int8_t a, uint16_t b, uint64_t c, int8_t d) { return (int8_t)(a + b + (int)(c >> 32) + d); }
void swap(struct pair *p)
{
    uint64_t kept = p->second;
    p->second = p->first;
    p->first = (uint8_t)kept;
}
void copy(uint8_t to[40], const uint8_t from[40]) { __builtin_memcpy(to, from, 40); }
uint32_t many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, int i);
uint32_t many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, int i)
{
    return (uint32_t)(a + b + c + d + e + f + g + h + (unsigned)i);
}
void over(uint8_t block[4]) { block[4] ^= 1; }
void outside(void) { *(volatile uint8_t *)16u = 1; }
uint16_t count(void) { static uint16_t calls = 40; return ++calls; }
"""
)
FILE = ("words.c", SOURCE)


def open_function(source: Path, function: str) -> Host32:
    """A program of one function."""
    order = Order(sort_files([source]), function, (), (), "")
    built = build("host32", order, source.parent / function)
    return Host32(built.path, read_headers((source,), ()))


def test_arguments_and_results_by_the_abi(source: Path) -> None:
    """64-bit words, signed octets, structures with 4-octet alignment, and the compiler's own
    helpers."""
    ratio = open_function(source, "ratio")
    for a, b in ((2**64 - 1, 3), (2**63, 2**63 + 1), (10**18, 10**9 + 7), (5, 2**40)):
        assert ratio.call("ratio", a, b).value == a // b
    rest = open_function(source, "rest")
    for a, b in ((-7, 3), (7, -3), (-(2**62), 10**9 + 7)):
        assert rest.call("rest", a, b).value == (abs(a) % abs(b)) * (-1 if a < 0 else 1)
    assert open_function(source, "sizes").call("sizes").value == 4 << 8 | 4
    assert open_function(source, "narrow").call("narrow", -100, 30, 5 << 32, -3).value == -68
    swap = open_function(source, "swap")
    pair = swap.pack("pair", first=7, second=0x1122)
    assert len(pair) == 12
    swap.call("swap", pair)
    assert swap.unpack("pair", pair) == {"first": 0x22, "second": 7}
    kept = swap.buffer(bytes(12))
    swap.call("swap", kept)
    assert kept.read() == swap.read(kept.address, 12) == bytes(12)
    with pytest.raises(CallError, match="no memory at 0x"):
        swap.read(ARENA - 1, 1)


def test_it_measures_like_the_other_host(source: Path, tmp_path: Path) -> None:
    """Outputs are compared with those of the other CPUs, an archive serves as well, and `all`
    leaves it out."""
    call = "void copy(uint8_t to[40], const uint8_t from[40])"
    rows = wardmote.measure(source, call, cpus="host32,host,armv7m", runs=3)
    assert [row.cpu for row in rows] == ["armv7m", "host", "host32"]
    assert all(row.disagreement is None for row in rows)
    assert (rows[2].cycles_max, rows[2].flash_octets, rows[2].energy_uj) == (None, None, None)
    assert re.search("-march=pentium", rows[2].flags)
    (row,) = wardmote.measure(
        source, "uint16_t count(void)", cpus="host32", expect=["return=41"], runs=3
    )
    assert row.holds, "variables begin anew"
    object_, archive = tmp_path / "words.o", tmp_path / "libwords.a"
    subprocess.run(
        [*toolchain("host32").compiler, *LANGUAGE, "-c", str(source), "-o", str(object_)],
        check=True,
    )
    subprocess.run(["llvm-ar-22", "rc", str(archive), str(object_)], check=True)
    (row,) = wardmote.measure(archive, "uint16_t count(void)", expect=["return=41"])
    assert (row.cpu, row.holds) == ("host32", True)
    assert "host32" not in {
        row.cpu for row in wardmote.measure(source, "uint16_t count(void)", runs=1)
    }


def test_what_breaks_is_one_line(source: Path) -> None:
    """A crash, a buffer that is left, arguments that do not fit."""
    for call, args, says in (
        ("void outside(void)", (), "outside on host32: stopped by SIGSEGV"),
        (
            "void over(uint8_t block[4])",
            (),
            r"over on host32 wrote 1 octets past the end of block \(4 octets\)",
        ),
    ):
        with pytest.raises(WardmoteError, match=says):
            wardmote.measure(source, call, args=args, cpus="host32", runs=1)
    with pytest.raises(CallError, match="many takes 17 words of arguments; on host32 at most 16"):
        open_function(source, "many").call("many", *range(9))
    target = open_function(source, "copy")
    with pytest.raises(CallError, match="octets of memory wanted"):
        target.call("copy", bytearray(1 << 20), bytes(40))
    outcome = target.call("copy", bytearray(40), bytes(40), trace="hash")
    assert (outcome.trace, outcome.instructions) == (None, None)
    with pytest.raises(CallError, match=r"program\.elf has no symbol swap"):
        target.address_of("swap")
