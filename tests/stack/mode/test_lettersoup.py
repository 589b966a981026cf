# SPDX-License-Identifier: BSD-3-Clause
"""LetterSoup: vectors both ways, refusals, order of calls, pieces, place, wiped contexts, equal
time, on every CPU."""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.curupira_model import lettersoup_seal
from tests.stack.calls import ERR_PARAM, ERR_STATE, SEAL, bound, pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import aead_checks as checks
from tests.stack.mode import curupiras
from tests.stack.mode.aead_checks import Aead
from tests.stack.mode.curupiras import FORWARD, TWO, Under, both_ciphers, every_cipher, under_of
from tests.vectors import load, thinned
from wardmote.call import EmulatedTarget, Target

HEADERS = (*curupiras.HEADERS, "lettersoup", "skipjack", "aes128")

VECTORS = load("lettersoup", "aead")
NONCE = bytes(range(0x10, 0x1C))
EQUAL_TIME_RUNS = 20
"""Random keys, nonces, data and messages of a constant-time test."""

octets, cuts = checks.messages(60)


def key_of(under: Under) -> bytes:
    """The key of tests that need only one."""
    return bytes(range(0x40, 0x40 + under.key_octets))


def aead_of(
    target: Target, under: Under, tag_octets: int, key: bytes = b"", nonce: bytes = NONCE
) -> Aead:
    """LetterSoup over a cipher, with tags of this length; the key is `key_of` if none is given."""
    begin = (under.bound(target, key or key_of(under)), nonce)
    return Aead(target, "wm_lettersoup", begin, tag_octets, names_tag=True)


def model_of(under: Under, tag_octets: int, a: bytes, m: bytes) -> checks.Sealed:
    """What the model seals a and m to under `key_of` and NONCE."""
    return lettersoup_seal(under.model, key_of(under), NONCE, a, m, tag_octets)


def test_there_are_enough_vectors() -> None:
    """At least 200, a third of them refusals, and some that others published."""
    checks.check_enough(VECTORS)
    assert {vector.file for vector in VECTORS} == {
        "lettersoup/jcurupira.json",
        "lettersoup/generated.json",
    }


def test_every_vector(target: Target, stride: int) -> None:
    """A valid vector seals to its ciphertext and tag and opens to its message; a wrong one is
    refused and leaves zeros where its plaintext would be; one whose tag has no valid length is left
    as it is."""
    for vector in thinned(VECTORS, stride):
        target.reset()
        key, nonce, _, _, tag = checks.parts(vector)
        checks.check_vector(aead_of(target, under_of(vector), len(tag), key, nonce), vector)


@every_cipher
def test_every_length_both_ways(target: Target, under: Under, stride: int) -> None:
    """Every length to 61 octets of m and to 29 of a gives the model's result, and that opens."""
    source = random.Random(f"lettersoup {under}")
    for length in range(0, 62, stride):
        target.reset()
        a, m, tag_len = source.randbytes(length * 7 % 30), source.randbytes(length), 4 + length % 9
        key = source.randbytes(under.key_octets)
        want = lettersoup_seal(under.model, key, NONCE, a, m, tag_len)
        checks.check_both_ways(aead_of(target, under, tag_len, key), a, m, want)


@pytest.mark.parametrize("name", DIFFERENT)
@settings(max_examples=15)
@given(
    a=octets,
    m=octets,
    a_cuts=cuts,
    m_cuts=cuts,
    tag_len=st.integers(4, 12),
    damage=st.integers(0, 95),
    number=st.integers(0, 1),
)
def test_cut_anywhere(
    name: str,
    a: bytes,
    m: bytes,
    a_cuts: list[int],
    m_cuts: list[int],
    tag_len: int,
    damage: int,
    number: int,
) -> None:
    """However a and m are cut into pieces, sealing gives the model's result; opening accepts that
    and no tag with a bit changed; either finish wipes the context."""
    target = target_named(name, *HEADERS)
    target.reset()
    under = TWO[number]
    start = aead_of(target, under, tag_len).context
    want = model_of(under, tag_len, a, m)
    checks.check_pieces(start, pieces(a, a_cuts), m_cuts, m, want, damage)


def test_calls_out_of_order(target: Target) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    checks.check_calls_out_of_order(aead_of(target, FORWARD["curupira2"], 8))


def test_what_start_refuses(target: Target) -> None:
    """A length of tag there is none of, or a cipher whose blocks are not of 12 octets: nothing is
    written."""
    under = FORWARD["curupira1_96"]
    for tag_len in (0, 1, 2, 3, 13, 16, 128, 255):
        target.reset()
        aead = aead_of(target, under, tag_len)
        ct, tag, outcome = aead.seal(b"a", b"message")
        assert (outcome.value, ct, tag) == (ERR_PARAM, b"message", b"\xee" * tag_len), tag_len
        m, outcome = aead.open(b"a", b"message", bytes(tag_len))
        assert (outcome.value, m) == (ERR_PARAM, b"message"), tag_len
    for other, octets in (("skipjack", 10), ("aes128_small", 16)):
        context = bytearray(b"\xa5" * len(target.pack("wm_lettersoup")))
        args = (context, bound(target, other, bytes(octets)), NONCE, 8, SEAL)
        assert target.call("wm_lettersoup_start", *args).value == ERR_PARAM, other
        assert target.call("wm_lettersoup_aad", context, b"a", 1).value == ERR_STATE, other


@pytest.mark.parametrize("offset", range(4))
def test_message_anywhere_in_memory(target: Target, offset: int) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    under = FORWARD["curupira2"]
    checks.check_place(aead_of(target, under, 12), offset, partial(model_of, under, 12))


@both_ciphers
def test_secrets_take_equal_time(emulated: EmulatedTarget, under: Under) -> None:
    """Random keys, nonces, data and messages take one cycle count and one trace of program
    counters: to seal, to open with right tags, and with wrong ones."""

    def begin(key: bytes, nonce: bytes) -> Aead:
        emulated.reset()
        return aead_of(emulated, under, 12, key, nonce)

    checks.check_equal_time(begin, (12, 12, 21, 37), EQUAL_TIME_RUNS, addresses=False)
