# SPDX-License-Identifier: BSD-3-Clause
"""Grain-128AEADv2: vectors both ways, refusals, order of calls, pieces, equal time, on every
target.

A test goes through vectors of a target at once: a case takes less than pytest needs to name it. The
emulated targets take every published vector and every third of the others; the host takes all.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.ciphers_model import grain128_seal
from tests.stack.calls import ERR_SECURITY, ERR_STATE, OK, AeadContext, pieces
from tests.stack.conftest import TARGETS, target_named
from tests.vectors import Vector, load
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode

HEADERS = ("grain128_aead",)

SEAL, OPEN = 1, 2
KEY, NONCE = bytes(range(16)), bytes(range(12))
EQUAL_TIME_RUNS = 20


def some(target: Target, *, valid: bool) -> list[Vector]:
    """Vectors in the number that suits the target."""
    generated = load("grain128_aead/generated.json", "aead", valid=valid)
    printed = load("grain128_aead/nist_lwc.json", "aead") if valid else []
    return printed + (generated[::3] if isinstance(target, EmulatedTarget) else generated)


def seal(
    target: Target, key: bytes, nonce: bytes, a: bytes, m: bytes, trace: TraceMode = "off"
) -> tuple[bytes, bytes, Outcome]:
    """Ciphertext and tag in one call, and how the call went."""
    octets, tag = bytearray(m), bytearray(b"\xee" * 8)
    outcome = target.call(
        "wm_grain128_seal", key, nonce, a, len(a), octets, len(m), tag, trace=trace
    )
    return bytes(octets), bytes(tag), outcome


def open_(
    target: Target,
    key: bytes,
    nonce: bytes,
    a: bytes,
    ct: bytes,
    tag: bytes,
    trace: TraceMode = "off",
) -> tuple[int, bytes, Outcome]:
    """Status and what is left of the message, and how the call went."""
    octets = bytearray(ct)
    outcome = target.call(
        "wm_grain128_open", key, nonce, a, len(a), octets, len(ct), tag, trace=trace
    )
    return outcome.value, bytes(octets), outcome


def incremental(target: Target, direction: int, a_len: int) -> AeadContext:
    """A context for KEY and NONCE."""
    return AeadContext(target, "wm_grain128", 8, KEY, NONCE, a_len, direction)


def test_there_are_enough_vectors() -> None:
    """At least 200 cases, at least a third of them refusals."""
    everything = load("grain128_aead", "aead")
    assert len(everything) >= 200
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


def test_both_ways_of_every_vector(target: Target) -> None:
    """Sealing a vector's message gives its ciphertext and tag, opening those gives the message."""
    for vector in some(target, valid=True):
        key, nonce, a, m, ct, tag = (
            vector.octets(n) for n in ("key", "nonce", "aad", "msg", "ct", "tag")
        )
        assert seal(target, key, nonce, a, m)[:2] == (ct, tag), vector
        assert open_(target, key, nonce, a, ct, tag)[:2] == (OK, m), vector


