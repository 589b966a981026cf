# SPDX-License-Identifier: BSD-3-Clause
"""Sealed messages and encrypted blocks as vectors, damaged messages, and what a test of a vector
must answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from vectors.inputs import flipped
from vectors.making import Test

VALID = {"result": "valid", "status": "WM_OK"}
SECURITY = {"result": "invalid", "status": "WM_ERR_SECURITY"}
PARAM = {"result": "invalid", "status": "WM_ERR_PARAM"}


def encrypted(comment: str, key: bytes, block: bytes, ct: bytes) -> Test:
    """The vector of an encrypted block."""
    octets = {"key": key, "pt": block, "ct": ct}
    return {"comment": comment, **{name: value.hex() for name, value in octets.items()}} | VALID


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
