# SPDX-License-Identifier: BSD-3-Clause
"""AES-128 decryption by `tab`: vectors, its key, its tables, agreement with OpenSSL and with
`small`, constant time, cycles, and the modes that decrypt blocks."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESOCB3

from tests.flash import octets as linked_octets
from tests.stack.calls import ERR_SECURITY, OK, bound, memory
from tests.stack.cipher.test_aes128 import multiply, sbox
from tests.stack.conftest import target_named
from tests.stack.oracle import block_openssl
from tests.vectors import load
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode
from wardmote.measurements.primitives.entry import Operation, Primitive

HEADERS = ("aes128", "cbc", "ocb3")

RUNS = 300
"""Random keys and blocks of a constant-time test."""
BLOCK_CYCLES = {
    "msp430": 1_801,
    "msp430-portable": 2_560,
    "avr": 2_311,
    "avr-portable": 5_600,
    "armv7m": 630,
    "armv7m-portable": 1_766,
}
"""Most cycles of a block; on ARMv7-M at the upper end of the timing band, without wait states."""
EXPAND_CYCLES = {"msp430": 3_272, "avr": 2_997, "armv7m": 1_050}
EXACT = ("msp430", "avr")
"""Assembly on CPUs whose timing is exact."""
TABLE_OCTETS = {"msp430": 2_304, "avr": 256, "armv7m": 1_280}
"""Of what is looked up only to decrypt."""
FACTORS = ((14, 11, 13, 9), (9, 14, 11, 13), (13, 9, 14, 11), (11, 13, 9, 14))
"""InvMixColumns, FIPS 197 §5.3.3."""


def expand(target: Target, key: bytes) -> bytes:
    """The expanded key for both directions."""
    schedule = target.pack("wm_aes128_two_way")
    target.call("wm_aes128_tab_expand_inverse", schedule, key)
    return bytes(schedule)


def decrypt(
    target: Target, schedule: bytes, block: bytes, trace: TraceMode = "off"
) -> tuple[bytes, Outcome]:
    """One block, and how the call went."""
    octets = bytearray(block)
    outcome = target.call("wm_aes128_tab_decrypt", schedule, octets, trace=trace)
    return bytes(octets), outcome


def inverse_mix(column: bytes) -> bytes:
    """InvMixColumns of a column, by its matrix."""
    row = []
    for factors in FACTORS:
        octet = 0
        for factor, value in zip(factors, column, strict=True):
            octet ^= multiply(factor, value)
        row.append(octet)
    return bytes(row)


def inverse_sbox() -> dict[int, int]:
    """The S-box turned round."""
    return {sbox(x): x for x in range(256)}


def test_every_vector(target: Target) -> None:
    """The ciphertext of each vector becomes its plaintext, and the plaintext its ciphertext by the
    same key."""
    vectors = load("aes128", "block")
    assert len(vectors) >= 200
    for vector in vectors:
        schedule = expand(target, vector.octets("key"))
        pt, ct = vector.octets("pt"), vector.octets("ct")
        assert decrypt(target, schedule, ct)[0] == pt, vector
        block = bytearray(pt)
        target.call("wm_aes128_tab_encrypt", schedule[:176], block)
        assert block == ct, vector


def test_key_of_the_equivalent_inverse_cipher(target: Target) -> None:
    """Round keys come in reverse order, and all but the outer two went through the matrix of
    InvMixColumns."""
    for vector in load("aes128", "expand")[:8]:
        keys = vector.octets("roundKeys")
        rounds = [keys[16 * i : 16 * i + 16] for i in range(10, -1, -1)]
        mixed = [
            b"".join(inverse_mix(one[i : i + 4]) for i in range(0, 16, 4)) for one in rounds[1:10]
        ]
        assert expand(target, vector.octets("key")) == keys + b"".join(
            [rounds[0], *mixed, rounds[10]]
        ), vector


def test_it_undoes_openssl_as_small_does(target: Target) -> None:
    """Random keys and blocks: what OpenSSL encrypted comes back, by `small` too, from the first
    member of the key."""
    source = random.Random("aes128 tab decrypt")
    for _ in range(100):
        key, block = source.randbytes(16), source.randbytes(16)
        schedule, ct = expand(target, key), block_openssl(key, block)
        assert decrypt(target, schedule, ct)[0] == block
        octets = bytearray(ct)
        target.call("wm_aes128_small_decrypt", schedule[:176], octets)
        assert octets == block


def test_the_blocks_neighbours_are_left_alone(target: Target) -> None:
    """A block in the middle of memory is decrypted without a change to the octets around it or to
    the key."""
    key = bytes(range(16))
    schedule = target.buffer(expand(target, key))
    before = schedule.read()
    around = target.buffer(bytes(range(100, 148)))
    target.call("wm_aes128_tab_decrypt", schedule, around.address + 16)
    after = around.read()
    assert after[:16] + after[32:] == bytes([*range(100, 116), *range(132, 148)])
    assert block_openssl(key, after[16:32]) == bytes(range(116, 132))
    assert schedule.read() == before


@pytest.mark.parametrize(
    "name", ["host", "msp430", "msp430-portable", "avr-portable", "armv7m-portable"]
)
@pytest.mark.parametrize(("first", "second"), [(14, 9), (13, 11), (11, 14), (9, 13)])
def test_tables_are_products_of_the_inverse_sbox(name: str, first: int, second: int) -> None:
    """Every entry of the four tables holds two field products of the inverse S-box, in memory
    order."""
    inverse = inverse_sbox()
    want = bytes(multiply(factor, inverse[x]) for x in range(256) for factor in (first, second))
    assert memory(target_named(name, *HEADERS), f"wm_aes128_{first}s_{second}s", 512) == want


def test_table_of_words_is_products_of_the_inverse_sbox() -> None:
    """Every entry of ARMv7-M's table holds the inverse S-box times 14, 9, 13 and 11, in memory
    order."""
    inverse = inverse_sbox()
    want = bytes(multiply(factor, inverse[x]) for x in range(256) for factor in (14, 9, 13, 11))
    assert memory(target_named("armv7m", *HEADERS), "wm_aes128_inverse_table", 1024) == want


def test_page_of_the_avr() -> None:
    """The AVR's inverse S-box fills a page of RAM, so that the low octet of a pointer is the
    index."""
    assert target_named("avr", *HEADERS).address_of("wm_aes128_inverse_sbox") % 256 == 0


def test_key_and_block_take_equal_time_for_all_secrets(emulated: EmulatedTarget) -> None:
    """Random keys and blocks give one cycle count and one trace of program counters, for the key
    and for the block; addresses tell secrets apart, and the recorder sees it."""
    source = random.Random("aes128 tab inverse time")
    seen, addresses = set(), set()
    for _ in range(RUNS):
        room = emulated.pack("wm_aes128_two_way")
        key = emulated.call(
            "wm_aes128_tab_expand_inverse", room, source.randbytes(16), trace="hash"
        )
        block = decrypt(emulated, source.randbytes(len(room)), source.randbytes(16), trace="hash")[
            1
        ]
        assert key.trace is not None
        assert block.trace is not None
        seen.add((key.cycles, key.trace.pc_hash, block.cycles, block.trace.pc_hash))
        addresses.add(block.trace.address_hash)
    assert len(seen) == 1
    assert len(addresses) > 1


def test_wait_states_of_flash_tell_nothing() -> None:
    """Where each line of flash makes the CPU wait, keys and blocks still give one cycle count each:
    no table that is indexed by secrets lies there."""
    target = target_named("armv7m-flash", *HEADERS)
    source = random.Random("aes128 tab inverse flash")
    seen = set()
    for _ in range(RUNS):
        key = target.call(
            "wm_aes128_tab_expand_inverse", target.pack("wm_aes128_two_way"), source.randbytes(16)
        )
        block = decrypt(target, source.randbytes(352), source.randbytes(16))[1]
        small = target.call(
            "wm_aes128_small_decrypt", source.randbytes(176), bytearray(source.randbytes(16))
        )
        seen.add((key.cycles, block.cycles, small.cycles))
    assert len(seen) == 1


@pytest.mark.parametrize("name", BLOCK_CYCLES)
def test_cycles_of_a_block(name: str) -> None:
    """A block costs no more than the documentation says; assembly where timing is exact costs
    that."""
    target = target_named(name, *HEADERS)
    cycles = decrypt(target, expand(target, bytes(16)), bytes(16))[1].cycles
    assert cycles is not None
    assert cycles <= BLOCK_CYCLES[name]
    assert cycles == BLOCK_CYCLES[name] or name not in EXACT


@pytest.mark.parametrize("name", EXPAND_CYCLES)
def test_cycles_of_a_key(name: str) -> None:
    """A key for both directions costs less than `small` takes longer for two blocks."""
    target = target_named(name, *HEADERS)
    outcome = target.call(
        "wm_aes128_tab_expand_inverse", target.pack("wm_aes128_two_way"), bytes(16)
    )
    assert outcome.cycles is not None
    assert outcome.cycles <= EXPAND_CYCLES[name]


def test_cbc_decrypts_by_it(target: Target) -> None:
    """CBC with the inverse of `tab` gives back what OpenSSL encrypted."""
    source = random.Random("cbc tab inverse")
    key, iv, pt = source.randbytes(16), source.randbytes(16), source.randbytes(48)
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    data = bytearray(encryptor.update(pt) + encryptor.finalize())
    under = bound(target, "aes128_tab", key, both=True)
    assert target.call("wm_cbc_decrypt", under, bytearray(iv), data, len(data)).value == OK
    assert data == pt


def test_ocb3_opens_by_it(target: Target) -> None:
    """OCB3 seals and opens by `tab` with one key for both directions as OpenSSL does, and refuses a
    wrong tag."""
    source = random.Random("ocb3 tab inverse")
    key, nonce, a, m = (source.randbytes(octets) for octets in (16, 12, 20, 53))
    sealed = AESOCB3(key).encrypt(nonce, m, a)
    under, derived = bound(target, "aes128_tab", key, both=True), target.pack("wm_ocb3_key")
    assert target.call("wm_ocb3_derive", derived, under).value == OK
    octets, tag = bytearray(m), bytearray(16)
    given = bytes(derived), nonce, len(nonce), a, len(a)
    assert target.call("wm_ocb3_seal", *given, octets, len(m), tag, 16).value == OK
    assert octets + tag == sealed
    assert target.call("wm_ocb3_open", *given, octets, len(m), bytes(tag), 16).value == OK
    assert octets == m
    wrong = bytes([tag[0] ^ 1]) + bytes(tag[1:])
    assert target.call("wm_ocb3_open", *given, octets, len(m), wrong, 16).value == ERR_SECURITY
    assert octets == bytes(len(m))


@pytest.mark.parametrize("name", TABLE_OCTETS)
def test_an_image_that_only_encrypts_has_no_table_of_it(name: str) -> None:
    """An image with CBC both ways is larger by the tables and their code than one that only
    encrypts."""
    one, both = (
        Primitive("cbc", "", ("cbc",), {}, (Operation("cbc", calls),))
        for calls in (
            ("wm_aes128_tab_init", "wm_cbc_encrypt"),
            ("wm_aes128_tab_init_both", "wm_cbc_encrypt", "wm_cbc_decrypt"),
        )
    )
    assert linked_octets(name, both)[0] - linked_octets(name, one)[0] > TABLE_OCTETS[name]
