# SPDX-License-Identifier: BSD-3-Clause
"""Ways to build a library."""

from dataclasses import dataclass

CPUS = ("msp430", "avr", "armv7m")
ROOMY = ("msp430", "armv7m")
"""CPUs on which 8 KiB of tables fit; constants of C lie in an AVR's RAM."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to build a library."""

    name: str
    flags: str
    cpus: tuple[str, ...] = CPUS
    archive: bool = True
    """Ours as firmware links it; else from C, without assembly."""
    small: bool = False
    """Ours from the archive of least flash."""
