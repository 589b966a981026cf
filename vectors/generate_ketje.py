# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/ketje_sr/generated.json and vectors/ketje_jr/generated.json by the model beside
it: `python -m vectors.generate_ketje`.

Inputs and refusals are made as those of Ascon-AEAD128 are.
"""

from __future__ import annotations

from collections.abc import Iterator

from vectors.generate_ascon import aead_tests
from vectors.inputs import octets
from vectors.ketje_model import SIZES, seal
from vectors.making import made_by, text, write
from vectors.sealed import Sealed

NAMES = {"ketje_sr": "Ketje Sr v1", "ketje_jr": "Ketje Jr v1"}
M_LENGTHS = (*range(71), 127, 128, 129, 200)
A_LENGTHS = (*range(41), 47, 48, 49, 63, 64, 65, 127, 128, 129, 300)
PAIRS = (
    (0, 0),
    (0, 1),
    (0, 3),
    (0, 4),
    (0, 5),
    (1, 0),
    (2, 2),
    (4, 0),
    (5, 0),
    (4, 4),
    (12, 12),
    (35, 86),
)
COUNTING = ((0, 0), (0, 12), (12, 12), (5, 36))
"""Lengths of a and m of octets that count up from 0."""


def sealed(name: str, label: str, a_len: int, m_len: int) -> tuple[bytes, Sealed]:
    """A message of the given lengths, and what sealing it gives."""
    sizes = SIZES[name]
    key, nonce = octets(f"{label} key", sizes.key), octets(f"{label} nonce", sizes.nonce)
    aad, msg = octets(f"{label} a", a_len), octets(f"{label} m", m_len)
    return msg, Sealed(key, nonce, aad, *seal(name, key, nonce, aad, msg))


def counting(name: str, a_len: int, m_len: int) -> tuple[bytes, Sealed]:
    """The same, every octet one more than that before it; the nonce begins with 0x10."""
    sizes = SIZES[name]
    key, nonce = bytes(range(sizes.key)), bytes(range(0x10, 0x10 + sizes.nonce))
    aad, msg = bytes(range(a_len)), bytes(range(m_len))
    return msg, Sealed(key, nonce, aad, *seal(name, key, nonce, aad, msg))


def valid_cases(name: str) -> Iterator[tuple[str, bytes, Sealed]]:
    """Comment, message, and what sealing it gives: every length of m with lengths of a going round,
    then of a."""
    for a_len, m_len in COUNTING:
        yield f"counting up, a {a_len}, m {m_len}", *counting(name, a_len, m_len)
    for number, length in enumerate(M_LENGTHS):
        a_len = number * 7 % 41
        yield f"a {a_len}, m {length}", *sealed(name, f"{name} m {number}", a_len, length)
    for a_len in A_LENGTHS:
        yield f"a {a_len}, m 5", *sealed(name, f"{name} a {a_len}", a_len, 5)


def refused_cases(name: str) -> Iterator[tuple[str, bytes, Sealed]]:
    """Lengths, message, and what sealing it gives, of every message to damage."""
    for a_len, m_len in PAIRS:
        yield (
            f"a {a_len}, m {m_len}",
            *sealed(name, f"{name} refused {a_len} {m_len}", a_len, m_len),
        )


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    by = made_by("generate_ketje", "vectors/ketje_model.py", "CAESAR submission: Ketje v1, §2")
    return {
        f"{folder}/generated.json": text(
            name, by, aead_tests(valid_cases(folder), refused_cases(folder))
        )
        for folder, name in NAMES.items()
    }


if __name__ == "__main__":
    write(files())
