# SPDX-License-Identifier: BSD-3-Clause
"""Marvin: vectors, refusals, every length, pieces, wiped contexts, equal time, on every target."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import curupira_model
from tests.stack.calls import ERR_PARAM, ERR_SECURITY, ERR_STATE, OK, bound, pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import curupiras
from tests.stack.mode.curupiras import (
    FORWARD,
    TWO,
    Under,
    both_ciphers,
    every_cipher,
    under_of,
)
from tests.vectors import load, thinned
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode

HEADERS = (*curupiras.HEADERS, "marvin", "skipjack", "aes128")

VECTORS = load("marvin", "mac")
EQUAL_TIME_RUNS = 20
"""Random keys, messages and tags of a constant-time test."""


def derived(
    target: Target, under: Under, key: bytes, trace: TraceMode = "off"
) -> tuple[bytearray, Outcome]:
    """A key of Marvin, and how the call went."""
    made = target.pack("wm_marvin_key")
    outcome = target.call("wm_marvin_derive", made, under.bound(target, key), trace=trace)
    return made, outcome


class Marvin:
    """One context, in octets that held something else before, which took the pieces."""

    def __init__(
        self, target: Target, under: Under, key: bytes, message: Sequence[bytes] = ()
    ) -> None:
        self.target = target
        made, outcome = derived(target, under, key)
        assert outcome.value == OK
        self.key = target.buffer(made)
        self.context = target.pack("wm_marvin")
        self.context[:] = b"\xa5" * len(self.context)
        target.call("wm_marvin_init", self.context, self.key)
        for piece in message:
            target.call("wm_marvin_update", self.context, piece, len(piece))

    def final(self, tag_len: int) -> tuple[int, bytes]:
        """Status and tag, which begins as 0xee."""
        tag = bytearray(b"\xee" * tag_len)
        return self.target.call("wm_marvin_final", self.context, tag, tag_len).value, bytes(tag)

    def verify(self, tag: bytes) -> int:
        """Status."""
        return self.target.call("wm_marvin_verify", self.context, tag, len(tag)).value


def test_there_are_enough_vectors() -> None:
    """At least 200, a third of them refusals, and some that others published."""
    assert len(VECTORS) >= 200
    assert 3 * sum(not vector.valid for vector in VECTORS) >= len(VECTORS)
    assert {vector.file for vector in VECTORS} == {"marvin/jcurupira.json", "marvin/generated.json"}


def test_every_vector(target: Target, stride: int) -> None:
    """The message of each valid vector gives its tag, and the tag is accepted; each invalid one is
    refused with its status."""
    for vector in thinned(VECTORS, stride):
        target.reset()
        message, tag = vector.octets("msg"), vector.octets("tag")
        marvin = Marvin(target, under_of(vector), vector.octets("key"), [message])
        if vector.valid:
            context = bytes(marvin.context)
            assert marvin.final(len(tag)) == (OK, tag), vector
            marvin.context[:] = context
        assert marvin.verify(tag) == vector.status, vector


@every_cipher
def test_every_length_in_two_pieces(target: Target, under: Under, stride: int) -> None:
    """Every length to 75 octets, cut somewhere, gives the model's tag."""
    source = random.Random(f"{under}")
    for length in range(0, 76, stride):
        target.reset()
        key, message = source.randbytes(under.key_octets), source.randbytes(length)
        tag_len = source.randint(4, 12)
        marvin = Marvin(target, under, key, pieces(message, [source.randint(0, length)]))
        assert marvin.final(tag_len) == (
            OK,
            curupira_model.marvin(under.model, key, message, tag_len),
        ), length


@pytest.mark.parametrize("name", DIFFERENT)
@settings(max_examples=20)
@given(
    message=st.binary(max_size=90),
    cuts=st.lists(st.integers(0, 90), max_size=6),
    key=st.binary(min_size=12, max_size=12),
    tag_len=st.integers(4, 12),
    number=st.integers(0, 1),
)
def test_cut_anywhere(
    name: str, message: bytes, cuts: list[int], key: bytes, tag_len: int, number: int
) -> None:
    """However a message is cut into pieces, empty ones among them, its tag is the model's."""
    target = target_named(name, *HEADERS)
    target.reset()
    under = TWO[number]
    marvin = Marvin(target, under, key, pieces(message, cuts))
    assert marvin.final(tag_len) == (OK, curupira_model.marvin(under.model, key, message, tag_len))


