# SPDX-License-Identifier: BSD-3-Clause
"""AES-128: vectors, agreement of variants and targets, constant time, cycles and octets of
flash."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stack.calls import EXPANSION, encrypt, encrypt2, expand, memory, words
from tests.stack.conftest import USUAL, target_named
from tests.stack.oracle import block_openssl
from tests.vectors import Vector, load, of_each_file
from wardmote.call import EmulatedTarget, Outcome, Target

HEADERS = ("aes128",)

BLOCKS = load("aes128", "block")
SCHEDULES = load("aes128", "expand")

RUNS = 1_000
"""Random keys and blocks of a constant-time test."""

BLOCK_CYCLES = {
    ("msp430", "tab"): 1_608,
    ("msp430-portable", "tab"): 2_480,
    ("msp430", "small"): 5_370,
    ("avr", "tab"): 1_805,
    ("avr", "small"): 2_016,
    ("avr-portable", "tab"): 5_290,
    ("avr-portable", "small"): 7_230,
    ("armv7m", "tab"): 630,
    ("armv7m-portable", "tab"): 1_550,
    ("armv7m", "small"): 3_050,
    ("armv7m", "fix"): 2_554,
    ("armv7m-portable", "fix"): 5_780,
}
"""Most cycles of a block, of two by `fix`; on ARMv7-M at the upper end of the timing band, without
wait states."""
EXACT = ("msp430", "tab"), ("avr", "tab"), ("avr", "small")
"""Assembly on CPUs whose timing is exact."""
EXPAND_CYCLES = {"msp430": 867, "avr": 741, "armv7m": 247}
EXPAND_CYCLES |= {"msp430-portable": 1_500, "avr-portable": 1_500, "armv7m-portable": 700}
FIX_EXPAND_CYCLES = {"armv7m": 4_000, "armv7m-portable": 9_100}
SMALL_OCTETS = {
    "msp430": 1_020,
    "avr": 1_200,
    "armv7m": 1_300,
    "avr-small": 1_100,
    "armv7m-small": 820,
}


def cycles(outcome: Outcome) -> int:
    """Of a call on a target that counts them."""
    assert outcome.cycles is not None
    return outcome.cycles


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
        (
            bits[i]
            ^ bits[(i + 4) % 8]
            ^ bits[(i + 5) % 8]
            ^ bits[(i + 6) % 8]
            ^ bits[(i + 7) % 8]
            ^ 0x63 >> i & 1
        )
        << i
        for i in range(8)
    )


@of_each_file(BLOCKS)
def test_blocks_of_vectors(target: Target, variant: str, vectors: list[Vector]) -> None:
    """Each variant turns the plaintext of a vector into its ciphertext."""
    for vector in vectors:
        schedule = expand(target, vector.octets("key"), variant)
        got, _ = encrypt(target, variant, schedule, vector.octets("pt"))
        assert got == vector.octets("ct"), vector


@of_each_file(SCHEDULES)
def test_expanded_keys_of_vectors(target: Target, vectors: list[Vector]) -> None:
    """Key expansion gives all eleven round keys of a vector."""
    for vector in vectors:
        assert expand(target, vector.octets("key")) == vector.octets("roundKeys"), vector


@pytest.mark.parametrize("name", USUAL)
@given(key=st.binary(min_size=16, max_size=16), block=st.binary(min_size=16, max_size=16))
def test_variants_agree_with_openssl(name: str, key: bytes, block: bytes) -> None:
    """Every variant gives OpenSSL's ciphertext for any key and block, `small` and `tab` from the
    same expanded key."""
    target = target_named(name, *HEADERS)
    schedule = expand(target, key)
    got = {encrypt(target, variant, schedule, block)[0] for variant in ("small", "tab")}
    got |= {encrypt(target, one, expand(target, key, one), block)[0] for one in ("fix", "lean")}
    assert got == {block_openssl(key, block)}


@pytest.mark.parametrize("name", USUAL)
@given(key=st.binary(min_size=16, max_size=16), blocks=st.binary(min_size=32, max_size=32))
def test_two_blocks_at_once(name: str, key: bytes, blocks: bytes) -> None:
    """`fix` encrypts two blocks as OpenSSL does one after the other."""
    target = target_named(name, *HEADERS)
    first, second, _ = encrypt2(target, expand(target, key, "fix"), blocks[:16], blocks[16:])
    assert (first, second) == (block_openssl(key, blocks[:16]), block_openssl(key, blocks[16:]))


def test_slices_of_an_expanded_key_are_the_same_everywhere(target: Target) -> None:
    """`fix` has one form of expanded key: round key 0 in slices, computed here bit by bit, and
    equal on all targets."""
    key = bytes(range(0x10, 0x20))
    slices = bytearray(32)
    for place, octet in enumerate(key):
        column, row = divmod(place, 4)
        for bit in range(8):
            slices[4 * bit + row] |= (octet >> bit & 1) * 3 << 2 * column
    schedule = words(target, expand(target, key, "fix"), 4)
    assert schedule[:32] == slices
    assert schedule == expand(target_named("host"), key, "fix")


def test_sbox_is_the_field_inverse(target: Target) -> None:
    """Every entry of the S-box is the affine map of the field inverse."""
    assert memory(target, "wm_aes128_sbox", 256) == bytes(sbox(x) for x in range(256))


@pytest.mark.parametrize("name", [name for name in USUAL if name not in ("avr", "armv7m")])
@pytest.mark.parametrize(
    ("table", "factors"), [("2s_s", (2, 1)), ("s_3s", (1, 3)), ("3s_2s", (3, 2)), ("s_s", (1, 1))]
)
def test_tables_are_products_of_the_sbox(name: str, table: str, factors: tuple[int, int]) -> None:
    """Every entry of the four tables holds two field products of the S-box, in memory order."""
    want = bytes(multiply(factor, sbox(x)) for x in range(256) for factor in factors)
    assert memory(target_named(name, *HEADERS), f"wm_aes128_{table}", 512) == want


def test_pages_of_the_avr() -> None:
    """The AVR's assembly has one table of doubles in place of those four; it and the S-box each
    fill a page of RAM."""
    target = target_named("avr", *HEADERS)
    assert memory(target, "wm_aes128_twice", 256) == bytes(multiply(2, x) for x in range(256))
    assert [target.address_of(f"wm_aes128_{name}") % 256 for name in ("sbox", "twice")] == [0, 0]


@pytest.mark.parametrize("name", ["armv7m"])
def test_table_of_words_is_products_of_the_sbox(name: str) -> None:
    """Every entry of the assembly's table holds the S-box times 2, 1, 1 and 3, in memory order."""
    want = bytes(multiply(factor, sbox(x)) for x in range(256) for factor in (2, 1, 1, 3))
    assert memory(target_named(name, *HEADERS), "wm_aes128_table", 1024) == want


