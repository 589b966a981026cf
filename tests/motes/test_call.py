# SPDX-License-Identifier: BSD-3-Clause
"""Functions of an ELF are called by the CPU's ABI; results, cycles, stack and traces are
exact."""

import re
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wardmote import _motes
from wardmote.call import (
    CallError,
    EmulatedTarget,
    GuardError,
    HostTarget,
    Target,
)
from wardmote.cpus import CPUS
from wardmote.prototypes import (
    PrototypeError,
    read_headers,
)

Build = Callable[..., Path]

HEADER = """
#include <stdbool.h>
#include <stdint.h>
typedef enum sign { MINUS = -1, PLUS = 1 } sign;
typedef struct pair { uint8_t tag; uint32_t wide; const uint8_t *data; uint16_t list[3]; } pair;
extern const uint8_t table[4];
extern int16_t counter;
uint8_t add8(uint8_t a, uint8_t b);
int8_t neg8(int8_t a);
bool both(bool a, bool b);
uint32_t six(uint16_t a, uint16_t b, uint16_t c, uint16_t d, uint16_t e, uint16_t f);
uint32_t split(uint16_t a, uint16_t b, uint16_t c, uint32_t d, uint16_t e);
uint32_t longs(uint32_t a, uint32_t b, uint32_t c);
uint64_t wide(uint16_t a, uint64_t b, uint16_t c);
int64_t wider(int64_t a, int64_t b);
sign compare(int16_t a, int16_t b);
uint16_t sum(const uint8_t *p, uint16_t n);
void reverse(uint8_t *p, uint16_t n);
void overrun(uint8_t *p, uint16_t n);
void underrun(uint8_t *p);
void scribble(const uint8_t key[4]);
uint16_t visit(pair *p);
const uint8_t *where(void);
int16_t count(void);
uint16_t deep(uint16_t n);
uint16_t leaky(const uint8_t *secret);
uint16_t even(const uint8_t *secret);
void spin(void);
uint16_t nowhere(void);
uint16_t port(void);
void leap(void);
void doze(void);
uint16_t multiply(uint16_t a, uint16_t b);
"""

SOURCE = """
#include "functions.h"
const uint8_t table[4] = {9, 8, 7, 6};
int16_t counter = 41;
uint8_t add8(uint8_t a, uint8_t b) { return (uint8_t)(a + b); }
int8_t neg8(int8_t a) { return (int8_t)-a; }
bool both(bool a, bool b) { return a && b; }
uint32_t six(uint16_t a, uint16_t b, uint16_t c, uint16_t d, uint16_t e, uint16_t f)
{
    uint32_t mixed = a;
    mixed += mixed + b;
    mixed += mixed + c;
    mixed += mixed + d;
    mixed += mixed + e;
    return mixed + mixed + f;
}
uint32_t split(uint16_t a, uint16_t b, uint16_t c, uint32_t d, uint16_t e)
{
    return a + 0ul + b + c - d + e + e;
}
uint32_t longs(uint32_t a, uint32_t b, uint32_t c) { return (a ^ b) - c; }
uint64_t wide(uint16_t a, uint64_t b, uint16_t c) { return b + a - c; }
int64_t wider(int64_t a, int64_t b) { return a - b; }
sign compare(int16_t a, int16_t b) { return a < b ? MINUS : PLUS; }
uint16_t sum(const uint8_t *p, uint16_t n)
{
    uint16_t s = 0;
    while (n--)
        s = (uint16_t)(s + *p++);
    return s;
}
void reverse(uint8_t *p, uint16_t n)
{
    for (uint16_t i = 0, j = (uint16_t)(n - 1); n && i < j; i++, j--) {
        uint8_t t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
}
void overrun(uint8_t *p, uint16_t n) { p[n] = (uint8_t)~p[n]; }
void underrun(uint8_t *p) { p[-1] = (uint8_t)~p[-1]; }
void scribble(const uint8_t key[4]) { ((uint8_t *)(uintptr_t)key)[3] ^= 1; }
uint16_t visit(pair *p)
{
    p->wide++;
    p->list[2] = 0xBEEF;
    return (uint16_t)(p->data[p->tag] + p->list[1]);
}
const uint8_t *where(void) { return table + 1; }
int16_t count(void) { return ++counter; }
uint16_t deep(uint16_t n)
{
    volatile uint16_t kept = n;
    return n ? (uint16_t)(deep((uint16_t)(n - 1)) + kept) : 0;
}
uint16_t leaky(const uint8_t *secret)
{
    volatile uint16_t steps = 0;
    for (uint8_t i = 0; i < 8; i++)
        if (*secret >> i & 1) steps++;
    return steps;
}
uint16_t even(const uint8_t *secret) { return (uint16_t)(*secret ^ secret[1]); }
void spin(void) { for (;;) __asm__ volatile("nop"); }
"""

