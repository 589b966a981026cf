# SPDX-License-Identifier: BSD-3-Clause
"""Ascon-AEAD128: vectors both ways, refusals, order of calls, pieces, place, wiped contexts, equal
time, on every target."""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import aead_checks as checks
from tests.stack.mode.aead_checks import Aead
from tests.vectors import load, thinned
from vectors.ascon_model import seal as seal_model
from wardmote.call import EmulatedTarget, Target

HEADERS = ("ascon_aead128",)

VECTORS = load("ascon_aead128", "aead")
KEY, NONCE = bytes(range(0x40, 0x50)), bytes(range(0x10, 0x20))
EQUAL_TIME_RUNS = 25
"""Random keys, nonces, data and messages of a constant-time test."""
CYCLES = {"msp430": (14_300, 276), "avr": (16_250, 306), "armv7m": (2_950, 48)}
"""Most of sealing nothing, and of each octet of a long message; on ARMv7-M at the upper end of its
timing band."""

octets, cuts = checks.messages(70)


def aead_of(target: Target, key: bytes = KEY, nonce: bytes = NONCE) -> Aead:
    """Ascon under a key and a nonce."""
    return Aead(target, "wm_ascon_aead128", (key, nonce), 16)


def test_there_are_enough_vectors() -> None:
    """At least 200, a third of them refusals."""
    checks.check_enough(VECTORS)


def test_every_vector(target: Target, stride: int) -> None:
    """A valid vector seals to its ciphertext and tag and opens to its message; an invalid one is
    refused and leaves zeros where its plaintext would be."""
    for vector in thinned(VECTORS, stride):
        key, nonce, *_ = checks.parts(vector)
        checks.check_vector(aead_of(target, key, nonce), vector)


def test_vectors_are_what_the_model_computes() -> None:
    """The model seals each valid vector to its ciphertext and tag, the designers' vectors
    included."""
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
    want = seal_model(KEY, NONCE, a, m)
    checks.check_pieces(aead_of(target).context, pieces(a, a_cuts), m_cuts, m, want, damage)


def test_every_length_both_ways(target: Target, stride: int) -> None:
    """Every length to 130 octets of m and to 40 of a gives the model's result, and that opens."""
    source = random.Random("ascon lengths")
    for length in range(0, 131, stride):
        a, m = source.randbytes(length % 41), source.randbytes(length)
        checks.check_both_ways(aead_of(target), a, m, seal_model(KEY, NONCE, a, m))


def test_calls_out_of_order(target: Target) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    checks.check_calls_out_of_order(aead_of(target))


@pytest.mark.parametrize("offset", range(4))
def test_message_anywhere_in_memory(target: Target, offset: int) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    checks.check_place(aead_of(target), offset, partial(seal_model, KEY, NONCE))


def test_secrets_take_equal_time(emulated: EmulatedTarget) -> None:
    """Random keys, nonces, data and messages take one cycle count, one trace of program counters
    and one of addresses: to seal, to open with right tags, and with wrong ones."""
    checks.check_equal_time(partial(aead_of, emulated), (16, 16, 21, 37), EQUAL_TIME_RUNS)


@pytest.mark.parametrize("name", CYCLES)
def test_cost_of_sealing(name: str) -> None:
    """Sealing costs no more cycles than the table above says, whatever the message is."""
    target = target_named(name, *HEADERS)
    target.reset()
    begun, octet = CYCLES[name]
    for length in (0, 64, 256):
        cycles = aead_of(target).seal(b"", bytes(length))[2].cycles
        assert cycles is not None
        assert cycles <= begun + octet * length
