# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/aes128/generated.json: AES-128 blocks and key schedules, computed by PyCryptodome.

Inputs come from SHAKE-128 of a label, so that every run writes the same octets. Key schedules
follow FIPS 197 §5.2 with an S-box recomputed here from the field inverse (§5.1.1); the last round
key is checked against PyCryptodome.
"""

from __future__ import annotations

from collections.abc import Iterator

from Crypto.Cipher import AES

from vectors.inputs import bit_of, octets
from vectors.making import Group, Test, made_by, text, write
from vectors.sealed import VALID, encrypted

RANDOM_BLOCKS = 200
RANDOM_KEYS = 16


def encrypt(key: bytes, block: bytes) -> bytes:
    """One block by PyCryptodome."""
    return bytes(AES.new(key, AES.MODE_ECB).encrypt(block))


def multiply(a: int, b: int) -> int:
    """Product in the field of FIPS 197 §4.2."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def substitute(value: int) -> int:
    """S-box of FIPS 197 §5.1.1: field inverse (x^254), then the affine map."""
    inverse = 1
    for _ in range(254):
        inverse = multiply(inverse, value)
    rotated = inverse * 0x101
    return (inverse ^ rotated >> 4 ^ rotated >> 5 ^ rotated >> 6 ^ rotated >> 7 ^ 0x63) & 0xFF


SBOX = bytes(substitute(value) for value in range(256))


def expand(key: bytes) -> bytes:
    """All round keys, FIPS 197 §5.2."""
    words = [key[i : i + 4] for i in range(0, 16, 4)]
    rcon = 1
    for i in range(4, 44):
        word = words[i - 1]
        if i % 4 == 0:
            word = bytes(SBOX[octet] for octet in word[1:] + word[:1])
            word = bytes([word[0] ^ rcon]) + word[1:]
            rcon = multiply(rcon, 2)
        words.append(bytes(a ^ b for a, b in zip(words[i - 4], word, strict=True)))
    return b"".join(words)


def last_round_key(key: bytes, round_keys: bytes) -> bytes:
    """Round key 10 as an encryption shows it: nine rounds done here, the tenth taken off
    PyCryptodome's result."""
    state = bytearray(a ^ b for a, b in zip(bytes(16), round_keys[:16], strict=True))
    for number in range(1, 10):
        moved = [SBOX[state[(4 * (i // 4) + 5 * (i % 4)) % 16]] for i in range(16)]
        for column in range(0, 16, 4):
            a = moved[column : column + 4]
            for row in range(4):
                mixed = (
                    multiply(a[row], 2)
                    ^ multiply(a[(row + 1) % 4], 3)
                    ^ a[(row + 2) % 4]
                    ^ a[(row + 3) % 4]
                )
                state[column + row] = mixed ^ round_keys[16 * number + column + row]
    moved = [SBOX[state[(4 * (i // 4) + 5 * (i % 4)) % 16]] for i in range(16)]
    return bytes(a ^ b for a, b in zip(encrypt(key, bytes(16)), moved, strict=True))


def blocks() -> Iterator[tuple[str, bytes, bytes]]:
    """Comment, key and plaintext of every block."""
    zero, ones = bytes(16), b"\xff" * 16
    yield "all zero", zero, zero
    yield "all ones", ones, ones
    yield "key ones", ones, zero
    yield "block ones", zero, ones
    for position in range(0, 128, 8):
        yield f"key zero, block bit {position}", zero, bit_of(position, 16)
        yield f"key bit {position}, block zero", bit_of(position, 16), zero
    for value in range(0, 256, 17):
        yield f"every octet 0x{value:02x}", bytes([value] * 16), bytes([value ^ 0xFF] * 16)
    for number in range(RANDOM_BLOCKS):
        yield (
            f"random {number}",
            octets(f"aes128 key {number}", 16),
            octets(f"aes128 block {number}", 16),
        )


def keys() -> Iterator[tuple[str, bytes]]:
    """Comment and key of every key schedule."""
    yield "all zero", bytes(16)
    yield "all ones", b"\xff" * 16
    for number in range(RANDOM_KEYS):
        yield f"random {number}", octets(f"aes128 key {number}", 16)


def block_tests() -> Iterator[Test]:
    """Every block, encrypted."""
    for comment, key, block in blocks():
        yield encrypted(comment, key, block, encrypt(key, block))


def expand_tests() -> Iterator[Test]:
    """Every key schedule, its last round key checked."""
    for comment, key in keys():
        round_keys = expand(key)
        if round_keys[160:] != last_round_key(key, round_keys):
            raise ValueError(f"key schedule disagrees with PyCryptodome: {comment}")
        yield {"comment": comment, "key": key.hex(), "roundKeys": round_keys.hex()} | VALID


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    source = made_by("generate_aes128", "PyCryptodome", "FIPS 197 §5.1 (block), §5.2 (expand)")
    groups = Group("block", block_tests()), Group("expand", expand_tests())
    return {"aes128/generated.json": text("AES-128", source, *groups)}


if __name__ == "__main__":
    write(files())
