# SPDX-License-Identifier: BSD-3-Clause
"""Curupira-1, Curupira-2 (96-bit keys), Marvin and LetterSoup, one step after the other as their
definitions say.

Written for reading and not for speed; it shares nothing with the C. Octet i + 3j of a string is row
i, column j. vectors/generate_curupira.py compares it with published values before it writes
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

BLOCK = 12
FIELD = 0x14D
"""x^8 + x^6 + x^3 + x^2 + 1."""
P96 = 1 << 96 | 1 << 16 | 1 << 13 | 1 << 11 | 1
BOX_P = (0x3, 0xF, 0xE, 0x0, 0x5, 0x4, 0xB, 0xC, 0xD, 0xA, 0x9, 0x6, 0x7, 0x8, 0x2, 0x1)
BOX_Q = (0x9, 0xE, 0x5, 0x6, 0xA, 0x2, 0x3, 0xC, 0xF, 0x0, 0x4, 0xD, 0x7, 0xB, 0x1, 0x8)
MATRIX = ((3, 2, 2), (4, 5, 4), (6, 6, 7))
ROUNDS = {12: 10, 18: 14, 24: 18}
"""Of Curupira-1, by octets of the key."""
MARVIN_CONSTANT = bytes(11) + b"\x2a"


def _substitute(value: int) -> int:
    """Three layers of two boxes of four bits, with the middle bits exchanged between them."""
    high, low = BOX_P[value >> 4], BOX_Q[value & 15]
    high, low = BOX_Q[high & 12 | low >> 2], BOX_P[(high & 3) << 2 | low & 3]
    high, low = BOX_P[high & 12 | low >> 2], BOX_Q[(high & 3) << 2 | low & 3]
    return high << 4 | low


SBOX = bytes(_substitute(value) for value in range(256))


def multiply(a: int, b: int) -> int:
    """Product in GF(2^8)."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (FIELD if a & 0x80 else 0)
        b >>= 1
    return product


TIMES = {
    factor: bytes(multiply(value, factor) for value in range(256))
    for factor in (2, 3, 4, 5, 6, 7, 0x1C)
}


