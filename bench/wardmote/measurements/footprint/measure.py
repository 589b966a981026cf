# SPDX-License-Identifier: BSD-3-Clause
"""Footprint of link security: an image with it, less the image without it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.boards import BOARDS
from wardmote.elf import Memory, read
from wardmote.errors import ImageError
from wardmote.measurements.footprint import modules, stack
from wardmote.measurements.footprint.rows import FootprintRow, ModuleOctets
from wardmote.measurements.slot.provenance import provenance_of
from wardmote.measurements.slot.setting import ASH_FORMS, FRAME_OCTETS, Setting
from wardmote.paths import slot_image
from wardmote.published import footprint_fraction

WITHOUT = "none"
LEVEL = 5
"""The level that is measured. The choice changes neither code nor variables."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What one image takes."""

    flash: dict[str, int]
    ram: dict[str, int]
    stack: int

    @property
    def flash_octets(self) -> int:
        """All of its flash."""
        return sum(self.flash.values())

    @property
    def ram_octets(self) -> int:
        """All of its variables."""
        return sum(self.ram.values())


def taken(board: str, strategy: str, clock_hz: int, seed: int) -> Taken:
    """Measures sizes and stack of the image `slot` with one strategy, or without security."""
    path = slot_image(board, strategy)
    image = path.read_bytes()
    executable = read(image, path.name)
    octets = modules.split(path, executable)
    for memory in (Memory.FLASH, Memory.RAM):
        if octets[memory].total() != executable.octets(memory):
            raise ImageError(f"{path.name}: modules do not add up to its {memory.value}")
    bands = BOARDS[board].bands
    level = 0 if strategy == WITHOUT else LEVEL
    band = bands[-1] if bands else None
    setting = Setting(board, strategy, level, ASH_FORMS["paper"], clock_hz, FRAME_OCTETS, band)
    depth = stack.depth(setting, image, executable, path.name, seed)
    return Taken(dict(octets[Memory.FLASH]), dict(octets[Memory.RAM]), depth)


def measure(board: str, strategies: Sequence[str], seed: int) -> list[FootprintRow]:
    """A row a strategy."""
    record = BOARDS[board]
    bare = taken(board, WITHOUT, record.clock_hz, seed)
    return [
        _row(board, strategy, taken(board, strategy, record.clock_hz, seed), bare, seed)
        for strategy in strategies
    ]


def _row(board: str, strategy: str, full: Taken, bare: Taken, seed: int) -> FootprintRow:
    record = BOARDS[board]
    flash = full.flash_octets - bare.flash_octets
    ram = full.ram_octets - bare.ram_octets
    deeper = full.stack - bare.stack
    path: Path = slot_image(board, strategy)
    return FootprintRow(
        board=board,
        strategy=strategy,
        flash_octets=flash,
        ram_octets=ram,
        stack_octets=deeper,
        flash_percent=round(100 * flash / record.flash_octets, 3),
        ram_percent=round(100 * (ram + deeper) / record.ram_octets, 3),
        published_flash_percent=footprint_fraction(board, strategy, "flash"),
        published_ram_percent=footprint_fraction(board, strategy, "ram"),
        image_flash_octets=full.flash_octets,
        image_ram_octets=full.ram_octets,
        image_stack_octets=full.stack,
        without_flash_octets=bare.flash_octets,
        without_ram_octets=bare.ram_octets,
        without_stack_octets=bare.stack,
        modules=_differences(full, bare),
        provenance=provenance_of(path, seed, board),
    )


def _differences(full: Taken, bare: Taken) -> tuple[ModuleOctets, ...]:
    """Lists the modules that security changes, most flash first."""
    names = dict.fromkeys([*full.flash, *full.ram, *bare.flash, *bare.ram])
    rows = [
        ModuleOctets(
            module=name,
            flash_octets=full.flash.get(name, 0) - bare.flash.get(name, 0),
            ram_octets=full.ram.get(name, 0) - bare.ram.get(name, 0),
        )
        for name in names
    ]
    changed = [row for row in rows if row.flash_octets or row.ram_octets]
    return tuple(sorted(changed, key=lambda row: (-row.flash_octets, row.module)))
