# SPDX-License-Identifier: BSD-3-Clause
"""Message authentication codes: vectors, refusals, every length, pieces, wiped contexts, equal
time, on every target.

A test goes through all vectors of a code on a target at once: a case takes less than pytest needs
to name it.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.block_modes_model import CIPHERS
from tests.stack.calls import ERR_PARAM, ERR_SECURITY, ERR_STATE, OK, pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import block_ciphers, macs
from tests.stack.mode.macs import MACS, Mac, Over
from tests.vectors import thinned
from wardmote.call import EmulatedTarget, Target

HEADERS = macs.HEADERS

every_mac = pytest.mark.parametrize("mac", MACS, ids=str)

EQUAL_TIME_RUNS = 20
"""Random keys, messages and tags of a constant-time test."""


@every_mac
def test_every_vector(target: Target, mac: Mac, stride: int) -> None:
    """The message of each valid vector gives its tag, and the tag is accepted; each invalid one is
    refused with its status. There are at least 200 of each block length, and a third are refusals.
    """
    enough = mac.enough()
    assert len(enough) >= 200
    assert 3 * sum(not vector.valid for vector in enough) >= len(enough)
    for vector in thinned(mac.vectors(), stride):
        target.reset()
        key, message, tag = (vector.octets(name) for name in ("key", "msg", "tag"))
        context = mac.context(target, key, [message])
        if vector.valid:
            assert mac.final(target, bytearray(context), len(tag)) == (OK, tag), vector
        assert mac.verify(target, context, tag) == vector.status, vector


@every_mac
def test_vectors_are_what_others_compute(mac: Mac) -> None:
    """OpenSSL or Python gives the tag of each valid vector and no tag that is to be refused as
    wrong."""
    for vector in mac.vectors():
        tag = vector.octets("tag")
        same = mac.reference(vector.octets("key"), vector.octets("msg"))[: len(tag)] == tag
        assert same == vector.valid or vector.status == ERR_PARAM, vector


@every_mac
def test_tag_lengths(target: Target, mac: Mac) -> None:
    """Every valid tag length gives the leftmost octets. Any other is refused, and context and tag
    do not change."""
    key, message = bytes(range(mac.key_octets)), b"a message"
    context, want = mac.context(target, key, [message]), mac.reference(key, message)
    for tag_len in (*range(40), 128, 255):
        kept = bytearray(context)
        status, tag = mac.final(target, kept, tag_len)
        if tag_len in mac.tag_lengths:
            assert (status, tag, bytes(kept)) == (OK, want[:tag_len], bytes(len(kept))), tag_len
        else:
            assert (status, tag, kept) == (ERR_PARAM, b"\xee" * tag_len, context), tag_len
            assert mac.verify(target, kept, want.ljust(255, b"\0")[:tag_len]) == ERR_PARAM, tag_len
            assert kept == context, tag_len


@every_mac
def test_every_bit_of_a_tag_counts(target: Target, mac: Mac) -> None:
    """A tag with any one bit changed is refused; either way the context is wiped."""
    key, message = bytes(range(mac.key_octets)), bytes(35)
    context, right = mac.context(target, key, [message]), mac.reference(key, message)
    for bit in range(-1, 8 * len(right), 3):
        tag = bytearray(right)
        if bit >= 0:
            tag[bit // 8] ^= 1 << bit % 8
        kept = bytearray(context)
        assert mac.verify(target, kept, bytes(tag)) == (OK if bit < 0 else ERR_SECURITY), bit
        assert kept == bytes(len(kept)), bit


@every_mac
def test_nothing_after_the_end(target: Target, mac: Mac) -> None:
    """A message that has ended takes no octet, gives no tag and accepts none, not even one of
    zeros."""
    context = mac.context(target, bytes(mac.key_octets), [b"a message"])
    tag_len = mac.tag_lengths[-1]
    assert mac.final(target, context, tag_len)[0] == OK
    target.call(f"wm_{mac.function}_update", context, bytes(70), 70)
    assert mac.final(target, context, tag_len) == (ERR_STATE, b"\xee" * tag_len)
    assert mac.verify(target, context, bytes(tag_len)) == ERR_STATE
    assert context == bytes(len(context))


@every_mac
def test_every_length_in_two_pieces(target: Target, mac: Mac, stride: int) -> None:
    """Every length to 130 octets, cut somewhere, gives the reference's tag."""
    source = random.Random(mac.name)
    for length in range(0, 131, stride):
        target.reset()
        key, message = source.randbytes(mac.key_octets), source.randbytes(length)
        context = mac.context(target, key, pieces(message, [source.randint(0, length)]))
        want = mac.reference(key, message)
        assert mac.final(target, context, len(want)) == (OK, want), length


