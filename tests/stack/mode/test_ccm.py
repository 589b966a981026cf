# SPDX-License-Identifier: BSD-3-Clause
"""CCM and CCM*: vectors both ways, refusals, order of calls, and how a frame may be cut and
placed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import (
    ERR_SECURITY,
    NOT_AUTHENTICATED,
    OK,
    OPEN,
    SEAL,
    Ccm,
    Incremental,
    pieces,
)
from tests.stack.conftest import USUAL, target_named
from tests.stack.oracle import seal_openssl
from tests.vectors import Vector, load, of_each_file, statuses
from wardmote.call import Target

HEADERS = ("aes128", "ccm")

VALID = load("ccm", "ccm", valid=True)
INVALID = load("ccm", "ccm", valid=False)
LENGTHS = load("ccm", "ccm-lengths")
CALLS = load("ccm", "ccm-calls")

KEY = bytes(range(0x40, 0x50))
NONCE = bytes(range(0x10, 0x1D))
TAG_LENGTHS = (4, 6, 8, 10, 12, 14, 16)

LOOPS = ("tab", "fix")
"""Variants that go through a frame block by block, and in pairs of blocks."""
PAIRED = [(name, loop) for name in USUAL for loop in LOOPS]

frames = st.tuples(st.binary(max_size=70), st.binary(max_size=70), st.sampled_from(TAG_LENGTHS))
cuts = st.lists(st.integers(0, 70), max_size=6)


def of_vector(target: Target, variant: str, vector: Vector) -> tuple[Ccm, bytes, bytes]:
    """CCM with the vector's key, its nonce and its a."""
    return Ccm(target, variant, vector.octets("key")), vector.octets("nonce"), vector.octets("aad")


@of_each_file(VALID)
def test_seal_of_vectors(target: Target, variant: str, vectors: list[Vector]) -> None:
    """Sealing the message of a vector gives its ciphertext and tag."""
    for vector in vectors:
        ccm, nonce, a = of_vector(target, variant, vector)
        want = OK, vector.octets("ct"), vector.octets("tag")
        got = ccm.seal(nonce, a, vector.octets("msg"), len(want[2]))
        assert (got.status, got.m, got.tag) == want, vector


@of_each_file(VALID)
def test_open_of_vectors(target: Target, variant: str, vectors: list[Vector]) -> None:
    """Opening the ciphertext and tag of a vector gives its message; without a tag, nothing is said to
    be authentic."""
    for vector in vectors:
        ccm, nonce, a = of_vector(target, variant, vector)
        tag = vector.octets("tag")
        got = ccm.open(nonce, a, vector.octets("ct"), tag)
        want = OK if tag else NOT_AUTHENTICATED
        assert (got.status, got.m) == (want, vector.octets("msg")), vector


def test_what_anybody_wrote_is_not_authenticated(target: Target) -> None:
    """With a tag of 0 octets any message opens, in one call and by pieces: the answer is not that of
    a right tag."""
    ccm, forged = Ccm(target, "tab", KEY), b"what anybody wrote"
    assert ccm.open(NONCE, b"", forged, b"").status == NOT_AUTHENTICATED
    context = Incremental(ccm)
    assert context.start(NONCE, 0, len(forged), 0, OPEN) == OK
    assert context.crypt(forged)[0] == OK
    assert context.open_finish(b"") == NOT_AUTHENTICATED
    assert bytes(context.context) == bytes(len(context.context)), "the context is wiped"


@of_each_file(INVALID)
def test_refusal_of_vectors(target: Target, variant: str, vectors: list[Vector]) -> None:
    """Opening a damaged frame is refused and leaves zeros where its plaintext would be."""
    for vector in vectors:
        ccm, nonce, a = of_vector(target, variant, vector)
        got = ccm.open(nonce, a, vector.octets("ct"), vector.octets("tag"))
        assert (got.status, got.m) == (vector.status, bytes(len(got.m))), vector


