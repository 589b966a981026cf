# SPDX-License-Identifier: BSD-3-Clause
"""The ciphers of 12 octets that Marvin and LetterSoup run over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pytest

from tests.model import curupira_model
from tests.vectors import Vector
from wardmote.call import Buffer, Target

HEADERS = ("curupira1", "curupira2")


@dataclass(frozen=True, slots=True)
class Under:
    """A cipher function of 12 octets, which a mode takes by its descriptor."""

    function: str
    """Descriptor `wm_FUNCTION`."""
    cipher: str
    """Structure of its expanded key, and function `CIPHER_expand`."""
    key_octets: int
    """12, 18 or 24."""
    model: curupira_model.Encrypt
    """Who computes it in Python."""

    def __str__(self) -> str:
        return self.function

    def descriptor(self, target: Target) -> int:
        """Address of the descriptor."""
        return target.address_of(f"wm_{self.function}")

    def expand(self, target: Target, key: bytes) -> Buffer:
        """The expanded key, in memory of the target."""
        return target.buffer(_expanded(target, self.cipher, key))


@lru_cache(maxsize=64)
def _expanded(target: Target, cipher: str, key: bytes) -> bytes:
    schedule = target.pack(f"wm_{cipher}")
    target.call(f"wm_{cipher}_expand", schedule, key)
    return bytes(schedule)


FORWARD = {
    name: Under(f"{name}_forward", name, key_octets, encrypt)
    for name, (key_octets, encrypt) in curupira_model.CIPHERS.items()
}
"""Encryption, by name of the cipher."""
INVERSE = (
    Under("curupira1_96_inverse", "curupira1_96", 12, curupira_model.curupira1_decrypt),
    Under("curupira1_144_inverse", "curupira1_144", 18, curupira_model.curupira1_decrypt),
    Under("curupira1_192_inverse", "curupira1_192", 24, curupira_model.curupira1_decrypt),
    Under("curupira2_inverse", "curupira2", 12, curupira_model.curupira2_decrypt),
)
"""Decryption, which neither mode is meant for: a way to run what the descriptors name."""
TWO = (FORWARD["curupira1_96"], FORWARD["curupira2"])
every_cipher = pytest.mark.parametrize("under", FORWARD.values(), ids=str)
both_ciphers = pytest.mark.parametrize("under", TWO, ids=str)


def under_of(vector: Vector) -> Under:
    """The cipher that a vector's group names."""
    return FORWARD[vector.parameters["cipher"]]
