# SPDX-License-Identifier: BSD-3-Clause
"""Captures for the tests of `wardmote frame`; frames are secured by the independent model, not by
the stack."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.model.ieee802154_model import Ash, Frame, fcs, secure

K2 = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
KEY = f"2:{K2.hex()}"
ROOT_EXT, LEAF_EXT = bytes.fromhex("00124b0000000001"), bytes.fromhex("00124b0000000002")
WITH_FCS, NO_FCS, TAP = 195, 230, 283
MICROSECONDS, NANOSECONDS = 0xA1B2C3D4, 0xA1B23C4D


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[str]:
        """Its stdout as text."""
        return self.out.decode().splitlines()


def run(*words: str | Path, given: bytes = b"") -> Done:
    """`wardmote frame` in a process of its own, with `given` on stdin."""
    command = [sys.executable, "-m", "wardmote", "frame", *map(str, words)]
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr.decode())


def refused(*words: str | Path, given: bytes = b"") -> str:
    """The one line with which a command is refused, before it wrote anything."""
    done = run(*words, given=given)
    assert (done.code, done.out) == (2, b""), done
    [line] = done.err.splitlines()
    assert line.startswith("wardmote: ")
    return line


def data_frame(
    payload: bytes = b"16 octets of data",
    *,
    level: int = 5,
    counter: int | None = None,
    **more: int,
) -> Frame:
    """A data frame from leaf to root in clear, with its ASH; without a counter in the ASN form."""
    ash = Ash(level, 1, counter, counter is None, b"", more.pop("index", 2))
    return Frame(
        dst=ROOT_EXT,
        src=LEAF_EXT,
        ack_request=True,
        ash=ash,
        private_part=payload,
        seq=more.pop("seq", 7),
    )


def on_air(frame: Frame, asn: int = 0, key: bytes = K2) -> bytes:
    """As the model secures it."""
    assert frame.ash is not None
    return secure(frame, key, "asn" if frame.ash.asn_in_nonce else "counter", asn)


def in_clear(frame: Frame) -> bytes:
    """What has to come out: no ASH, Security Enabled clear."""
    return frame.with_ash(None).clear()


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
