# SPDX-License-Identifier: BSD-3-Clause
"""Runs an image of an OpenMote-CC2538 in unicorn, without hooks and without devices, from reset to
an address.

    run_in_unicorn.py IMAGE END RESULT OCTETS

Prints the processor time of the emulation alone, in seconds, and OCTETS octets at RESULT in
hexadecimal. It runs in a process of its own, so that it shares nothing with the emulator it is
compared with.
"""

import importlib
import sys
import time
from pathlib import Path
from typing import Any

# unicorn carries no types.
engine: Any = importlib.import_module("unicorn")
arm: Any = importlib.import_module("unicorn.arm_const")

FLASH = 0x00200000
# The chip's ROM starts an image at the entry that lies in the last 12 octets of flash's lock page
# (CC2538, CCA page).
ENTRY_WORD = 0x0027FFD4 + 8
# Flash, RAM, and plain memory for peripherals and the system control space: the image writes a few,
# reads none back.
MEMORY = ((FLASH, 512 << 10), (0x20000000, 32 << 10), (0x40000000, 1 << 20), (0xE0000000, 1 << 20))
PT_LOAD = 1


def _integer(octets: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(octets[at : at + size], "little")


def segments(elf: bytes) -> list[tuple[int, bytes]]:
    """Loadable segments: physical address and octets."""
    table, size, count = _integer(elf, 28), _integer(elf, 42, 2), _integer(elf, 44, 2)
    headers = [table + size * number for number in range(count)]
    loads = [at for at in headers if _integer(elf, at) == PT_LOAD and _integer(elf, at + 16)]
    return [
        (
            _integer(elf, at + 12),
            elf[_integer(elf, at + 4) : _integer(elf, at + 4) + _integer(elf, at + 16)],
        )
        for at in loads
    ]


def main(image: str, end: str, result: str, octets: str) -> int:
    """Loads, runs, prints."""
    emulator = engine.Uc(engine.UC_ARCH_ARM, engine.UC_MODE_THUMB | engine.UC_MODE_MCLASS)
    for address, size in MEMORY:
        emulator.mem_map(address, size)
    for address, content in segments(Path(image).read_bytes()):
        emulator.mem_write(address, content)
    vectors = _integer(bytes(emulator.mem_read(ENTRY_WORD, 4)), 0)
    stack, start = (_integer(bytes(emulator.mem_read(vectors + at, 4)), 0) for at in (0, 4))
    emulator.reg_write(arm.UC_ARM_REG_SP, stack)
    begun = time.process_time()
    emulator.emu_start(start | 1, int(end, 0) & ~1)
    seconds = time.process_time() - begun
    sys.stdout.write(
        f"{seconds:.6f} {bytes(emulator.mem_read(int(result, 0), int(octets))).hex()}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
