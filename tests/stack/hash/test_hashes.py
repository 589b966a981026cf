# SPDX-License-Identifier: BSD-3-Clause
"""Hashes: vectors, every length, pieces, place, wiped contexts, equal time, on every target.

A test goes through all vectors of a hash on a target at once: a case takes less than pytest needs
to name it.
"""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import ERR_PARAM, OK, pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.hash.hashes import HASHES, Hash
from tests.vectors import load, thinned
from wardmote.call import EmulatedTarget, Target

HEADERS = tuple(hash_.name for hash_ in HASHES)

every_hash = pytest.mark.parametrize("hash_", HASHES, ids=str)

EQUAL_TIME_RUNS = 100
"""Random messages of a constant-time test."""


@every_hash
def test_digest_of_every_vector(target: Target, hash_: Hash, stride: int) -> None:
    """The message of each vector gives its digest; there are at least 200."""
    vectors = load(hash_.name, "hash")
    assert len(vectors) >= 200
    for vector in thinned(vectors, stride):
        assert hash_.digest(target, vector.octets("msg"))[0] == vector.octets("digest"), vector


@every_hash
def test_vectors_are_what_python_computes(hash_: Hash) -> None:
    """The reference of this test gives the digest of each vector, so that neither is wrong
    alone."""
    for vector in load(hash_.name, "hash"):
        assert hash_.reference(vector.octets("msg")) == vector.octets("digest"), vector


@every_hash
def test_every_length_in_two_pieces(target: Target, hash_: Hash, stride: int) -> None:
    """Every length to 130 octets, cut somewhere, gives the reference's digest and leaves a wiped
    context."""
    source = random.Random(hash_.name)
    for length in range(0, 131, stride):
        message = source.randbytes(length)
        digest, context = hash_.in_pieces(target, pieces(message, [source.randint(0, length)]))
        assert digest == hash_.reference(message), length
        assert context == bytes(len(context)), length


@pytest.mark.parametrize("name", DIFFERENT)
@every_hash
@settings(max_examples=20)
@given(message=st.binary(max_size=300), cuts=st.lists(st.integers(0, 300), max_size=6))
def test_cut_anywhere(name: str, hash_: Hash, message: bytes, cuts: list[int]) -> None:
    """However a message is cut into pieces, empty ones among them, its digest is the
    reference's."""
    target = target_named(name, *HEADERS)
    target.reset()
    assert hash_.in_pieces(target, pieces(message, cuts))[0] == hash_.reference(message)


@every_hash
@pytest.mark.parametrize("offset", range(4))
def test_digest_in_the_place_of_the_message(target: Target, hash_: Hash, offset: int) -> None:
    """A digest may lie over its own message, at any address; nothing around it changes."""
    message, around = random.Random(offset).randbytes(70), b"\x5a" * 8
    memory = target.buffer(around + bytes(offset) + message + around)
    at = memory.address + len(around) + offset
    target.call(f"wm_{hash_.name}_digest", at, len(message), at)
    after = hash_.reference(message) + message[hash_.digest_octets :]
    assert memory.read() == around + bytes(offset) + after + around


@every_hash
def test_messages_take_equal_time(emulated: EmulatedTarget, hash_: Hash) -> None:
    """Random messages of one length give one cycle count, one trace of program counters and one of
    addresses."""
    source = random.Random(f"{hash_.name} time")
    seen = set()
    for number in range(EQUAL_TIME_RUNS):
        message = bytes([255 * number] * 140) if number < 2 else source.randbytes(140)
        outcome = hash_.digest(emulated, message, trace="hash")[1]
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert len(seen) == 1


@every_hash
def test_long_messages(hash_: Hash) -> None:
    """On the host: the longest piece, or the longest that the reference takes; and the message of a
    million octets where the standard has one."""
    target = target_named("host")
    message = random.Random(1).randbytes(hash_.long_octets)
    assert hash_.digest(target, message)[0] == hash_.reference(message)
    assert hash_.in_pieces(target, [message, message])[0] == hash_.reference(message + message)
    for vector in load(hash_.name):
        if vector.type == "hash-repeated":
            whole = vector.octets("msg") * vector.number("count")
            assert hash_.in_pieces(target, pieces(whole, range(0, len(whole), 50_000)))[
                0
            ] == vector.octets("digest")


def blake2s(target: Target, digest_len: int, key: bytes, message: bytes) -> bytes:
    """A digest of any length, with a key."""
    context = target.pack("wm_blake2s")
    assert target.call("wm_blake2s_init", context, digest_len, key, len(key)).value == OK
    target.call("wm_blake2s_update", context, message, len(message))
    digest = bytearray(digest_len)
    target.call("wm_blake2s_final", context, digest)
    assert context == bytes(len(context))
    return bytes(digest)


def test_blake2s_with_a_key(target: Target, stride: int) -> None:
    """Every length of key and of digest gives the vector's digest, and it is hashlib's."""
    for vector in thinned(load("blake2s", "blake2s"), stride):
        key, message, want = (vector.octets(name) for name in ("key", "msg", "digest"))
        assert blake2s(target, len(want), key, message) == want, vector
        assert hashlib.blake2s(message, key=key, digest_size=len(want)).digest() == want, vector


def test_blake2s_refuses_other_lengths(target: Target) -> None:
    """Lengths of digest and key that BLAKE2s does not have are refused, also those that 8 bits would
    take for others: 256 octets of key are not none. The context is wiped, whatever it held: it
    takes a message, and its digest has no octets."""
    refused = [
        (vector.number("digestLen"), vector.number("keyLen"), vector.status)
        for vector in load("blake2s", "blake2s-lengths")
    ]
    for digest_len, key_len, status in (*refused, (32, 256, ERR_PARAM), (256 + 32, 0, ERR_PARAM)):
        target.reset()
        context, digest = target.buffer(b"\xa5" * len(target.pack("wm_blake2s"))), bytearray(32)
        key = bytes(key_len)
        answer = target.call("wm_blake2s_init", context, digest_len, key, key_len)
        assert answer.value == status, (digest_len, key_len)
        if status == ERR_PARAM:
            target.call("wm_blake2s_update", context, bytes(range(100)), 100)
            target.call("wm_blake2s_final", context, digest)
            assert digest == bytes(32)