def test_the_blocks_neighbours_are_left_alone(target: Target, variant: str) -> None:
    """A block in the middle of memory is encrypted without a change to the octets around it or to
    the key."""
    schedule = expand(target, bytes(range(16)), variant)
    around = target.buffer(bytes(range(100, 148)))
    key = target.buffer(schedule)
    target.call(f"wm_aes128_{variant}_encrypt", key, around.address + 16)
    after = around.read()
    assert after[:16] + after[32:] == bytes([*range(100, 116), *range(132, 148)])
    assert after[16:32] == block_openssl(bytes(range(16)), bytes(range(116, 132)))
    assert key.read() == schedule


def test_block_takes_equal_time_for_all_secrets(emulated: EmulatedTarget, variant: str) -> None:
    """1 000 random keys and blocks give one cycle count and one trace of program counters; `fix`
    one of addresses."""
    source = random.Random(f"aes128 {variant}")
    octets = len(expand(emulated, bytes(16), variant))
    seen = set()
    for _ in range(RUNS):
        outcome = encrypt(
            emulated, variant, source.randbytes(octets), source.randbytes(16), trace="hash"
        )[1]
        assert outcome.trace is not None
        addresses = outcome.trace.address_hash if variant == "fix" else 0
        seen.add((outcome.cycles, outcome.trace.pc_hash, addresses))
    assert len(seen) == 1


def test_two_blocks_take_equal_time_and_addresses_for_all_secrets(emulated: EmulatedTarget) -> None:
    """1 000 random keys and pairs of blocks give one cycle count and one trace, addresses
    included."""
    source = random.Random("aes128 pair")
    seen = set()
    for _ in range(RUNS):
        *_, outcome = encrypt2(
            emulated,
            source.randbytes(352),
            source.randbytes(16),
            source.randbytes(16),
            trace="hash",
        )
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert len(seen) == 1


