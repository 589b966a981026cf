# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of generated vectors: octets from SHAKE-128 of a label, so that every run writes the same,
and octets with one bit set or changed."""

import hashlib


def octets(label: str, length: int) -> bytes:
    """`length` octets that look random and are the same on every run."""
    return hashlib.shake_128(label.encode()).digest(length)


def bit_of(position: int, length: int) -> bytes:
    """`length` octets with one bit set, counted from the most significant."""
    return (1 << 8 * length - 1 - position).to_bytes(length, "big")


def flipped(value: bytes, bit: int) -> bytes:
    """`value` with one bit changed, counted from the most significant; -1 is the last."""
    mask = bit_of(bit % (8 * len(value)), len(value))
    return bytes(x ^ y for x, y in zip(value, mask, strict=True))
