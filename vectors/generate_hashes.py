# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/HASH/generated.json for every hash that Python's own hashlib has.

Every length to 130 octets, so that padding falls everywhere in two blocks of 64; lengths about the
ends of further blocks of 64 and of 136 octets; and messages of one octet repeated. Inputs come from
SHAKE-128 of a label, so that every run writes the same octets.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator

from vectors.inputs import octets
from vectors.making import Group, Test, made_by, text, write
from vectors.sealed import PARAM, VALID

SHORT = range(131)
LONG = (
    *(135, 136, 137, 183, 184, 191, 192, 193, 247, 248, 255, 256, 257, 271, 272, 273),
    *(300, 319, 320, 321, 408, 511, 512),
)
FILLED = (1, 31, 55, 56, 63, 64, 65, 119, 120, 127, 128, 136)
FILLS = (0x00, 0x01, 0x55, 0x80, 0xFF)

HASHES: dict[str, tuple[str, str, Callable[[bytes], bytes]]] = {
    "sha1": ("SHA-1", "FIPS 180-4 §6.1", lambda m: hashlib.sha1(m).digest()),
    "sha256": ("SHA-256", "FIPS 180-4 §6.2", lambda m: hashlib.sha256(m).digest()),
    "blake2s": ("BLAKE2s", "RFC 7693 §3", lambda m: hashlib.blake2s(m).digest()),
    "sha3_256": ("SHA3-256", "FIPS 202 §6.1", lambda m: hashlib.sha3_256(m).digest()),
}
"""Folder: name, clause, and who computes it."""


def messages(folder: str) -> Iterator[tuple[str, bytes]]:
    """Comment and message of every case."""
    for length in (*SHORT, *LONG):
        yield f"{length} octets", octets(f"{folder} {length}", length)
    for length in FILLED:
        for fill in FILLS:
            yield f"{length} times 0x{fill:02x}", bytes([fill] * length)


def keyed() -> Iterator[Test]:
    """BLAKE2s with every length of key and of digest."""
    for number, (key_len, length) in enumerate(itertools.product((*range(33),), (0, 1, 64, 65))):
        key, msg = (
            octets(f"blake2s key {number}", key_len),
            octets(f"blake2s keyed {number}", length),
        )
        digest = hashlib.blake2s(msg, key=key, digest_size=1 + number % 32).digest()
        comment = f"key {key_len}, {length} octets, digest {len(digest)}"
        yield {
            "comment": comment,
            "key": key.hex(),
            "msg": msg.hex(),
            "digest": digest.hex(),
        } | VALID


def bad_lengths() -> Iterator[Test]:
    """Lengths of digest and key that BLAKE2s does not have."""
    no_digest = itertools.product((0, 33, 34, 64, 128, 129, 255), (0, 1, 16, 31, 32, 33, 64, 255))
    no_key = itertools.product(range(1, 33), (33, 34, 64, 128, 255))
    for digest_len, key_len in (*no_digest, *no_key):
        yield {
            "comment": f"digest {digest_len}, key {key_len}",
            "digestLen": digest_len,
            "keyLen": key_len,
        } | PARAM


def groups(folder: str) -> Iterator[Group]:
    """The groups of one file."""
    digest = HASHES[folder][2]
    yield Group(
        "hash",
        [
            {"comment": comment, "msg": msg.hex(), "digest": digest(msg).hex()} | VALID
            for comment, msg in messages(folder)
        ],
    )
    if folder == "blake2s":
        yield Group("blake2s", keyed())
        yield Group("blake2s-lengths", bad_lengths())


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    return {
        f"{folder}/generated.json": text(
            name, made_by("generate_hashes", "hashlib", clause, "PSF-2.0"), *groups(folder)
        )
        for folder, (name, clause, _) in HASHES.items()
    }


if __name__ == "__main__":
    write(files())
