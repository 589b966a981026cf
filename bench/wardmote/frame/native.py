# SPDX-License-Identifier: BSD-3-Clause
"""The library of bench/native through ctypes: its structures and functions.

Start-up is a large part of the time that a capture takes, so this module imports little.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
from ctypes import c_char_p, c_float, c_int8, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any

from wardmote.errors import MissingError, UsageError
from wardmote.root import ROOT

NAME = "build/native/libframes.so"
LIBRARY = os.path.join(ROOT, NAME)
"""Not by wardmote.paths: pathlib takes longer to import than a tenth of a large capture to be
unsecured."""

LINK_WITH_FCS = 195
LINK_PHY = 215
LINK_NO_FCS = 230
LINK_TAP = 283
LINK_NAMES = {
    191: "IEEE802_15_4_LINUX",
    LINK_WITH_FCS: "IEEE802_15_4_WITHFCS",
    LINK_PHY: "IEEE802_15_4_NONASK_PHY",
    LINK_NO_FCS: "IEEE802_15_4_NOFCS",
    LINK_TAP: "IEEE802_15_4_TAP",
}
"""Link types whose every record is a frame."""
PACKET_NAMES = {
    0: "NULL",
    1: "ETHERNET",
    101: "RAW",
    108: "LOOP",
    113: "LINUX_SLL",
    228: "IPV4",
    229: "IPV6",
    276: "LINUX_SLL2",
}
"""Link types in whose packets frames may be. The frames written have link type TAP."""
PSDU_LEAST, PSDU_MOST = 127, 2047
"""Octets of the longest PSDU: of most PHYs, and of those for utility networks."""
FCS_UNSAID = 255
FCS_KINDS = {0: 0, 2: 1, 4: 2}
"""By its octets."""
STATUSES = 64
REASONS = 64
KEYS = 64
DEVICES = 4096
ROOM = 46
"""Most octets by which a record may grow: its header, ASH and MIC."""
FILE_HEADER, LEAST_RECORD = 24, 16
FOREIGN, NO_KEY, WRONG_KEY, REPLAY, REPLAY_ASN = 25, 28, 29, 30, 31
"""Some of frames_reason."""

READ, NO_CAPTURE, CUT, BROKEN, MIXED_LINKS, MANY_LINKS = range(6)
"""frames_reading."""


class Capture(ctypes.Structure):
    """frames_capture."""

    _fields_ = (
        ("frames", c_uint64),
        ("end", c_uint64),
        ("link_type", c_uint32),
        ("nanoseconds", c_uint8),
        ("pcapng", c_uint8),
        ("fcs_len", c_uint8),
        ("spare", c_uint8),
    )


class Record(ctypes.Structure):
    """frames_record."""

    _fields_ = (
        ("at", c_uint64),
        ("time_ns", c_uint64),
        ("captured", c_uint32),
        ("original", c_uint32),
    )


class Result(ctypes.Structure):
    """frames_result."""

    _fields_ = (
        ("status", c_int8),
        ("reason", c_uint8),
        ("where", c_uint16),
        ("secured", c_uint8),
        ("key", c_uint8),
        ("wanted_mode", c_uint8),
        ("wanted_index", c_uint8),
    )


class Totals(ctypes.Structure):
    """frames_totals."""

    _fields_ = (
        ("by_status", c_uint64 * STATUSES),
        ("by_reason", c_uint64 * REASONS),
        ("by_key", c_uint64 * KEYS),
        ("in_clear", c_uint64),
        ("written", c_uint64),
        ("foreign", c_uint64),
        ("unwatched", c_uint64),
    )


class Key(ctypes.Structure):
    """frames_key."""

    _fields_ = (
        ("octets", c_uint8 * 16),
        ("key_source", c_uint8 * 8),
        ("pan", c_uint16),
        ("key_id_mode", c_uint8),
        ("key_index", c_uint8),
        ("addr_mode", c_uint8),
        ("usage", c_uint8),
        ("spare", c_uint8 * 2),
    )


class Device(ctypes.Structure):
    """frames_device."""

    _fields_ = (
        ("ext_addr", c_uint8 * 8),
        ("counter", c_uint32),
        ("pan", c_uint16),
        ("short_addr", c_uint16),
        ("exempt", c_uint8),
        ("spare", c_uint8 * 7),
    )


class Job(ctypes.Structure):
    """frames_job."""

    _fields_ = (
        ("keys", ctypes.POINTER(Key)),
        ("devices", ctypes.POINTER(Device)),
        ("asn", c_uint64),
        ("key_count", c_uint32),
        ("device_count", c_uint32),
        ("link_type", c_uint32),
        ("out_link_type", c_uint32),
        ("counter", c_uint32),
        ("default_key_source", c_uint8 * 8),
        ("ext_addr", c_uint8 * 8),
        ("pan_coord_ext", c_uint8 * 8),
        ("pan", c_uint16),
        ("pan_coord_short", c_uint16),
        ("psdu_max", c_uint16),
        ("cipher", c_uint8),
        ("edition", c_uint8),
        ("nonce_form", c_uint8),
        ("asn_source", c_uint8),
        ("allowed", c_uint8 * 4),
        ("minimum", c_uint8 * 4),
        ("strangers", c_uint8),
        ("replays", c_uint8),
        ("any_fcs", c_uint8),
        ("keep_refused", c_uint8),
        ("nanoseconds", c_uint8),
        ("has_ext_addr", c_uint8),
        ("level", c_uint8),
        ("key_id_mode", c_uint8),
        ("key_index", c_uint8),
        ("key_source", c_uint8 * 8),
        ("fcs", c_uint8),
    )


class Shown(ctypes.Structure):
    """frames_shown."""

    _fields_ = (
        ("asn", c_uint64),
        ("frame_counter", c_uint32),
        ("rss", c_float),
        ("at", c_uint32),
        ("result", Result),
        ("dst_pan", c_uint16),
        ("src_pan", c_uint16),
        ("len", c_uint16),
        ("channel", c_uint16),
        ("ash", c_uint16),
        ("header_ie", c_uint16),
        ("open", c_uint16),
        ("private_payload", c_uint16),
        ("a_len", c_uint16),
        ("m_start", c_uint16),
        ("m_len", c_uint16),
        ("mic_len", c_uint8),
        ("has_rss", c_uint8),
        ("has_channel", c_uint8),
        ("has_lqi", c_uint8),
        ("page", c_uint8),
        ("lqi", c_uint8),
        ("type", c_uint8),
        ("version", c_uint8),
        ("security_enabled", c_uint8),
        ("frame_pending", c_uint8),
        ("ack_request", c_uint8),
        ("pan_id_compression", c_uint8),
        ("seq_suppressed", c_uint8),
        ("ie_present", c_uint8),
        ("seq", c_uint8),
        ("dst_pan_present", c_uint8),
        ("src_pan_present", c_uint8),
        ("dst_mode", c_uint8),
        ("src_mode", c_uint8),
        ("dst", c_uint8 * 8),
        ("src", c_uint8 * 8),
        ("level", c_uint8),
        ("key_id_mode", c_uint8),
        ("counter_suppressed", c_uint8),
        ("asn_in_nonce", c_uint8),
        ("key_index", c_uint8),
        ("key_source", c_uint8 * 8),
        ("has_asn", c_uint8),
        ("has_nonce", c_uint8),
        ("fcs_len", c_uint8),
        ("nonce", c_uint8 * 13),
        ("spare", c_uint8 * 6),
    )


LAID_OUT = (Capture, Record, Result, Totals, Key, Device, Job, Shown)


@functools.cache
def library() -> ctypes.CDLL:
    """Opens the library that `make stack` builds; raises UsageError if it is missing or of another
    version."""
    if not os.path.isfile(LIBRARY):
        raise MissingError(f"no library {NAME}: build it with `make stack`")
    try:
        found = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise UsageError(f"{NAME} cannot be loaded: {error}") from error
    try:
        _declare(found)
        same = found.frames_layout() == layout()
    except AttributeError:
        same = False
    if not same:
        raise UsageError(
            f"{NAME} is of another version than this program: build it anew with `make stack`"
        )
    return found


def layout() -> int:
    """The number that frames_layout returns if every structure has the same size there as here."""
    number = 0
    for one in LAID_OUT:
        number = (number * 1009 + ctypes.sizeof(one)) % 2**64
    return number


def _declare(found: ctypes.CDLL) -> None:
    found.frames_layout.restype = c_uint64
    found.frames_cipher_name.argtypes = [c_uint8]
    found.frames_cipher_name.restype = c_char_p
    found.frames_state_octets.restype = c_uint64
    found.frames_wipe.argtypes = [c_void_p]
    found.frames_wipe.restype = None
    found.frames_index.argtypes = [c_void_p, c_uint64, ctypes.POINTER(Capture), c_void_p, c_uint64]
    found.frames_index.restype = c_uint8
    found.frames_begin.argtypes = [c_void_p, ctypes.POINTER(Job), c_void_p, ctypes.POINTER(Totals)]
    found.frames_begin.restype = c_uint8
    for act in (found.frames_unsecure, found.frames_secure):
        act.argtypes = [
            *(c_void_p, ctypes.POINTER(Job), c_void_p, c_void_p, c_uint64, c_uint64),
            *(c_void_p, c_void_p, ctypes.POINTER(Totals)),
        ]
        act.restype = c_uint64
    found.frames_show.argtypes = [ctypes.POINTER(Job), c_void_p, c_void_p, c_uint64, c_void_p]
    found.frames_show.restype = None


def memory(octets: int, *, huge: bool = False) -> Any:
    """Allocates private zeros that take no memory until they are touched; `huge` asks for large
    pages."""
    region = mmap.mmap(-1, max(octets, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if huge and hasattr(mmap, "MADV_HUGEPAGE"):
        region.madvise(mmap.MADV_HUGEPAGE)
    return (c_uint8 * octets).from_buffer(region)


def ciphers() -> list[str]:
    """Block ciphers that this machine can run, fastest first."""
    names: list[str] = []
    while name := library().frames_cipher_name(len(names)):
        names.append(name.decode())
    return names
