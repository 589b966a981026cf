# SPDX-License-Identifier: BSD-3-Clause
"""Ways to build a library."""

from dataclasses import dataclass

from wardmote.cpus import CPUS

ROOMY = tuple(cpu.name for cpu in CPUS.values() if not cpu.data_space)
"""CPUs that have room for 8 KiB of tables. An AVR has not: it keeps the constants of C in RAM."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to build a library."""

    name: str
    flags: str
    cpus: tuple[str, ...] = tuple(CPUS)
    archive: bool = True
    """Our library as firmware links it; if False, from C without assembly."""
    small: bool = False
    """Our library from the archive with the least flash."""