def test_tag_lengths(target: Target) -> None:
    """Every valid tag length gives the model's tag. Any other is refused, and context and tag do
    not change."""
    under = FORWARD["curupira2"]
    key, message = bytes(range(12)), b"a message"
    whole = Marvin(target, under, key, [message])
    context = bytes(whole.context)
    for tag_len in (*range(20), 127, 128, 255):
        whole.context[:] = context
        status, tag = whole.final(tag_len)
        if 4 <= tag_len <= 12:
            assert (status, tag) == (
                OK,
                curupira_model.marvin(under.model, key, message, tag_len),
            ), tag_len
            assert whole.context == bytes(len(context)), tag_len
        else:
            assert (status, tag, bytes(whole.context)) == (ERR_PARAM, b"\xee" * tag_len, context), (
                tag_len
            )
            assert whole.verify(bytes(tag_len)) == ERR_PARAM, tag_len
            assert whole.context == context, tag_len


@both_ciphers
def test_every_bit_of_a_tag_counts(target: Target, under: Under) -> None:
    """A tag with any one bit changed is refused; either way the context is wiped."""
    key, message = bytes(range(12)), bytes(35)
    marvin = Marvin(target, under, key, [message])
    context, right = bytes(marvin.context), curupira_model.marvin(under.model, key, message, 12)
    for bit in range(-1, 96, 3):
        tag = bytearray(right)
        if bit >= 0:
            tag[bit // 8] ^= 1 << bit % 8
        marvin.context[:] = context
        assert marvin.verify(bytes(tag)) == (OK if bit < 0 else ERR_SECURITY), bit
        assert marvin.context == bytes(len(context)), bit


def test_long_message(target: Target) -> None:
    """A message longer than 8191 octets, whose length in bits takes three octets, gives the model's
    tag."""
    under = FORWARD["curupira2"]
    key, piece = bytes(range(12)), random.Random("long").randbytes(500)
    marvin = Marvin(target, under, key, [piece] * 17)
    assert marvin.final(12) == (OK, curupira_model.marvin(under.model, key, piece * 17, 12))


@pytest.mark.parametrize("octets", [0x1FFF_FFFF, 0x2000_0000, 0xFFFF_FFFF])
def test_length_of_the_longest_messages(target: Target, octets: int) -> None:
    """The length enters the code in bits, of which the longest messages have more than 32 bits
    hold. The count is put into a context that has taken nothing, so that the sum is the mask."""
    under = FORWARD["curupira1_96"]
    key = bytes(range(12))
    marvin = Marvin(target, under, key)
    members = target.unpack("wm_marvin", marvin.context)
    assert isinstance(members["sum"], dict)
    members["sum"]["octets"] = octets
    marvin.context[:] = target.pack("wm_marvin", **members)
    constant = curupira_model.MARVIN_CONSTANT
    mask = curupira_model.xor(under.model(key, constant), constant)
    summed = curupira_model.xor(mask, (0x80 << 88 ^ 8 * octets).to_bytes(12, "big"))
    assert marvin.final(12) == (OK, under.model(key, summed))


@pytest.mark.parametrize(("other", "octets"), [("skipjack", 10), ("aes128_small", 16)])
def test_other_ciphers_are_refused(target: Target, other: str, octets: int) -> None:
    """A cipher whose blocks are not of 12 octets is refused; with such a key no message begins."""
    made = bytearray(b"\xa5" * len(target.pack("wm_marvin_key")))
    under = bound(target, other, bytes(octets))
    assert target.call("wm_marvin_derive", made, under).value == ERR_PARAM
    assert target.call("wm_marvin_init", target.pack("wm_marvin"), made).value == ERR_STATE


@both_ciphers
@pytest.mark.parametrize("length", [36, 41])
def test_secrets_take_equal_time(emulated: EmulatedTarget, under: Under, length: int) -> None:
    """Random keys, messages and tags take one cycle count and one trace of program counters in
    every call from key to comparison: one of right tags and one of wrong ones, wherever they are
    wrong."""
    source = random.Random(f"{under} {length}")
    seen: dict[int, set[tuple[object, ...]]] = {OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        emulated.reset()
        key, message = source.randbytes(12), source.randbytes(length)
        if number < 2:
            key, message = bytes([255 * number] * 12), bytes([255 * number] * length)
        tag = bytearray(curupira_model.marvin(under.model, key, message, 8))
        if number % 2:
            tag[source.randrange(8)] ^= 1 << source.randrange(8)
        made, outcome = derived(emulated, under, key, "hash")
        context, kept, done = (
            emulated.pack("wm_marvin"),
            emulated.buffer(made),
            [outcome],
        )
        done.append(emulated.call("wm_marvin_init", context, kept, trace="hash"))
        done.append(emulated.call("wm_marvin_update", context, message, length, trace="hash"))
        done.append(emulated.call("wm_marvin_verify", context, bytes(tag), 8, trace="hash"))
        assert done[-1].value == (ERR_SECURITY if number % 2 else OK)
        ways = tuple((outcome.cycles, outcome.trace.pc_hash) for outcome in done if outcome.trace)
        assert len(ways) == len(done)
        seen[done[-1].value].add(ways)
    assert [len(ways) for ways in seen.values()] == [1, 1]
