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
MOST_LINE = 8192
"""Most characters of a line with a frame; more than the longest frame needs."""
MOST_OCTETS = 1 << 30
"""Longest capture, unpacked. What does not end, such as /dev/zero, is read no further."""
MOST_TEXT = 1 << 24
"""Longest text with frames."""
PIECE = 1 << 20
GZIP = b"\x1f\x8b"
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
    fcs: int
    """The kind of FCS where the link type does not say it, as frames_job has it."""
    nanoseconds: bool
    text: bool
    """They came as hex."""
    warning: str = ""
    """A fault that the user chose to tolerate."""


def read(source: str, *, fcs: int | None, cut: bool) -> Frames:
    """Reads frames from a file, from stdin (`-`) or from hex digits; a file may be packed by gzip.
    `fcs`: octets of FCS where the input does not say them. `cut` accepts a file that ends early."""
    name, octets = _octets(source)
    whole = True
    if octets[:2] == GZIP:
        octets, whole = _unpacked(name, octets)
    if bytes(octets[:4]) in MAGICS:
        return _capture(name, octets, fcs=fcs, cut=cut, whole=whole)
    if not whole:
        raise UsageError(f"{name}: what gzip has packed ends early")
    return _hex(name, octets, fcs=fcs or 0)


def _octets(source: str) -> tuple[str, bytes | memoryview]:
    if source == "-":
        return "stdin", _at_most("stdin", sys.stdin.buffer)
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
            return _at_most(path, file)
        if about.st_size > MOST_OCTETS:
            raise _too_long(path, MOST_OCTETS)
        octets = memoryview(native.memory(about.st_size, huge=True)).cast("B")
        have = 0
        while have < len(octets) and (more := file.readinto(octets[have:])):
            have += more
        return octets[:have]


def _at_most(name: str, file: Any) -> bytes:
    """Reads to the end, but no further than a capture or a text may be long. The first octets tell
    which it is."""
    octets = bytearray()
    while more := file.read(PIECE):
        octets += more
        binary = octets[:2] == GZIP or bytes(octets[:4]) in MAGICS
        most = MOST_OCTETS if binary or len(octets) < 4 else MOST_TEXT
        if len(octets) > most:
            raise _too_long(name, most)
    return bytes(octets)


def _too_long(name: str, most: int) -> UsageError:
    what = "a capture, unpacked" if most == MOST_OCTETS else "a text with frames"
    return UsageError(f"{name}: longer than {most >> 20} MiB, the most that {what} may have")


def _unpacked(name: str, octets: bytes | memoryview) -> tuple[bytes, bool]:
    """Unpacks the members of a gzip file, no further than a capture may be long; false if the last
    one ends early."""
    import zlib

    out, left = bytearray(), memoryview(octets)
    while len(left):
        member = zlib.decompressobj(wbits=31)
        data: bytes | memoryview = left
        while True:
            try:
                got = member.decompress(data, PIECE)
            except zlib.error as error:
                raise UsageError(f"{name}: what gzip has packed is damaged: {error}") from error
            out += got
            if len(out) > MOST_OCTETS:
                raise _too_long(name, MOST_OCTETS)
            data = member.unconsumed_tail
            if member.eof or (not data and len(got) < PIECE):
                break
        if not member.eof:
            return bytes(out), False
        left = left[len(left) - len(member.unused_data) :]
        if len(left) and not any(left):
            break  # zeros may fill the last block of a tape
    return bytes(out), True


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


def _capture(
    name: str, octets: bytes | memoryview, *, fcs: int | None, cut: bool, whole: bool
) -> Frames:
    info, reading, records = _index(octets)
    warning = ""
    if reading == native.CUT or (reading == native.READ and not whole):
        warning = (
            f"{name} is cut short in frame {info.frames + 1}, at octet {info.end} of {len(octets)}"
        )
        if not cut:
            raise UsageError(
                f"{warning}: --cut-short takes the {info.frames} whole frames before it"
            )
    elif reading != native.READ:
        raise UsageError(f"{name}: {_fault(reading, info)}")
    if info.link_type not in native.LINK_NAMES | native.PACKET_NAMES:
        raise UsageError(
            f"{name}: link type {info.link_type} has no frames of IEEE 802.15.4: possible are "
            f"{_listed(native.LINK_NAMES)}; and with frames in packets {_listed(native.PACKET_NAMES)}"
        )
    said = info.fcs_len if fcs is None else fcs
    return Frames(
        name=name,
        octets=octets,
        address=_address(octets),
        records=records,
        number=info.frames,
        link_type=info.link_type,
        fcs=native.FCS_KINDS.get(said, native.FCS_UNSAID),
        nanoseconds=bool(info.nanoseconds),
        text=False,
        warning=warning,
    )


def _listed(names: dict[int, str]) -> str:
    return ", ".join(f"{number} ({link})" for number, link in names.items())


def _fault(reading: int, info: native.Capture) -> str:
    if reading == native.BROKEN:
        return f"the file contradicts itself behind frame {info.frames}, at octet {info.end}"
    if reading == native.MIXED_LINKS:
        return (
            f"from frame {info.frames + 1} on another link type or length of FCS: split the file, a "
            "pcap holds one"
        )
    if reading == native.MANY_LINKS:
        return "more interfaces than the 64 that are possible"
    return "neither pcap nor pcapng, its header is cut short"


def _hex(name: str, octets: bytes | memoryview, *, fcs: int) -> Frames:
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
    link_type, kind = native.LINK_NO_FCS, native.FCS_KINDS[fcs]
    if any(asn is not None for asn in asns):
        link_type = native.LINK_TAP
        frames = [tap_header(kind, asn) + frame for asn, frame in zip(asns, frames, strict=True)]
    records = (native.Record * len(frames))()
    at = 0
    for record, frame in zip(records, frames, strict=True):
        record.at, record.captured, record.original = at, len(frame), len(frame)
        at += len(frame)
    joined = b"".join(frames)
    return Frames(
        name, joined, joined, records, len(frames), link_type, kind, nanoseconds=False, text=True
    )


def tap_header(fcs: int, asn: int | None) -> bytes:
    """Makes an IEEE 802.15.4 TAP header: the kind of FCS, and the ASN."""
    tlvs = struct.pack("<HHI", TLV_FCS, 1, fcs)
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
