# SPDX-License-Identifier: BSD-3-Clause
"""MAC frames that carry 6LoWPAN: data frames without security, with the addresses of one PAN."""

from __future__ import annotations

from typing import NamedTuple

DATA, SECURED, ACK_REQUEST, SAME_PAN = 1, 0x08, 0x20, 0x40
BROADCAST, EVERYBODY = 0xFFFF, b"\xff\xff"
NO_SHORT = 0xFFFE
"""Of a device that has none but its extended address."""
ADDRESS_OCTETS = {0: 0, 2: 2, 3: 8}
MODES = {2: 2, 8: 3}
MPDU_MAX = 125
"""Octets of a frame without its FCS."""
SECURITY_OCTETS = (0, 10, 14, 22, 6, 10, 14, 22)
"""That link security adds by its level: control, counter, key index and MIC, with KeyIdMode 1."""
HEADER_OCTETS = 5
"""Of a frame within a PAN, without its addresses."""
NEWEST_VERSION = 1


class ForeignError(Exception):
    """A frame that carries no 6LoWPAN for this PAN; why, in plain words."""


class Data(NamedTuple):
    """A data frame. Addresses are most significant octet first."""

    sequence: int
    src: bytes
    dst: bytes
    payload: bytes


def parse(mpdu: bytes, pan: int) -> Data:
    """Reads a frame without its FCS; raises ForeignError."""
    if len(mpdu) < 3:
        raise ForeignError("cut short")
    control = int.from_bytes(mpdu[:2], "little")
    if control & 7 != DATA:
        raise ForeignError("no data frame")
    if control & SECURED:
        raise ForeignError("link security")
    dst_mode, version, src_mode = control >> 10 & 3, control >> 12 & 3, control >> 14
    if version > NEWEST_VERSION or not (dst_mode in (2, 3) and src_mode in (2, 3)):
        raise ForeignError("other addressing")
    at = 3
    dst_pan, at = mpdu[at : at + 2], at + 2
    dst, at = mpdu[at : at + ADDRESS_OCTETS[dst_mode]], at + ADDRESS_OCTETS[dst_mode]
    at += 0 if control & SAME_PAN else 2
    src, at = mpdu[at : at + ADDRESS_OCTETS[src_mode]], at + ADDRESS_OCTETS[src_mode]
    if len(mpdu) < at:
        raise ForeignError("cut short")
    if int.from_bytes(dst_pan, "little") not in (pan, BROADCAST):
        raise ForeignError("another PAN")
    return Data(mpdu[2], src[::-1], dst[::-1], mpdu[at:])


def build(sequence: int, pan: int, src: bytes, dst: bytes, payload: bytes) -> bytes:
    """A frame within a PAN, which asks for an acknowledgement unless it is to all. Addresses are
    most significant octet first, of 2 or 8 octets."""
    control = DATA | SAME_PAN | MODES[len(dst)] << 10 | MODES[len(src)] << 14
    control |= 0 if dst == EVERYBODY else ACK_REQUEST
    head = control.to_bytes(2, "little") + bytes([sequence & 0xFF]) + pan.to_bytes(2, "little")
    return head + dst[::-1] + src[::-1] + payload
