# SPDX-License-Identifier: BSD-3-Clause
"""Where frames come from: a capture file, text with frames in hex, or octets on the command
line."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from typing import Any, NamedTuple

from wardmote.errors import UsageError
from wardmote.frame import native
from wardmote.frame.keys import hex_octets

MAGICS = tuple(
    bytes.fromhex(digits) for digits in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "0a0d0d0a")
)
LEAST_HEX = 2
"""A word on the command line with fewer octets is taken for a file name."""
MOST_LINE = 1024
"""Most characters of a line with a frame; far more than the longest frame needs."""
ASN_MARK = "asn="
ASN_MOST = 2**40 - 1
TLV_FCS, TLV_ASN = 0, 7


class Frames(NamedTuple):
    """Frames in memory, in the form the library takes."""

    name: str
    octets: bytes | memoryview
    address: Any
    """The same octets for the library."""
    records: Any
    """Array of native.Record."""
    number: int
    link_type: int
    nanoseconds: bool
    text: bool
    """They came as hex."""
    warning: str = ""
    """A fault that the user chose to tolerate."""


def read(source: str, *, with_fcs: bool, cut: bool) -> Frames:
    """Reads frames from a file, from stdin (`-`) or from hex digits. `with_fcs` is for hex; `cut`
    accepts a file that ends early."""
    name, octets = _octets(source)
    if bytes(octets[:4]) in MAGICS:
        return _capture(name, octets, cut=cut)
    return _hex(name, octets, with_fcs=with_fcs)


def _octets(source: str) -> tuple[str, bytes | memoryview]:
    if source == "-":
        return "stdin", sys.stdin.buffer.read()
    try:
        return source, _load(source)
    except (OSError, ValueError) as error:
        found = hex_octets(source)
        if found is not None and len(found) >= LEAST_HEX:
            return "the command line", source.encode()
        why = error.strerror if isinstance(error, OSError) else "it cannot be a file name"
        raise UsageError(f"{source[:60]}: {why}, and it is no frame in hex either") from error


def _load(path: str) -> bytes | memoryview:
    """Reads a whole file into large pages: the kernel takes longer to hand out many small pages
    than to read the file."""
    with open(path, "rb", buffering=0) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_size == 0:
            return file.readall()
        octets = memoryview(native.memory(about.st_size, huge=True)).cast("B")
        have = 0
        while have < len(octets) and (more := file.readinto(octets[have:])):
            have += more
        return octets[:have]


def index(octets: bytes | memoryview) -> tuple[native.Capture, Any]:
    """Reads the headers of a capture: its properties and where its frames lie. Raises UsageError if
    it is no capture or is broken."""
    info, reading, records = _index(octets)
    if reading != native.READ:
        raise UsageError(_fault(reading, info))
    return info, records


def _index(octets: bytes | memoryview) -> tuple[native.Capture, int, Any]:
    library, info = native.library(), native.Capture()
    most = len(octets) // native.LEAST_RECORD
    region = native.memory(most * ctypes.sizeof(native.Record))
    reading = library.frames_index(_address(octets), len(octets), ctypes.byref(info), region, most)
    return info, reading, (native.Record * info.frames).from_buffer(region)


def _address(octets: bytes | memoryview) -> Any:
    """Makes a pointer to these octets for ctypes."""
    return (
        octets if isinstance(octets, bytes) else (ctypes.c_uint8 * len(octets)).from_buffer(octets)
    )


def _capture(name: str, octets: bytes | memoryview, *, cut: bool) -> Frames:
    info, reading, records = _index(octets)
    warning = ""
    if reading == native.CUT:
        warning = (
            f"{name} is cut short in frame {info.frames + 1}, at octet {info.end} of {len(octets)}"
        )
        if not cut:
            raise UsageError(
                f"{warning}: --cut-short takes the {info.frames} whole frames before it"
            )
    elif reading != native.READ:
        raise UsageError(f"{name}: {_fault(reading, info)}")
    if info.link_type not in native.LINK_NAMES:
        possible = ", ".join(f"{number} ({link})" for number, link in native.LINK_NAMES.items())
        raise UsageError(
            f"{name}: link type {info.link_type} is none of IEEE 802.15.4: possible are {possible}"
        )
    return Frames(
        name=name,
        octets=octets,
        address=_address(octets),
        records=records,
        number=info.frames,
        link_type=info.link_type,
        nanoseconds=bool(info.nanoseconds),
        text=False,
        warning=warning,
    )


def _fault(reading: int, info: native.Capture) -> str:
    if reading == native.BROKEN:
        return f"the file contradicts itself behind frame {info.frames}, at octet {info.end}"
    if reading == native.MIXED_LINKS:
        return (
            f"from frame {info.frames + 1} on another link type: split the file, a pcap holds one"
        )
    if reading == native.MANY_LINKS:
        return "more interfaces than the 64 that are possible"
    return "neither pcap nor pcapng, its header is cut short"


def _hex(name: str, octets: bytes | memoryview, *, with_fcs: bool) -> Frames:
    """Reads one frame a line, with `asn=NUMBER` before it if needed; ignores empty lines and what
    follows #."""
    try:
        text = bytes(octets).decode("ascii")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: neither pcap nor pcapng, nor text with frames in hex") from error
    frames: list[bytes] = []
    asns: list[int | None] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        asn, digits = _asn_of(words, f"{name}, line {number}")
        found = hex_octets(digits) if len(digits) <= MOST_LINE else None
        if not found:
            raise UsageError(
                f"{name}, line {number}: {digits[:40]!r} is no frame in hex: write two digits "
                "an octet"
            )
        frames.append(found)
        asns.append(asn)
    if not frames:
        raise UsageError(f"{name}: no frame in it: a pcap, a pcapng, or lines of hex are possible")
    link_type = native.LINK_WITH_FCS if with_fcs else native.LINK_NO_FCS
    if any(asn is not None for asn in asns):
        link_type = native.LINK_TAP
        frames = [
            tap_header(with_fcs, asn) + frame for asn, frame in zip(asns, frames, strict=True)
        ]
    records = (native.Record * len(frames))()
    at = 0
    for record, frame in zip(records, frames, strict=True):
        record.at, record.captured, record.original = at, len(frame), len(frame)
        at += len(frame)
    joined = b"".join(frames)
    return Frames(
        name, joined, joined, records, len(frames), link_type, nanoseconds=False, text=True
    )