@every_mac
def test_longest_piece_on_host(mac: Mac) -> None:
    """On the host, 65535 octets in one piece give the tag that they give in short ones, by OpenSSL
    where it has one."""
    target = target_named("host")
    target.reset()
    source = random.Random(f"{mac} longest")
    key, message = source.randbytes(mac.key_octets), source.randbytes(65535)
    tag_len = mac.tag_lengths[-1]
    short = mac.final(
        target, mac.context(target, key, pieces(message, list(range(0, 65535, 1001)))), tag_len
    )
    assert mac.final(target, mac.context(target, key, [message]), tag_len) == short
    assert short[0] == OK
    if not isinstance(mac, Over):
        assert short[1] == mac.reference(key, message)


@pytest.mark.parametrize("cipher", block_ciphers.SHORTER_BLOCKS)
def test_xcbc_mac_over_shorter_blocks_gives_no_tag(target: Target, cipher: str) -> None:
    """The key is refused and stays as it is; with it no message begins."""
    under = block_ciphers.key_of(target, cipher, bytes(CIPHERS[cipher].key_octets))
    before, derived = under.read(), target.pack("wm_xcbc_mac_key")
    assert target.call("wm_xcbc_mac_derive", derived, under).value == ERR_PARAM
    assert under.read() == before
    context, tag = target.pack("wm_xcbc_mac"), bytearray(b"\xee" * 12)
    assert target.call("wm_xcbc_mac_init", context, derived).value == ERR_STATE
    target.call("wm_xcbc_mac_update", context, bytes(16), 16)
    for name in ("final", "verify"):
        assert target.call(f"wm_xcbc_mac_{name}", context, tag, 12).value == ERR_STATE
        assert bytes(tag) == b"\xee" * 12


@pytest.mark.parametrize("name", DIFFERENT)
@every_mac
@settings(max_examples=15)
@given(
    message=st.binary(max_size=150),
    cuts=st.lists(st.integers(0, 150), max_size=6),
    key=st.binary(min_size=32),
)
def test_cut_anywhere(name: str, mac: Mac, message: bytes, cuts: list[int], key: bytes) -> None:
    """However a message is cut into pieces, empty ones among them, its tag is the reference's."""
    target = target_named(name, *HEADERS)
    target.reset()
    key = key[: mac.key_octets]
    want = mac.reference(key, message)
    assert mac.final(target, mac.context(target, key, pieces(message, cuts)), len(want)) == (
        OK,
        want,
    )


@pytest.mark.parametrize("length", [48, 61])
@every_mac
def test_secrets_take_equal_time(emulated: EmulatedTarget, mac: Mac, length: int) -> None:
    """Random keys, messages and tags take one cycle count, one trace of program counters and, where
    the cipher has no table, one of addresses in every call from key to comparison: one of right
    tags and one of wrong ones, wherever they are wrong."""
    source = random.Random(f"{mac.name} {length}")
    seen: dict[int, set[tuple[object, ...]]] = {OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        emulated.reset()
        key, message = source.randbytes(mac.key_octets), source.randbytes(length)
        if number < 2:
            key, message = bytes([255 * number] * len(key)), bytes([255 * number] * length)
        tag = bytearray(mac.reference(key, message))
        if number % 2:
            tag[source.randrange(len(tag))] ^= 1 << source.randrange(8)
        done = mac.whole(emulated, key, message, bytes(tag), "hash")
        traces = [outcome.trace for outcome in done]
        ways = [
            (outcome.cycles, t.pc_hash, 0 if mac.tables else t.address_hash)
            for outcome, t in zip(done, traces, strict=True)
            if t
        ]
        assert len(ways) == len(done)
        assert done[-1].value == (ERR_SECURITY if number % 2 else OK)
        seen[done[-1].value].add(tuple(ways))
    assert [len(ways) for ways in seen.values()] == [1, 1]