# What only the emulated CPUs have.
MSP430_ONLY = """
uint16_t nowhere(void) { return *(volatile uint16_t *)0x0C00; }
uint16_t port(void) { return *(volatile uint8_t *)0x0020; }
void leap(void) { ((void (*)(void))0x9000)(); }
void doze(void) { __asm__ volatile("bis #16, r2"); }
void unclean(void) { __asm__ volatile("mov #1, r9"); }
uint16_t multiply(uint16_t a, uint16_t b)
{
    *(volatile uint16_t *)0x0130 = a;
    *(volatile uint16_t *)0x0138 = b;
    return *(volatile uint16_t *)0x013A;
}
void start(void) {}
"""

AVR_ONLY = """
uint16_t nowhere(void) { return *(volatile uint16_t *)0x3000; }
uint16_t port(void) { return *(volatile uint8_t *)0x0020; }
void leap(void) { ((void (*)(void))0x9000)(); }
void doze(void) { __asm__ volatile("sleep"); }
__attribute__((naked)) void unclean(void) { __asm__ volatile("ldi r16, 1\\n ret"); }
uint16_t multiply(uint16_t a, uint16_t b) { return (uint16_t)(a * b); }
__attribute__((naked)) void start(void) { __asm__ volatile("ret"); }
"""

ARMV7M_ONLY = """
uint16_t nowhere(void) { return *(volatile uint16_t *)0x10000000; }
uint16_t port(void) { return *(volatile uint8_t *)0x400D9000; }
void leap(void) { ((void (*)(void))0x00270001)(); }
void doze(void) { __asm__ volatile("wfi"); }
__attribute__((naked)) void unclean(void) { __asm__ volatile("mov r9, #1\\n bx lr"); }
uint16_t multiply(uint16_t a, uint16_t b) { return (uint16_t)(a * b); }
__attribute__((naked)) void start(void) { __asm__ volatile("bx lr"); }
"""


@pytest.fixture(scope="module")
def targets(
    tmp_path_factory: pytest.TempPathFactory, msp430: Build, avr: Build, armv7m: Build
) -> dict[str, Target]:
    """The same functions on every target."""
    folder = tmp_path_factory.mktemp("functions")
    header, source, library = (
        folder / "functions.h",
        folder / "functions.c",
        folder / "functions.so",
    )
    header.write_text(HEADER)
    source.write_text(SOURCE)
    subprocess.run(
        ["clang-22", "-shared", "-fPIC", "-O1", str(source), "-o", str(library)], check=True
    )
    # Branches stay branches and recursion stays recursion.
    plain = ("-fno-if-conversion2", "-fno-optimize-sibling-calls", "-fno-inline")
    text = HEADER + SOURCE.replace('#include "functions.h"', "")
    prototypes = read_headers((header,), (folder,))
    return {
        "host": HostTarget(library, prototypes),
        "msp430": EmulatedTarget(msp430(text + MSP430_ONLY), prototypes),
        "avr": EmulatedTarget(avr(text + AVR_ONLY, flags=plain), prototypes),
        "armv7m": EmulatedTarget(armv7m(text + ARMV7M_ONLY, flags=plain), prototypes),
    }


