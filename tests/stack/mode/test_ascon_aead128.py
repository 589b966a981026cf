# SPDX-License-Identifier: BSD-3-Clause
"""Ascon-AEAD128: vectors both ways, refusals, order of calls, pieces, place, wiped contexts, equal
time, on every target."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import ERR_SECURITY, ERR_STATE, OK, OPEN, SEAL, AeadContext, pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.vectors import load, thinned
from vectors.ascon_model import seal as seal_model
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode

HEADERS = ("ascon_aead128",)

VECTORS = load("ascon_aead128", "aead")
KEY, NONCE = bytes(range(0x40, 0x50)), bytes(range(0x10, 0x20))
EQUAL_TIME_RUNS = 50
"""Random keys, nonces, data and tags of a constant-time test."""
CYCLES = {"msp430": (14_300, 276), "avr": (16_250, 306), "armv7m": (2_950, 48)}
"""Most of sealing nothing, and of each octet of a long message; on ARMv7-M at the upper end of its
timing band."""

octets = st.binary(max_size=70)
cuts = st.lists(st.integers(0, 70), max_size=4)


def seal(target: Target, key: bytes, nonce: bytes, a: bytes, m: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag in one call."""
    ct, tag = bytearray(m), bytearray(b"\xee" * 16)
    target.call("wm_ascon_aead128_seal", key, nonce, a, len(a), ct, len(m), tag)
    return bytes(ct), bytes(tag)


def unseal(
    target: Target,
    key: bytes,
    nonce: bytes,
    a: bytes,
    ct: bytes,
    tag: bytes,
    trace: TraceMode = "off",
) -> tuple[bytes, Outcome]:
    """What opening in one call left of the ciphertext, and how it went."""
    m = bytearray(ct)
    outcome = target.call(
        "wm_ascon_aead128_open", key, nonce, a, len(a), m, len(m), tag, trace=trace
    )
    return bytes(m), outcome


def incremental(target: Target, direction: int) -> AeadContext:
    """A context for KEY and NONCE."""
    return AeadContext(target, "wm_ascon_aead128", 16, KEY, NONCE, direction)


def test_there_are_enough_vectors() -> None:
    """At least 200, a third of them refusals."""
    assert len(VECTORS) >= 200
    assert 3 * sum(not vector.valid for vector in VECTORS) >= len(VECTORS)


def test_every_vector(target: Target, stride: int) -> None:
    """A valid vector seals to its ciphertext and tag and opens to its message; an invalid one is
    refused and leaves zeros where its plaintext would be."""
    for vector in thinned(VECTORS, stride):
        key, nonce, a, ct, tag = (
            vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag")
        )
        if vector.valid:
            assert seal(target, key, nonce, a, vector.octets("msg")) == (ct, tag), vector
        m, outcome = unseal(target, key, nonce, a, ct, tag)
        assert outcome.value == vector.status, vector
        assert m == (vector.octets("msg") if vector.valid else bytes(len(ct))), vector


def test_vectors_are_what_the_model_computes() -> None:
    """The model seals each valid vector to its ciphertext and tag, those of the designers among
    them."""
    for vector in load("ascon_aead128", "aead", valid=True):
        key, nonce, a, m = (vector.octets(name) for name in ("key", "nonce", "aad", "msg"))
        assert seal_model(key, nonce, a, m) == (vector.octets("ct"), vector.octets("tag")), vector


