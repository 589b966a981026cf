# SPDX-License-Identifier: BSD-3-Clause
"""Flash and RAM of an entry of the table of primitives, as `wardmote primitives` says it."""

from wardmote.linked import linked
from wardmote.measurements.primitives import flash
from wardmote.measurements.primitives.entry import Primitive


def octets(cpu: str, primitive: Primitive) -> tuple[int, int]:
    """Octets of flash and of RAM."""
    held, empty = (linked(cpu, names, primitive.form) for names in (primitive.symbols, ()))
    return flash.octets(held.read_bytes(), empty.read_bytes())