@pytest.fixture(params=["host", *CPUS])
def target(request: pytest.FixtureRequest, targets: dict[str, Target]) -> Target:
    """Each target in turn, with fresh memory."""
    chosen = targets[request.param]
    chosen.reset()
    return chosen


@pytest.fixture(params=list(CPUS))
def mote(request: pytest.FixtureRequest, targets: dict[str, Target]) -> EmulatedTarget:
    """Each target that counts, with fresh memory."""
    chosen = targets[request.param]
    assert isinstance(chosen, EmulatedTarget)
    chosen.reset()
    return chosen


U8, U16, U32, U64 = (st.integers(0, 2**n - 1) for n in (8, 16, 32, 64))
S16, S64 = st.integers(-(2**15), 2**15 - 1), st.integers(-(2**63), 2**63 - 1)


def both_say(targets: dict[str, Target], name: str, args: tuple[int, ...], want: int) -> None:
    """The function gives the wanted value on every target."""
    assert {n: t.call(name, *args).value for n, t in targets.items()} == dict.fromkeys(
        targets, want
    )


def signed(value: int, bits: int) -> int:
    """The value modulo 2^bits, as a signed integer."""
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


@settings(max_examples=60)
@given(U8, U8, st.integers(-127, 127), st.booleans(), st.booleans(), S16, S16)
def test_small_arguments(
    targets: dict[str, Target], a: int, b: int, n: int, p: bool, q: bool, x: int, y: int
) -> None:
    """Octets, signed octets, truth values and enumerations pass and return."""
    both_say(targets, "add8", (a, b), (a + b) % 256)
    both_say(targets, "neg8", (n,), -n)
    both_say(targets, "both", (p, q), int(p and q))
    both_say(targets, "compare", (x, y), -1 if x < y else 1)


@settings(max_examples=60)
@given(st.tuples(U16, U16, U16, U16, U16, U16), st.tuples(U32, U32, U32))
def test_words_and_longs(
    targets: dict[str, Target],
    words: tuple[int, int, int, int, int, int],
    longs: tuple[int, int, int],
) -> None:
    """Words and longs pass in registers, split, and on the stack."""
    want = sum(w * k for w, k in zip(words, (32, 16, 8, 4, 2, 1), strict=True))
    both_say(targets, "six", words, want % 2**32)
    a, b, c, e = words[:4]
    d = longs[0]
    both_say(targets, "split", (a, b, c, d, e), (a + b + c - d + e + e) % 2**32)
    both_say(targets, "longs", longs, ((longs[0] ^ longs[1]) - longs[2]) % 2**32)


@settings(max_examples=60)
@given(U16, U64, U16, S64, S64)
def test_64_bit_arguments(
    targets: dict[str, Target], a: int, b: int, c: int, x: int, y: int
) -> None:
    """64-bit values pass in four registers or on the stack while later words still take
    registers."""
    both_say(targets, "wide", (a, b, c), (b + a - c) % 2**64)
    both_say(targets, "wider", (x, y), signed(x - y, 64))


@given(st.binary(max_size=200))
@settings(max_examples=40)
def test_octets_go_in_and_come_back(targets: dict[str, Target], octets: bytes) -> None:
    """bytes are read by the function, a bytearray receives what it wrote."""
    for target in targets.values():
        assert target.call("sum", octets, len(octets)).value == sum(octets) % 2**16
        buffer = bytearray(octets)
        outcome = target.call("reverse", buffer, len(octets))
        assert (bytes(buffer), outcome.buffers) == (octets[::-1], (octets[::-1],))


