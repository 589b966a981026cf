# SPDX-License-Identifier: BSD-3-Clause
"""CBC, CBC-CS3 and CTR over any block cipher, block after block as NIST SP 800-38A and its addendum
say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher as OpenSsl
from cryptography.hazmat.primitives.ciphers import algorithms, modes

from tests.model import curupira_model
from tests.model.ciphers_model import rc5_decrypt, rc5_encrypt, skipjack_decrypt, skipjack_encrypt
from tests.stack.oracle import block_openssl


@dataclass(frozen=True, slots=True)
class Cipher:
    """A block cipher."""

    block_octets: int
    key_octets: int
    encrypt: Callable[[bytes, bytes], bytes]
    decrypt: Callable[[bytes, bytes], bytes]


def aes_decrypt(key: bytes, block: bytes) -> bytes:
    """One block by OpenSSL."""
    decryptor = OpenSsl(algorithms.AES(key), modes.ECB()).decryptor()
    return decryptor.update(block) + decryptor.finalize()


CIPHERS = {
    "aes128": Cipher(16, 16, block_openssl, aes_decrypt),
    "skipjack": Cipher(8, 10, skipjack_encrypt, skipjack_decrypt),
    "rc5": Cipher(8, 16, rc5_encrypt, rc5_decrypt),
    "curupira1_96": Cipher(
        12, 12, curupira_model.curupira1_encrypt, curupira_model.curupira1_decrypt
    ),
    "curupira2": Cipher(12, 12, curupira_model.curupira2_encrypt, curupira_model.curupira2_decrypt),
}
"""By name; AES is OpenSSL's."""


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or, as long as the shorter."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def cbc_encrypt(cipher: Cipher, key: bytes, iv: bytes, pt: bytes) -> bytes:
    """Ciphertext of whole blocks."""
    chain, ct = iv, b""
    for at in range(0, len(pt), cipher.block_octets):
        chain = cipher.encrypt(key, xor(chain, pt[at : at + cipher.block_octets]))
        ct += chain
    return ct


def cs3_encrypt(cipher: Cipher, key: bytes, iv: bytes, pt: bytes) -> bytes:
    """Ciphertext of at least one block: pads with zeros, exchanges the last two blocks and cuts."""
    b = cipher.block_octets
    whole = cbc_encrypt(cipher, key, iv, pt + bytes(-len(pt) % b))
    if len(whole) == b:
        return whole
    return (whole[: -2 * b] + whole[-b:] + whole[-2 * b : -b])[: len(pt)]


def ctr(cipher: Cipher, key: bytes, counter: bytes, pt: bytes) -> bytes:
    """Ciphertext of any length."""
    b, first = cipher.block_octets, int.from_bytes(counter, "big")
    blocks = ((first + i) % (1 << 8 * b) for i in range(-(-len(pt) // b)))
    return xor(pt, b"".join(cipher.encrypt(key, block.to_bytes(b, "big")) for block in blocks))
