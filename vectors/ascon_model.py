# SPDX-License-Identifier: BSD-3-Clause
"""Ascon-Hash256 and Ascon-AEAD128, written from NIST SP 800-232 and in its names, for vectors and
tests only."""

from __future__ import annotations

WORD = (1 << 64) - 1


def rotate(x: int, n: int) -> int:
    """X >>> n on 64 bits."""
    return (x >> n | x << 64 - n) & WORD


def substitute(x: list[int]) -> list[int]:
    """The S-box of §3.3 on all 64 columns: its circuit, in which each word holds one bit of every
    column."""
    x0, x1, x2, x3, x4 = x[0] ^ x[4], x[1], x[2] ^ x[1], x[3], x[4] ^ x[3]
    y0, y1, y2 = x0 ^ (~x1 & x2), x1 ^ (~x2 & x3), x2 ^ (~x3 & x4)
    y3, y4 = x3 ^ (~x4 & x0), x4 ^ (~x0 & x1)
    return [(y0 ^ y4) & WORD, (y1 ^ y0) & WORD, ~y2 & WORD, (y3 ^ y2) & WORD, y4 & WORD]


def permute(s: list[int], rounds: int) -> None:
    """The last `rounds` of twelve (§3) in place."""
    turns = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
    for i in range(12 - rounds, 12):
        s[2] ^= 0xF0 - 0x0F * i
        s[:] = [
            x ^ rotate(x, a) ^ rotate(x, b) for x, (a, b) in zip(substitute(s), turns, strict=True)
        ]


def number(octets: bytes) -> int:
    """Octets as a little-endian number (§2.1)."""
    return int.from_bytes(octets, "little")


def padded(octets: bytes, rate: int) -> list[bytes]:
    """Blocks of `octets`, a bit 1, and zeros (§2.1)."""
    whole = octets + b"\1"
    whole += bytes(-len(whole) % rate)
    return [whole[i : i + rate] for i in range(0, len(whole), rate)]


def hash256(message: bytes) -> bytes:
    """§5.1."""
    s = [0x0000080100CC0002, 0, 0, 0, 0]
    permute(s, 12)
    for block in padded(message, 8):
        s[0] ^= number(block)
        permute(s, 12)
    digest = b""
    for _ in range(4):
        digest += s[0].to_bytes(8, "little")
        permute(s, 12)
    return digest


def seal(key: bytes, nonce: bytes, a: bytes, m: bytes) -> tuple[bytes, bytes]:
    """§4.1: ciphertext and tag."""
    k = number(key[:8]), number(key[8:])
    s = [0x00001000808C0001, *k, number(nonce[:8]), number(nonce[8:])]
    permute(s, 12)
    s[3] ^= k[0]
    s[4] ^= k[1]
    for block in padded(a, 16) if a else ():
        s[0] ^= number(block[:8])
        s[1] ^= number(block[8:])
        permute(s, 8)
    s[4] ^= 1 << 63
    c = b""
    blocks = padded(m, 16)
    for place, block in enumerate(blocks, start=1):
        s[0] ^= number(block[:8])
        s[1] ^= number(block[8:])
        c += s[0].to_bytes(8, "little") + s[1].to_bytes(8, "little")
        if place < len(blocks):
            permute(s, 8)
    s[2] ^= k[0]
    s[3] ^= k[1]
    permute(s, 12)
    return c[: len(m)], (s[3] ^ k[0]).to_bytes(8, "little") + (s[4] ^ k[1]).to_bytes(8, "little")
