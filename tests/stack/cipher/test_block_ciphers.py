# SPDX-License-Identifier: BSD-3-Clause
"""Block ciphers for modes of any block length, both ways: vectors, neighbours, equal time, flash.

A test goes through all vectors of a cipher on a target at once: a case takes less than pytest needs
to name it.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import pytest

from tests.model import ciphers_model
from tests.stack.calls import ERR_PARAM, OK, in_place, memory, one_way, words
from tests.stack.oracle import block_openssl
from tests.vectors import load
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode

HEADERS = ("aes128", "skipjack", "rc5")

EQUAL_TIME_RUNS = 200
"""Random keys and blocks of a constant-time test."""


@dataclass(frozen=True, slots=True)
class BlockCipher:
    """A variant of a block cipher."""

    name: str
    """In names of functions, `wm_NAME_encrypt`."""
    folder: str
    """Of its vectors."""
    context: str
    """Structure of its expanded key, and function `CONTEXT_expand`."""
    block_octets: int
    """8 or 16."""
    key_octets: int
    """Of the keys that tests make."""
    indexes: bool
    """Whether it looks up tables by secrets."""
    directions: tuple[str, ...] = ("encrypt", "decrypt")

    def __str__(self) -> str:
        return self.name

    def expand(self, target: Target, key: bytes) -> bytes:
        """The expanded key."""
        schedule = target.pack(self.context)
        length = (len(key),) if self.folder == "rc5" else ()
        outcome = target.call(f"{self.context}_expand", schedule, key, *length)
        assert self.folder != "rc5" or outcome.value == OK
        return bytes(schedule)

    def one_way(
        self, target: Target, way: str, schedule: bytes, block: bytes, trace: TraceMode = "off"
    ) -> tuple[bytes, Outcome]:
        """A block by `encrypt` or `decrypt`, and how the call went."""
        return one_way(target, f"wm_{self.name}_{way}", schedule, block, trace)


AES_DECRYPTION = BlockCipher("aes128_small", "aes128", "wm_aes128", 16, 16, True, ("decrypt",))
"""Its encryption is in test_aes128.py."""
CIPHERS = (
    AES_DECRYPTION,
    BlockCipher("skipjack", "skipjack", "wm_skipjack", 8, 10, True),
    BlockCipher("skipjack_small", "skipjack", "wm_skipjack", 8, 10, True),
    BlockCipher("rc5", "rc5", "wm_rc5", 8, 16, False),
)
every_cipher = pytest.mark.parametrize("cipher", CIPHERS, ids=str)
FORWARD_ONLY = ("aes128_small", "aes128_tab", "aes128_fix")
"""Variants of AES whose forward cipher function modes may name."""

FLASH = {
    "aes128_small_decrypt": r"wm_aes128_small_decrypt|inverse_substitute|wm_aes128_inverse_sbox",
    "skipjack_small": r"wm_skipjack_small_(en|de)crypt|wm_skipjack_expand|wm_skipjack_f",
}
"""Symbols of what is meant to be small."""
FLASH_OCTETS = {"aes128_small_decrypt": 1_250, "skipjack_small": 1_050}


@every_cipher
def test_both_ways_of_every_vector(target: Target, cipher: BlockCipher) -> None:
    """Each vector's plaintext becomes its ciphertext and that its plaintext; there are at least
    200."""
    vectors = load(cipher.folder, "block")
    assert len(vectors) >= 200
    for vector in vectors:
        schedule = cipher.expand(target, vector.octets("key"))
        pt, ct = vector.octets("pt"), vector.octets("ct")
        for way, given, want in (("encrypt", pt, ct), ("decrypt", ct, pt)):
            if way in cipher.directions:
                assert cipher.one_way(target, way, schedule, given)[0] == want, (vector, way)


def test_aes_decrypts_what_openssl_encrypted(target: Target) -> None:
    """Random keys and blocks: decryption gives back what OpenSSL encrypted."""
    source = random.Random("aes128 decrypt")
    for _ in range(100):
        key, block = source.randbytes(16), source.randbytes(16)
        schedule = AES_DECRYPTION.expand(target, key)
        assert (
            AES_DECRYPTION.one_way(target, "decrypt", schedule, block_openssl(key, block))[0]
            == block
        )


def test_inverse_sbox_undoes_the_sbox(target: Target) -> None:
    """Every entry of the inverse S-box leads back through the S-box."""
    sbox, inverse = (memory(target, f"wm_aes128_{name}", 256) for name in ("sbox", "inverse_sbox"))
    assert [inverse[sbox[x]] for x in range(256)] == list(range(256))


def test_table_of_skipjack_is_the_models(target: Target) -> None:
    """The table F is a permutation, and the model's."""
    table = memory(target, "wm_skipjack_f", 256)
    assert sorted(table) == list(range(256))
    assert table == ciphers_model.SKIPJACK_F


