# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/ascon_aead128/generated.json and vectors/ascon_hash256/generated.json by the model
beside it: `python -m vectors.generate_ascon`.

Inputs come from SHAKE-128 of a label, so that every run writes the same octets. Refusals are
messages with one thing changed; the model's tag of what was changed is another in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vectors.ascon_model import hash256, seal
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, text, write
from vectors.sealed import VALID, Sealed

SHORT = range(131)
LONG = (135, 136, 137, 191, 192, 193, 255, 256, 257, 300)
FILLED = (1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 128)
FILLS = (0x00, 0x01, 0x55, 0x80, 0xFF)
PAIRS = (
    (0, 0),
    (0, 1),
    (0, 15),
    (0, 16),
    (0, 17),
    (1, 0),
    (15, 0),
    (16, 0),
    (17, 0),
    (16, 16),
    (32, 32),
    (35, 86),
)


def sealed(label: str, a_len: int, m_len: int) -> tuple[bytes, Sealed]:
    """A message of the given lengths, and what sealing it gives."""
    key, nonce = octets(f"{label} key", 16), octets(f"{label} nonce", 16)
    aad, msg = octets(f"{label} a", a_len), octets(f"{label} m", m_len)
    return msg, Sealed(key, nonce, aad, *seal(key, nonce, aad, msg))


def valid_cases() -> Iterator[tuple[str, bytes, Sealed]]:
    """Comment, message, and what sealing it gives: every length of m with lengths of a going round,
    then of a."""
    for number, length in enumerate(SHORT):
        a_len = number * 7 % 41
        yield f"a {a_len}, m {length}", *sealed(f"ascon m {number}", a_len, length)
    for a_len in (*range(0, 40), 47, 48, 49, 63, 64, 65, 127, 128, 129, 256, 300):
        yield f"a {a_len}, m 5", *sealed(f"ascon a {a_len}", a_len, 5)


def damaged(whole: Sealed) -> Iterator[tuple[str, Sealed]]:
    """One thing changed."""
    for octet in range(0, len(whole.tag), 5):
        yield f"tag: octet {octet}", replace(whole, tag=flipped(whole.tag, 8 * octet + octet % 8))
    yield "tag: zero", replace(whole, tag=bytes(len(whole.tag)))
    yield "key: last bit", replace(whole, key=flipped(whole.key, -1))
    yield "nonce: first bit", replace(whole, nonce=flipped(whole.nonce, 0))
    if whole.aad:
        yield "a: last bit", replace(whole, aad=flipped(whole.aad, -1))
        yield "a: last octet missing", replace(whole, aad=whole.aad[:-1])
        yield (
            "first octet of a taken for ciphertext",
            replace(whole, aad=whole.aad[1:], ct=whole.aad[:1] + whole.ct),
        )
    if whole.ct:
        yield "ciphertext: last bit", replace(whole, ct=flipped(whole.ct, -1))
        yield "ciphertext: last octet missing", replace(whole, ct=whole.ct[:-1])
    yield "ciphertext: one octet more", replace(whole, ct=whole.ct + b"\0")


def aead_tests(
    valid: Iterable[tuple[str, bytes, Sealed]], to_damage: Iterable[tuple[str, bytes, Sealed]]
) -> Group:
    """Messages that open, and messages that do not because one thing of them is changed."""
    tests = [whole.accepted(comment, msg) for comment, msg, whole in valid]
    for of, _, whole in to_damage:
        tests += [bad.refused(f"{comment}, of {of}") for comment, bad in damaged(whole)]
    return Group("aead", tests)


def refused_cases() -> Iterator[tuple[str, bytes, Sealed]]:
    """Lengths, message, and what sealing it gives, of every message to damage."""
    for a_len, m_len in PAIRS:
        yield f"a {a_len}, m {m_len}", *sealed(f"ascon refused {a_len} {m_len}", a_len, m_len)


def hash_tests() -> Iterator[Test]:
    """Every digest: every short length, lengths at the ends of blocks, and one octet repeated."""
    messages = [
        (f"{length} octets", octets(f"ascon_hash256 {length}", length))
        for length in (*SHORT, *LONG)
    ]
    messages += [
        (f"{length} times 0x{fill:02x}", bytes([fill] * length))
        for length in FILLED
        for fill in FILLS
    ]
    for comment, msg in messages:
        yield {"comment": comment, "msg": msg.hex(), "digest": hash256(msg).hex()} | VALID


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    return {
        f"{folder}/generated.json": text(
            name, made_by("generate_ascon", "vectors/ascon_model.py", clause), group
        )
        for folder, name, clause, group in (
            (
                "ascon_aead128",
                "Ascon-AEAD128",
                "SP 800-232 §4",
                aead_tests(valid_cases(), refused_cases()),
            ),
            ("ascon_hash256", "Ascon-Hash256", "SP 800-232 §5.1", Group("hash", hash_tests())),
        )
    }


if __name__ == "__main__":
    write(files())
