# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{curupira1,curupira2,marvin,lettersoup}/*.json: the Curupira block ciphers and
their modes.

Values that were published are written out in published_curupira.py, and no file is written unless
tests/model/curupira_model.py gives every one of them; everything else is computed by that model.
Inputs come from SHAKE-128 of a label, so that every run writes the same octets. Run from the root
of the repository: `python -m vectors.generate_curupira`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.model.curupira_model import (
    CIPHERS,
    Encrypt,
    curupira1_encrypt,
    curupira2_encrypt,
    lettersoup_opens,
    lettersoup_seal,
    marvin,
)
from vectors.inputs import bit_of, flipped, octets
from vectors.making import Group, Test, made_by, printed, text, write
from vectors.published_curupira import (
    CURUPIRA1_BLOCKS,
    CURUPIRA1_ITERATED,
    CURUPIRA2,
    CURUPIRA2_BLOCKS,
    JCURUPIRA,
    LETTERSOUP,
    MARVIN,
)
from vectors.sealed import PARAM, SECURITY, VALID, Sealed, encrypted

RANDOM_BLOCKS = 60
MESSAGE_LENGTHS = (*range(74), 95, 96, 97, 119, 120, 121, 127, 128, 255, 256, 257, 300)
TAG_LENGTHS = (12, 8, 4, 11, 10, 9, 7, 6, 5)
BAD_TAG_LENGTHS = (0, 1, 2, 3, 13, 16, 255)
DAMAGED = (0, 1, 11, 12, 13, 30)
DAMAGED_AEAD = ((0, 0), (0, 1), (1, 0), (5, 30), (12, 12), (24, 13))
CLAUSE_1 = "Barreto, Simplicio, SBRC 2007"
CLAUSE_3 = "Simplicio et al., Security and Communication Networks 2(2), 2009"
CLAUSE_2 = "Simplicio et al., CEUR-WS 397, 2008, 96-bit key"


def blocks(label: str, key_len: int, encrypt: Encrypt, randoms: int) -> Iterator[Test]:
    """Blocks under keys of one length: one bit of either set, every octet alike, and random."""
    zero_key, zero = bytes(key_len), bytes(12)
    cases = [("all zero", zero_key, zero), ("all ones", b"\xff" * key_len, b"\xff" * 12)]
    cases += [(f"key bit {bit}", bit_of(bit, key_len), zero) for bit in range(0, 8 * key_len, 5)]
    cases += [(f"block bit {bit}", zero_key, bit_of(bit, 12)) for bit in range(0, 96, 5)]
    cases += [
        (f"every octet 0x{v:02x}", bytes([v] * key_len), bytes([v ^ 0xFF] * 12))
        for v in range(0, 256, 17)
    ]
    cases += [
        (
            f"random {n}",
            octets(f"{label} {key_len} key {n}", key_len),
            octets(f"{label} {key_len} block {n}", 12),
        )
        for n in range(randoms)
    ]
    for comment, key, block in cases:
        full = f"{8 * key_len} bits, {comment}"
        yield encrypted(full, key, block, encrypt(key, block))


def published_blocks(
    where: str, encrypt: Encrypt, cases: tuple[tuple[str, str, str, str], ...]
) -> Iterator[Test]:
    """Printed blocks, each recomputed."""
    for comment, key, pt, ct in cases:
        need(f"{where}: {comment}", encrypt(h(key), h(pt)), ct)
        yield {"comment": comment, "key": key, "pt": pt, "ct": ct} | VALID


def published_iterated() -> Iterator[Test]:
    """Printed results of many encryptions, each recomputed."""
    for comment, key, pt, count, ct in CURUPIRA1_ITERATED:
        block = h(pt)
        for _ in range(count):
            block = curupira1_encrypt(h(key), block)
        need(f"curupira1: {comment}, {count} times", block, ct)
        full = f"{comment}, {count} times"
        yield {"comment": full, "key": key, "pt": pt, "count": count, "ct": ct} | VALID


