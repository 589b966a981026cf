# SPDX-License-Identifier: BSD-3-Clause
"""LetterSoup: vectors both ways, refusals, order of calls, pieces, place, wiped contexts, equal
time, on every CPU."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.curupira_model import lettersoup_seal
from tests.stack.calls import (
    ERR_PARAM,
    ERR_SECURITY,
    ERR_STATE,
    OK,
    OPEN,
    SEAL,
    AeadContext,
    pieces,
)
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import curupiras
from tests.stack.mode.curupiras import FORWARD, TWO, Under, both_ciphers, every_cipher, under_of
from tests.vectors import load, thinned
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode

HEADERS = (*curupiras.HEADERS, "lettersoup", "skipjack", "aes128")

VECTORS = load("lettersoup", "aead")
NONCE = bytes(range(0x10, 0x1C))
EQUAL_TIME_RUNS = 20
"""Random keys, nonces, data and tags of a constant-time test."""

octets = st.binary(max_size=60)
cuts = st.lists(st.integers(0, 60), max_size=4)


def key_of(under: Under) -> bytes:
    """The key of tests that need only one."""
    return bytes(range(0x40, 0x40 + under.key_octets))


def seal(
    target: Target,
    under: Under,
    key: bytes,
    nonce: bytes,
    a: bytes,
    m: bytes,
    tag_len: int,
    trace: TraceMode = "off",
) -> tuple[bytes, bytes, Outcome]:
    """Ciphertext and tag of one call, which begins as 0xee, and how it went."""
    ct, tag = bytearray(m), bytearray(b"\xee" * tag_len)
    begin = (under.descriptor(target), under.expand(target, key), nonce)
    outcome = target.call(
        "wm_lettersoup_seal", *begin, a, len(a), ct, len(m), tag, tag_len, trace=trace
    )
    return bytes(ct), bytes(tag), outcome


def unseal(
    target: Target,
    under: Under,
    key: bytes,
    nonce: bytes,
    a: bytes,
    ct: bytes,
    tag: bytes,
    trace: TraceMode = "off",
) -> tuple[bytes, Outcome]:
    """What opening in one call left of the ciphertext, and how it went."""
    m = bytearray(ct)
    begin = (under.descriptor(target), under.expand(target, key), nonce)
    outcome = target.call(
        "wm_lettersoup_open", *begin, a, len(a), m, len(m), tag, len(tag), trace=trace
    )
    return bytes(m), outcome


def incremental(target: Target, under: Under, tag_len: int, direction: int) -> AeadContext:
    """A context for NONCE and the cipher's key."""
    begin = (under.descriptor(target), under.expand(target, key_of(under)), NONCE)
    context = AeadContext(target, "wm_lettersoup", tag_len, *begin, tag_len, direction)
    assert context.started == OK
    return context


def test_there_are_enough_vectors() -> None:
    """At least 200, a third of them refusals, and some that others published."""
    assert len(VECTORS) >= 200
    assert 3 * sum(not vector.valid for vector in VECTORS) >= len(VECTORS)
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
        key, nonce, a, ct, tag = (
            vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag")
        )
        under = under_of(vector)
        if vector.valid:
            assert seal(target, under, key, nonce, a, vector.octets("msg"), len(tag))[:2] == (
                ct,
                tag,
            ), vector
        m, outcome = unseal(target, under, key, nonce, a, ct, tag)
        left = {
            OK: vector.octets("msg") if vector.valid else None,
            ERR_SECURITY: bytes(len(ct)),
            ERR_PARAM: ct,
        }
        assert (outcome.value, m) == (vector.status, left[vector.status]), vector


