# SPDX-License-Identifier: BSD-3-Clause
"""Grain-128AEADv2: vectors both ways, refusals, order of calls, pieces, equal time, on every
target.

A test goes through vectors of a target at once: a case takes less than pytest needs to name it. The
emulated targets take every published vector and every third of the others; the host takes all.
"""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.ciphers_model import grain128_seal
from tests.stack.calls import ERR_STATE, OK, OPEN, SEAL, AeadContext, pieces
from tests.stack.conftest import TARGETS, target_named
from tests.stack.mode import aead_checks as checks
from tests.stack.mode.aead_checks import Aead
from tests.vectors import Vector, load
from wardmote.call import EmulatedTarget, Target

HEADERS = ("grain128_aead",)

KEY, NONCE = bytes(range(16)), bytes(range(12))
EQUAL_TIME_RUNS = 20
"""Random keys, nonces, data and messages of a constant-time test."""
DIRECTIONS = {SEAL: 1, OPEN: 2}
"""What a start calls them."""

octets, cuts = checks.messages(40)


def some(target: Target, *, valid: bool) -> list[Vector]:
    """Vectors in the number that suits the target."""
    generated = load("grain128_aead/generated.json", "aead", valid=valid)
    printed = load("grain128_aead/nist_lwc.json", "aead") if valid else []
    return printed + (generated[::3] if isinstance(target, EmulatedTarget) else generated)


def aead_of(target: Target, key: bytes = KEY, nonce: bytes = NONCE) -> Aead:
    """Grain under a key and a nonce."""
    return Aead(target, "wm_grain128", (key, nonce), 8)


def incremental(target: Target, a_len: int, direction: int) -> AeadContext:
    """A context for KEY and NONCE, which is told how long a is."""
    return AeadContext(target, "wm_grain128", 8, KEY, NONCE, a_len, DIRECTIONS[direction])


def test_there_are_enough_vectors() -> None:
    """At least 200 cases, at least a third of them refusals."""
    checks.check_enough(load("grain128_aead", "aead"))


@pytest.mark.parametrize("valid", [True, False])
def test_every_vector(target: Target, valid: bool) -> None:
    """Sealing a vector's message gives its ciphertext and tag, opening those gives the message; a
    damaged one is refused and leaves zeros where its plaintext would be."""
    for vector in some(target, valid=valid):
        key, nonce, *_ = checks.parts(vector)
        checks.check_vector(aead_of(target, key, nonce), vector)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=6)
@given(a=octets, m=octets, places=cuts, damage=st.integers(0, 63))
def test_cut_anywhere(name: str, a: bytes, m: bytes, places: list[int], damage: int) -> None:
    """However a and m are cut, the result is the model's; opening in pieces accepts its tag, none
    with a bit changed, and wipes its context."""
    target = target_named(name, *HEADERS)
    target.reset()
    start = partial(incremental, target, len(a))
    want = grain128_seal(KEY, NONCE, a, m)
    checks.check_pieces(start, pieces(a, places), places, m, want, damage)


def test_calls_out_of_order_do_nothing(target: Target) -> None:
    """More of a than announced, m before all of a, the other finish, anything after the end:
    refused, nothing done."""
    context = incremental(target, 2, SEAL)
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
    opening = incremental(target, 0, OPEN)
    assert opening.seal_finish() == (ERR_STATE, b"\xee" * 8)


@pytest.mark.parametrize("offset", range(2))
def test_tag_may_follow_the_message(target: Target, offset: int) -> None:
    """A message at any address is sealed with its tag right behind it; nothing around changes."""
    checks.check_place(aead_of(target), offset, partial(grain128_seal, KEY, NONCE))


def test_secrets_take_equal_time(emulated: EmulatedTarget) -> None:
    """Random keys, nonces and messages of one length take one cycle count, one trace of program
    counters and one of addresses: to seal, to open with right tags, and with wrong ones."""
    checks.check_equal_time(partial(aead_of, emulated), (16, 12, 7, 15), EQUAL_TIME_RUNS)
