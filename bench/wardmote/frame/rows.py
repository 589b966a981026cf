# SPDX-License-Identifier: BSD-3-Clause
"""What became of frames, as rows.

These and all values that unsecuring needs are named tuples: the module dataclasses alone takes as
long to import as the stack takes for 50 000 frames.
"""

from typing import NamedTuple


class RefusedFrame(NamedTuple):
    """One frame that was not secured or unsecured."""

    frame: int
    """Counted from 1, as Wireshark does."""
    status: str
    reason: str
    octet: int | None
    """Where in the frame it goes wrong, from 0; None where no octet is at fault."""


class StatusRow(NamedTuple):
    """How many frames had one status."""

    status: str
    """The standard's name."""
    value: int | None
    """The standard's number; None where it assigns none."""
    frames: int
    refused: tuple[RefusedFrame, ...]
    """The first of them."""
