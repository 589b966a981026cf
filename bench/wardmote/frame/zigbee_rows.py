# SPDX-License-Identifier: BSD-3-Clause
"""What became of the frames of a ZigBee capture, as rows."""

from typing import NamedTuple


class ZigbeeFrameRow(NamedTuple):
    """One frame. Addresses are in hex, the most significant octet first; None marks what the frame
    does not have, or what could not be opened."""

    frame: int
    """Counted from 1, as Wireshark does."""
    status: str
    reason: str | None
    """None if it was not refused."""
    layer: str
    """The last one that was looked at."""
    pan: str | None
    source_address: str | None
    """Network address."""
    destination_address: str | None
    nwk_type: str | None
    nwk_key: str | None
    """The key that opened it."""
    nwk_key_number: int | None
    """As the frame says it."""
    nwk_counter: int | None
    nwk_secured_by: str | None
    """Extended address."""
    aps_type: str | None
    aps_key: str | None
    aps_key_kind: str | None
    """As the frame says it."""
    aps_counter: int | None
    aps_secured_by: str | None
    command: str | None
    """Of an APS command."""
    inner_command: str | None
    """Of the frame that a Tunnel carries."""
    found_key: str | None
    """The name of the key that this frame carried, if nobody had it before."""
    clear: str | None
    """The MAC frame in hex, without FCS, in clear as far as it could be opened."""


class ZigbeeKeyRow(NamedTuple):
    """A key: given, or found."""

    name: str
    kind: str
    """`network key` or `link key`."""
    number: int | None
    """Key sequence number, if it is known."""
    key: str
    """Its octets in hex: keep what holds it to yourself."""
    found_in_frame: int | None
    carried_under: str | None
    """The name of the link key."""
    frames: int
    """Frames that it opened, at either layer."""
