# SPDX-License-Identifier: BSD-3-Clause
"""AES-128: vectors, agreement of variants and targets, constant time, cycles and octets of flash."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stack.calls import encrypt, expand, memory
from tests.stack.conftest import TARGETS, target_named
from tests.stack.oracle import block_openssl
from tests.vectors import Vector, load
from wardmote.call import Msp430Target, Target

BLOCKS = load("aes128", "block")
SCHEDULES = load("aes128", "expand")

RUNS = 1_000
"""Random keys and blocks of a constant-time test."""

BLOCK_CYCLES = {("msp430", "tab"): 1_751, ("msp430-portable", "tab"): 2_500}
"""Most cycles of a block; the assembly's are exact."""
SMALL_CYCLES = 5_500
EXPAND_CYCLES = 1_500
SMALL_OCTETS = 1_000
STACK_OCTETS = 48


def multiply(a: int, b: int) -> int:
    """Product in GF(2^8) of FIPS 197 §4.2."""
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(14, 7, -1):
        if product >> bit & 1:
            product ^= 0x11B << bit - 8
    return product


def sbox(value: int) -> int:
    """FIPS 197 §5.1.1: the field inverse, found by search, then the affine map bit by bit."""
    inverse = next((x for x in range(256) if multiply(x, value) == 1), 0)
    bits = [inverse >> i & 1 for i in range(8)]
    return sum(
        (bits[i] ^ bits[(i + 4) % 8] ^ bits[(i + 5) % 8] ^ bits[(i + 6) % 8] ^ bits[(i + 7) % 8] ^ 0x63 >> i & 1) << i
        for i in range(8)
    )


@pytest.mark.parametrize("vector", BLOCKS, ids=str)
def test_block_of_a_vector(target: Target, variant: str, vector: Vector) -> None:
    """Each variant turns the plaintext of a vector into its ciphertext."""
    got, _ = encrypt(target, variant, expand(target, vector.octets("key")), vector.octets("pt"))
    assert got == vector.octets("ct")


@pytest.mark.parametrize("vector", SCHEDULES, ids=str)
def test_expanded_key_of_a_vector(target: Target, vector: Vector) -> None:
    """Key expansion gives all eleven round keys of a vector."""
    assert expand(target, vector.octets("key")) == vector.octets("roundKeys")


@pytest.mark.parametrize("name", TARGETS)
@given(key=st.binary(min_size=16, max_size=16), block=st.binary(min_size=16, max_size=16))
def test_variants_agree_with_openssl(name: str, key: bytes, block: bytes) -> None:
    """Both variants give OpenSSL's ciphertext for any key and block, from the same expanded key."""
    target = target_named(name)
    schedule = expand(target, key)
    assert {encrypt(target, variant, schedule, block)[0] for variant in ("small", "tab")} == {block_openssl(key, block)}


def test_sbox_is_the_field_inverse(target: Target) -> None:
    """Every entry of the S-box is the affine map of the field inverse."""
    assert memory(target, "wm_aes128_sbox", 256) == bytes(sbox(x) for x in range(256))


@pytest.mark.parametrize(("table", "factors"), [("2s_s", (2, 1)), ("s_3s", (1, 3)), ("3s_2s", (3, 2)), ("s_s", (1, 1))])
def test_tables_are_products_of_the_sbox(target: Target, table: str, factors: tuple[int, int]) -> None:
    """Every entry of the four tables holds two field products of the S-box, in memory order."""
    want = bytes(multiply(factor, sbox(x)) for x in range(256) for factor in factors)
    assert memory(target, f"wm_aes128_{table}", 512) == want


def test_the_blocks_neighbours_are_left_alone(target: Target, variant: str) -> None:
    """A block in the middle of memory is encrypted without a change to the octets around it or to the key."""
    schedule = expand(target, bytes(range(16)))
    around = target.buffer(bytes(range(100, 148)))
    key = target.buffer(schedule)
    target.call(f"wm_aes128_{variant}_encrypt", key, around.address + 16)
    after = around.read()
    assert after[:16] + after[32:] == bytes([*range(100, 116), *range(132, 148)])
    assert after[16:32] == block_openssl(bytes(range(16)), bytes(range(116, 132)))
    assert key.read() == schedule


def test_block_takes_equal_time_for_all_secrets(msp430: Msp430Target, variant: str) -> None:
    """1 000 random keys and blocks give one cycle count and one trace of program counters."""
    source = random.Random(f"aes128 {variant}")
    seen = set()
    for _ in range(RUNS):
        schedule, block = source.randbytes(176), source.randbytes(16)
        outcome = encrypt(msp430, variant, schedule, block, trace="hash")[1]
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash))
    assert len(seen) == 1


def test_key_expansion_takes_equal_time_for_all_keys(msp430: Msp430Target) -> None:
    """1 000 random keys give one cycle count and one trace of program counters."""
    source = random.Random("aes128 expand")
    seen = set()
    for _ in range(RUNS):
        outcome = msp430.call("wm_aes128_expand", msp430.pack("wm_aes128"), source.randbytes(16), trace="hash")
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash))
    assert len(seen) == 1


def test_trace_tells_secrets_apart_where_code_indexes_by_them(msp430: Msp430Target, variant: str) -> None:
    """The recorder is not blind: table look-ups of two blocks differ in their trace of addresses."""
    schedule = expand(msp430, bytes(16))
    traces = [encrypt(msp430, variant, schedule, bytes([x] * 16), trace="hash")[1].trace for x in (0, 1)]
    assert traces[0] is not None
    assert traces[1] is not None
    assert traces[0].address_hash != traces[1].address_hash


@pytest.mark.parametrize("name", ["msp430", "msp430-portable"])
def test_cycles_of_a_block(name: str) -> None:
    """A block costs what the documentation says: the assembly to the cycle, C as an upper bound."""
    target = target_named(name)
    schedule = expand(target, bytes(16))
    tab, small = (encrypt(target, v, schedule, bytes(16))[1].cycles for v in ("tab", "small"))
    assert tab is not None
    assert small is not None
    assert tab == BLOCK_CYCLES[name, "tab"] if name == "msp430" else tab <= BLOCK_CYCLES[name, "tab"]
    assert small <= SMALL_CYCLES


def test_cycles_of_a_key_expansion(msp430: Msp430Target) -> None:
    """A key costs less than a block of the smallest variant."""
    outcome = msp430.call("wm_aes128_expand", msp430.pack("wm_aes128"), bytes(16))
    assert outcome.cycles is not None
    assert outcome.cycles <= EXPAND_CYCLES


def test_stack_of_a_block(msp430: Msp430Target, variant: str) -> None:
    """A block needs little stack, so that it fits an interrupt of a small mote."""
    outcome = encrypt(msp430, variant, expand(msp430, bytes(16)), bytes(16))[1]
    assert outcome.stack_octets is not None
    assert outcome.stack_octets <= STACK_OCTETS


def test_flash_of_the_small_variant(msp430: Msp430Target) -> None:
    """Variant `small` with S-box, key expansion and descriptor takes at most 1 000 octets of flash."""
    ours = re.compile(r"small_\w+|wm_aes128_small\w*|wm_aes128_expand|next_round_key|wm_aes128_sbox")
    sizes = {name: size for name, (_, size, _) in msp430.program.symbols().items() if ours.fullmatch(name)}
    assert {"wm_aes128_small_encrypt", "wm_aes128_expand", "wm_aes128_sbox", "wm_aes128_small"} <= set(sizes)
    assert sizes["wm_aes128_sbox"] == 256
    assert sum(sizes.values()) <= SMALL_OCTETS
