# SPDX-License-Identifier: BSD-3-Clause
"""Octets of flash and RAM by hand: of sections that are made up, and of rows of two images."""

import dataclasses
import struct
from typing import Any

import pytest

from wardmote.elf import Executable, Memory, Section, read
from wardmote.measurements.footprint import measure as footprint
from wardmote.measurements.footprint.measure import Taken
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.published import footprint_fraction
from wardmote.rows import Provenance

SECTIONS = (
    Section(".text", 0x4000, 1000, Memory.FLASH, True),
    Section(".rodata", 0x4400, 200, Memory.FLASH, False),
    Section(".data", 0x1100, 30, Memory.BOTH, False),
    Section(".bss", 0x1200, 4, Memory.RAM, False),
)
PROVENANCE = Provenance("0", "c", "cc", "-O2", "i", "s", 1, "exact")


def test_initialised_variables_are_in_flash_and_in_ram() -> None:
    """Their values lie in flash until start-up code copies them."""
    found = Executable(SECTIONS, (), {})
    assert found.octets(Memory.FLASH) == 1000 + 200 + 30
    assert found.octets(Memory.RAM) == 30 + 4


def test_sections_of_a_file() -> None:
    """A file of three sections, octet by octet: what is only read is in flash, what is written in
    RAM, and in flash too unless it begins as zeros (NOBITS, 8)."""
    names = b"\0.text\0.data\0.bss\0.names\0"
    # Name, type, flags (write 1, allocated 2, executed 4), address, offset, octets.
    headers = [
        (0, 0, 0, 0, 0, 0),
        (1, 1, 2 + 4, 0x4000, 0, 100),
        (7, 1, 1 + 2, 0x1100, 0, 6),
        (13, 8, 1 + 2, 0x1200, 0, 50),
        (18, 3, 0, 0, 52, len(names)),
    ]
    table = b"".join(struct.pack("<10I", *one, 0, 0, 1, 0) for one in headers)
    head = b"\x7fELF\x01\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIIIIIHHHHHH", 2, 105, 1, 0x4000, 0, 52 + len(names), 0, 52, 0, 0, 40, 5, 4
    )
    found = read(head + names + table, "made.elf")
    assert [(one.name, one.address, one.memory, one.code) for one in found.sections] == [
        (".text", 0x4000, Memory.FLASH, True),
        (".data", 0x1100, Memory.BOTH, False),
        (".bss", 0x1200, Memory.RAM, False),
    ]
    assert (found.octets(Memory.FLASH), found.octets(Memory.RAM)) == (106, 56)


def test_every_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """A TelosB has 49 152 octets of flash and 10 240 of RAM, and the paper prints a range for it."""
    full = Taken({"cipher": 4000, "mode": 1000, "link": 500}, {"cipher": 200, "link": 56}, 300)
    bare = Taken({"link": 584, "net": 7}, {"link": 56}, 44)
    images = {"software": full, "none": bare}
    monkeypatch.setattr(
        footprint, "taken", lambda _board, strategy, _clock_hz, _seed: images[strategy]
    )
    monkeypatch.setattr(footprint, "provenance_of", lambda _path, _seed, _board: PROVENANCE)
    [row] = footprint.measure("telosb", ["software"], 1)
    expected: dict[str, Any] = {
        "board": "telosb",
        "strategy": "software",
        "flash_octets": 5500 - 591,
        "ram_octets": 256 - 56,
        "stack_octets": 300 - 44,
        "flash_percent": round(100 * 4909 / 49152, 3),
        "ram_percent": round(100 * (200 + 256) / 10240, 3),
        "image_flash_octets": 5500,
        "image_ram_octets": 256,
        "image_stack_octets": 300,
        "without_flash_octets": 591,
        "without_ram_octets": 56,
        "without_stack_octets": 44,
        "provenance": PROVENANCE,
    }
    found = {field.name: getattr(row, field.name) for field in dataclasses.fields(FootprintRow)}
    assert {name: found[name] for name in expected} == expected
    assert set(found) - set(expected) == {
        "published_flash_percent",
        "published_ram_percent",
        "modules",
    }
    assert row.published_flash_percent != row.published_ram_percent
    # Most flash first; a module that takes less than without security is below nothing.
    assert [(one.module, one.flash_octets, one.ram_octets) for one in row.modules] == [
        ("cipher", 4000, 200),
        ("mode", 1000, 0),
        ("net", -7, 0),
        ("link", -84, 0),
    ]


@pytest.mark.parametrize(
    ("board", "strategy", "memory", "percent"),
    [
        # The lower end of each printed range is hardware, the upper end software.
        ("telosb", "hardware", "flash", 7.0),
        ("telosb", "software", "flash", 15.0),
        ("telosb", "hybrid", "flash", None),
        ("telosb", "hardware", "ram", 30.0),
        ("telosb", "software", "ram", 40.0),
        ("openmote-cc2538", "hardware", "flash", 1.5),
        ("openmote-cc2538", "software", "flash", 2.5),
        ("openmote-cc2538", "software", "ram", 8.0),
        ("atmega128", "software", "flash", None),
    ],
)
def test_what_the_paper_prints(
    board: str, strategy: str, memory: str, percent: float | None
) -> None:
    """Shares of the board's memory, in per cent."""
    assert footprint_fraction(board, strategy, memory) == percent
