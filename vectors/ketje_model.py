# SPDX-License-Identifier: BSD-3-Clause
"""Ketje v1, Sr and Jr, in terms of bits, for vectors and tests only: from FIPS 202 §3 for Keccak-p
and from "CAESAR submission: Ketje v1" §2 in its names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache


@cache
def rho_offsets() -> dict[tuple[int, int], int]:
    """Table of §3.2.2 by its algorithm."""
    offsets, (x, y) = {(0, 0): 0}, (1, 0)
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


def rc_bits() -> Iterator[int]:
    """The bits rc(t) of §3.2.5."""
    register = 1
    while True:
        yield register & 1
        register <<= 1
        if register > 0xFF:
            register ^= 0x171


@cache
def round_constants(l: int) -> list[int]:  # noqa: E741 - the standard's name
    """RC of each of the 12 + 2 l rounds that Keccak-f with lanes of 2^l bits has (§3.4)."""
    bits, constants = rc_bits(), []
    for _ in range(12 + 2 * l):
        seven = [next(bits) for _ in range(7)]
        constants.append(sum(bit << (2**j - 1) for j, bit in enumerate(seven) if j <= l))
    return constants


@dataclass(frozen=True, slots=True)
class KeccakP:
    """The permutation with lanes of 2^l bits, on a state of octets."""

    l: int  # noqa: E741

    @property
    def width(self) -> int:
        """Bits of a lane."""
        return 1 << self.l

    def rotated(self, lane: int, n: int) -> int:
        """A lane with every bit n places on."""
        n %= self.width
        return (lane << n | lane >> self.width - n) & (1 << self.width) - 1

    def round(self, a: dict[tuple[int, int], int], constant: int) -> dict[tuple[int, int], int]:
        """Rnd of §3.3: theta, rho, pi, chi, iota."""
        c = [a[x, 0] ^ a[x, 1] ^ a[x, 2] ^ a[x, 3] ^ a[x, 4] for x in range(5)]
        d = [c[(x - 1) % 5] ^ self.rotated(c[(x + 1) % 5], 1) for x in range(5)]
        b = {
            (y, (2 * x + 3 * y) % 5): self.rotated(a[x, y] ^ d[x], n)
            for (x, y), n in rho_offsets().items()
        }
        out = {
            (x, y): lane ^ (~b[(x + 1) % 5, y] & b[(x + 2) % 5, y]) for (x, y), lane in b.items()
        }
        out[0, 0] ^= constant
        return out

    def permute(self, state: bytearray, rounds: int) -> None:
        """The last `rounds` of Keccak-f, in place."""
        octets = self.width // 8
        places = {(x, y): octets * (x + 5 * y) for x in range(5) for y in range(5)}
        a = {
            place: int.from_bytes(state[at : at + octets], "little") for place, at in places.items()
        }
        for constant in round_constants(self.l)[-rounds:]:
            a = self.round(a, constant)
        for place, at in places.items():
            state[at : at + octets] = a[place].to_bytes(octets, "little")


def simply_padded(octets: bytes, bits: int) -> bytes:
    """`bits` bits, a 1, and zeros to the next octet."""
    number = int.from_bytes(octets, "little") & (1 << bits) - 1 | 1 << bits
    return number.to_bytes(bits // 8 + 1, "little")


@dataclass(slots=True)
class Ketje:
    """One key and nonce; messages that are wrapped one after another depend on all those before (a
    session)."""

    permutation: KeccakP
    key: bytes
    nonce: bytes
    key_bits: int = -1
    nonce_bits: int = -1
    state: bytearray = field(init=False)

    def __post_init__(self) -> None:
        """MonkeyDuplex's start: the key pack, the nonce, pad10*1; 12 rounds."""
        key_bits = 8 * len(self.key) if self.key_bits < 0 else self.key_bits
        nonce_bits = 8 * len(self.nonce) if self.nonce_bits < 0 else self.nonce_bits
        packed = bytes([key_bits // 8 + 2]) + simply_padded(self.key, key_bits)
        self.state = bytearray(packed + simply_padded(self.nonce, nonce_bits))
        self.state += bytes(25 * self.permutation.width // 8 - len(self.state))
        self.state[-1] ^= 0x80
        self.permutation.permute(self.state, 12)

    @property
    def block(self) -> int:
        """Octets of a block."""
        return self.permutation.width // 4

    def step(self, octets: int, frame: int, rounds: int = 1) -> None:
        """Behind a block of that many octets: two bits and pad10*1 to the end of the rate, then the
        permutation."""
        self.state[octets] ^= frame | 4
        self.state[self.block] ^= 8
        self.permutation.permute(self.state, rounds)

    def blocks(self, octets: bytes) -> list[bytes]:
        """What is taken at a time; nothing at all is one empty block."""
        return [octets[i : i + self.block] for i in range(0, max(1, len(octets)), self.block)]

    def wrap(self, a: bytes, m: bytes, tag_len: int) -> tuple[bytes, bytes]:
        """MonkeyWrap: ciphertext and tag."""
        *pieces, last = self.blocks(a)
        for piece in pieces:
            self.mix(piece)
            self.step(self.block, 0b00)
        self.mix(last)
        self.step(len(last), 0b10)
        ct = b""
        *pieces, last = self.blocks(m)
        for piece in pieces:
            self.mix(piece)
            ct += self.state[: self.block]
            self.step(self.block, 0b11)
        self.mix(last)
        ct += self.state[: len(last)]
        self.step(len(last), 0b01, 6)
        tag = bytes(self.state[: self.block])
        while len(tag) < tag_len:
            self.state[0] ^= 0b10
            self.state[self.block] ^= 8
            self.permutation.permute(self.state, 1)
            tag += self.state[: self.block]
        return ct, tag[:tag_len]

    def mix(self, octets: bytes) -> None:
        """Octets go into the beginning of the state."""
        for i, octet in enumerate(octets):
            self.state[i] ^= octet


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a member of the family has."""

    l: int  # noqa: E741
    key: int
    nonce: int
    tag: int


SIZES = {"ketje_sr": Sizes(4, 16, 16, 16), "ketje_jr": Sizes(3, 12, 10, 12)}


@cache
def seal(name: str, key: bytes, nonce: bytes, a: bytes, m: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag of one message."""
    sizes = SIZES[name]
    return Ketje(KeccakP(sizes.l), key, nonce).wrap(a, m, sizes.tag)
