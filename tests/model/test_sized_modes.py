# SPDX-License-Identifier: BSD-3-Clause
"""The model of the modes over several block lengths against PyCryptodome, which has CMAC and EAX
over blocks of 8."""

from __future__ import annotations

import random

import pytest
from Crypto.Cipher import AES, CAST, DES3
from Crypto.Hash import CMAC

from tests.model.block_modes_model import CIPHERS, Cipher
from tests.model.sized_modes_model import RESIDUE, STRETCH_SHIFT, cmac, double, eax_seal, ocb3_crypt

TDES = Cipher(
    8,
    24,
    lambda key, block: bytes(DES3.new(key, DES3.MODE_ECB).encrypt(block)),
    lambda key, block: bytes(DES3.new(key, DES3.MODE_ECB).decrypt(block)),
)
CAST5 = Cipher(
    8,
    16,
    lambda key, block: bytes(CAST.new(key, CAST.MODE_ECB).encrypt(block)),
    lambda key, block: bytes(CAST.new(key, CAST.MODE_ECB).decrypt(block)),
)


@pytest.mark.parametrize(
    ("cipher", "module"), [(TDES, DES3), (CAST5, CAST), (CIPHERS["aes128"], AES)]
)
def test_cmac_and_eax_by_another(cipher: Cipher, module: object) -> None:
    """PyCryptodome gives the same CMAC, and seals the same by EAX, for every length to four blocks
    and more."""
    source = random.Random(str(module))
    for length in range(70):
        key, nonce = source.randbytes(cipher.key_octets), source.randbytes(1 + length % 20)
        aad, msg = source.randbytes(length * 7 % 31), source.randbytes(length)
        assert CMAC.new(key, msg, module).digest() == cmac(cipher, key, msg)  # type: ignore[arg-type]
        eax = module.new(key, module.MODE_EAX, nonce=nonce)  # type: ignore[attr-defined]
        eax.update(aad)
        assert eax.encrypt_and_digest(msg) == eax_seal(cipher, key, nonce, aad, msg)


@pytest.mark.parametrize("name", ["aes128", "curupira1_96", "curupira2"])
def test_ocb3_opens_what_it_seals(name: str) -> None:
    """The message comes back with the same tag, by another way through the cipher."""
    cipher, source = CIPHERS[name], random.Random(name)
    b = cipher.block_octets
    for length in range(3 * b + 1):
        key, nonce = source.randbytes(cipher.key_octets), source.randbytes(1 + length % (b - 1))
        aad, msg = source.randbytes(length * 5 % 29), source.randbytes(length)
        ct, tag = ocb3_crypt(cipher, key, nonce, aad, msg, b)
        assert ocb3_crypt(cipher, key, nonce, aad, ct, b, opens=True) == (msg, tag)


def power_of_two(exponent: int, b: int) -> int:
    """x^(2^exponent) in the field of a block of b octets, by squaring bit by bit."""
    value = 2
    for _ in range(exponent):
        square = 0
        for bit in range(8 * b - 1, -1, -1):
            square = int.from_bytes(double(square.to_bytes(b, "big")), "big") ^ (
                value if value >> bit & 1 else 0
            )
        value = square
    return value


@pytest.mark.parametrize("b", RESIDUE)
def test_polynomials(b: int) -> None:
    """Each polynomial is irreducible: x comes back after 8b squarings, and for no prime part of
    them it has a common divisor with what came then."""
    bits, polynomial = 8 * b, 1 << 8 * b | RESIDUE[b]
    assert power_of_two(bits, b) == 2
    for prime in (2, 3):
        if bits % prime == 0:
            one, other = polynomial, power_of_two(bits // prime, b) ^ 2
            while other:
                while one.bit_length() >= other.bit_length():
                    one ^= other << one.bit_length() - other.bit_length()
                one, other = other, one
            assert one == 1


def full_rank(rows: list[int]) -> bool:
    """Whether rows of bits are independent."""
    pivots: dict[int, int] = {}
    for row in rows:
        while row:
            top = row.bit_length()
            if top not in pivots:
                pivots[top] = row
                break
            row ^= pivots[top]
        else:
            return False
    return True


def windows(bits: int, shift: int, at: int) -> list[int]:
    """Which bits of Ktop add up to each bit of the part of Stretch that begins at `at`."""
    stretch = [1 << i for i in range(bits)] + [1 << i | 1 << i + shift for i in range(bits - shift)]
    return stretch[at : at + bits]


@pytest.mark.parametrize("b", STRETCH_SHIFT)
def test_stretch(b: int) -> None:
    """Each of the 64 windows on Stretch is a bijection of Ktop and so is the sum of any two, which
    OCB3 needs of the shift. Of those that do it is the first by the rule that extends OCB3: nearest
    above octets, then largest."""
    bits, chosen = 8 * b, STRETCH_SHIFT[b]

    def works(shift: int) -> bool:
        parts = [windows(bits, shift, at) for at in range(64)]
        return all(
            len(one) == len(other) == bits
            and full_rank([x ^ y for x, y in zip(one, other, strict=True)])
            for n, one in enumerate(parts)
            for other in parts[:n]
        ) and all(full_rank(part) for part in parts)

    assert works(chosen)
    better = [shift for shift in range(1, bits - 62) if (shift % 8, -shift) < (chosen % 8, -chosen)]
    assert len(better) > 3
    assert not any(map(works, better))