@pytest.mark.parametrize("name", DIFFERENT)
@settings(max_examples=20)
@given(a=octets, m=octets, a_cuts=cuts, m_cuts=cuts, damage=st.integers(0, 127))
def test_cut_anywhere(
    name: str, a: bytes, m: bytes, a_cuts: list[int], m_cuts: list[int], damage: int
) -> None:
    """However a and m are cut into pieces, sealing gives the model's result; opening accepts that
    and no tag with a bit changed; either finish wipes the context."""
    target = target_named(name, *HEADERS)
    target.reset()
    ct, tag = seal_model(KEY, NONCE, a, m)
    sealing = incremental(target, SEAL)
    assert sealing.through(pieces(a, a_cuts), pieces(m, m_cuts)) == ct
    assert sealing.seal_finish() == (OK, tag)
    assert sealing.context == bytes(len(sealing.context))
    wrong = bytearray(tag)
    wrong[damage // 8] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        opening = incremental(target, OPEN)
        assert opening.through(pieces(a, a_cuts), pieces(ct, m_cuts)) == m
        assert opening.open_finish(given_tag) == status
        assert opening.context == bytes(len(opening.context))


def test_every_length_both_ways(target: Target, stride: int) -> None:
    """Every length to 130 octets of m and to 40 of a gives the model's result, and that opens."""
    source = random.Random("ascon lengths")
    for length in range(0, 131, stride):
        a, m = source.randbytes(length % 41), source.randbytes(length)
        want = seal_model(KEY, NONCE, a, m)
        assert seal(target, KEY, NONCE, a, m) == want, length
        opened, outcome = unseal(target, KEY, NONCE, a, *want)
        assert (outcome.value, opened) == (OK, m), length


def test_calls_out_of_order(target: Target) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    for direction in (SEAL, OPEN):
        context = incremental(target, direction)
        assert context.crypt(b"")[0] == OK
        assert context.aad(b"a") == OK, "nothing of m has come yet"
        assert context.crypt(b"m")[0] == OK
        before = bytes(context.context)
        assert context.aad(b"a") == ERR_STATE
        if direction == SEAL:
            assert context.open_finish(bytes(16)) == ERR_STATE
        else:
            assert context.seal_finish() == (ERR_STATE, b"\xee" * 16)
        assert context.context == before
        assert (
            context.seal_finish()[0] if direction == SEAL else context.open_finish(bytes(16))
        ) != ERR_STATE
        assert context.aad(b"a") == ERR_STATE
        assert context.crypt(b"m") == (ERR_STATE, b"m")
        assert context.seal_finish() == (ERR_STATE, b"\xee" * 16)
        assert context.open_finish(bytes(16)) == ERR_STATE
        assert context.context == bytes(len(context.context))


@pytest.mark.parametrize("offset", range(4))
def test_message_anywhere_in_memory(target: Target, offset: int) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    source = random.Random(offset)
    a, m, before, after = (source.randbytes(n) for n in (19, 37, 8 + offset, 9))
    ct, tag = seal_model(KEY, NONCE, a, m)
    memory = target.buffer(before + a + m + bytes(16) + after)
    a_at = memory.address + len(before)
    row = (KEY, NONCE, a_at, len(a), a_at + len(a), len(m), a_at + len(a) + len(m))
    target.call("wm_ascon_aead128_seal", *row)
    assert memory.read() == before + a + ct + tag + after
    assert target.call("wm_ascon_aead128_open", *row).value == OK
    assert memory.read() == before + a + m + tag + after


def test_secrets_take_equal_time(emulated: EmulatedTarget) -> None:
    """Random keys, nonces, data and tags take one cycle count, one trace of program counters and
    one of addresses: one of right tags and one of wrong ones, wherever they are wrong."""
    source = random.Random("ascon time")
    seen: dict[int, set[tuple[object, ...]]] = {OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        key, nonce, a, m = (source.randbytes(n) for n in (16, 16, 21, 37))
        if number < 2:
            key, nonce, a, m = (bytes([255 * number] * n) for n in (16, 16, 21, 37))
        ct, tag = seal_model(key, nonce, a, m)
        given_tag = bytearray(tag)
        if number % 2:
            given_tag[source.randrange(16)] ^= 1 << source.randrange(8)
        outcome = unseal(emulated, key, nonce, a, ct, bytes(given_tag), "hash")[1]
        assert outcome.trace is not None
        assert outcome.value == (ERR_SECURITY if number % 2 else OK)
        seen[outcome.value].add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert [len(ways) for ways in seen.values()] == [1, 1]


@pytest.mark.parametrize("name", CYCLES)
def test_cost_of_sealing(name: str) -> None:
    """Sealing costs no more cycles than the table above says, whatever the message is."""
    target = target_named(name, *HEADERS)
    target.reset()
    begun, octet = CYCLES[name]
    for length in (0, 64, 256):
        cycles = target.call(
            "wm_ascon_aead128_seal", KEY, NONCE, b"", 0, bytearray(length), length, bytearray(16)
        ).cycles
        assert cycles is not None
        assert cycles <= begun + octet * length