def xor(a: Iterable[int], b: Iterable[int]) -> bytes:
    """Exclusive or of strings of one length."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def gamma(state: bytes) -> bytes:
    """The S-box on every octet."""
    return bytes(SBOX[octet] for octet in state)


def pi(state: bytes) -> bytes:
    """Row i, column j from column j xor i."""
    return bytes(state[i + 3 * (i ^ j)] for j in range(4) for i in range(3))


def theta(state: bytes) -> bytes:
    """Every column times the matrix."""
    out = bytearray()
    for column in (state[at : at + 3] for at in range(0, len(state), 3)):
        for row in MATRIX:
            out.append(
                TIMES[row[0]][column[0]] ^ TIMES[row[1]][column[1]] ^ TIMES[row[2]][column[2]]
            )
    return bytes(out)


def sct(state: bytes) -> bytes:
    """The square-complete transform: four rounds without a key."""
    for _ in range(4):
        state = theta(pi(gamma(state)))
    return state


def _selected(key_state: bytes) -> bytes:
    """The first four columns, row 0 through the S-box."""
    return bytes(SBOX[key_state[at]] if at % 3 == 0 else key_state[at] for at in range(BLOCK))


@cache
def curupira1_round_keys(key: bytes) -> tuple[bytes, ...]:
    """Round keys 0..R of Curupira-1 for a key of 12, 18 or 24 octets."""
    columns = len(key) // 3
    state, out = key, [_selected(key)]
    for number in range(ROUNDS[len(key)]):
        added = bytearray(state)
        for j in range(columns):
            added[3 * j] ^= SBOX[columns * number + j]
        moved = bytes(
            added[i + 3 * ((j + (0, 1, -1)[i]) % columns)] for j in range(columns) for i in range(3)
        )
        mixed = bytearray()
        for at in range(0, len(key), 3):
            sum_ = TIMES[0x1C][moved[at] ^ moved[at + 1] ^ moved[at + 2]]
            mixed += bytes(octet ^ sum_ for octet in moved[at : at + 3])
        state = bytes(mixed)
        out.append(_selected(state))
    return tuple(out)


def times_x8(value: bytes) -> bytes:
    """12 octets, the most significant first, times x^8 modulo x^96 + x^16 + x^13 + x^11 + 1."""
    product = int.from_bytes(value, "big") << 8
    for bit in range(103, 95, -1):
        if product >> bit & 1:
            product ^= P96 << bit - 96
    return product.to_bytes(BLOCK, "big")


@cache
def curupira2_round_keys(key: bytes) -> tuple[bytes, ...]:
    """Round keys 0..10 of Curupira-2 for a key of 12 octets."""
    state, out = key, [_selected(key)]
    for number in range(10):
        state = times_x8(bytes([state[0] ^ SBOX[number]]) + state[1:])
        out.append(_selected(state))
    return tuple(out)


def _encrypt(keys: tuple[bytes, ...], block: bytes) -> bytes:
    state = xor(block, keys[0])
    for key in keys[1:-1]:
        state = xor(theta(pi(gamma(state))), key)
    return xor(pi(gamma(state)), keys[-1])


def _decrypt(keys: tuple[bytes, ...], block: bytes) -> bytes:
    """Every step of `_encrypt` undone, from the last to the first."""
    state = gamma(pi(xor(block, keys[-1])))
    for key in reversed(keys[1:-1]):
        state = gamma(pi(theta(xor(state, key))))
    return xor(state, keys[0])


def curupira1_encrypt(key: bytes, block: bytes) -> bytes:
    """One block of 12 octets."""
    return _encrypt(curupira1_round_keys(key), block)


def curupira1_decrypt(key: bytes, block: bytes) -> bytes:
    """The inverse."""
    return _decrypt(curupira1_round_keys(key), block)


def curupira2_encrypt(key: bytes, block: bytes) -> bytes:
    """One block of 12 octets under a key of 12."""
    return _encrypt(curupira2_round_keys(key), block)


def curupira2_decrypt(key: bytes, block: bytes) -> bytes:
    """The inverse."""
    return _decrypt(curupira2_round_keys(key), block)


Encrypt = Callable[[bytes, bytes], bytes]
"""One block under a key."""


def _sum(r: bytes, message: bytes, tag_octets: int) -> bytes:
    """Marvin steps 2 to 5: the masked sum of the blocks, what the tag lacks of a block, and the
    length in bits."""
    total, mask = r, r
    for at in range(0, len(message), BLOCK):
        mask = times_x8(mask)
        total = xor(total, sct(xor(message[at : at + BLOCK].ljust(BLOCK, b"\0"), mask)))
    lacks = 96 - 8 * tag_octets
    bits = (f"{lacks:b}1" if lacks else "1").ljust(96, "0")
    total = xor(total, int(bits, 2).to_bytes(BLOCK, "big"))
    return xor(total, (8 * len(message)).to_bytes(BLOCK, "big"))


def marvin(encrypt: Encrypt, key: bytes, message: bytes, tag_octets: int) -> bytes:
    """The tag of a message."""
    r = xor(encrypt(key, MARVIN_CONSTANT), MARVIN_CONSTANT)
    return encrypt(key, _sum(r, message, tag_octets))[:tag_octets]


def _lettersoup_crypt(encrypt: Encrypt, key: bytes, r: bytes, message: bytes) -> bytes:
    mask, out = r, b""
    for at in range(0, len(message), BLOCK):
        mask = times_x8(mask)
        part = message[at : at + BLOCK]
        out += xor(part, encrypt(key, mask)[: len(part)])
    return out


def _lettersoup_tag(
    encrypt: Encrypt, key: bytes, r: bytes, aad: bytes, ct: bytes, tag_octets: int
) -> bytes:
    total = _sum(r, ct, tag_octets)
    if aad:
        total = xor(total, sct(_sum(encrypt(key, bytes(BLOCK)), aad, tag_octets)))
    return encrypt(key, total)[:tag_octets]


def lettersoup_seal(
    encrypt: Encrypt, key: bytes, nonce: bytes, aad: bytes, message: bytes, tag_octets: int
) -> tuple[bytes, bytes]:
    """Ciphertext and tag."""
    r = xor(encrypt(key, nonce), nonce)
    ct = _lettersoup_crypt(encrypt, key, r, message)
    return ct, _lettersoup_tag(encrypt, key, r, aad, ct, tag_octets)


def lettersoup_opens(
    encrypt: Encrypt, key: bytes, nonce: bytes, aad: bytes, ct: bytes, tag: bytes
) -> bool:
    """Whether the tag is right."""
    r = xor(encrypt(key, nonce), nonce)
    return _lettersoup_tag(encrypt, key, r, aad, ct, len(tag)) == tag


CIPHERS: dict[str, tuple[int, Encrypt]] = {
    "curupira1_96": (12, curupira1_encrypt),
    "curupira1_144": (18, curupira1_encrypt),
    "curupira1_192": (24, curupira1_encrypt),
    "curupira2": (12, curupira2_encrypt),
}
"""Octets of the key and encryption, by name in the stack."""