def test_octets_without_a_prototype(mote: EmulatedTarget) -> None:
    """A program takes octets by their address by itself, too; a bytearray receives what was left."""
    octets = bytes(range(7, 207))
    done = mote.program.call("sum", [octets, len(octets)])
    assert mote._raw(mote.prototypes.function("sum"), done.value) & 0xFFFF == sum(octets) % 2**16
    buffer = bytearray(octets)
    mote.program.call("reverse", [buffer, len(octets)])
    assert bytes(buffer) == octets[::-1]


def test_one_octet_too_many_is_caught(target: Target) -> None:
    """Writing after, before or into what is const raises, naming the argument."""
    with pytest.raises(
        GuardError, match=r"overrun on \w+ wrote 1 octets past the end of p \(5 octets\)"
    ):
        target.call("overrun", bytearray(5), 5)
    with pytest.raises(GuardError, match="before p"):
        target.call("underrun", bytearray(5))
    with pytest.raises(GuardError, match="wrote into key, which it declares const"):
        target.call("scribble", bytes(4))


def test_guards_of_kept_buffers_are_checked(target: Target) -> None:
    """A buffer that stays is guarded in every later call."""
    kept = target.buffer(6)
    assert target.call("sum", kept, 6).value == 0
    with pytest.raises(GuardError, match="past the end"):
        target.call("overrun", kept, 6)


def test_structures_with_pointers(target: Target) -> None:
    """A struct is packed for the target's layout; a pointer in it leads to a buffer that stays."""
    data = target.buffer(b"\x10\x20\x30")
    pair = target.pack("pair", tag=2, wide=0xFFFF, data=data.address, list=[1, 500])
    assert target.call("visit", pair).value == 0x30 + 500
    seen = target.unpack("pair", pair)
    assert seen == {"tag": 2, "wide": 0x10000, "data": data.address, "list": [1, 500, 0xBEEF]}


def test_objects_have_addresses(target: Target) -> None:
    """The address of an object is the one the program itself uses."""
    assert target.call("where").value == target.address_of("table") + 1
    with pytest.raises(CallError, match="no symbol absent"):
        target.address_of("absent")


def test_memory_persists_until_reset(mote: EmulatedTarget) -> None:
    """Variables begin initialised, keep their values from call to call, and begin anew after
    reset."""
    assert [mote.call("count").value for _ in range(3)] == [42, 43, 44]
    mote.reset()
    assert mote.call("count").value == 42


@pytest.mark.parametrize(
    ("name", "args", "text"),
    [
        ("add8", (1,), "takes 2 arguments (a, b), got 1"),
        ("add8", (1, 256), "b: 256 does not fit 1 octets"),
        ("neg8", (-129,), "a: -129 does not fit 1 octets"),
        ("scribble", (b"abc",), "key needs 4 octets, got 3"),
        ("add8", (1, b"x"), "b cannot be given a bytes"),
        ("missing", (), "no header declares a function missing"),
    ],
)
def test_wrong_calls_are_refused(
    target: Target, name: str, args: tuple[int | bytes, ...], text: str
) -> None:
    """A call that the prototype does not allow is refused before anything runs."""
    with pytest.raises((CallError, PrototypeError)) as caught:
        target.call(name, *args)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nowhere", r"nothing is mapped at (data address )?0x(0c00|3000|10000000)"),
        ("port", r"not modelled|0x0020"),
        ("leap", "came from"),
        ("doze", "the CPU was put to sleep inside a call"),
        ("deep", "stack has grown"),
        ("spin", "no return within 100000000 cycles"),
    ],
)
def test_faults_name_place_and_cycle(mote: EmulatedTarget, name: str, text: str) -> None:
    """A forbidden operation stops the program; the message has PC, symbol and cycle."""
    args = (5000,) if name == "deep" else ()
    with pytest.raises(CallError) as caught:
        mote.call(name, *args)
    message = str(caught.value)
    assert message.startswith(f"{name}: ")
    assert re.search(text, message)
    assert name in message.split(":", 1)[1]
    assert "PC 0x" in message
    assert "cycle " in message