@every_cipher
@pytest.mark.parametrize("offset", range(2))
def test_neighbours_are_left_alone(target: Target, cipher: BlockCipher, offset: int) -> None:
    """A block in the middle of memory changes without a change to the octets around it or to the
    key; blocks of octets lie at any address."""
    if cipher is AES_DECRYPTION:
        offset *= 4
    source = random.Random(offset)
    schedule = cipher.expand(target, source.randbytes(cipher.key_octets))
    around = source.randbytes(48)
    place, key = target.buffer(around), target.buffer(schedule)
    for way in cipher.directions:
        function = f"wm_{cipher.name}_{way}"
        block, made = in_place(target, function, key, place, 16 + offset, cipher.block_octets)
        assert made == cipher.one_way(target, way, schedule, block)[0]
    assert key.read() == schedule


@pytest.mark.parametrize("length", range(1, 17))
def test_rc5_takes_keys_of_any_length(target: Target, length: int) -> None:
    """Keys of 1 to 16 octets expand to the model's words."""
    key = random.Random(length).randbytes(length)
    schedule = CIPHERS[-1].expand(target, key)
    assert words(target, schedule, 4) == b"".join(
        word.to_bytes(4, "little") for word in ciphers_model.rc5_expand(key)
    )


def test_rc5_refuses_other_lengths(target: Target) -> None:
    """A key of a length that is none is refused before anything is written."""
    for vector in load("rc5", "key-length"):
        schedule = bytearray(b"\x5a" * 104)
        length = vector.number("keyLen")
        outcome = target.call("wm_rc5_expand", schedule, bytes(max(length, 1)), length)
        assert (outcome.value, vector.status, bytes(schedule)) == (
            ERR_PARAM,
            ERR_PARAM,
            b"\x5a" * 104,
        ), vector


@every_cipher
def test_secrets_take_equal_time(emulated: EmulatedTarget, cipher: BlockCipher) -> None:
    """Random keys and blocks give one cycle count and one trace of program counters each way, and
    one of addresses where no table is indexed by secrets."""
    source = random.Random(f"{cipher} time")
    octets = len(emulated.pack(cipher.context))
    for way in cipher.directions:
        seen = set()
        for number in range(EQUAL_TIME_RUNS):
            block = (
                bytes([255 * number] * cipher.block_octets)
                if number < 2
                else source.randbytes(cipher.block_octets)
            )
            outcome = cipher.one_way(emulated, way, source.randbytes(octets), block, trace="hash")[
                1
            ]
            assert outcome.trace is not None
            addresses = 0 if cipher.indexes else outcome.trace.address_hash
            seen.add((outcome.cycles, outcome.trace.pc_hash, addresses))
        assert len(seen) == 1, way


@pytest.mark.parametrize("length", [3, 8, 11, 16])
def test_keys_of_rc5_take_equal_time(emulated: EmulatedTarget, length: int) -> None:
    """Random keys of one length give one cycle count, one trace of program counters and one of
    addresses."""
    source = random.Random(f"rc5 keys {length}")
    seen = set()
    for _ in range(EQUAL_TIME_RUNS // 4):
        schedule = emulated.pack("wm_rc5")
        outcome = emulated.call(
            "wm_rc5_expand", schedule, source.randbytes(length), length, trace="hash"
        )
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert len(seen) == 1


@pytest.mark.parametrize("what", FLASH)
def test_flash_of_what_is_small(emulated: EmulatedTarget, what: str) -> None:
    """What is meant to be small is, its table of 256 octets included."""
    symbols = emulated.program.symbols()
    sizes = {
        name: size for name, (_, size, _) in symbols.items() if re.fullmatch(FLASH[what], name)
    }
    assert len(sizes) >= 3
    assert sum(sizes.values()) <= FLASH_OCTETS[what], sizes
