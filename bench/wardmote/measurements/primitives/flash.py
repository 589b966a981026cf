# SPDX-License-Identifier: BSD-3-Clause
"""Flash and static RAM of a primitive: what an image holds because it calls it."""

from wardmote.elf import Memory, read


def octets(executable: bytes, empty: bytes) -> tuple[int, int]:
    """Octets of flash and of RAM of every function and table it needs, under a mode also those of
    the cipher. `empty` is an executable with what an image holds in any case, which does not
    count."""
    held, none = (read(elf, "executable") for elf in (executable, empty))
    flash, ram = (held.octets(kind) - none.octets(kind) for kind in (Memory.FLASH, Memory.RAM))
    return flash, ram
