# SPDX-License-Identifier: BSD-3-Clause
"""What happened to each frame, as rows.

Rows and all other values for unsecuring are named tuples: to import the module dataclasses takes as
long as the stack takes for 50 000 frames.
"""

from typing import NamedTuple


class RefusedFrame(NamedTuple):
    """One frame that was refused."""

    frame: int
    """Counted from 1, as Wireshark does."""
    status: str
    reason: str
    octet: int | None
    """Offset of the octet at fault, from 0; None if no octet is at fault."""


class StatusRow(NamedTuple):
    """How many frames had one status."""

    status: str
    """The standard's name."""
    value: int | None
    """The standard's number of the status; None if it assigns none."""
    frames: int
    refused: tuple[RefusedFrame, ...]
    """The first of them."""


class FrameFate(NamedTuple):
    """What became of one frame."""

    frame: int
    """Counted from 1."""
    status: str
    key: str | None
    """The name of the key that opened it; None if none did or it came in clear."""
    reason: str | None
    """None if it was not refused."""
    octet: int | None
    """As in RefusedFrame."""
