# SPDX-License-Identifier: BSD-3-Clause
"""What the generators of vectors share: inputs, damaged messages, and the form of a vector file.

Inputs come from SHAKE-128 of a label, so that every run writes the same octets. vectors/README.md
describes the form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

FOLDER = Path(__file__).resolve().parent
Test = dict[str, Any]

VALID = {"result": "valid", "status": "WM_OK"}
SECURITY = {"result": "invalid", "status": "WM_ERR_SECURITY"}
PARAM = {"result": "invalid", "status": "WM_ERR_PARAM"}


def octets(label: str, length: int) -> bytes:
    """`length` octets that look random and are the same on every run."""
    return hashlib.shake_128(label.encode()).digest(length)


def bit_of(position: int, length: int) -> bytes:
    """`length` octets with one bit set, counted from the most significant."""
    return (1 << 8 * length - 1 - position).to_bytes(length, "big")


def flipped(value: bytes, bit: int) -> bytes:
    """`value` with one bit changed, counted from the most significant; -1 is the last."""
    mask = bit_of(bit % (8 * len(value)), len(value))
    return bytes(x ^ y for x, y in zip(value, mask, strict=True))


@dataclass(frozen=True)
class Sealed:
    """One sealed message and what made it."""

    key: bytes
    nonce: bytes
    aad: bytes
    ct: bytes
    tag: bytes

    def members(self, **changed: bytes) -> Test:
        """The members of a vector, some of them replaced or added."""
        whole = {name: getattr(self, name) for name in ("key", "nonce", "aad", "ct", "tag")}
        return {name: value.hex() for name, value in (whole | changed).items()}

    def accepted(self, comment: str, msg: bytes) -> Test:
        """The vector of a message that opens."""
        return {"comment": comment, **self.members(msg=msg)} | VALID

    def refused(self, comment: str) -> Test:
        """The vector of a message that does not open."""
        return {"comment": comment, **self.members()} | SECURITY


S = TypeVar("S", bound=Sealed)


def damaged_data(whole: S) -> Iterator[tuple[str, S]]:
    """Comment and message, one thing changed in a or in the ciphertext."""
    if whole.aad:
        yield "a: last bit", replace(whole, aad=flipped(whole.aad, -1))
        yield "a: last octet missing", replace(whole, aad=whole.aad[:-1])
    if whole.ct:
        yield "ciphertext: first bit", replace(whole, ct=flipped(whole.ct, 0))
        yield "ciphertext: last bit", replace(whole, ct=flipped(whole.ct, -1))
        yield "ciphertext: last octet missing", replace(whole, ct=whole.ct[:-1])
    yield "ciphertext: one octet more", replace(whole, ct=whole.ct + b"\0")


def source(name: str, clause: str, licence: str, provenance: str) -> dict[str, str]:
    """The source of a file."""
    return {"name": name, "clause": clause, "licence": licence, "provenance": provenance}


def printed(name: str, clause: str, by: str = " by the model") -> dict[str, str]:
    """The source of values that a publication prints, and who recomputed them."""
    return source(name, clause, "facts of a publication", f"values as printed; recomputed{by}")


def made_by(script: str, name: str, clause: str, licence: str = "BSD-3-Clause") -> dict[str, str]:
    """The source of values that `name` computed for a generator."""
    return source(name, clause, licence, f"made by vectors/{script}.py")


@dataclass(frozen=True)
class Group:
    """Tests of one type, with what they all have in common."""

    type: str
    tests: Iterable[Test]
    parameters: Mapping[str, str] = field(default_factory=dict)


def text(algorithm: str, source: Mapping[str, str], *groups: Group) -> str:
    """A whole file. Tests are numbered through; a group without tests is left out."""
    number, out = 1, []
    for group in groups:
        tests = [{"tcId": tc_id, **test} for tc_id, test in enumerate(group.tests, start=number)]
        number += len(tests)
        parameters: Test = {"parameters": group.parameters} if group.parameters else {}
        out += [{"type": group.type, **parameters, "tests": tests}] if tests else []
    document = {"algorithm": algorithm, "source": source, "groups": out}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write(files: Mapping[str, str]) -> None:
    """Writes every file; a path is below vectors/."""
    for path, content in files.items():
        (FOLDER / path).parent.mkdir(exist_ok=True)
        (FOLDER / path).write_text(content, encoding="utf-8")
