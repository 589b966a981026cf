# SPDX-License-Identifier: BSD-3-Clause
"""Sections and symbols of an executable."""

import struct
from dataclasses import dataclass
from enum import Enum

from wardmote.errors import ImageError

SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR = 1, 2, 4
SHT_NOBITS, SHT_SYMTAB = 8, 2
STT_OBJECT = 1


@dataclass(frozen=True, slots=True)
class _Format:
    """Where a width of the format has its fields."""

    mark: int
    """The fifth octet of the file."""
    header_octets: int
    table: tuple[str, int]
    """Offset of the section headers: its form and its place in the file's header."""
    counts: int
    """Place of three numbers: octets of a section header, how many there are, the one of names."""
    section: str
    symbol: str
    order: tuple[int, int, int, int]
    """Name, value, octets and kind among the fields of a symbol."""


FORMATS = {
    32: _Format(1, 52, ("I", 32), 46, "10I", "IIIBBH", (0, 1, 2, 3)),
    64: _Format(2, 64, ("Q", 40), 58, "2I4Q2I2Q", "IBBHQQ", (0, 4, 5, 1)),
}


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


def read(elf: bytes, name: str, bits: int = 32, *, big: bool = False) -> Executable:
    """Takes an executable apart; raises ImageError with its `name` if it is none of that width and
    order of octets."""
    width = FORMATS[bits]
    if elf[:6] != b"\x7fELF" + bytes((width.mark, 1 + big)) or len(elf) < width.header_octets:
        raise ImageError(f"{name}: no {bits}-bit {'big' if big else 'little'}-endian ELF file")
    try:
        return _read(elf, width, ">" if big else "<")
    except (struct.error, IndexError, UnicodeDecodeError, ValueError) as error:
        raise ImageError(f"{name}: truncated or damaged ELF file") from error


def _read(elf: bytes, width: _Format, order: str) -> Executable:
    (table,) = struct.unpack_from(order + width.table[0], elf, width.table[1])
    entry, count, names = struct.unpack_from(f"{order}HHH", elf, width.counts)
    headers = [
        struct.unpack_from(order + width.section, elf, table + entry * index)
        for index in range(count)
    ]
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
            for fields in struct.iter_unpack(order + width.symbol, elf[offset : offset + size]):
                label, value, octets, info = (fields[n] for n in width.order)
                text = _string(elf, headers[link][4] + label)
                addresses.setdefault(text, value)
                if info & 15 == STT_OBJECT and octets:
                    objects.append(Symbol(text, value, octets))
    return Executable(tuple(sections), tuple(objects), addresses)


def _string(elf: bytes, offset: int) -> str:
    return elf[offset : elf.index(b"\0", offset)].decode()
