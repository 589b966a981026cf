# SPDX-License-Identifier: BSD-3-Clause
"""One variant of one library on one CPU."""

from dataclasses import dataclass

A_OCTETS, M_OCTETS, TAG_OCTETS, NONCE_OCTETS = 35, 86, 4, 13
"""The longest frame of link security, with its longest header: the same numbers as in bench/libraries/library.h."""
OURS = "wardmote"


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """What AES-128 and CCM* cost; cycles of a CPU whose timing is a band are at its slow end, without wait states."""

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
