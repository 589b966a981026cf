# SPDX-License-Identifier: BSD-3-Clause
"""Ketje v1, Sr and Jr: vectors both ways, refusals, order of calls, pieces, place, wiped contexts,
equal time, on every target."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import ERR_SECURITY, ERR_STATE, OK, OPEN, SEAL, AeadContext, pieces
from tests.stack.conftest import DIFFERENT, target_named
from tests.vectors import load, thinned
from vectors.ketje_model import SIZES, KeccakP, Ketje
from vectors.ketje_model import seal as seal_model
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode

MEMBERS = tuple(SIZES)
HEADERS = (*MEMBERS, "keccak_p")
LANES = {"ketje_sr": ("wm_keccak_p400", 2, 20), "ketje_jr": ("wm_keccak_p200", 1, 18)}
"""The permutation of each, octets of a lane, all rounds."""
EQUAL_TIME_RUNS = 30
"""Random keys, nonces, data and tags of a constant-time test."""
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

octets = st.binary(max_size=40)
cuts = st.lists(st.integers(0, 40), max_size=4)


@pytest.fixture(params=MEMBERS, scope="module")
def member(request: pytest.FixtureRequest) -> str:
    """Which of the family."""
    return str(request.param)


def key_of(name: str) -> tuple[bytes, bytes]:
    """A key and a nonce."""
    return bytes(range(0x40, 0x40 + SIZES[name].key)), bytes(range(0x10, 0x10 + SIZES[name].nonce))


def seal(
    target: Target, name: str, key: bytes, nonce: bytes, a: bytes, m: bytes
) -> tuple[bytes, bytes]:
    """Ciphertext and tag in one call."""
    ct, tag = bytearray(m), bytearray(b"\xee" * SIZES[name].tag)
    target.call(f"wm_{name}_seal", key, nonce, a, len(a), ct, len(m), tag)
    return bytes(ct), bytes(tag)


def unseal(
    target: Target,
    name: str,
    key: bytes,
    nonce: bytes,
    a: bytes,
    ct: bytes,
    tag: bytes,
    trace: TraceMode = "off",
) -> tuple[bytes, Outcome]:
    """What opening in one call left of the ciphertext, and how it went."""
    m = bytearray(ct)
    outcome = target.call(f"wm_{name}_open", key, nonce, a, len(a), m, len(m), tag, trace=trace)
    return bytes(m), outcome


def incremental(target: Target, name: str, direction: int) -> AeadContext:
    """A context for the member's key and nonce."""
    return AeadContext(target, f"wm_{name}", SIZES[name].tag, *key_of(name), direction)


def test_there_are_enough_vectors(member: str) -> None:
    """At least 200, a third of them refusals."""
    vectors = load(member, "aead")
    assert len(vectors) >= 200
    assert 3 * sum(not vector.valid for vector in vectors) >= len(vectors)


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
        key, nonce, a, ct, tag = (
            vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag")
        )
        if vector.valid:
            assert seal(target, member, key, nonce, a, vector.octets("msg")) == (ct, tag), vector
        m, outcome = unseal(target, member, key, nonce, a, ct, tag)
        assert outcome.value == vector.status, vector
        assert m == (vector.octets("msg") if vector.valid else bytes(len(ct))), vector


