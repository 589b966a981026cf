# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/MAC/generated.json for every message authentication code: valid tags, and tags to
refuse.

HMAC by Python's hmac, CMAC and CBC-MAC over AES by PyCryptodome, XCBC-MAC-96 by the steps of RFC
3566 §4 over its AES; CMAC and CBC-MAC over ciphers with shorter blocks by
tests/model/sized_modes_model.py. Inputs come from SHAKE-128 of a label, so that every run writes
the same octets. Run from the root of the repository: `python -m vectors.generate_macs`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from Crypto.Cipher import AES
from Crypto.Hash import CMAC

from tests.model import sized_modes_model
from tests.model.block_modes_model import CIPHERS
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, text, write
from vectors.sealed import PARAM, SECURITY, VALID

SHORT = range(131)
LONG = (135, 143, 144, 145, 183, 184, 191, 192, 193, 255, 256, 257, 300)
DAMAGED = (0, 1, 15, 16, 17, 55, 56, 64, 100)
BAD_LENGTHS = (0, 1, 2, 3, 33, 64, 255)
SHORTER_BLOCKS = ("skipjack", "rc5", "curupira1_96", "curupira2")
"""Ciphers that CMAC and CBC-MAC run over beside AES."""
LENGTHS_OVER = (*range(61), 95, 96, 97, 128, 143, 144, 255, 256, 300)
DAMAGED_OVER = (0, 1, 12, 17, 24)


@dataclass(frozen=True, slots=True)
class Mac:
    """A code and who computes it."""

    name: str
    """As vector files say it."""
    clause: str
    """Where it is defined."""
    by: str
    """Who computes it."""
    licence: str
    """Of what was computed."""
    tag_lengths: tuple[int, ...]
    """All that are accepted."""
    key_lengths: tuple[int, ...]
    """Octets of the keys in turn."""
    compute: Callable[[bytes, bytes], bytes]
    """The longest tag, from key and message."""


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or; what is longer stays as it is behind the end of the other."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    return bytes(x ^ y for x, y in zip(longer, shorter.ljust(len(longer), b"\0"), strict=True))


def cmac(key: bytes, msg: bytes) -> bytes:
    """SP 800-38B."""
    return bytes(CMAC.new(key, msg=msg, ciphermod=AES).digest())