@every_cipher
def test_every_length_both_ways(target: Target, under: Under, stride: int) -> None:
    """Every length to 61 octets of m and to 29 of a gives the model's result, and that opens."""
    source = random.Random(f"lettersoup {under}")
    for length in range(0, 62, stride):
        target.reset()
        a, m, tag_len = source.randbytes(length * 7 % 30), source.randbytes(length), 4 + length % 9
        key = source.randbytes(under.key_octets)
        want = lettersoup_seal(under.model, key, NONCE, a, m, tag_len)
        assert seal(target, under, key, NONCE, a, m, tag_len)[:2] == want, length
        opened, outcome = unseal(target, under, key, NONCE, a, *want)
        assert (outcome.value, opened) == (OK, m), length


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
    ct, tag = lettersoup_seal(under.model, key_of(under), NONCE, a, m, tag_len)
    sealing = incremental(target, under, tag_len, SEAL)
    assert sealing.through(pieces(a, a_cuts), pieces(m, m_cuts)) == ct
    assert sealing.seal_finish() == (OK, tag)
    assert sealing.context == bytes(len(sealing.context))
    wrong = bytearray(tag)
    wrong[damage // 8 % tag_len] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        opening = incremental(target, under, tag_len, OPEN)
        assert opening.through(pieces(a, a_cuts), pieces(ct, m_cuts)) == m
        assert opening.open_finish(given_tag) == status
        assert opening.context == bytes(len(opening.context))


def test_calls_out_of_order(target: Target) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    under = FORWARD["curupira2"]
    for direction in (SEAL, OPEN):
        context = incremental(target, under, 8, direction)
        assert context.crypt(b"")[0] == OK
        assert context.aad(b"a") == OK, "nothing of m has come yet"
        assert context.crypt(b"m")[0] == OK
        before = bytes(context.context)
        assert context.aad(b"a") == ERR_STATE
        if direction == SEAL:
            assert context.open_finish(bytes(8)) == ERR_STATE
        else:
            assert context.seal_finish() == (ERR_STATE, b"\xee" * 8)
        assert context.context == before
        assert (
            context.seal_finish()[0] if direction == SEAL else context.open_finish(bytes(8))
        ) != ERR_STATE
        assert context.aad(b"a") == ERR_STATE
        assert context.crypt(b"m") == (ERR_STATE, b"m")
        assert context.seal_finish() == (ERR_STATE, b"\xee" * 8)
        assert context.open_finish(bytes(8)) == ERR_STATE
        assert context.context == bytes(len(context.context))


def test_what_start_refuses(target: Target) -> None:
    """A length of tag there is none of, or a cipher whose blocks are not of 12 octets: nothing is
    written."""
    under = FORWARD["curupira1_96"]
    key = key_of(under)
    for tag_len in (0, 1, 2, 3, 13, 16, 128, 255):
        target.reset()
        ct, tag, outcome = seal(target, under, key, NONCE, b"a", b"message", tag_len)
        assert (outcome.value, ct, tag) == (ERR_PARAM, b"message", b"\xee" * tag_len), tag_len
        m, outcome = unseal(target, under, key, NONCE, b"a", b"message", bytes(tag_len))
        assert (outcome.value, m) == (ERR_PARAM, b"message"), tag_len
    for other in ("skipjack_forward", "aes128_small_forward"):
        context = bytearray(b"\xa5" * len(target.pack("wm_lettersoup")))
        args = (context, target.address_of(f"wm_{other}"), bytes(176), NONCE, 8, SEAL)
        assert target.call("wm_lettersoup_start", *args).value == ERR_PARAM, other
        assert context == b"\xa5" * len(context), other


@pytest.mark.parametrize("offset", range(4))
def test_message_anywhere_in_memory(target: Target, offset: int) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    source, under = random.Random(offset), FORWARD["curupira2"]
    a, m, before, after = (source.randbytes(n) for n in (19, 37, 8 + offset, 9))
    ct, tag = lettersoup_seal(under.model, key_of(under), NONCE, a, m, 12)
    memory = target.buffer(before + a + m + bytes(12) + after)
    a_at = memory.address + len(before)
    row = (a_at, len(a), a_at + len(a), len(m), a_at + len(a) + len(m), 12)
    begin = (under.descriptor(target), under.expand(target, key_of(under)), NONCE)
    assert target.call("wm_lettersoup_seal", *begin, *row).value == OK
    assert memory.read() == before + a + ct + tag + after
    assert target.call("wm_lettersoup_open", *begin, *row).value == OK
    assert memory.read() == before + a + m + tag + after


@both_ciphers
def test_secrets_take_equal_time(emulated: EmulatedTarget, under: Under) -> None:
    """Random keys, nonces, data and tags take one cycle count and one trace of program counters:
    one of sealing, one of right tags and one of wrong ones, wherever they are wrong."""
    source = random.Random(f"lettersoup time {under}")
    seen: dict[object, set[tuple[object, ...]]] = {"seal": set(), OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        emulated.reset()
        key, nonce, a, m = (source.randbytes(n) for n in (12, 12, 21, 37))
        if number < 2:
            key, nonce, a, m = (bytes([255 * number] * n) for n in (12, 12, 21, 37))
        ct, tag, sealed = seal(emulated, under, key, nonce, a, m, 12, "hash")
        given_tag = bytearray(tag)
        if number % 2:
            given_tag[source.randrange(12)] ^= 1 << source.randrange(8)
        opened = unseal(emulated, under, key, nonce, a, ct, bytes(given_tag), "hash")[1]
        assert opened.value == (ERR_SECURITY if number % 2 else OK)
        for what, outcome in (("seal", sealed), (opened.value, opened)):
            assert outcome.trace is not None
            seen[what].add((outcome.cycles, outcome.trace.pc_hash))
    assert [len(ways) for ways in seen.values()] == [1, 1, 1]
