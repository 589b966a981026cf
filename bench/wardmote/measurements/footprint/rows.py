# SPDX-License-Identifier: BSD-3-Clause
"""Rows of `wardmote footprint`."""

from dataclasses import dataclass

from wardmote.rows import Provenance


@dataclass(frozen=True, slots=True)
class ModuleOctets:
    """What security adds to one module; negative if the image with security has less of it."""

    module: str
    flash_octets: int
    ram_octets: int


@dataclass(frozen=True, slots=True)
class FootprintRow:
    """What link security takes on a board with one strategy: the image with security minus the
    image without."""

    board: str
    strategy: str
    flash_octets: int
    ram_octets: int
    """Variables; the stack is not in it."""
    stack_octets: int
    """How much deeper the stack goes."""
    flash_percent: float
    """Of the board's flash."""
    ram_percent: float
    """Variables and stack, of the board's RAM."""
    published_flash_percent: float | None
    published_ram_percent: float | None
    image_flash_octets: int
    image_ram_octets: int
    image_stack_octets: int
    without_flash_octets: int
    without_ram_octets: int
    without_stack_octets: int
    modules: tuple[ModuleOctets, ...]
    provenance: Provenance