def cbc_mac(key: bytes, msg: bytes) -> bytes:
    """The last block of CBC from an IV of zeros; the message is filled up with zeros, to one block
    at least."""
    padded = msg.ljust(max(16, -(-len(msg) // 16) * 16), b"\0")
    return bytes(AES.new(key, AES.MODE_CBC, iv=bytes(16)).encrypt(padded)[-16:])


def xcbc_mac_96(key: bytes, msg: bytes) -> bytes:
    """RFC 3566 §4: K1 for the chain, K2 or K3 for the last block."""
    block = AES.new(key, AES.MODE_ECB)
    k1, k2, k3 = (bytes(block.encrypt(bytes([n] * 16))) for n in (1, 2, 3))
    whole = len(msg) > 0 and len(msg) % 16 == 0
    last = len(msg) - 16 if whole else len(msg) // 16 * 16
    end = xor(msg[last:], k2) if whole else xor(msg[last:] + b"\x80", k3)
    return bytes(AES.new(k1, AES.MODE_CBC, iv=bytes(16)).encrypt(msg[:last] + end)[-16:])[:12]


def hmac_by(name: str) -> Callable[[bytes, bytes], bytes]:
    """RFC 2104 over a hash."""
    return lambda key, msg: hmac.digest(key, msg, name)


KEY_LENGTHS = (0, 1, 16, 20, 32, 63, 64, 65, 100)
BLOCK_TAGS = tuple(range(4, 17))
MACS = {
    "hmac_sha1": Mac(
        "HMAC-SHA-1",
        "RFC 2104 §2",
        "Python's hmac",
        "PSF-2.0",
        tuple(range(10, 21)),
        KEY_LENGTHS,
        hmac_by("sha1"),
    ),
    "hmac_sha256": Mac(
        "HMAC-SHA-256",
        "RFC 2104 §2",
        "Python's hmac",
        "PSF-2.0",
        tuple(range(16, 33)),
        KEY_LENGTHS,
        hmac_by("sha256"),
    ),
    "cmac": Mac(
        "CMAC-AES-128", "SP 800-38B §6", "PyCryptodome", "BSD-3-Clause", BLOCK_TAGS, (16,), cmac
    ),
    "cbc_mac": Mac(
        "CBC-MAC-AES-128",
        "ISO/IEC 9797-1 algorithm 1, zero padding",
        "PyCryptodome",
        "BSD-3-Clause",
        BLOCK_TAGS,
        (16,),
        cbc_mac,
    ),
    "xcbc_mac_96": Mac(
        "AES-XCBC-MAC-96",
        "RFC 3566 §4",
        "PyCryptodome's AES",
        "BSD-3-Clause",
        (12,),
        (16,),
        xcbc_mac_96,
    ),
}
"""By folder."""
OVER: dict[str, Callable[..., bytes]] = {
    "cmac": sized_modes_model.cmac,
    "cbc_mac": sized_modes_model.cbc_mac,
}
"""Who computes those that run over any block cipher, by folder."""


def over(folder: str, name: str) -> Mac:
    """A code over a cipher with shorter blocks."""
    mac, cipher, compute = MACS[folder], CIPHERS[name], OVER[folder]
    return replace(
        mac,
        tag_lengths=tuple(range(4, cipher.block_octets + 1)),
        key_lengths=(cipher.key_octets,),
        compute=lambda key, msg: compute(cipher, key, msg),
    )


def valid_cases(
    folder: str, mac: Mac, lengths: Iterable[int]
) -> Iterator[tuple[str, bytes, bytes, bytes]]:
    """Comment, key, message and tag: every length, with tag and key lengths going round. `folder`
    labels inputs."""
    for number, length in enumerate(lengths):
        key_len = mac.key_lengths[number % len(mac.key_lengths)]
        tag_len = mac.tag_lengths[-1 - number % len(mac.tag_lengths)]
        key, msg = octets(f"{folder} key {number}", key_len), octets(f"{folder} m {number}", length)
        yield f"m {length}, key {key_len}, tag {tag_len}", key, msg, mac.compute(key, msg)[:tag_len]


def refused_cases(
    folder: str, mac: Mac, lengths: Iterable[int]
) -> Iterator[tuple[str, bytes, bytes, bytes, Test]]:
    """Comment, key, message, tag and result: of a right tag one thing is wrong, or its length is
    none there is."""
    for length in lengths:
        key, msg = (
            octets(f"{folder} refused key {length}", mac.key_lengths[-1]),
            octets(f"{folder} refused {length}", length),
        )
        tag = mac.compute(key, msg)
        for tag_len in (mac.tag_lengths[0], mac.tag_lengths[-1]):
            here = f"of m {length}, tag {tag_len}"
            yield f"first bit of the tag {here}", key, msg, flipped(tag[:tag_len], 0), SECURITY
            yield f"last bit of the tag {here}", key, msg, flipped(tag[:tag_len], -1), SECURITY
        yield f"a tag of zeros, of m {length}", key, msg, bytes(len(tag)), SECURITY
        yield f"one bit of the key, of m {length}", flipped(key, 8), msg, tag, SECURITY
        if msg:
            yield f"one bit of m {length}", key, flipped(msg, -1), tag, SECURITY
            yield (
                f"last octet of m {length} missing",
                key,
                msg[:-1] + (b"\1" if msg[-1] == 0 else b""),
                tag,
                SECURITY,
            )
        else:
            yield "one octet more than m 0", key, b"\1", tag, SECURITY
    key, msg = octets(f"{folder} lengths key", mac.key_lengths[-1]), octets(f"{folder} lengths", 20)
    tag = mac.compute(key, msg)
    for tag_len in sorted({*BAD_LENGTHS, mac.tag_lengths[0] - 1, mac.tag_lengths[-1] + 1}):
        yield f"tag of {tag_len} octets", key, msg, tag.ljust(255, b"\0")[:tag_len], PARAM


def tests_of(
    folder: str, mac: Mac, lengths: Iterable[int], damaged: Iterable[int]
) -> Iterator[Test]:
    """The tests of one code over one cipher."""
    accepted = ((*case, VALID) for case in valid_cases(folder, mac, lengths))
    for comment, key, msg, tag, result in (*accepted, *refused_cases(folder, mac, damaged)):
        yield {"comment": comment, "key": key.hex(), "msg": msg.hex(), "tag": tag.hex()} | result


def groups(folder: str) -> Iterator[Group]:
    """The groups of one file."""
    yield Group("mac", tests_of(folder, MACS[folder], (*SHORT, *LONG), DAMAGED))
    for name in SHORTER_BLOCKS if folder in OVER else ():
        tests = tests_of(f"{folder} {name}", over(folder, name), LENGTHS_OVER, DAMAGED_OVER)
        yield Group("mac", tests, {"cipher": name})


def _compare(folder: str) -> None:
    """The model over AES must give what PyCryptodome does."""
    for length in LENGTHS_OVER:
        key, msg = (
            octets(f"{folder} compared {length}", 16),
            octets(f"{folder} compared m {length}", length),
        )
        if OVER[folder](CIPHERS["aes128"], key, msg) != MACS[folder].compute(key, msg):
            raise ValueError(
                f"{folder}: the model does not give PyCryptodome's tag of {length} octets"
            )


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = {}
    for folder, mac in MACS.items():
        by = mac.by
        if folder in OVER:
            by += "; over other ciphers tests/model/sized_modes_model.py"
            _compare(folder)
        source = made_by("generate_macs", by, mac.clause, mac.licence)
        made[f"{folder}/generated.json"] = text(mac.name, source, *groups(folder))
    return made


if __name__ == "__main__":
    write(files())
