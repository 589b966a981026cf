# SPDX-License-Identifier: BSD-3-Clause
"""The ciphers of 12 octets that Marvin and LetterSoup run over."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.model import curupira_model
from tests.stack.calls import bound
from tests.vectors import Vector
from wardmote.call import Buffer, Target

HEADERS = ("curupira1", "curupira2")


@dataclass(frozen=True, slots=True)
class Under:
    """A cipher of 12 octets."""

    cipher: str
    """Type `wm_CIPHER_key`, made by `wm_CIPHER_init`."""
    key_octets: int
    """12, 18 or 24."""
    model: curupira_model.Encrypt
    """Who computes it in Python."""

    def __str__(self) -> str:
        return self.cipher

    def bound(self, target: Target, key: bytes) -> Buffer:
        """The key, in memory of the target."""
        return bound(target, self.cipher, key)


FORWARD = {
    name: Under(name, key_octets, encrypt)
    for name, (key_octets, encrypt) in curupira_model.CIPHERS.items()
}
"""Encryption, by name of the cipher."""
TWO = (FORWARD["curupira1_96"], FORWARD["curupira2"])
every_cipher = pytest.mark.parametrize("under", FORWARD.values(), ids=str)
both_ciphers = pytest.mark.parametrize("under", TWO, ids=str)


def under_of(vector: Vector) -> Under:
    """The cipher that a vector's group names."""
    return FORWARD[vector.parameters["cipher"]]
