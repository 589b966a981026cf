# SPDX-License-Identifier: BSD-3-Clause
"""Reads a capture of the instrument: each frame with its time, channel and slot."""

import struct
from dataclasses import dataclass

FILE_OCTETS = 24
RECORD_OCTETS = 16
CHANNEL, START, END, ASN = 3, 5, 6, 7
"""TLV types of the 802.15.4 TAP header."""
TYPE_BEACON, TYPE_DATA, TYPE_ACK = 0, 1, 2
"""Frame types (IEEE 802.15.4-2015 7.2.2.2)."""
FCS_POLYNOMIAL = 0x8408
"""x^16 + x^12 + x^5 + 1, reflected (7.2.11)."""


@dataclass(frozen=True, slots=True)
class AirFrame:
    """One frame on the air."""

    start_ps: int
    """When its first preamble symbol began."""
    end_ps: int
    channel: int
    asn: int | None
    psdu: bytes
    """FCS included."""

    @property
    def type(self) -> int:
        """Frame type."""
        return self.psdu[0] & 7


def frames(pcap: bytes) -> list[AirFrame]:
    """All frames, in order of time."""
    found: list[AirFrame] = []
    at = FILE_OCTETS
    while at < len(pcap):
        octets = struct.unpack_from("<I", pcap, at + 8)[0]
        record = pcap[at + RECORD_OCTETS : at + RECORD_OCTETS + octets]
        tap = struct.unpack_from("<H", record, 2)[0]
        values = _tlvs(record[4:tap])
        found.append(
            AirFrame(
                start_ps=1000 * int.from_bytes(values[START], "little"),
                end_ps=1000 * int.from_bytes(values[END], "little"),
                channel=values.get(CHANNEL, b"\0")[0],
                asn=int.from_bytes(values[ASN], "little") if ASN in values else None,
                psdu=record[tap:],
            )
        )
        at += RECORD_OCTETS + octets
    return found


def _tlvs(octets: bytes) -> dict[int, bytes]:
    values: dict[int, bytes] = {}
    at = 0
    while at < len(octets):
        kind, length = struct.unpack_from("<HH", octets, at)
        values[kind] = octets[at + 4 : at + 4 + length]
        at += 4 + (length + 3) // 4 * 4
    return values


def fcs(mpdu: bytes) -> bytes:
    """The two FCS octets that are sent after a frame."""
    remainder = 0
    for octet in mpdu:
        remainder ^= octet
        for _ in range(8):
            remainder = remainder >> 1 ^ (FCS_POLYNOMIAL if remainder & 1 else 0)
    return remainder.to_bytes(2, "little")
