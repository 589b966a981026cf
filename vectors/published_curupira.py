# SPDX-License-Identifier: BSD-3-Clause
"""Values of Curupira that were published: short extracts, enough to tell a wrong reading of the
definitions."""

from __future__ import annotations

Z12, Z18, Z24 = "00" * 12, "00" * 18, "00" * 24
ONE = "80" + "00" * 11
UP = "000102030405060708090a0b"


JCURUPIRA = (
    "test vectors of JCurupira, University of Sao Paulo "
    "(github.com/eli7/hybrid_encrypter, TestVectors)"
)
CURUPIRA2 = (
    "test vectors said to be output of M. Simplicio's C code (github.com/pedroalbanese/curupira2)"
)

CURUPIRA1_BLOCKS = (
    ("96 bits, all zero", Z12, Z12, "b48cbb9149131c39995ffb3a"),
    ("96 bits, key bit 0", ONE, Z12, "126b5eae509b2e929b1b08ff"),
    ("96 bits, block bit 0", Z12, ONE, "991ac1239f4a65c1356ef37e"),
    ("144 bits, key bit 0", "80" + Z18[2:], Z12, "a88f9c88d44717953c8873a3"),
    ("192 bits, key bit 0", "80" + Z24[2:], Z12, "0ef889e7946f47a56f224a36"),
)
"""Comment, key, plaintext, ciphertext."""

CURUPIRA1_ITERATED = (
    ("96 bits, key bit 0", ONE, Z12, 100, "ff0b93bf84f411c4a6a01d41"),
    ("96 bits, key bit 0", ONE, Z12, 1000, "f85f895588895c2bf0ef348e"),
    ("96 bits, block bit 0", Z12, ONE, 100, "d43d2b0fc9731d2e276f89d8"),
    ("144 bits, key bit 0", "80" + Z18[2:], Z12, 100, "e5b00a382f5ec0f4a7a00c94"),
    ("192 bits, key bit 0", "80" + Z24[2:], Z12, 100, "b869e1550b3c97e65dd7ca68"),
)
"""Comment, key, plaintext, how often it is encrypted, and what comes of it."""

CURUPIRA2_BLOCKS = (
    ("all zero", Z12, Z12, "e882f19c4af9f280d898ea94"),
    ("first octet of the block 1", Z12, "01" + "00" * 11, "b95827f00fae99bbd33d2d65"),
    ("key zero, block 80 81 ..", Z12, "808182838485868788898a8b", "706aee2f52543e31314dea63"),
    ("key 00 01 .., block zero", UP, Z12, "40ab78a1ad48a2fee38e9d45"),
    ("key 00 01 .., first octet of the block 1", UP, "01" + "00" * 11, "2fc9284498fd2acd78cca580"),
    ("key 00 01 .., block 80 81 ..", UP, "808182838485868788898a8b", "b7d7c4503834010f3de7a41c"),
)
"""Comment, key, plaintext, ciphertext."""

K12 = "0102030405060708090a0b0c"
COUNT60 = bytes(range(1, 61)).hex()

MARVIN = (
    (Z12, "00", ("98b18790", "d9422e078c210409", "cf62e6370e635b78e7ce6042")),
    (K12, "00", ("5bd4af2e", "79ec14c04e02effc", "2d7d1e8d1dddf2a2bdfaef4e")),
    (Z12, "00" * 60, ("7a0314ae", "c60ab543c455539d", "d018b09002ab7783c213247a")),
    (Z12, COUNT60, ("03338431", "8cac10778f35c568", "29ca35cc7b301624642f905e")),
)
"""Key of Curupira-1, message, and its tags of 4, 8 and 12 octets."""

LETTERSOUP = (
    (Z12, Z12, "", "00", "a5", ("4df3caf6", "e973ee128b4befb4", "774f27f799bdc342b14eea28")),
    (K12, K12, "", "00", "90", ("72e567f3", "88f8ba7d0810f0bf", "ce6855d3dd3cac207aebc664")),
    (
        K12,
        K12,
        COUNT60,
        COUNT60,
        "91bb9a794d74410283ef0de507bf32f63848460ee677c1b9a73ff3b4b3bec2323270f68fe3e23858"
        "ec67e83d6dda6bbc"
        "5ad11a70ce93b87a9bce70be",
        ("713b2c14", "e06669a07f9620e6", "3e10f6132d78531e8fa61964"),
    ),
    (
        K12,
        K12,
        "00" * 60,
        "00" * 60,
        "90b9997d4872460a8ae506e90ab13de6295a551af361d6a1be25e8a8aea0dd121352d5abc6c41f70"
        "c54dc31140f4448c"
        "6be32944fba58f42a2f44b82",
        ("aba0961b", "10f50894075bb563", "63d680b532ead85f7ac5398e"),
    ),
)
"""Key of Curupira-1, nonce, a, m, ciphertext, and tags of 4, 8 and 12 octets."""