def test_register_the_abi_keeps_is_checked(targets: dict[str, Target]) -> None:
    """A function that spoils R9 is refused even if its result is right."""
    for name, register in (("msp430", "R9"), ("avr", "R16"), ("armv7m", "r9")):
        target = targets[name]
        assert isinstance(target, EmulatedTarget)
        with pytest.raises(_motes.MoteError, match=f"returned with {register} changed"):
            target.program.call("unclean")


def test_cycles_are_those_of_the_table(targets: dict[str, Target]) -> None:
    """One return: the 3 cycles of MOV @SP+,PC, the 4 of RET, 1 + P of BX at the high end; the call
    is not counted."""
    for name, want in (("msp430", (3, 1, 2)), ("avr", (4, 1, 2)), ("armv7m", (3, 1, 0))):
        target = targets[name]
        assert isinstance(target, EmulatedTarget)
        done = target.program.call("start")
        assert (done.cycles, done.instructions, done.stack_octets) == want


def test_ends_of_the_band(armv7m: Build, msp430: Build) -> None:
    """The quick end is no slower than the slow end, wait states of flash come on top, and the
    MSP430 has no band."""
    text = """
    static const uint32_t table[64] = {1, 2, 3};
    uint32_t walk(uint32_t n)
    {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < n; i += 8)
            sum = sum / 3 + table[i & 63];
        return sum;
    }
    void start(void) {}
    """
    elf = armv7m(text).read_bytes()
    low, high, flash = (
        _motes.Program(elf, timing=t).call("walk", [512]) for t in ("low", "high", "flash")
    )
    assert low.value == high.value == flash.value
    assert low.instructions == high.instructions == flash.instructions
    assert low.cycles < high.cycles < flash.cycles
    assert flash.cycles >= high.cycles + 64, "each element of the table is in a line of its own"
    assert _motes.Program(elf).call("walk", [512]).cycles == high.cycles
    with pytest.raises(ValueError, match='timing "slow"; it is low, high or flash'):
        _motes.Program(elf, timing="slow")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="MSP430 has no timing band"):
        _motes.Program(msp430("void start(void) {}").read_bytes(), timing="low")


def test_stack_grows_by_the_same_step(mote: EmulatedTarget) -> None:
    """Each level of a recursion takes the same octets of stack."""
    depths = [mote.call("deep", n).stack_octets for n in range(1, 6)]
    steps = {b - a for a, b in pairwise(depths) if a is not None and b is not None}
    assert len(steps) == 1
    assert steps.pop() >= 4


def test_multiplier_is_there(mote: EmulatedTarget) -> None:
    """The hardware multiplier answers in a call."""
    assert mote.call("multiply", 300, 7).value == 2100


def test_traces_tell_secret_dependence(mote: EmulatedTarget) -> None:
    """Hashes are equal exactly when the paths are; the full trace names the branch that
    differed."""
    even = {
        (o.cycles, o.trace)
        for o in (mote.call("even", bytes([s, 1]), trace="hash") for s in range(32))
    }
    assert len(even) == 1
    leaky = [mote.call("leaky", bytes([s]), trace="hash").trace for s in (0x00, 0x0F, 0xF0)]
    assert len({t.pc_hash for t in leaky if t}) == 3
    full = [mote.call("leaky", bytes([s]), trace="full").trace for s in (0x00, 0x0F)]
    assert full[0] is not None
    assert full[1] is not None
    assert full[0].pcs != full[1].pcs
    assert full[0].branches != full[1].branches
    assert sum(taken + not_taken for _, taken, not_taken in full[0].branches) < len(full[0].pcs)
    assert all(address >= 0x1100 for address, _ in full[0].accesses)


def test_calls_are_repeatable(mote: EmulatedTarget) -> None:
    """The same call twice is the same in every figure."""
    first, second = (mote.call("sum", bytes(range(100)), 100, trace="full") for _ in range(2))
    assert first == second
