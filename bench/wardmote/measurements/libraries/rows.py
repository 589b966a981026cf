# SPDX-License-Identifier: BSD-3-Clause
"""One variant of one library on one CPU: of AES-128 and CCM*, and of every other primitive."""

from dataclasses import dataclass

A_OCTETS, M_OCTETS, TAG_OCTETS, NONCE_OCTETS = 35, 86, 4, 13
"""The longest frame of link security, with its longest header: the same numbers as in
bench/libraries/library.h."""
OURS = "wardmote"
BLOCK_FIGURE = "block"


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """What AES-128 and CCM* cost; cycles of a CPU whose timing is a band are at its slow end,
    without wait states."""

    cpu: str
    library: str
    version: str
    variant: str
    key_cycles: int
    """Key expansion, and what else the library does once for a key."""
    block_cycles: int
    frame_cycles: int
    """CCM* of a frame with an expanded key."""
    block_ratio: float
    """To the quickest of ours on this CPU; so is the next one."""
    frame_ratio: float
    flash_octets: int
    ram_octets: int
    """Contexts included."""
    stack_octets: int
    no_secret_branch: bool
    no_secret_address: bool
    compiler: str
    flags: str
    source: str


@dataclass(frozen=True, slots=True)
class PrimitiveRow:
    """What one primitive costs; cycles of a CPU whose timing is a band are at its slow end, without
    wait states."""

    cpu: str
    primitive: str
    library: str
    version: str
    variant: str
    of: tuple[str, ...]
    """What the cycles are of: messages of so many octets, from the key on, or a key and a block."""
    cycles: tuple[int, ...]
    """None of what cannot be had."""
    ratio: float | None
    """Of the last of them, to the quickest of ours on this CPU."""
    flash_octets: int | None
    stack_octets: int | None
    why: str
    """Why it cannot be had."""
    compiler: str
    source: str
