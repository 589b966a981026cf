# SPDX-License-Identifier: BSD-3-Clause
"""Vectors of Curupira and its modes, and the model that computes them."""

from __future__ import annotations

import random

from tests.model.curupira_model import (
    CIPHERS,
    curupira1_decrypt,
    curupira2_decrypt,
    multiply,
    theta,
    times_x8,
)
from tests.vectors import load


def test_each_primitive_has_published_values() -> None:
    """Beside what the model computed there are values that somebody else published."""
    for folder in ("curupira1", "curupira2", "marvin", "lettersoup"):
        assert len({vector.file for vector in load(folder)}) == 2, folder


def test_models_invert() -> None:
    """The models decrypt their own ciphertext, and the diffusion layer is an involution."""
    source = random.Random("curupira models")
    for cipher, (key_octets, encrypt) in CIPHERS.items():
        decrypt = curupira2_decrypt if cipher == "curupira2" else curupira1_decrypt
        for _ in range(20):
            key, block = source.randbytes(key_octets), source.randbytes(12)
            assert decrypt(key, encrypt(key, block)) == block
            assert theta(theta(block)) == block


def test_fields() -> None:
    """The element x generates GF(2^8) of the cipher, and x^8 taken twelve times over is x^96
    reduced."""
    powers, power = set(), 1
    while power not in powers:
        powers.add(power)
        power = multiply(power, 2)
    assert len(powers) == 255
    value = (1).to_bytes(12, "big")
    for _ in range(12):
        value = times_x8(value)
    assert int.from_bytes(value, "big") == 1 << 16 | 1 << 13 | 1 << 11 | 1
