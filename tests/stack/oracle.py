# SPDX-License-Identifier: BSD-3-Clause
"""AES-128 and CCM by OpenSSL, by way of `cryptography`.

PyCryptodome, the second oracle, is in tests/test_vectors.py only: its modules cannot be loaded
beside a sanitizer.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM


def block_openssl(key: bytes, block: bytes) -> bytes:
    """One block."""
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(block) + encryptor.finalize()


def _counter_mode(key: bytes, nonce: bytes, m: bytes) -> bytes:
    """CCM* without a tag: counter mode from A_1 on (IEEE 802.15.4 Annex B)."""
    encryptor = Cipher(algorithms.AES(key), modes.CTR(b"\x01" + nonce + b"\x00\x01")).encryptor()
    return encryptor.update(m) + encryptor.finalize()


def seal_openssl(key: bytes, nonce: bytes, a: bytes, m: bytes, tag_len: int) -> tuple[bytes, bytes]:
    """Ciphertext and tag."""
    if tag_len == 0:
        return _counter_mode(key, nonce, m), b""
    sealed = AESCCM(key, tag_length=tag_len).encrypt(nonce, m, a)
    return sealed[: len(m)], sealed[len(m) :]


def opens_openssl(key: bytes, nonce: bytes, a: bytes, ct: bytes, tag: bytes) -> bool:
    """Whether the tag is right."""
    try:
        AESCCM(key, tag_length=len(tag)).decrypt(nonce, ct + tag, a)
    except InvalidTag:
        return False
    return True
