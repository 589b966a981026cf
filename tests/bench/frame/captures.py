# SPDX-License-Identifier: BSD-3-Clause
"""Captures for the tests of `wardmote frame`: written by hand, and read."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from tests.model.ieee802154_model import fcs

WITH_FCS, NO_FCS, TAP = 195, 230, 283
MICROSECONDS, NANOSECONDS = 0xA1B2C3D4, 0xA1B23C4D


def tap(frame: bytes, asn: int | None = None, *, with_fcs: bool = True) -> bytes:
    """A record of link type TAP."""
    tlvs = struct.pack("<HHI", 0, 1, with_fcs)
    if asn is not None:
        tlvs += struct.pack("<HHQ", 7, 8, asn)
    return struct.pack("<HH", 0, 4 + len(tlvs)) + tlvs + frame + (fcs(frame) if with_fcs else b"")


def pcap(
    records: Iterable[bytes], link_type: int = TAP, *, order: str = "<", magic: int = MICROSECONDS
) -> bytes:
    """A classic capture: record i comes i seconds and 7 units after 1970."""
    out = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, link_type)
    for number, record in enumerate(records):
        out += struct.pack(f"{order}IIII", number, 7, len(record), len(record)) + record
    return out


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """A block of pcapng."""
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", 12 + len(body))
    return struct.pack(f"{order}I", kind) + length + body + length


def pcapng(
    records: Sequence[bytes], link_type: int = TAP, order: str = "<", resolution: int | None = 9
) -> bytes:
    """A section with one interface and an enhanced packet block a record, at the same times as
    `pcap`."""
    option = (
        b"" if resolution is None else struct.pack(f"{order}HHB3x", 9, 1, resolution) + bytes(4)
    )
    out = block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)
    out += block(1, struct.pack(f"{order}HHI", link_type, 0, 0) + option, order)
    for number, record in enumerate(records):
        ticks = number * 10 ** (6 if resolution is None else resolution) + 7
        head = struct.pack(
            f"{order}IIIII", 0, ticks >> 32, ticks & 0xFFFFFFFF, len(record), len(record)
        )
        out += block(6, head + record, order)
    return out


def records(capture: bytes) -> list[tuple[int, int, bytes]]:
    """Seconds, fraction and octets of each record of a capture that the command wrote."""
    assert struct.unpack_from("<I", capture)[0] in (MICROSECONDS, NANOSECONDS)
    found, at = [], 24
    while at < len(capture):
        seconds, fraction, captured, original = struct.unpack_from("<IIII", capture, at)
        assert captured == original
        found.append((seconds, fraction, capture[at + 16 : at + 16 + captured]))
        at += 16 + captured
    assert at == len(capture)
    return found


def frames(capture: bytes) -> list[bytes]:
    """The frames of a TAP capture that the command wrote, whose FCS is right."""
    found = []
    for _, _, record in records(capture):
        psdu = record[struct.unpack_from("<H", record, 2)[0] :]
        assert psdu[-2:] == fcs(psdu[:-2])
        found.append(psdu[:-2])
    return found