def test_refused_lengths_touch_nothing(target: Target) -> None:
    """Lengths that no frame may have are refused before a, m or tag is touched."""
    cipher = Ccm(target, "tab", KEY).cipher()
    for vector in LENGTHS:
        a_len, m_len, tag_len = (vector.number(name) for name in ("aadLen", "msgLen", "tagLen"))
        begin = (cipher, NONCE, b"\xaa", a_len)
        m, tag = bytearray(b"\x55" * m_len), bytearray(b"\xee" * tag_len)
        rest = m, m_len, tag, tag_len
        assert target.call("wm_ccm_seal", *begin, *rest).value == vector.status, vector
        assert target.call("wm_ccm_open", *begin, *rest).value == vector.status, vector
        assert (bytes(m), bytes(tag)) == (b"\x55" * m_len, b"\xee" * tag_len), vector


@pytest.mark.parametrize("loop", LOOPS)
def test_sequences_of_calls(target: Target, loop: str) -> None:
    """Each call of a sequence answers what the vector says; a refused one changes neither context
    nor data."""
    for vector in CALLS:
        target.reset()
        sequence_of_calls(target, loop, vector)


def sequence_of_calls(target: Target, loop: str, vector: Vector) -> None:
    """The calls of one vector."""
    context = Incremental(Ccm(target, loop, vector.octets("key")))
    for call in vector.members["calls"]:
        data = bytes.fromhex(call.get("data", ""))
        before = bytes(context.context)
        match call["call"]:
            case "start":
                direction = SEAL if call["direction"] == "seal" else OPEN
                lengths = (call["aadLen"], call["msgLen"], call["tagLen"])
                status = context.start(vector.octets("nonce"), *lengths, direction)
            case "aad":
                status = context.aad(data)
            case "crypt":
                status, out = context.crypt(data)
                assert out == bytes.fromhex(call.get("out", call["data"])), vector
            case "sealFinish":
                want = bytes.fromhex(call["tag"]) if "tag" in call else b"\xee" * 16
                status, tag = context.seal_finish(len(want))
                assert tag == want, vector
            case "openFinish":
                status = context.open_finish(bytes.fromhex(call["tag"]))
            case other:
                pytest.fail(f"unknown call {other}")
        assert status == statuses()[call["status"]], (str(vector), call)
        if call["status"] == "WM_ERR_STATE":
            assert bytes(context.context) == before, (str(vector), call)


@pytest.mark.parametrize(("name", "loop"), PAIRED)
@given(frame=frames, a_cuts=cuts, m_cuts=cuts)
def test_cut_anywhere(
    name: str, loop: str, frame: tuple[bytes, bytes, int], a_cuts: list[int], m_cuts: list[int]
) -> None:
    """However a and m are cut into pieces, the result is OpenSSL's and the same as in one call."""
    a, m, tag_len = frame
    target = target_named(name, *HEADERS)
    target.reset()
    ccm = Ccm(target, loop, KEY)
    want = seal_openssl(KEY, NONCE, a, m, tag_len)
    assert Incremental(ccm).run(NONCE, pieces(a, a_cuts), pieces(m, m_cuts), tag_len) == want
    whole = ccm.seal(NONCE, a, m, tag_len)
    assert (whole.m, whole.tag) == want


