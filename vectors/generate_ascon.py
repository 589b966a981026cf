# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/ascon_aead128/generated.json and vectors/ascon_hash256/generated.json by the model
beside it: `python -m vectors.generate_ascon`.

Inputs come from SHAKE-128 of a label, so that every run writes the same octets. Refusals are
messages with one thing changed; the model's tag of what was changed is another in each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vectors.ascon_model import hash256, seal

FOLDER = Path(__file__).resolve().parent

SHORT = range(131)
LONG = (135, 136, 137, 191, 192, 193, 255, 256, 257, 300)
FILLED = (1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 128)
FILLS = (0x00, 0x01, 0x55, 0x80, 0xFF)
PAIRS = ((0, 0), (0, 1), (0, 15), (0, 16), (0, 17), (1, 0), (15, 0), (16, 0), (17, 0), (16, 16), (32, 32), (35, 86))


def octets(label: str, length: int) -> bytes:
    """`length` octets that look random and are the same on every run."""
    return hashlib.shake_128(label.encode()).digest(length)


@dataclass(frozen=True, slots=True)
class Sealed:
    """One sealed message and what made it."""

    key: bytes
    nonce: bytes
    aad: bytes
    ct: bytes
    tag: bytes

    def members(self) -> dict[str, str]:
        """The members of a vector."""
        return {name: getattr(self, name).hex() for name in ("key", "nonce", "aad", "ct", "tag")}


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


def flipped(value: bytes, bit: int) -> bytes:
    """`value` with one bit changed, counted from the first octet's most significant."""
    changed = bytearray(value)
    changed[bit // 8] ^= 0x80 >> bit % 8
    return bytes(changed)


def damaged(whole: Sealed) -> Iterator[tuple[str, Sealed]]:
    """One thing changed."""
    for octet in range(0, len(whole.tag), 5):
        yield f"tag: octet {octet}", replace(whole, tag=flipped(whole.tag, 8 * octet + octet % 8))
    yield "tag: zero", replace(whole, tag=bytes(len(whole.tag)))
    yield "key: last bit", replace(whole, key=flipped(whole.key, 8 * len(whole.key) - 1))
    yield "nonce: first bit", replace(whole, nonce=flipped(whole.nonce, 0))
    if whole.aad:
        yield "a: last bit", replace(whole, aad=flipped(whole.aad, 8 * len(whole.aad) - 1))
        yield "a: last octet missing", replace(whole, aad=whole.aad[:-1])
        yield "first octet of a taken for ciphertext", replace(whole, aad=whole.aad[1:], ct=whole.aad[:1] + whole.ct)
    if whole.ct:
        yield "ciphertext: last bit", replace(whole, ct=flipped(whole.ct, 8 * len(whole.ct) - 1))
        yield "ciphertext: last octet missing", replace(whole, ct=whole.ct[:-1])
    yield "ciphertext: one octet more", replace(whole, ct=whole.ct + b"\0")


def aead_document() -> dict[str, Any]:
    """All of ascon_aead128/generated.json."""
    tests = [
        {"comment": comment, **whole.members(), "msg": msg.hex(), "result": "valid", "status": "WM_OK"}
        for comment, msg, whole in valid_cases()
    ]
    for a_len, m_len in PAIRS:
        for comment, bad in damaged(sealed(f"ascon refused {a_len} {m_len}", a_len, m_len)[1]):
            members = {"comment": f"{comment}, of a {a_len}, m {m_len}", **bad.members()}
            tests.append({**members, "result": "invalid", "status": "WM_ERR_SECURITY"})
    return document("Ascon-AEAD128", "SP 800-232 §4", "aead", tests)


def hash_document() -> dict[str, Any]:
    """All of ascon_hash256/generated.json."""
    messages = [(f"{length} octets", octets(f"ascon_hash256 {length}", length)) for length in (*SHORT, *LONG)]
    messages += [(f"{length} times 0x{fill:02x}", bytes([fill] * length)) for length in FILLED for fill in FILLS]
    tests = [
        {"comment": comment, "msg": msg.hex(), "digest": hash256(msg).hex(), "result": "valid", "status": "WM_OK"}
        for comment, msg in messages
    ]
    return document("Ascon-Hash256", "SP 800-232 §5.1", "hash", tests)


def document(name: str, clause: str, type_: str, tests: list[dict[str, str]]) -> dict[str, Any]:
    """A file of one group."""
    source = {
        "name": "vectors/ascon_model.py",
        "clause": clause,
        "licence": "BSD-3-Clause",
        "provenance": "made by vectors/generate_ascon.py",
    }
    numbered = [{"tcId": number, **test} for number, test in enumerate(tests, start=1)]
    return {"algorithm": name, "source": source, "groups": [{"type": type_, "tests": numbered}]}


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = {"ascon_aead128": aead_document(), "ascon_hash256": hash_document()}
    return {
        f"{folder}/generated.json": json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
        for folder, whole in made.items()
    }


def main() -> None:
    """Writes the files."""
    for name, text in files().items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
