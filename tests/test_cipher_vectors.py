# SPDX-License-Identifier: BSD-3-Clause
"""Vectors of ciphers and of their modes: others agree on them."""

from __future__ import annotations

import random

import pytest
from Crypto.Cipher import AES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.model.ciphers_model import rc5_decrypt, rc5_encrypt, skipjack_decrypt, skipjack_encrypt
from tests.vectors import load


def test_each_primitive_has_printed_values() -> None:
    """Beside what the model computed there are values that somebody else printed."""
    for folder in ("skipjack", "rc5", "trivium", "grain_v1", "grain128_aead"):
        files = {vector.file for vector in load(folder)}
        assert f"{folder}/generated.json" in files
        assert len(files) >= 2, folder


def test_a_third_of_the_cases_of_rc5_are_refusals() -> None:
    """RC5 refuses lengths of keys. They are tested as much as blocks."""
    everything = load("rc5")
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


def test_models_invert() -> None:
    """What the models encrypt they decrypt."""
    source = random.Random("models")
    for _ in range(20):
        key, block = source.randbytes(10), source.randbytes(8)
        assert skipjack_decrypt(key, skipjack_encrypt(key, block)) == block
        assert rc5_decrypt(key, rc5_encrypt(key, block)) == block


@pytest.mark.parametrize("folder", ["cbc", "ctr"])
def test_modes_of_aes_by_two_others(folder: str) -> None:
    """PyCryptodome and OpenSSL give the ciphertext of every vector over AES."""
    for vector in load(folder, "block-mode"):
        if vector.parameters["cipher"] != "aes128":
            continue
        key, iv, pt, ct = (vector.octets(member) for member in ("key", "iv", "pt", "ct"))
        if folder == "cbc":
            assert AES.new(key, AES.MODE_CBC, iv=iv).encrypt(pt) == ct, vector
            encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
        else:
            assert AES.new(key, AES.MODE_CTR, nonce=b"", initial_value=iv).encrypt(pt) == ct, vector
            encryptor = Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor()
        assert encryptor.update(pt) + encryptor.finalize() == ct, vector
