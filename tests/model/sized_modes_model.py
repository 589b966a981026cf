# SPDX-License-Identifier: BSD-3-Clause
"""CBC-MAC, CMAC, EAX and OCB3 over a block cipher of 8, 12 or 16 octets (OCB3 of 12 or 16), each by
its definition.

Written for reading and not for speed; it shares nothing with the C. Blocks are numbers where SP
800-38B and RFC 7253 have strings of bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.model.block_modes_model import Cipher, cbc_encrypt, ctr, xor

RESIDUE = {8: 0x1B, 12: 0x641, 16: 0x87}
"""What x^8b is modulo the polynomial of a block of b octets."""
STRETCH_SHIFT = {12: 33, 16: 8}
"""Of OCB3: by how many bits Ktop is moved before it is added to itself."""
BOTTOM_BITS, TAG_BITS = 6, 7
"""Of OCB3: bits of the nonce that pick from Stretch, and that say how long the tag is, for both
block lengths."""


def double(block: bytes) -> bytes:
    """A block times x."""
    b = len(block)
    value = int.from_bytes(block, "big") << 1
    return (value if value < 1 << 8 * b else value ^ 1 << 8 * b ^ RESIDUE[b]).to_bytes(b, "big")


def blocks_of(octets: bytes, b: int) -> Iterator[bytes]:
    """The blocks of a string, the last of them perhaps shorter."""
    for at in range(0, len(octets), b):
        yield octets[at : at + b]


def padded(octets: bytes, b: int) -> bytes:
    """A part of a block with a bit 1 and zeros behind it."""
    return (octets + b"\x80").ljust(b, b"\0")


def cbc_mac(cipher: Cipher, key: bytes, message: bytes) -> bytes:
    """The last block of CBC from zeros; the message is filled up with zeros, to one block at
    least."""
    b = cipher.block_octets
    whole = message + bytes(-len(message) % b if message else b)
    return cbc_encrypt(cipher, key, bytes(b), whole)[-b:]


def cmac(cipher: Cipher, key: bytes, message: bytes) -> bytes:
    """SP 800-38B §6.2."""
    b = cipher.block_octets
    k1 = double(cipher.encrypt(key, bytes(b)))
    cut = (max(len(message), 1) - 1) // b * b
    end = message[cut:]
    end = xor(end, k1) if len(end) == b else xor(padded(end, b), double(k1))
    return cbc_mac(cipher, key, message[:cut] + end)


def eax_seal(
    cipher: Cipher, key: bytes, nonce: bytes, aad: bytes, msg: bytes
) -> tuple[bytes, bytes]:
    """Ciphertext and whole tag."""
    b = cipher.block_octets

    def omac(number: int, octets: bytes) -> bytes:
        return cmac(cipher, key, number.to_bytes(b, "big") + octets)

    first = omac(0, nonce)
    ct = ctr(cipher, key, first, msg)
    return ct, xor(xor(first, omac(1, aad)), omac(2, ct))


class _Offsets:
    """The offsets of OCB3 from one that comes before the first block."""

    def __init__(self, cipher: Cipher, key: bytes, first: bytes) -> None:
        self.star = cipher.encrypt(key, bytes(cipher.block_octets))
        self.dollar = double(self.star)
        self.value, self.number = first, 0

    def whole(self) -> bytes:
        """That of the next whole block."""
        self.number += 1
        term, number = double(self.dollar), self.number
        while number % 2 == 0:
            term, number = double(term), number // 2
        self.value = xor(self.value, term)
        return self.value

    def part(self) -> bytes:
        """That of the part of a block at the end."""
        self.value = xor(self.value, self.star)
        return self.value


def _first_offset(cipher: Cipher, key: bytes, nonce: bytes, tag_octets: int) -> bytes:
    """Offset_0, RFC 7253 §4.2."""
    b = cipher.block_octets
    bits, shift = 8 * b, STRETCH_SHIFT[b]
    number = (
        8 * tag_octets % bits << bits - TAG_BITS
        | 1 << 8 * len(nonce)
        | int.from_bytes(nonce, "big")
    )
    bottom = number % (1 << BOTTOM_BITS)
    ktop = int.from_bytes(cipher.encrypt(key, (number - bottom).to_bytes(b, "big")), "big")
    more = bits - shift
    # Ktop, then the sum of its first `more` bits and its last.
    stretch = ktop << more | (ktop >> shift) ^ (ktop % (1 << more))
    return (stretch >> more - bottom & (1 << bits) - 1).to_bytes(b, "big")


def _hash(cipher: Cipher, key: bytes, aad: bytes) -> bytes:
    """HASH of RFC 7253 §4.1."""
    b = cipher.block_octets
    offsets, total = _Offsets(cipher, key, bytes(b)), bytes(b)
    for block in blocks_of(aad, b):
        masked = (
            xor(block, offsets.whole())
            if len(block) == b
            else xor(padded(block, b), offsets.part())
        )
        total = xor(total, cipher.encrypt(key, masked))
    return total


def ocb3_crypt(
    cipher: Cipher,
    key: bytes,
    nonce: bytes,
    aad: bytes,
    octets: bytes,
    tag_octets: int,
    *,
    opens: bool = False,
) -> tuple[bytes, bytes]:
    """The message after sealing or opening, and the tag."""
    b = cipher.block_octets
    offsets = _Offsets(cipher, key, _first_offset(cipher, key, nonce, tag_octets))
    checksum, out = bytes(b), b""
    one_way = cipher.decrypt if opens else cipher.encrypt
    for block in blocks_of(octets, b):
        if len(block) == b:
            offset = offsets.whole()
            done = xor(one_way(key, xor(block, offset)), offset)
            plain = done if opens else block
        else:
            done = xor(block, cipher.encrypt(key, offsets.part()))
            plain = padded(done if opens else block, b)
        out, checksum = out + done, xor(checksum, plain)
    last = cipher.encrypt(key, xor(xor(checksum, offsets.value), offsets.dollar))
    return out, xor(last, _hash(cipher, key, aad))[:tag_octets]
