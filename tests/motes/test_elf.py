# SPDX-License-Identifier: BSD-3-Clause
"""A file that is no executable for a mote is refused with one line that says why."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from wardmote import _motes

Build = Callable[..., Path]
PROGRAM = "int counter = 7; int zero; void start(void) { for (;;) zero = counter; }"
E_MACHINE = 18


def patched(elf: bytes, offset: int, octets: bytes) -> bytes:
    """The file with some octets replaced."""
    return elf[:offset] + octets + elf[offset + len(octets) :]


@pytest.fixture(scope="module")
def elf(msp430: Build) -> bytes:
    """A good executable."""
    return msp430(PROGRAM).read_bytes()


def refusals(elf: bytes) -> list[str]:
    """What loading says, as a program and as a mote; one line each."""
    texts: list[str] = []
    with pytest.raises(_motes.MoteError) as caught:
        _motes.Program(elf)
    texts.append(str(caught.value))
    with pytest.raises(_motes.MoteError) as caught:
        _motes.Simulation().add_mote("telosb", elf, "mote")
    texts.append(str(caught.value))
    assert all(text and "\n" not in text for text in texts)
    return texts


def test_good_file_has_its_symbols_and_sizes(elf: bytes) -> None:
    """Symbols, sizes of sections, and the function at an address are as the linker wrote them."""
    program = _motes.Program(elf)
    address, octets, is_function = program.symbols()["start"]
    assert (address >= 0x4000, octets > 0, is_function) == (True, True, True)
    assert program.symbol("counter") == (0x1100, 2)
    assert program.describe(address) == "start"
    assert program.describe(address + 2) == "start+0x2"
    assert program.describe(0x9000) == "no symbol"
    text, data, bss = program.sizes()
    assert (text >= octets, data, bss) == (True, 2, 2)


def test_every_truncation_is_refused(elf: bytes) -> None:
    """A file cut off anywhere is refused, and from the fifth octet on called truncated."""
    for length in range(0, len(elf), 7):
        with pytest.raises(_motes.MoteError) as caught:
            _motes.Program(elf[:length])
        text = str(caught.value)
        assert (
            ("truncated" in text and f"the file has {length}" in text)
            if length >= 4
            else "not an ELF" in text
        )


@pytest.mark.parametrize(
    ("machine", "name"), [(3, "x86"), (243, "RISC-V"), (62, "x86-64"), (999, "CPU number 999")]
)
def test_other_cpu_is_named(elf: bytes, machine: int, name: str) -> None:
    """An ELF for another CPU is refused with both CPUs named."""
    called, mote = refusals(patched(elf, E_MACHINE, struct.pack("<H", machine)))
    assert called == f"this is an ELF for {name}; a function call needs MSP430 or ARM or AVR"
    assert mote == f"this is an ELF for {name}; telosb needs MSP430"


@pytest.mark.parametrize("octets", [b"", b"\x7fEL", b"#!/bin/sh\n", b"MZ" + bytes(100)])
def test_other_files_are_no_elf(octets: bytes) -> None:
    """Something else is said to be no ELF file, and for a mote no records either, with its first
    octets."""
    called, mote = refusals(octets)
    assert called.startswith("not an ELF file: it begins with ")
    assert mote.startswith("neither an ELF file nor Intel HEX nor S-records: it begins with ")


def test_object_file_must_be_linked(elf: bytes) -> None:
    """A file of type ET_REL is refused as not linked."""
    for text in refusals(patched(elf, 16, struct.pack("<H", 1))):
        assert "not a linked executable" in text


def test_segment_outside_memory_is_refused(msp430: Build) -> None:
    """Code linked to where the F1611 has no memory is refused with address and map."""
    for text in refusals(msp430(PROGRAM, flash_at="0x0B00").read_bytes()):
        assert "segment at 0x0B00" in text
        assert "RAM 0x1100-0x38FF" in text


def test_file_without_code_is_refused(msp430: Build) -> None:
    """Data alone cannot be run."""
    for text in refusals(msp430("const int only = 1;").read_bytes()):
        assert "no code" in text
