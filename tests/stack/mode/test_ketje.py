# SPDX-License-Identifier: BSD-3-Clause
"""Ketje v1, Sr and Jr: vectors both ways, refusals, order of calls, pieces, place, wiped contexts,
equal time, on every target."""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import ERR_SECURITY, OK, SEAL, pieces, words
from tests.stack.conftest import DIFFERENT, target_named
from tests.stack.mode import aead_checks as checks
from tests.stack.mode.aead_checks import Aead
from tests.vectors import load, thinned
from vectors.ketje_model import SIZES, KeccakP, Ketje
from vectors.ketje_model import seal as seal_model
from wardmote.call import EmulatedTarget, Target

MEMBERS = tuple(SIZES)
HEADERS = (*MEMBERS, "keccak_p")
LANES = {"ketje_sr": ("wm_keccak_p400", 2, 20), "ketje_jr": ("wm_keccak_p200", 1, 18)}
"""The permutation of each, octets of a lane, all rounds."""
EQUAL_TIME_RUNS = 15
"""Random keys, nonces, data and messages of a constant-time test."""
PUBLISHED = {
    "61c63fd70acc11783690042704aa782f": (
        *(
            "c3d5e7f90c1e30425466788a9caec0d2e4f6091b2d3f5163758799abbdcfe1f306182a3c4e60728496a8baccdef00315",
            382,
        ),
        *("", 0),
    ),
    "474766f64e80bbeb97793374c39f192c": (
        *("c33ab0279d148a0177ed64da51c73eb42ba1188e057bf168de55cb42b82fa51c92097f01", 282),
        *("c3013e7bb8f53370adea286502", 100),
    ),
}
"""Tags of nothing by Ketje Sr: KeccakCodePackage, TestVectors/KetjeSr.txt of 2016: key, its bits,
nonce, its bits. No published vector has a key and a nonce of whole octets."""

octets, cuts = checks.messages(40)


@pytest.fixture(params=MEMBERS, scope="module")
def member(request: pytest.FixtureRequest) -> str:
    """Which of the family."""
    return str(request.param)


def key_of(name: str) -> tuple[bytes, bytes]:
    """A key and a nonce."""
    return bytes(range(0x40, 0x40 + SIZES[name].key)), bytes(range(0x10, 0x10 + SIZES[name].nonce))


def aead_of(target: Target, name: str, key: bytes = b"", nonce: bytes = b"") -> Aead:
    """A member of the family under its key and nonce, or under others."""
    begin = (key, nonce) if key else key_of(name)
    return Aead(target, f"wm_{name}", begin, SIZES[name].tag)


def test_there_are_enough_vectors(member: str) -> None:
    """At least 200, a third of them refusals."""
    checks.check_enough(load(member, "aead"))


@pytest.mark.parametrize("tag", PUBLISHED)
def test_model_gives_published_tags(tag: str) -> None:
    """The model gives the designers' tags."""
    key, key_bits, nonce, nonce_bits = PUBLISHED[tag]
    ketje = Ketje(KeccakP(4), bytes.fromhex(key), bytes.fromhex(nonce), key_bits, nonce_bits)
    assert ketje.wrap(b"", b"", 16) == (b"", bytes.fromhex(tag))


def test_every_vector(target: Target, member: str, stride: int) -> None:
    """A valid vector seals to its ciphertext and tag and opens to its message; an invalid one is
    refused and leaves zeros where its plaintext would be."""
    for vector in thinned(load(member, "aead"), stride):
        key, nonce, *_ = checks.parts(vector)
        checks.check_vector(aead_of(target, member, key, nonce), vector)


def test_permutation(target: Target, member: str) -> None:
    """Any number of rounds of the permutation on any state agrees with the model; the octets around
    the state stay."""
    function, lane_octets, all_rounds = LANES[member]
    source = random.Random(function)
    for rounds in (1, 1, 2, 3, 6, 12, all_rounds):
        before = source.randbytes(4), source.randbytes(25 * lane_octets), source.randbytes(4)
        want = bytearray(before[1])
        KeccakP(SIZES[member].l).permute(want, rounds)
        state = words(target, before[1], lane_octets)
        memory = target.buffer(before[0] + state + before[2])
        target.call(function, memory.address + 4, rounds)
        after = words(target, bytes(want), lane_octets)
        assert memory.read() == before[0] + after + before[2], rounds


@pytest.mark.parametrize("name", DIFFERENT)
@settings(max_examples=15)
@given(a=octets, m=octets, a_cuts=cuts, m_cuts=cuts, damage=st.integers(0, 95))
def test_cut_anywhere(
    name: str, member: str, a: bytes, m: bytes, a_cuts: list[int], m_cuts: list[int], damage: int
) -> None:
    """However a and m are cut into pieces, sealing gives the model's result; opening accepts that
    and no tag with a bit changed; either finish wipes the context."""
    target = target_named(name, *HEADERS)
    target.reset()
    want = seal_model(member, *key_of(member), a, m)
    start = aead_of(target, member).context
    checks.check_pieces(start, pieces(a, a_cuts), m_cuts, m, want, damage)


def test_every_length_both_ways(target: Target, member: str, stride: int) -> None:
    """Every length to 66 octets of m and to 22 of a gives the model's result, and that opens."""
    source = random.Random(f"{member} lengths")
    for length in range(0, 67, stride):
        a, m = source.randbytes(length % 23), source.randbytes(length)
        want = seal_model(member, *key_of(member), a, m)
        checks.check_both_ways(aead_of(target, member), a, m, want)


def test_longest_pieces_on_host(member: str) -> None:
    """On the host, a and m in one piece of 65535 octets give what they give in short ones, open,
    and are wiped as a whole when refused."""
    target = target_named("host")
    source = random.Random(f"{member} longest")
    a, m = source.randbytes(65535), source.randbytes(65535)
    short = list(range(0, 65535, 997))
    aead = aead_of(target, member)
    sealing = aead.context(SEAL)
    ct = sealing.through(pieces(a, short), pieces(m, short))
    tag = sealing.seal_finish()[1]
    assert aead.seal(a, m)[:2] == (ct, tag)
    for given_a, want in ((a, (OK, m)), (a[1:], (ERR_SECURITY, bytes(65535)))):
        opened, outcome = aead.open(given_a, ct, tag)
        assert (outcome.value, opened) == want


def test_calls_out_of_order(target: Target, member: str) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    checks.check_calls_out_of_order(aead_of(target, member))


@pytest.mark.parametrize("offset", range(4))
def test_message_anywhere_in_memory(target: Target, member: str, offset: int) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    model = partial(seal_model, member, *key_of(member))
    checks.check_place(aead_of(target, member), offset, model)


def test_secrets_take_equal_time(emulated: EmulatedTarget, member: str) -> None:
    """Random keys, nonces, data and messages take one cycle count, one trace of program counters
    and one of addresses: to seal, to open with right tags, and with wrong ones."""
    lengths = SIZES[member].key, SIZES[member].nonce, 9, 21
    checks.check_equal_time(partial(aead_of, emulated, member), lengths, EQUAL_TIME_RUNS)