@pytest.mark.parametrize("fix", [False, True])
def test_key_expansion_takes_equal_time_for_all_keys(emulated: EmulatedTarget, fix: bool) -> None:
    """1 000 random keys give one cycle count and one trace of program counters; for `fix` also one
    of addresses."""
    source = random.Random("aes128 expand")
    function, form = ("wm_aes128_fix_expand", "wm_aes128_slices") if fix else EXPANSION
    seen = set()
    for _ in range(RUNS):
        outcome = emulated.call(function, emulated.pack(form), source.randbytes(16), trace="hash")
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash if fix else 0))
    assert len(seen) == 1


def test_wait_states_of_flash_tell_nothing(variant: str) -> None:
    """Where each line of flash makes the CPU wait, keys and blocks still give one cycle count each:
    no table that is indexed by secrets lies there."""
    target = target_named("armv7m-flash", *HEADERS)
    source = random.Random(f"aes128 flash {variant}")
    function, form = ("wm_aes128_fix_expand", "wm_aes128_slices") if variant == "fix" else EXPANSION
    keys = [target.call(function, target.pack(form), source.randbytes(16)) for _ in range(RUNS)]
    octets = len(expand(target, bytes(16), variant))
    blocks = [
        encrypt(target, variant, source.randbytes(octets), source.randbytes(16))[1]
        for _ in range(RUNS)
    ]
    assert len({cycles(outcome) for outcome in keys}) == 1
    assert len({cycles(outcome) for outcome in blocks}) == 1


@pytest.mark.parametrize("variant", ["lean", "small", "tab"])
def test_trace_tells_secrets_apart_where_code_indexes_by_them(
    emulated: EmulatedTarget, variant: str
) -> None:
    """The recorder is not blind: table look-ups of two blocks differ in their trace of
    addresses."""
    schedule = expand(emulated, bytes(16), variant)
    traces = [
        encrypt(emulated, variant, schedule, bytes([x] * 16), trace="hash")[1].trace for x in (0, 1)
    ]
    assert traces[0] is not None
    assert traces[1] is not None
    assert traces[0].address_hash != traces[1].address_hash


@pytest.mark.parametrize(("name", "variant"), BLOCK_CYCLES)
def test_cycles_of_a_block(name: str, variant: str) -> None:
    """A block costs no more than the documentation says; assembly where timing is exact costs
    that."""
    target = target_named(name, *HEADERS)
    got = cycles(encrypt(target, variant, expand(target, bytes(16), variant), bytes(16))[1])
    assert got <= BLOCK_CYCLES[name, variant]
    assert got == BLOCK_CYCLES[name, variant] or (name, variant) not in EXACT


@pytest.mark.parametrize("name", EXPAND_CYCLES)
def test_cycles_of_a_key_expansion(name: str) -> None:
    """A key costs no more than its bound; where it is assembly it costs that, half a block of
    `tab`."""
    target = target_named(name, *HEADERS)
    got = cycles(target.call("wm_aes128_expand", target.pack("wm_aes128"), bytes(16)))
    assert got <= EXPAND_CYCLES[name]
    assert got == EXPAND_CYCLES[name] or name.endswith("-portable")


@pytest.mark.parametrize("name", FIX_EXPAND_CYCLES)
def test_cycles_of_a_key_expansion_into_slices(name: str) -> None:
    """A key of `fix` costs less than two pairs of blocks."""
    target = target_named(name, *HEADERS)
    outcome = target.call("wm_aes128_fix_expand", target.pack("wm_aes128_slices"), bytes(16))
    assert cycles(outcome) <= FIX_EXPAND_CYCLES[name]


@pytest.mark.parametrize("name", SMALL_OCTETS)
def test_flash_of_the_small_variant(name: str) -> None:
    """Variant `small` with S-box and key expansion takes about 1 000 octets of flash, wipe included;
    less in the small library where that has a key expansion of its own."""
    ours = re.compile(
        r"small_(substitute|mix_add)|wm_aes128_(small_(encrypt|forward)|expand|sbox)|next_round_key"
    )
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    found = {name: at for name, at in target.program.symbols().items() if ours.fullmatch(name)}
    sizes = {name: size for name, (_, size, _) in found.items()}
    assert {
        "wm_aes128_small_encrypt",
        "wm_aes128_expand",
        "wm_aes128_sbox",
    } <= set(sizes)
    assert sizes["wm_aes128_sbox"] == 256
    of_places = {place: size for place, size, _ in found.values()}  # some have two names
    assert sum(of_places.values()) <= SMALL_OCTETS[name]
