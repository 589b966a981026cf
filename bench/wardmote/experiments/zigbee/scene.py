# SPDX-License-Identifier: BSD-3-Clause
"""The picture that is sent: drawn here, so that it is nobody's, in few colours, so that what a mode
of encryption leaves of it is seen. Three octets a pixel, red, green and blue, without a header."""

import math
import struct
import zlib
from base64 import b64encode
from collections import Counter
from typing import NamedTuple

DEPTH = 3
SKY, SUN, EARTH, BOARD, ANTENNA, WAVE = (
    *((158, 195, 230), (250, 210, 80), (91, 127, 75)),
    *((20, 82, 60), (40, 40, 40), (193, 68, 60)),
)


class Size(NamedTuple):
    """Of a picture."""

    width: int
    height: int

    @property
    def octets(self) -> int:
        """Without a header."""
        return self.width * self.height * DEPTH


PAPER = Size(376, 250)
"""282 kB, as the paper's, whose width and height are not printed."""
SMALL = Size(128, 80)


def drawn(size: Size) -> bytes:
    """A mote that sends, on a meadow in the sun."""
    pixels = bytearray()
    for row in range(size.height):
        for column in range(size.width):
            pixels += bytes(_colour((column + 0.5) / size.height, (row + 0.5) / size.height))
    return bytes(pixels)


def _colour(x: float, y: float) -> tuple[int, int, int]:
    """At a place; the height is 1."""
    if math.hypot(x - 1.3, y - 0.2) < 0.12:
        return SUN
    if 0.3 < x < 0.8 and 0.62 < y < 0.75:
        return BOARD
    if 0.35 < x < 0.38 and 0.3 < y < 0.7:
        return ANTENNA
    away = math.hypot(x - 0.365, y - 0.3)
    if away < 0.3 and away % 0.1 > 0.06 and x > 0.4:
        return WAVE
    return EARTH if y > 0.72 else SKY


def png(octets: bytes, size: Size) -> bytes:
    """As a file that every program shows; what is missing is black."""
    line = size.width * DEPTH
    whole = octets.ljust(size.octets, b"\0")
    lines = (b"\0" + whole[at : at + line] for at in range(0, size.octets, line))
    head = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def as_text(octets: bytes, size: Size) -> str:
    """The file as text, for rows."""
    return b64encode(png(octets, size)).decode()


def entropy_bits(octets: bytes) -> float:
    """Of an octet, by how often each value comes."""
    shares = [count / len(octets) for count in Counter(octets).values()]
    return -sum(share * math.log2(share) for share in shares)


def repeated_blocks(octets: bytes, block: int) -> int:
    """Blocks that came before."""
    blocks = [octets[at : at + block] for at in range(0, len(octets), block)]
    return len(blocks) - len(set(blocks))
