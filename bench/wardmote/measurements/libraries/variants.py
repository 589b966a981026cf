# SPDX-License-Identifier: BSD-3-Clause
"""Ways to build a library."""

from dataclasses import dataclass

from wardmote.cpus import CPUS

ROOMY = tuple(cpu.name for cpu in CPUS.values() if not cpu.data_space)
"""CPUs on which 8 KiB of tables fit; constants of C lie in an AVR's RAM."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to build a library."""

    name: str
    flags: str
    cpus: tuple[str, ...] = tuple(CPUS)
    archive: bool = True
    """Ours as firmware links it; else from C, without assembly."""
    small: bool = False
    """Ours from the archive of least flash."""
