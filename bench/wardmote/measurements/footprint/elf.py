# SPDX-License-Identifier: BSD-3-Clause
"""Sections and symbols of a 32-bit little-endian executable, as far as a footprint needs them."""

import struct
from dataclasses import dataclass
from enum import Enum

from wardmote.errors import ImageError

SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR = 1, 2, 4
SHT_NOBITS, SHT_SYMTAB = 8, 2
STT_OBJECT = 1
HEADER_OCTETS = 52


class Memory(Enum):
    """Where a section is when the image runs."""

    FLASH = "flash"
    RAM = "RAM"
    BOTH = "flash and RAM"


@dataclass(frozen=True, slots=True)
class Section:
    """A section that is part of the running image."""

    name: str
    address: int
    octets: int
    memory: Memory
    code: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """An object in memory, such as a variable or a table."""

    name: str
    address: int
    octets: int


@dataclass(frozen=True, slots=True)
class Executable:
    """What the file says about memory."""

    sections: tuple[Section, ...]
    objects: tuple[Symbol, ...]
    addresses: dict[str, int]
    """Every symbol's address; linker scripts leave the bounds of memory here."""

    def octets(self, memory: Memory) -> int:
        """Octets of flash, or of RAM before the stack; initialised variables are in both."""
        return sum(
            section.octets for section in self.sections if section.memory in (memory, Memory.BOTH)
        )


def read(elf: bytes, name: str) -> Executable:
    """Takes an executable apart; raises ImageError with its `name` if it is none of ours."""
    if elf[:6] != b"\x7fELF\x01\x01" or len(elf) < HEADER_OCTETS:
        raise ImageError(f"{name}: no 32-bit little-endian ELF file")
    try:
        return _read(elf)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise ImageError(f"{name}: truncated or damaged ELF file") from error


def _read(elf: bytes) -> Executable:
    table, entry, count, names = (
        struct.unpack_from("<I", elf, 32)[0],
        *struct.unpack_from("<HHH", elf, 46),
    )
    headers = [struct.unpack_from("<10I", elf, table + entry * index) for index in range(count)]
    sections: list[Section] = []
    objects: list[Symbol] = []
    addresses: dict[str, int] = {}
    for name, kind, flags, address, offset, size, link, *_ in headers:
        if flags & SHF_ALLOC and size:
            memory = (
                Memory.FLASH
                if not flags & SHF_WRITE
                else Memory.RAM
                if kind == SHT_NOBITS
                else Memory.BOTH
            )
            text = _string(elf, headers[names][4] + name)
            sections.append(Section(text, address, size, memory, bool(flags & SHF_EXECINSTR)))
        if kind == SHT_SYMTAB:
            for at in range(offset, offset + size, 16):
                label, value, octets, info = struct.unpack_from("<IIIB", elf, at)
                text = _string(elf, headers[link][4] + label)
                addresses.setdefault(text, value)
                if info & 15 == STT_OBJECT and octets:
                    objects.append(Symbol(text, value, octets))
    return Executable(tuple(sections), tuple(objects), addresses)


def _string(elf: bytes, offset: int) -> str:
    return elf[offset : elf.index(b"\0", offset)].decode()
