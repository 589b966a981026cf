# SPDX-License-Identifier: BSD-3-Clause
"""Rows of one variant of one library on one CPU: for AES-128 and CCM*, and for other primitives."""

from dataclasses import dataclass

A_OCTETS, M_OCTETS, TAG_OCTETS, NONCE_OCTETS = 35, 86, 4, 13
"""The longest secured frame with the longest header. bench/libraries/library.h has the same
numbers."""
OURS = "wardmote"
BLOCK_FIGURE = "block"


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """Costs of AES-128 and CCM*. Cycles are at the slow end of a timing band, without wait
    states."""

    cpu: str
    library: str
    version: str
    variant: str
    key_cycles: int
    """Key expansion, and all else that the library does once for a key."""
    block_cycles: int
    frame_cycles: int
    """CCM* of a frame, with an expanded key."""
    block_ratio: float
    """Cycles over those of our fastest variant on this CPU; `frame_ratio` likewise."""
    frame_ratio: float
    flash_octets: int
    ram_octets: int
    """With contexts."""
    stack_octets: int
    no_secret_branch: bool
    no_secret_address: bool
    compiler: str
    flags: str
    source: str


@dataclass(frozen=True, slots=True)
class LibraryPrimitiveRow:
    """Costs of one primitive. Cycles are at the slow end of a timing band, without wait states."""

    cpu: str
    primitive: str
    library: str
    version: str
    variant: str
    of: tuple[str, ...]
    """Names of the figures in `cycles`: messages of some lengths, with the key setup; or a key and a
    block."""
    cycles: tuple[int, ...]
    """Empty if the primitive cannot be built or computes something else."""
    ratio: float | None
    """The last figure over that of our fastest variant on this CPU."""
    flash_octets: int | None
    stack_octets: int | None
    why: str
    """Why there are no figures."""
    compiler: str
    source: str
