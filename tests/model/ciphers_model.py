# SPDX-License-Identifier: BSD-3-Clause
"""Skipjack, RC5-32/12, Trivium, Grain v1 and Grain-128AEADv2, one step after the other as their
definitions say.

Written for reading, bit by bit, and not for speed; they share nothing with the C.
tests/test_cipher_models.py compares them with published values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

WORD = 0xFFFFFFFF

SKIPJACK_F = bytes.fromhex(
    "a3d70983f848f6f4b321157899b1aff9e72d4d8ace4cca2e5295d91e4e3844280adf02a017f1606812b77ac3e9fa3d53"
    "96846bbaf2639a197caee5f5f7166aa239b67b0fc193811beeb41aead0912fb855b9da853f41bfe05a58805f660bd890"
    "35d5c0a733066569450094566d989b7697fcb2c2b0fedb20e1ebd6e4dd474a1d42ed9e6e493ccd4327d207d4dec76718"
    "89cb301f8dc68faac874dcc95d5c31a47088612c9f0d2b8750825464267d0340344b1c73d1c4fd3bccfb7fabe63e5ba5"
    "ad04239c145122f02979717eff8c0ee20cefbc72756f37a1ecd38e628b8610e8087711be924f24c532369dcff3a6bbac"
    "5e6ca9135725b5e3bda83a0105592a46"
)


def _g(key: bytes, step: int, word: int) -> int:
    """Permutation G: a Feistel cipher of four rounds on the octets of a word."""
    high, low = word >> 8, word & 0xFF
    for i in range(4):
        high, low = low, SKIPJACK_F[low ^ key[(4 * step + i) % 10]] ^ high
    return high << 8 | low


def _g_inverse(key: bytes, step: int, word: int) -> int:
    high, low = word >> 8, word & 0xFF
    for i in reversed(range(4)):
        high, low = SKIPJACK_F[high ^ key[(4 * step + i) % 10]] ^ low, high
    return high << 8 | low


def skipjack_encrypt(key: bytes, block: bytes) -> bytes:
    """One block of 8 octets under a key of 10."""
    w1, w2, w3, w4 = (int.from_bytes(block[i : i + 2], "big") for i in range(0, 8, 2))
    for step in range(32):
        g = _g(key, step, w1)
        if step // 8 % 2 == 0:
            w1, w2, w3, w4 = g ^ w4 ^ step + 1, g, w2, w3
        else:
            w1, w2, w3, w4 = w4, g, w1 ^ w2 ^ step + 1, w3
    return b"".join(word.to_bytes(2, "big") for word in (w1, w2, w3, w4))


def skipjack_decrypt(key: bytes, block: bytes) -> bytes:
    """The inverse."""
    w1, w2, w3, w4 = (int.from_bytes(block[i : i + 2], "big") for i in range(0, 8, 2))
    for step in reversed(range(32)):
        g = _g_inverse(key, step, w2)
        if step // 8 % 2 == 0:
            w1, w2, w3, w4 = g, w3, w4, w1 ^ w2 ^ step + 1
        else:
            w1, w2, w3, w4 = g, g ^ w3 ^ step + 1, w4, w1
    return b"".join(word.to_bytes(2, "big") for word in (w1, w2, w3, w4))


def _rol(word: int, by: int) -> int:
    by %= 32
    return (word << by | word >> 32 - by) & WORD


def rc5_expand(key: bytes, rounds: int = 12) -> list[int]:
    """The words S of a key of 1 to 255 octets."""
    padded = key + bytes(-len(key) % 4)
    words = [int.from_bytes(padded[i : i + 4], "little") for i in range(0, len(padded), 4)]
    s = [(0xB7E15163 + i * 0x9E3779B9) & WORD for i in range(2 * (rounds + 1))]
    a = b = 0
    for n in range(3 * max(len(s), len(words))):
        i, j = n % len(s), n % len(words)
        a = s[i] = _rol((s[i] + a + b) & WORD, 3)
        b = words[j] = _rol((words[j] + a + b) & WORD, a + b)
    return s


def rc5_encrypt(key: bytes, block: bytes, rounds: int = 12) -> bytes:
    """One block of 8 octets."""
    s = rc5_expand(key, rounds)
    a = (int.from_bytes(block[:4], "little") + s[0]) & WORD
    b = (int.from_bytes(block[4:], "little") + s[1]) & WORD
    for i in range(1, rounds + 1):
        a = (_rol(a ^ b, b) + s[2 * i]) & WORD
        b = (_rol(b ^ a, a) + s[2 * i + 1]) & WORD
    return a.to_bytes(4, "little") + b.to_bytes(4, "little")


def rc5_decrypt(key: bytes, block: bytes, rounds: int = 12) -> bytes:
    """The inverse."""
    s = rc5_expand(key, rounds)
    a, b = int.from_bytes(block[:4], "little"), int.from_bytes(block[4:], "little")
    for i in range(rounds, 0, -1):
        b = _rol((b - s[2 * i + 1]) & WORD, -a) ^ a
        a = _rol((a - s[2 * i]) & WORD, -b) ^ b
    return ((a - s[0]) & WORD).to_bytes(4, "little") + ((b - s[1]) & WORD).to_bytes(4, "little")


def _bits(octets: bytes) -> list[int]:
    """The least significant bit of each octet first."""
    return [octet >> i & 1 for octet in octets for i in range(8)]


def _octets(bits: Sequence[int]) -> bytes:
    return bytes(sum(bits[i + j] << j for j in range(8)) for i in range(0, len(bits), 8))


def trivium(key: bytes, iv: bytes, length: int) -> bytes:
    """Keystream; key and initial value of 10 octets count their bits from the last octet's most
    significant one."""
    s = [0, *(octet >> 7 - i & 1 for octet in reversed(key) for i in range(8)), *[0] * 13]
    s += [*(octet >> 7 - i & 1 for octet in reversed(iv) for i in range(8)), *[0] * 4]
    s += [*[0] * 108, 1, 1, 1]
    stream: list[int] = []
    for step in range(4 * 288 + 8 * length):
        t1, t2, t3 = s[66] ^ s[93], s[162] ^ s[177], s[243] ^ s[288]
        if step >= 4 * 288:
            stream.append(t1 ^ t2 ^ t3)
        t1 ^= s[91] & s[92] ^ s[171]
        t2 ^= s[175] & s[176] ^ s[264]
        t3 ^= s[286] & s[287] ^ s[69]
        s = [0, t3, *s[1:93], t1, *s[94:177], t2, *s[178:288]]
    return _octets(stream)


def boolean(*terms: int | tuple[int, ...]) -> Callable[[int], int]:
    """A Boolean function of a register whose bit n is 1 << n: the exclusive or of single bits and of
    products of several."""
    products = [sum(1 << n for n in term) for term in terms if isinstance(term, tuple)]
    linear = sum(1 << term for term in terms if isinstance(term, int))

    def value(register: int) -> int:
        of_products = sum(register & product == product for product in products)
        return ((register & linear).bit_count() + of_products) & 1

    return value


S1 = 80
"""Grain v1: s_0 in a register that begins with b_0 to b_79."""
X0, X1, X2, X3, X4 = S1 + 3, S1 + 25, S1 + 46, S1 + 64, 63
V1_OUTPUT = boolean(
    *(X1, X4, (X0, X3), (X2, X3), (X3, X4), (X0, X1, X2), (X0, X2, X3), (X0, X2, X4)),
    *((X1, X2, X4), (X2, X3, X4), 1, 2, 4, 10, 31, 43, 56),
)
V1_LFSR = boolean(*(S1 + n for n in (62, 51, 38, 23, 13, 0)))
V1_NFSR = boolean(
    *(S1, 62, 60, 52, 45, 37, 33, 28, 21, 14, 9, 0, (63, 60), (37, 33), (15, 9)),
    *((60, 52, 45), (33, 28, 21), (63, 45, 28, 9), (60, 52, 37, 33), (63, 60, 21, 15)),
    *((63, 60, 52, 45, 37), (33, 28, 21, 15, 9), (52, 45, 37, 33, 28, 21)),
)


def _shifted(register: int, length: int, into_lfsr: int, into_nfsr: int) -> int:
    """Both registers of a Grain, each of `length` bits, a step later."""
    rest = register >> 1 & ~(1 << length - 1)
    return rest | into_nfsr << length - 1 | into_lfsr << 2 * length - 1


def grain_v1(key: bytes, iv: bytes, length: int) -> bytes:
    """Keystream of a key of 10 and an initial value of 8 octets."""
    s = int.from_bytes(iv + b"\xff\xff", "little")
    register = int.from_bytes(key, "little") | s << S1
    stream: list[int] = []
    for step in range(160 + 8 * length):
        z = V1_OUTPUT(register)
        feedback = z if step < 160 else 0
        if step >= 160:
            stream.append(z)
        f, g = V1_LFSR(register), V1_NFSR(register)
        register = _shifted(register, S1, f ^ feedback, g ^ feedback)
    return _octets(stream)


S128 = 128
"""Grain-128: s_0 in a register that begins with b_0 to b_127."""
OUTPUT = boolean(
    *((12, S128 + 8), (S128 + 13, S128 + 20), (95, S128 + 42), (S128 + 60, S128 + 79)),
    *((12, 95, S128 + 94), S128 + 93, 2, 15, 36, 45, 64, 73, 89),
)
LFSR = boolean(*(S128 + n for n in (0, 7, 38, 70, 81, 96)))
NFSR = boolean(
    *(S128, 0, 26, 56, 91, 96, (3, 67), (11, 13), (17, 18), (27, 59), (40, 48), (61, 65)),
    *((68, 84), (22, 24, 25), (70, 78, 82), (88, 92, 93, 95)),
)


class Grain128:
    """One message of Grain-128AEADv2."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        s = int.from_bytes(nonce + b"\xff\xff\xff\x7f", "little")
        self.registers = int.from_bytes(key, "little") | s << S128
        k = _bits(key)
        for _ in range(320):
            y = OUTPUT(self.registers)
            self.clock(y, y)
        for t in range(64):
            y = OUTPUT(self.registers)
            self.clock(y ^ k[64 + t], y ^ k[t])
        self.accumulator = [self.next() for _ in range(64)]
        self.register = [self.next() for _ in range(64)]

    def clock(self, into_lfsr: int, into_nfsr: int) -> None:
        """One step of both registers."""
        f, g = LFSR(self.registers), NFSR(self.registers)
        self.registers = _shifted(self.registers, S128, f ^ into_lfsr, g ^ into_nfsr)

    def next(self) -> int:
        """A bit of pre-output and a step."""
        y = OUTPUT(self.registers)
        self.clock(0, 0)
        return y

    def authenticate(self, bit: int) -> None:
        """One authenticated bit, with the next bit of pre-output."""
        if bit:
            self.accumulator = [a ^ r for a, r in zip(self.accumulator, self.register, strict=True)]
        self.register = [*self.register[1:], self.next()]


def _der_length(length: int) -> bytes:
    if length < 0x80:
        return bytes([length])
    octets = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(octets)]) + octets


def _grain128(
    key: bytes, nonce: bytes, aad: bytes, text: bytes, opening: bool
) -> tuple[bytes, bytes]:
    state = Grain128(key, nonce)
    for bit in _bits(_der_length(len(aad)) + aad):
        state.next()
        state.authenticate(bit)
    out: list[int] = []
    for bit in _bits(text):
        other = bit ^ state.next()
        out.append(other)
        state.authenticate(other if opening else bit)
    state.next()
    state.authenticate(1)
    return _octets(out), _octets(state.accumulator)


def grain128_seal(key: bytes, nonce: bytes, aad: bytes, msg: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag of 8 octets."""
    return _grain128(key, nonce, aad, msg, opening=False)


def grain128_opens(key: bytes, nonce: bytes, aad: bytes, ct: bytes, tag: bytes) -> bool:
    """Whether the tag is right."""
    return _grain128(key, nonce, aad, ct, opening=True)[1] == tag
