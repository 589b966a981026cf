# SPDX-License-Identifier: BSD-3-Clause
"""Flash and static RAM of a primitive: what an image holds because it calls it."""

from wardmote.elf import Memory, read
from wardmote.linked import Form, linked
from wardmote.measurements.primitives.entry import Primitive


def octets(cpu: str, primitive: Primitive) -> tuple[int, int]:
    """Octets of flash and of RAM of every function and table it needs, under a mode also those of
    the cipher. What an image holds in any case does not count."""
    flash, ram = _octets(cpu, primitive.symbols, primitive.form)
    none, none_ram = _octets(cpu, (), primitive.form)
    return flash - none, ram - none_ram


def _octets(cpu: str, symbols: tuple[str, ...], form: Form) -> tuple[int, int]:
    path = linked(cpu, symbols, form)
    executable = read(path.read_bytes(), path.name)
    return executable.octets(Memory.FLASH), executable.octets(Memory.RAM)
