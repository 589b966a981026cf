# SPDX-License-Identifier: BSD-3-Clause
"""Measures how deep the stack goes: it is painted before boot and read after root and leaf have
exchanged frames."""

import hashlib

from wardmote.elf import Executable, Memory
from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import LONG

EXCHANGES = 120
TOP = "__stack"
"""Symbol of our linker scripts: one past the stack's first octet."""


def bounds(executable: Executable, name: str) -> tuple[int, int]:
    """Returns the bounds of the RAM that only the stack uses: from behind the last variable to
    where the stack begins."""
    if TOP not in executable.addresses:
        raise ImageError(f"{name}: no symbol {TOP} that says where the stack begins")
    ram = [section for section in executable.sections if section.memory is not Memory.FLASH]
    return max(
        (section.address + section.octets for section in ram), default=0
    ), executable.addresses[TOP]


def paint(octets: int) -> bytes:
    """A pattern that no program leaves in memory by chance."""
    return hashlib.shake_128(b"stack").digest(octets)


def depth(setting: Setting, image: bytes, executable: Executable, name: str, seed: int) -> int:
    """Counts octets of stack that were written, interrupts included, on the mote that needed
    more."""
    low, top = bounds(executable, name)
    network = Network(setting, image, LONG, seed)
    pattern = paint(top - low)
    for mote in (ROOT_MOTE, LEAF_MOTE):
        network.simulation.write(network.index(mote.name), low, pattern)
    if not network.join() or not network.run_to_exchange(EXCHANGES + 1):
        raise ImageError(f"{name}: {network.why_not_joined()}")
    return max(_touched(network, mote.name, low, pattern) for mote in (ROOT_MOTE, LEAF_MOTE))


def _touched(network: Network, mote: str, low: int, pattern: bytes) -> int:
    """Counts octets from the lowest one that changed to the top."""
    now = bytes(network.simulation.read(network.index(mote), low, len(pattern)))
    untouched = next(
        (i for i, (new, old) in enumerate(zip(now, pattern, strict=True)) if new != old),
        len(pattern),
    )
    if untouched == 0:
        raise ImageError(f"the stack of the {mote} reaches the variables")
    return len(pattern) - untouched