def test_permutation(target: Target, member: str) -> None:
    """Any number of rounds of the permutation on any state is the model's; what lies around the
    state stays."""
    function, lane_octets, all_rounds = LANES[member]
    source = random.Random(function)
    for rounds in (1, 1, 2, 3, 6, 12, all_rounds):
        before = source.randbytes(4), source.randbytes(25 * lane_octets), source.randbytes(4)
        want = bytearray(before[1])
        KeccakP(SIZES[member].l).permute(want, rounds)
        memory = target.buffer(b"".join(before))
        target.call(function, memory.address + 4, rounds)
        assert memory.read() == before[0] + want + before[2], rounds


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
    ct, tag = seal_model(member, *key_of(member), a, m)
    sealing = incremental(target, member, SEAL)
    assert sealing.through(pieces(a, a_cuts), pieces(m, m_cuts)) == ct
    assert sealing.seal_finish() == (OK, tag)
    assert sealing.context == bytes(len(sealing.context))
    wrong = bytearray(tag)
    wrong[damage // 8] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        opening = incremental(target, member, OPEN)
        assert opening.through(pieces(a, a_cuts), pieces(ct, m_cuts)) == m
        assert opening.open_finish(given_tag) == status
        assert opening.context == bytes(len(opening.context))


def test_every_length_both_ways(target: Target, member: str, stride: int) -> None:
    """Every length to 66 octets of m and to 22 of a gives the model's result, and that opens."""
    source = random.Random(f"{member} lengths")
    for length in range(0, 67, stride):
        a, m = source.randbytes(length % 23), source.randbytes(length)
        want = seal_model(member, *key_of(member), a, m)
        assert seal(target, member, *key_of(member), a, m) == want, length
        opened, outcome = unseal(target, member, *key_of(member), a, *want)
        assert (outcome.value, opened) == (OK, m), length


def test_longest_pieces_on_host(member: str) -> None:
    """On the host, a and m in one piece of 65535 octets give what they give in short ones, open,
    and are wiped as a whole when refused."""
    target = target_named("host")
    source = random.Random(f"{member} longest")
    a, m = source.randbytes(65535), source.randbytes(65535)
    short = list(range(0, 65535, 997))
    sealing = incremental(target, member, SEAL)
    ct = sealing.through(pieces(a, short), pieces(m, short))
    tag = sealing.seal_finish()[1]
    assert seal(target, member, *key_of(member), a, m) == (ct, tag)
    for given_a, want in ((a, (OK, m)), (a[1:], (ERR_SECURITY, bytes(65535)))):
        opened, outcome = unseal(target, member, *key_of(member), given_a, ct, tag)
        assert (outcome.value, opened) == want


def test_calls_out_of_order(target: Target, member: str) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    no_tag = b"\xee" * SIZES[member].tag
    for direction in (SEAL, OPEN):
        context = incremental(target, member, direction)
        assert context.crypt(b"")[0] == OK
        assert context.aad(b"a") == OK, "nothing of m has come yet"
        assert context.crypt(b"m")[0] == OK
        before = bytes(context.context)
        assert context.aad(b"a") == ERR_STATE
        if direction == SEAL:
            assert context.open_finish(bytes(16)) == ERR_STATE
        else:
            assert context.seal_finish() == (ERR_STATE, no_tag)
        assert context.context == before
        assert (
            context.seal_finish()[0] if direction == SEAL else context.open_finish(bytes(16))
        ) != ERR_STATE
        assert context.aad(b"a") == ERR_STATE
        assert context.crypt(b"m") == (ERR_STATE, b"m")
        assert context.seal_finish() == (ERR_STATE, no_tag)
        assert context.open_finish(bytes(16)) == ERR_STATE
        assert context.context == bytes(len(context.context))


@pytest.mark.parametrize("offset", range(4))
def test_message_anywhere_in_memory(target: Target, member: str, offset: int) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    source = random.Random(offset)
    a, m, before, after = (source.randbytes(n) for n in (19, 37, 8 + offset, 9))
    ct, tag = seal_model(member, *key_of(member), a, m)
    memory = target.buffer(before + a + m + bytes(len(tag)) + after)
    a_at = memory.address + len(before)
    row = (*key_of(member), a_at, len(a), a_at + len(a), len(m), a_at + len(a) + len(m))
    target.call(f"wm_{member}_seal", *row)
    assert memory.read() == before + a + ct + tag + after
    assert target.call(f"wm_{member}_open", *row).value == OK
    assert memory.read() == before + a + m + tag + after


def test_secrets_take_equal_time(emulated: EmulatedTarget, member: str) -> None:
    """Random keys, nonces, data and tags take one cycle count, one trace of program counters and
    one of addresses: one of right tags and one of wrong ones, wherever they are wrong."""
    source = random.Random(f"{member} time")
    sizes = SIZES[member]
    lengths = sizes.key, sizes.nonce, 9, 21
    seen: dict[int, set[tuple[object, ...]]] = {OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        key, nonce, a, m = (source.randbytes(n) for n in lengths)
        if number < 2:
            key, nonce, a, m = (bytes([255 * number] * n) for n in lengths)
        ct, tag = seal_model(member, key, nonce, a, m)
        given_tag = bytearray(tag)
        if number % 2:
            given_tag[source.randrange(len(tag))] ^= 1 << source.randrange(8)
        outcome = unseal(emulated, member, key, nonce, a, ct, bytes(given_tag), "hash")[1]
        assert outcome.trace is not None
        assert outcome.value == (ERR_SECURITY if number % 2 else OK)
        seen[outcome.value].add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert [len(ways) for ways in seen.values()] == [1, 1]
