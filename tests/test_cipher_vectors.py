# SPDX-License-Identifier: BSD-3-Clause
"""Vectors of ciphers and of their modes: their generators repeat them, and others agree."""

from __future__ import annotations

import random

import pytest
from Crypto.Cipher import AES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.model.ciphers_model import rc5_decrypt, rc5_encrypt, skipjack_decrypt, skipjack_encrypt
from tests.vectors import FOLDER, load
from vectors import generate_aeads, generate_ciphers, generate_modes


def test_generator_repeats_its_files() -> None:
    """Running the generator again gives every octet of the committed files; it refuses where the
    model does not give a printed value."""
    for name, text in generate_ciphers.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name


def test_each_primitive_has_printed_values() -> None:
    """Beside what the model computed there are values that somebody else printed."""
    for folder in ("skipjack", "rc5", "trivium", "grain_v1", "grain128_aead"):
        files = {vector.file for vector in load(folder)}
        assert f"{folder}/generated.json" in files
        assert len(files) >= 2, folder


def test_a_third_of_the_cases_of_rc5_are_refusals() -> None:
    """Lengths of keys are what RC5 refuses; they are tested as much as blocks."""
    everything = load("rc5")
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


def test_models_invert() -> None:
    """What the models encrypt they decrypt."""
    source = random.Random("models")
    for _ in range(20):
        key, block = source.randbytes(10), source.randbytes(8)
        assert skipjack_decrypt(key, skipjack_encrypt(key, block)) == block
        assert rc5_decrypt(key, rc5_encrypt(key, block)) == block


def test_generator_of_modes_repeats_its_files() -> None:
    """Running the generator of CBC, CBC-CS3 and CTR again gives every octet of the committed
    files."""
    for name, text in generate_modes.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name


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


def test_generator_of_aeads_repeats_its_files() -> None:
    """Running the generator of EAX and OCB3 again gives every octet of the committed files."""
    for name, text in generate_aeads.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name
