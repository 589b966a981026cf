# SPDX-License-Identifier: BSD-3-Clause
"""The primitives for which libraries are compared, and how each is called."""

from collections.abc import Mapping
from dataclasses import dataclass

from wardmote.measurements.libraries.rows import (
    A_OCTETS,
    BLOCK_FIGURE,
    M_OCTETS,
    NONCE_OCTETS,
    TAG_OCTETS,
)

SIZES = (64, 128)
"""Octets of a short and of a long message."""
KEY_AND_BLOCK = ("key", BLOCK_FIGURE)
"""Figures of a block cipher."""
WITH_HEADER = "primitives/primitives.h {}"


@dataclass(frozen=True, slots=True)
class Kind:
    """The function that an adapter defines, and the parameter that is the message."""

    call: str
    message: str = "m"
    files: str = WITH_HEADER
    """The adapter `{}`, and the files of ours that it is compiled with, below bench/libraries."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of the measured messages; none for a block cipher, whose block has a fixed length."""
        return SIZES if self.message else ()

    @property
    def figures(self) -> tuple[str, ...]:
        """Figures that are counted."""
        return tuple(f"{size} octets" for size in self.sizes) or KEY_AND_BLOCK


HASH = Kind("void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)")
MAC = Kind("void mac(const uint8_t *key, const uint8_t *m, uint16_t octets, uint8_t *tag)")
SEAL = Kind(
    "void seal(const uint8_t *key, const uint8_t *nonce, uint8_t *m, uint16_t octets, uint8_t *tag)"
)
STREAM = Kind("void stream(const uint8_t *key, const uint8_t *iv, uint8_t *m, uint16_t octets)")
BLOCK = Kind(
    "void block(const uint8_t *key, uint8_t *octets)", "", f"{WITH_HEADER} primitives/block.c"
)
FRAME = Kind(
    f"void work(const uint8_t key[16], uint8_t block[16], const uint8_t nonce[{NONCE_OCTETS}], "
    f"const uint8_t a[{A_OCTETS}], uint8_t m[{M_OCTETS}], uint8_t tag[{TAG_OCTETS}])",
    "",
    "work.c {} library.h",
)
PARTS = ("library_key", "library_block")
"""Functions that the call of a block cipher consists of."""


@dataclass(frozen=True, slots=True)
class Primitive:
    """One primitive, with the octets of its parameters."""

    title: str
    kind: Kind
    octets: Mapping[str, int]
    results: tuple[str, ...]
    """Parameters that are only results."""
    stack: tuple[str, ...]
    """Names that the stack's primitives have which do the same."""

    def arguments(self, size: int | None) -> dict[str, str]:
        """Arguments of `wardmote measure` for a message of `size` octets."""
        given = {name: f"random:{octets}" for name, octets in self.octets.items()}
        given |= {name: f"zero:{self.octets[name]}" for name in self.results}
        if size is not None:
            given |= {self.kind.message: f"random:{size}", "octets": str(size)}
        return given


def _hash(title: str, name: str, digest: int = 32) -> Primitive:
    return Primitive(title, HASH, {"digest": digest}, ("digest",), (name,))


def _mac(title: str, name: str, tag: int) -> Primitive:
    return Primitive(title, MAC, {"key": 16, "tag": tag}, ("tag",), (name,))


def _seal(title: str, name: str, nonce: int) -> Primitive:
    return Primitive(title, SEAL, {"key": 16, "nonce": nonce, "tag": 16}, ("tag",), (name,))


SHA1 = _hash("SHA-1", "sha1", 20)
SHA256, SHA3 = _hash("SHA-256", "sha256"), _hash("SHA3-256", "sha3_256")
BLAKE2S, ASCON_HASH = _hash("BLAKE2s", "blake2s"), _hash("Ascon-Hash256", "ascon_hash256")
HMAC, CMAC = _mac("HMAC-SHA-256", "hmac", 32), _mac("CMAC (AES-128)", "cmac", 16)
EAX, OCB3, ASCON_AEAD = (
    _seal("EAX (AES-128)", "eax", 12),
    _seal("OCB3 (AES-128)", "ocb3", 12),
    _seal("Ascon-AEAD128", "ascon_aead128", 16),
)
CCM = Primitive("CCM* (AES-128)", FRAME, {}, (), ("aes128", "ccm"))
SKIPJACK = Primitive("Skipjack", BLOCK, {"key": 10, "octets": 8}, (), ("skipjack",))
RC5 = Primitive("RC5-32/12", BLOCK, {"key": 16, "octets": 8}, (), ("rc5",))
TRIVIUM = Primitive("Trivium", STREAM, {"key": 10, "iv": 10}, (), ("trivium",))
PRIMITIVES = (
    *(SKIPJACK, RC5, TRIVIUM, SHA1, SHA256, BLAKE2S, SHA3, ASCON_HASH),
    *(HMAC, CMAC, EAX, OCB3, ASCON_AEAD),
)