def tap_header(with_fcs: bool, asn: int | None) -> bytes:
    """Makes an IEEE 802.15.4 TAP header: whether there is an FCS, and the ASN."""
    tlvs = struct.pack("<HHI", TLV_FCS, 1, int(with_fcs))
    if asn is not None:
        tlvs += struct.pack("<HHQ", TLV_ASN, 8, asn)
    return struct.pack("<HH", 0, 4 + len(tlvs)) + tlvs


def tap_octets(record: bytes | memoryview, link_type: int) -> int:
    """Octets of a record before its frame."""
    return int.from_bytes(record[2:4], "little") if link_type == native.LINK_TAP else 0


def tap_asn(header: bytes) -> int | None:
    """The ASN that a TAP header says."""
    at = 4
    while at + 4 <= len(header):
        kind, length = struct.unpack_from("<HH", header, at)
        if kind == TLV_ASN and length == 8 and at + 12 <= len(header):
            return int.from_bytes(header[at + 4 : at + 12], "little")
        at += 4 + (length + 3) // 4 * 4
    return None


def _asn_of(words: str, where: str) -> tuple[int | None, str]:
    if not words.startswith(ASN_MARK):
        return None, words
    mark, _, digits = words.partition(" ")
    value = mark.removeprefix(ASN_MARK)
    try:
        asn = int(value, 0)
    except ValueError:
        asn = -1
    if not 0 <= asn <= ASN_MOST:
        raise UsageError(f"{where}: no ASN {value!r}: possible are 0 to {ASN_MOST}")
    return asn, digits.strip()
