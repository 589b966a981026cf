# SPDX-License-Identifier: BSD-3-Clause
"""What is the AVR's own in function calls: its registers, its two address spaces, its stack pointer
of two halves."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.conftest import AVR_LINKER_SCRIPT
from wardmote import _motes
from wardmote.call import EmulatedTarget
from wardmote.prototypes import Prototypes

Build = Callable[..., Path]

SOURCE = """
const uint8_t table[4] = {9, 8, 7, 6};
__attribute__((naked)) void start(void) { __asm__ volatile("ret"); }
__attribute__((naked)) void untidy(void) { __asm__ volatile("inc r1\\n ret"); }
__attribute__((naked)) void swapped(void) { __asm__ volatile("movw r2, r4\\n ret"); }
uint8_t add8(uint8_t a, uint8_t b) { return (uint8_t)(a + b); }
uint8_t late(uint64_t a, uint64_t b, uint8_t c, uint16_t d, uint8_t e)
{
    return (uint8_t)(a + b + c + d * 3 + e * 5);
}
uint8_t ten(uint8_t a, uint8_t b, uint8_t c, uint8_t d, uint8_t e, uint8_t f, uint8_t g, uint8_t h, uint8_t i,
            uint8_t j)
{
    return (uint8_t)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j);
}
uint8_t through(uint8_t (*f)(uint8_t, uint8_t), uint8_t a, uint8_t b) { return f(a, b); }
static const uint8_t distant[4] __attribute__((section(".progmem.data"))) = {5, 6, 7, 8};
uint8_t flash(uint8_t i)
{
    uint8_t octet;
    __asm__("lpm %0, Z" : "=r"(octet) : "z"(distant + i));
    return octet;
}
uint16_t wide_frame(uint8_t n)
{
    volatile uint8_t kept[300];
    kept[n] = n;
    return kept[n];
}
"""


def octet(done: _motes.CallResult) -> int:
    """A result of one octet: R24, the seventh of the result registers."""
    return done.value >> 48 & 0xFF


@pytest.fixture(scope="module")
def elf(avr: Build) -> Path:
    """The functions."""
    return avr(SOURCE)


@pytest.fixture
def program(elf: Path) -> _motes.Program:
    """The functions, with fresh memory."""
    return _motes.Program(elf.read_bytes())


def test_arguments_in_registers_and_on_the_stack(program: _motes.Program) -> None:
    """Nine pairs of registers, then octets of the stack without gaps; what comes after the first
    there is there."""
    assert (
        octet(program.call("ten", [(n, 1) for n in range(1, 11)]))
        == sum(n * n for n in range(1, 11)) % 256
    )
    late = program.call("late", [(1000, 8), (2000, 8), (3, 1), (40, 2), (5, 1)])
    assert octet(late) == (1000 + 2000 + 3 + 120 + 25) % 256


def test_pointers(elf: Path, program: _motes.Program) -> None:
    """A function's address is one of words, a constant's in flash is read by LPM, and both are read
    as the ELF says."""
    target = EmulatedTarget(elf, Prototypes({}, {}, {}, {}))
    address = target.address_of("add8")
    assert address == program.symbol("add8")[0] // 2
    assert octet(program.call("through", [(address, 2), (3, 1), (4, 1)])) == 7
    done = program.call("flash", [(2, 1)], trace="full")
    place = program.symbol("distant")[0]
    assert octet(done) == 7
    assert (place + 2, False) in done.address_trace
    assert program.read(place, 4) == bytes([5, 6, 7, 8])
    assert target.read(target.address_of("table"), 4) == bytes([9, 8, 7, 6])
    assert program.sizes()[1] == 4, "constants that pointers reach lie in RAM"


def test_stack_of_a_frame(program: _motes.Program) -> None:
    """A frame that moves SP half by half takes its own octets, the kept pair Y and the return
    address, no more."""
    assert program.call("wide_frame", [(7, 1)]).stack_octets == 300 + 2 + 2


def test_registers_the_abi_keeps(program: _motes.Program) -> None:
    """A function that leaves another value than 0 in R1, or exchanges registers, is refused."""
    with pytest.raises(
        _motes.MoteError, match="returned with R1 changed; the ABI keeps them, and 0 in R1"
    ):
        program.call("untidy")
    with pytest.raises(_motes.MoteError, match="returned with R2, R3 changed"):
        program.call("swapped")


def test_chip_by_its_stack(avr: Build) -> None:
    """Where __stack is the end of the ATmega1281's RAM, that chip is called, with its twice as
    large RAM."""
    text = "uint8_t last(void) { return *(volatile uint8_t *)0x21FF; } void start(void) {}"
    with pytest.raises(_motes.MoteError, match="nothing is mapped at data address 0x21ff"):
        _motes.Program(avr(text).read_bytes()).call("last")
    script = AVR_LINKER_SCRIPT.replace("0x800100, LENGTH = 0x1000", "0x800200, LENGTH = 0x2000")
    larger = _motes.Program(avr(text, script=script + "__stack = 0x8021FF;").read_bytes())
    assert larger.allocate(0x1800) == 0x80_0200
    assert larger.call("last").cycles == 6, "LDS and RET"
    script = script.replace("0x800200", "0x801100")
    with pytest.raises(
        _motes.MoteError, match=r"segment at 0x801100, 4 octets, is outside the ATmega128's memory"
    ):
        _motes.Program(avr("int32_t x = 1; void start(void) {}", script=script).read_bytes())


def test_no_band(elf: Path) -> None:
    """The AVR's timing is exact."""
    with pytest.raises(ValueError, match="AVR has no timing band"):
        _motes.Program(elf.read_bytes(), timing="low")
