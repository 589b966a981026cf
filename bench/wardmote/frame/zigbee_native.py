# SPDX-License-Identifier: BSD-3-Clause
"""The part of the library of bench/native that opens ZigBee captures, through ctypes."""

from __future__ import annotations

import ctypes
import functools
from ctypes import c_int8, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from wardmote.errors import UsageError
from wardmote.frame import native

NETWORK, LINK = 0, 1
KEYS = 64
ROOM = 2047
KEY_OCTETS = 16


class Key(ctypes.Structure):
    """frames_zigbee_key."""

    _fields_ = (
        ("octets", c_uint8 * KEY_OCTETS),
        ("found_in", c_uint64),
        ("kind", c_uint8),
        ("sequence", c_uint8),
        ("any_sequence", c_uint8),
        ("carrier", c_uint8),
        ("spare", c_uint8 * 4),
    )


class Job(ctypes.Structure):
    """frames_zigbee_job."""

    _fields_ = (
        ("frames", native.Job),
        ("level", c_uint8),
        ("replays", c_uint8),
        ("level_bits", c_uint8),
        ("spare", c_uint8 * 5),
    )


class Result(ctypes.Structure):
    """frames_zigbee_result."""

    _fields_ = (
        ("status", c_int8),
        ("layer", c_uint8),
        ("reason", c_uint8),
        ("record", c_uint8),
        ("nwk_secured", c_uint8),
        ("aps_secured", c_uint8),
        ("nwk_key", c_uint8),
        ("aps_key", c_uint8),
        ("nwk_type", c_uint8),
        ("aps_type", c_uint8),
        ("sequence", c_uint8),
        ("key_id", c_uint8),
        ("command", c_uint8),
        ("inner", c_uint8),
        ("found", c_uint8),
        ("has_source", c_uint8),
        ("pan", c_uint16),
        ("src", c_uint16),
        ("dst", c_uint16),
        ("len", c_uint16),
        ("nwk_counter", c_uint32),
        ("aps_counter", c_uint32),
        ("source", c_uint8 * 8),
        ("aps_source", c_uint8 * 8),
    )


@functools.cache
def library() -> ctypes.CDLL:
    """The library; raises UsageError if it is of another version."""
    found = native.library()
    try:
        _declare(found)
        same = found.frames_zigbee_layout() == layout()
    except AttributeError:
        same = False
    if not same:
        raise UsageError(
            f"{native.NAME} is of another version than this program: build it anew with "
            "`make stack`"
        )
    return found


def layout() -> int:
    """The number that frames_zigbee_layout returns if the structures have the same size here."""
    sizes = [ctypes.sizeof(one) for one in (Key, Job, Result)]
    return (sizes[0] * 1009 + sizes[1]) * 1009 + sizes[2]


def _declare(found: ctypes.CDLL) -> None:
    found.frames_zigbee_layout.restype = c_uint64
    found.frames_zigbee_octets.restype = c_uint64
    found.frames_zigbee_begin.argtypes = [c_void_p, ctypes.POINTER(Job)]
    found.frames_zigbee_begin.restype = None
    found.frames_zigbee_add.argtypes = [c_void_p, ctypes.POINTER(Key)]
    found.frames_zigbee_add.restype = c_uint8
    found.frames_zigbee_key_at.argtypes = [c_void_p, c_uint8, ctypes.POINTER(Key)]
    found.frames_zigbee_key_at.restype = None
    found.frames_zigbee_install.argtypes = [c_void_p, c_uint8, c_void_p]
    found.frames_zigbee_install.restype = c_uint8
    found.frames_zigbee_open.argtypes = [
        *(c_void_p, c_void_p, c_void_p, c_uint64),
        *(ctypes.POINTER(Result), c_void_p),
    ]
    found.frames_zigbee_open.restype = None
    found.frames_zigbee_wipe.argtypes = [c_void_p]
    found.frames_zigbee_wipe.restype = None