def published_marvin() -> Iterator[Test]:
    """Printed tags, each recomputed."""
    for key, msg, tags in MARVIN:
        for tag in tags:
            need("marvin", marvin(curupira1_encrypt, h(key), h(msg), len(tag) // 2), tag)
            comment = f"m {len(msg) // 2}, tag {len(tag) // 2}"
            yield {"comment": comment, "key": key, "msg": msg, "tag": tag} | VALID


def published_lettersoup() -> Iterator[Test]:
    """Printed ciphertexts and tags, each recomputed."""
    for key, nonce, aad, msg, ct, tags in LETTERSOUP:
        for tag in tags:
            got = lettersoup_seal(
                curupira1_encrypt, h(key), h(nonce), h(aad), h(msg), len(tag) // 2
            )
            need("lettersoup", b"".join(got), ct + tag)
            comment = f"a {len(aad) // 2}, m {len(msg) // 2}, tag {len(tag) // 2}"
            members = {"key": key, "nonce": nonce, "aad": aad, "msg": msg, "ct": ct, "tag": tag}
            yield {"comment": comment} | members | VALID


def marvin_valid(cipher: str) -> Iterator[Test]:
    """Every length of message, with lengths of tag going round."""
    key_len, encrypt = CIPHERS[cipher]
    for number, length in enumerate(MESSAGE_LENGTHS):
        key, msg = (
            octets(f"marvin {cipher} key {number}", key_len),
            octets(f"marvin {cipher} {number}", length),
        )
        tag_len = TAG_LENGTHS[number % len(TAG_LENGTHS)]
        tag = marvin(encrypt, key, msg, tag_len)
        comment = f"m {length}, tag {tag_len}"
        yield {"comment": comment, "key": key.hex(), "msg": msg.hex(), "tag": tag.hex()} | VALID


def marvin_refused(cipher: str) -> Iterator[Test]:
    """Of a right tag one thing is wrong, or its length is none there is."""
    key_len, encrypt = CIPHERS[cipher]
    key = octets(f"marvin {cipher} refused", key_len)
    for length in DAMAGED:
        msg = octets(f"marvin {cipher} refused {length}", length)
        tags = {n: marvin(encrypt, key, msg, n) for n in (4, 8, 12)}
        cases = [
            ("first bit of the tag", key, msg, flipped(tags[12], 0)),
            ("last bit of the tag", key, msg, flipped(tags[4], -1)),
            ("a tag of 12 octets, cut to 8", key, msg, tags[12][:8]),
            ("a tag of zeros", key, msg, bytes(8)),
            ("one bit of the key", flipped(key, 8), msg, tags[8]),
            ("an octet of zero more", key, msg + b"\0", tags[8]),
        ]
        if msg:
            cases.append(("last bit of m", key, flipped(msg, -1), tags[12]))
        for comment, bad_key, bad_msg, tag in cases:
            if marvin(encrypt, bad_key, bad_msg, len(tag)) == tag:
                raise ValueError(f"not refused: {comment} of m {length}")
            members = {"key": bad_key.hex(), "msg": bad_msg.hex(), "tag": tag.hex()}
            yield {"comment": f"{comment}, of m {length}"} | members | SECURITY
    tag = marvin(encrypt, key, b"", 12)
    for tag_len in BAD_TAG_LENGTHS:
        members = {"key": key.hex(), "msg": "", "tag": tag.ljust(255, b"\0")[:tag_len].hex()}
        yield {"comment": f"tag of {tag_len} octets"} | members | PARAM


def sealed(cipher: str, label: str, a_len: int, m_len: int, tag_len: int) -> tuple[bytes, Sealed]:
    """A message of the given lengths, and what sealing it gives."""
    key_len, encrypt = CIPHERS[cipher]
    here = f"lettersoup {cipher} {label} {a_len} {m_len}"
    key, nonce = octets(f"{here} key", key_len), octets(f"{here} nonce", 12)
    aad, msg = octets(f"{here} a", a_len), octets(f"{here} m", m_len)
    return msg, Sealed(key, nonce, aad, *lettersoup_seal(encrypt, key, nonce, aad, msg, tag_len))


def lettersoup_valid(cipher: str) -> Iterator[Test]:
    """Every length of m with lengths of a going round, then of a; lengths of tag going round."""
    lengths = [(n * 7 % 31, m_len) for n, m_len in enumerate(MESSAGE_LENGTHS)]
    lengths += [(a_len, 6) for a_len in (31, 36, 60, 127, 128, 256, 257)]
    for number, (a_len, m_len) in enumerate(lengths):
        tag_len = TAG_LENGTHS[number % len(TAG_LENGTHS)]
        msg, whole = sealed(cipher, "valid", a_len, m_len, tag_len)
        yield whole.accepted(f"a {a_len}, m {m_len}, tag {tag_len}", msg)


def damaged(whole: Sealed) -> Iterator[tuple[str, Sealed]]:
    """One thing changed."""
    yield "tag: first bit", replace(whole, tag=flipped(whole.tag, 0))
    yield "tag: last bit", replace(whole, tag=flipped(whole.tag, -1))
    yield "tag: cut by four octets", replace(whole, tag=whole.tag[:-4])
    yield "key: last bit", replace(whole, key=flipped(whole.key, 95))
    yield "nonce: first bit", replace(whole, nonce=flipped(whole.nonce, 0))
    yield "a: an octet of zero more", replace(whole, aad=whole.aad + b"\0")
    if whole.aad:
        yield "a: last bit", replace(whole, aad=flipped(whole.aad, -1))
    if whole.ct:
        yield "ciphertext: first bit", replace(whole, ct=flipped(whole.ct, 0))
        yield "ciphertext: last octet missing", replace(whole, ct=whole.ct[:-1])


def lettersoup_refused(cipher: str) -> Iterator[Test]:
    """Every refused message."""
    encrypt = CIPHERS[cipher][1]
    for a_len, m_len in DAMAGED_AEAD:
        whole = sealed(cipher, "refused", a_len, m_len, 12)[1]
        for comment, bad in damaged(whole):
            if lettersoup_opens(encrypt, bad.key, bad.nonce, bad.aad, bad.ct, bad.tag):
                raise ValueError(f"not refused: {comment}, of a {a_len}, m {m_len}")
            yield bad.refused(f"{comment}, of a {a_len}, m {m_len}")
        for tag_len in BAD_TAG_LENGTHS[a_len % 2 :: 3]:
            bad = replace(whole, tag=whole.tag.ljust(255, b"\0")[:tag_len])
            yield {
                "comment": f"tag of {tag_len} octets, of a {a_len}, m {m_len}",
                **bad.members(),
            } | PARAM


def by_cipher(type_: str, *cases: Callable[[str], Iterator[Test]]) -> list[Group]:
    """A group for each cipher."""
    return [
        Group(type_, [t for case in cases for t in case(cipher)], {"cipher": cipher})
        for cipher in CIPHERS
    ]


h = bytes.fromhex


def need(what: str, got: bytes, want: str) -> None:
    """Refuses to go on where a published value is not the model's."""
    if got.hex() != want:
        raise ValueError(f"{what}: the model gives {got.hex()}, published is {want}")


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    one = [
        test
        for n in (12, 18, 24)
        for test in blocks("curupira1", n, curupira1_encrypt, RANDOM_BLOCKS)
    ]
    two = blocks("curupira2", 12, curupira2_encrypt, 3 * RANDOM_BLOCKS)
    printed_1 = [
        Group("block", published_blocks("curupira1", curupira1_encrypt, CURUPIRA1_BLOCKS)),
        Group("block-iterated", published_iterated()),
    ]
    printed_2 = Group("block", published_blocks("curupira2", curupira2_encrypt, CURUPIRA2_BLOCKS))
    over_1 = {"cipher": "curupira1_96"}
    published: dict[str, tuple[str, dict[str, str], list[Group]]] = {
        "curupira1/jcurupira.json": ("Curupira-1", printed(JCURUPIRA, "sets 1 to 4"), printed_1),
        "curupira2/published.json": (
            "Curupira-2",
            printed(CURUPIRA2, "curupira2_test.go, 96-bit key"),
            [printed_2],
        ),
        "marvin/jcurupira.json": (
            "Marvin",
            printed(JCURUPIRA, "Marvin(Curupira1)"),
            [Group("mac", published_marvin(), over_1)],
        ),
        "lettersoup/jcurupira.json": (
            "LetterSoup",
            printed(JCURUPIRA, "LetterSoup(Curupira1)"),
            [Group("aead", published_lettersoup(), over_1)],
        ),
    }
    generated = {
        "curupira1": ("Curupira-1", CLAUSE_1, [Group("block", one)]),
        "curupira2": ("Curupira-2", CLAUSE_2, [Group("block", two)]),
        "marvin": ("Marvin", CLAUSE_3, by_cipher("mac", marvin_valid, marvin_refused)),
        "lettersoup": (
            "LetterSoup",
            CLAUSE_3,
            by_cipher("aead", lettersoup_valid, lettersoup_refused),
        ),
    }
    made = {path: text(name, source, *groups) for path, (name, source, groups) in published.items()}
    for folder, (name, clause, groups) in generated.items():
        model = made_by("generate_curupira", "tests/model/curupira_model.py", clause)
        made[f"{folder}/generated.json"] = text(name, model, *groups)
    return made


if __name__ == "__main__":
    write(files())
