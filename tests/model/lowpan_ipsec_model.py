# SPDX-License-Identifier: BSD-3-Clause
"""AH and ESP as LOWPAN_NHC, for tests, independent of the stack: read bit by bit from strings of
binary digits."""

from __future__ import annotations

from typing import NamedTuple

from tests.model.lowpan_model import Reader, RefusedError

PAPER, DRAFT = 1, 2
AH, ESP = "1101", "1110"


class Found(NamedTuple):
    """A header that was read."""

    protocol: int
    octets: bytes
    """The whole header; its Next Header is 0 if LOWPAN_NHC follows."""
    more: bool


def read(profile: int, reader: Reader, length: int = 4) -> Found:
    """The header behind the octet of the extension header."""
    digits = f"{reader.number():08b}"
    kind, flags = digits[:4], digits[4:]
    if kind not in (AH, ESP):
        raise RefusedError
    inline, more = False, False
    if profile == PAPER:
        if kind == ESP and (flags[0] == "1" or flags[3] == "1"):
            raise RefusedError
        inline, more = flags[0] == "1", flags[3] == "1"
        spi, sn = (4 if flags[1] == "1" else 0), (4 if flags[2] == "1" else 2)
    else:
        spi = {"00": 0, "01": 1, "10": 2, "11": 4}[flags[:2]]
        sn = int(flags[2:], 2) + 1
    head = b""
    if kind == AH:
        following = b"\0" if more else reader.take(1)
        length = reader.number() if inline else length
        if length == 0:
            raise RefusedError
        head = following + bytes([length, 0, 0])
    number = reader.number(spi) if spi else 1
    fields = number.to_bytes(4, "big") + reader.number(sn).to_bytes(4, "big")
    icv = reader.take(4 * (length + 2) - 12) if kind == AH else b""
    return Found(51 if kind == AH else 50, head + fields + icv, more)


def ah(following: int, spi: int, number: int, icv: bytes) -> bytes:
    """An AH."""
    fields = (spi << 32 | number).to_bytes(8, "big")
    return bytes([following, (12 + len(icv)) // 4 - 2, 0, 0]) + fields + icv


def esp(spi: int, number: int, payload: bytes) -> bytes:
    """An ESP packet."""
    return (spi << 32 | number).to_bytes(8, "big") + payload


def least(profile: int, protocol: int, header: bytes, length: int = 4, *, nh: bool = False) -> int:
    """Octets of the shortest form of the fields of an AH or ESP, both octets in front included."""
    fields = header[4:] if protocol == 51 else header
    spi, number = (int.from_bytes(fields[at : at + 4], "big") for at in (0, 4))
    if profile == PAPER:
        octets = 2 + 4 * (spi != 1) + (2 if number < 1 << 16 else 4)
    else:
        octets = 2 + (spi != 1) * (1 if spi < 1 << 8 else 2 if spi < 1 << 16 else 4)
        octets += max(1, -(-number.bit_length() // 8))
    if protocol == 51:
        octets += len(header) - 12 + (not nh) + (header[1] != length)
    return octets