def test_refusal_of_every_vector(target: Target) -> None:
    """Opening a damaged message is refused and leaves zeros where its plaintext would be."""
    for vector in some(target, valid=False):
        key, nonce, a, ct, tag = (vector.octets(n) for n in ("key", "nonce", "aad", "ct", "tag"))
        assert open_(target, key, nonce, a, ct, tag)[:2] == (vector.status, bytes(len(ct))), vector


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=6)
@given(
    a=st.binary(max_size=40),
    m=st.binary(max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=4),
    damage=st.integers(0, 63),
)
def test_cut_anywhere(name: str, a: bytes, m: bytes, cuts: list[int], damage: int) -> None:
    """However a and m are cut, the result is the model's; opening in pieces accepts its tag, none
    with a bit changed, and wipes its context."""
    target = target_named(name, *HEADERS)
    target.reset()
    ct, tag = grain128_seal(KEY, NONCE, a, m)
    sealing = incremental(target, SEAL, len(a))
    assert all(sealing.aad(piece) == OK for piece in pieces(a, cuts))
    assert b"".join(sealing.crypt(piece)[1] for piece in pieces(m, cuts)) == ct
    assert sealing.seal_finish() == (OK, tag)
    assert bytes(sealing.context) == bytes(len(sealing.context))
    wrong = bytearray(tag)
    wrong[damage // 8] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        opening = incremental(target, OPEN, len(a))
        assert all(opening.aad(piece) == OK for piece in pieces(a, cuts))
        assert b"".join(opening.crypt(piece)[1] for piece in pieces(ct, cuts)) == m
        assert opening.open_finish(given_tag) == status
        assert bytes(opening.context) == bytes(len(opening.context))


def test_calls_out_of_order_do_nothing(target: Target) -> None:
    """More of a than announced, m before all of a, the other finish, anything after the end:
    refused, nothing done."""
    context = incremental(target, SEAL, 2)
    before = bytes(context.context)
    assert context.aad(b"abc") == ERR_STATE
    assert context.crypt(b"m") == (ERR_STATE, b"m")
    assert context.seal_finish() == (ERR_STATE, b"\xee" * 8)
    assert bytes(context.context) == before
    assert context.aad(b"a") == OK
    assert context.crypt(b"m") == (ERR_STATE, b"m")
    assert context.aad(b"b") == OK
    begun = bytes(context.context)
    assert context.open_finish(bytes(8)) == ERR_STATE
    assert bytes(context.context) == begun
    assert context.seal_finish() == (OK, grain128_seal(KEY, NONCE, b"ab", b"")[1])
    assert context.aad(b"") == ERR_STATE
    assert context.crypt(b"") == (ERR_STATE, b"")
    assert context.seal_finish() == (ERR_STATE, b"\xee" * 8)
    assert context.open_finish(bytes(8)) == ERR_STATE
    opening = incremental(target, OPEN, 0)
    assert opening.seal_finish() == (ERR_STATE, b"\xee" * 8)


@pytest.mark.parametrize("offset", range(2))
def test_tag_may_follow_the_message(target: Target, offset: int) -> None:
    """A message at any address is sealed with its tag right behind it; nothing around changes."""
    around, m = b"\x5a" * 8, random.Random(offset).randbytes(19)
    place = target.buffer(around + bytes(offset) + m + bytes(8) + around)
    at = place.address + 8 + offset
    target.call("wm_grain128_seal", KEY, NONCE, b"header", 6, at, 19, at + 19)
    assert (
        place.read()
        == around + bytes(offset) + b"".join(grain128_seal(KEY, NONCE, b"header", m)) + around
    )
    assert target.call("wm_grain128_open", KEY, NONCE, b"header", 6, at, 19, at + 19).value == OK
    assert place.read()[8 + offset : 27 + offset] == m


def test_secrets_take_equal_time(emulated: EmulatedTarget) -> None:
    """Random keys, nonces and messages of one length give one cycle count, one trace of program
    counters and one of addresses; so does opening, one verdict for right and one for wrong tags."""
    source = random.Random("grain128 time")
    sealed: set[tuple[int | None, int, int]] = set()
    opened: dict[int, set[tuple[int | None, int, int]]] = {OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        fill = bytes([255 * number] * 50) if number < 2 else source.randbytes(50)
        key, nonce, a, m = fill[:16], fill[16:28], fill[28:35], fill[35:]
        ct, tag, outcome = seal(emulated, key, nonce, a, m, trace="hash")
        assert outcome.trace is not None
        sealed.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
        wrong = bytearray(tag)
        wrong[number % 8] ^= 1 << number % 7
        for given_tag in (tag, bytes(wrong)):
            status, _, outcome = open_(emulated, key, nonce, a, ct, given_tag, trace="hash")
            assert outcome.trace is not None
            opened[status].add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert [len(sealed), *(len(seen) for seen in opened.values())] == [1, 1, 1]