@pytest.mark.parametrize(("name", "loop"), PAIRED)
@given(frame=frames, m_cuts=cuts, damage=st.integers(0, 127))
def test_open_in_pieces(
    name: str, loop: str, frame: tuple[bytes, bytes, int], m_cuts: list[int], damage: int
) -> None:
    """Opening in pieces accepts the right tag and no tag with a bit changed."""
    a, m, tag_len = frame
    target = target_named(name, *HEADERS)
    target.reset()
    ct, tag = seal_openssl(KEY, NONCE, a, m, tag_len)
    wrong = bytearray(tag)
    wrong[damage // 8 % tag_len] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        context = Incremental(Ccm(target, loop, KEY))
        assert context.start(NONCE, len(a), len(m), tag_len, OPEN) == OK
        assert context.aad(a) == OK
        assert b"".join(context.crypt(piece)[1] for piece in pieces(ct, m_cuts)) == m
        assert context.open_finish(given_tag) == status
        assert bytes(context.context) == bytes(len(context.context)), "the context is wiped"


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("fixed", [0, 1, 14, 30])
def test_every_length(target: Target, loop: str, fixed: int) -> None:
    """Every length 0..49 of a and of m, beside a fixed length of the other, gives OpenSSL's result
    both ways."""
    source = random.Random(fixed)
    for number in range(50):
        for a_len, m_len in ((number, fixed), (fixed, number)):
            a, m, tag_len = (
                source.randbytes(a_len),
                source.randbytes(m_len),
                source.choice(TAG_LENGTHS),
            )
            ccm = Ccm(target, loop, KEY)
            want = seal_openssl(KEY, NONCE, a, m, tag_len)
            sealed = ccm.seal(NONCE, a, m, tag_len)
            assert (sealed.status, sealed.m, sealed.tag) == (OK, *want), (a_len, m_len)
            opened = ccm.open(NONCE, a, *want)
            assert (opened.status, opened.m) == (OK, m), (a_len, m_len)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("offset", range(4))
@pytest.mark.parametrize(("a_len", "m_len"), [(35, 86), (20, 33), (0, 48), (39, 0)])
def test_frame_anywhere_in_memory(
    target: Target, loop: str, offset: int, a_len: int, m_len: int
) -> None:
    """A frame of a, m and tag in a row may begin at any address; nothing around it changes."""
    source = random.Random(offset)
    a, m, before, after = (source.randbytes(n) for n in (a_len, m_len, 8 + offset, 9))
    ct, tag = seal_openssl(KEY, NONCE, a, m, 8)
    memory = target.buffer(before + a + m + bytes(8) + after)
    begin = (Ccm(target, loop, KEY).cipher(), NONCE)
    a_at = memory.address + len(before)
    m_at, tag_at = a_at + a_len, a_at + a_len + m_len
    assert target.call("wm_ccm_seal", *begin, a_at, a_len, m_at, m_len, tag_at, 8).value == OK
    assert memory.read() == before + a + ct + tag + after
    assert target.call("wm_ccm_open", *begin, a_at, a_len, m_at, m_len, tag_at, 8).value == OK
    assert memory.read() == before + a + m + tag + after


@pytest.mark.parametrize(
    ("name", "loop"), [*((name, "tab") for name in USUAL), ("host", "fix"), ("armv7m", "fix")]
)
@pytest.mark.parametrize("tag_len", [0, 4])
def test_longest_frame(name: str, loop: str, tag_len: int) -> None:
    """The longest a and m there may be, in pieces of 512 octets, give OpenSSL's result."""
    target = target_named(name, *HEADERS)
    target.reset()
    source = random.Random(tag_len)
    a, m = source.randbytes(65279 if tag_len else 0), source.randbytes(65535)
    edges = range(512, 65536, 512)
    got = Incremental(Ccm(target, loop, KEY)).run(
        NONCE, pieces(a, edges), pieces(m, edges), tag_len
    )
    assert got == seal_openssl(KEY, NONCE, a, m, tag_len)


@settings(max_examples=30)
@pytest.mark.parametrize(("name", "loop"), PAIRED)
@given(frame=frames)
def test_finished_context_is_wiped(name: str, loop: str, frame: tuple[bytes, bytes, int]) -> None:
    """After sealing, nothing of key, keystream or chain is left in the context."""
    a, m, tag_len = frame
    target = target_named(name, *HEADERS)
    target.reset()
    context = Incremental(Ccm(target, loop, KEY))
    context.run(NONCE, [a], [m], tag_len)
    assert bytes(context.context) == bytes(len(context.context))
