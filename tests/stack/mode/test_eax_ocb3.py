# SPDX-License-Identifier: BSD-3-Clause
"""EAX and OCB3 over AES-128 and over ciphers with shorter blocks: vectors both ways, refusals,
order of calls, pieces, place, equal time, on every target.

A test goes through vectors of a target at once: a case takes less than pytest needs to name it. The
emulated targets take every printed vector and every fourth of the others; the host takes all.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESOCB3
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.block_modes_model import CIPHERS, ctr
from tests.stack.calls import ERR_PARAM, ERR_SECURITY, ERR_STATE, OK, bound, pieces
from tests.stack.conftest import USUAL, target_named
from tests.stack.mode import block_ciphers
from tests.vectors import Vector, load
from wardmote.call import Buffer, EmulatedTarget, Outcome, Target, TraceMode

HEADERS = (*block_ciphers.HEADERS, "eax", "ocb3", "cmac", "ctr")

SEAL, OPEN = 1, 2
KEY, NONCE = bytes(range(16)), bytes(range(0x20, 0x2C))
MODES = ("eax", "ocb3")
OVER = (
    *((mode, "aes128") for mode in MODES),
    *(("eax", cipher) for cipher in block_ciphers.SHORTER_BLOCKS),
    *(("ocb3", cipher) for cipher in ("curupira1_96", "curupira2")),
)
"""Modes with the ciphers they run over."""
VARIANTS = ("small", "tab", "fix")
EQUAL_TIME_RUNS = 20
LONGEST = 65535
"""Octets of a piece."""
every_mode = pytest.mark.parametrize("mode", MODES)
over_every_cipher = pytest.mark.parametrize(("mode", "cipher"), OVER)


@dataclass(frozen=True, slots=True)
class Aead:
    """A mode under a key on a target; the variant is that of encryption."""

    mode: str
    target: Target
    cipher: Buffer
    mode_key: Buffer
    block_octets: int = 16

    @classmethod
    def under(cls, mode: str, target: Target, key: bytes, variant: str = "small") -> Aead:
        """Over AES; `fix` cannot open in OCB3."""
        both = mode == "ocb3" and variant != "fix"
        return cls._derived(mode, target, bound(target, f"aes128_{variant}", key, both), 16)

    @classmethod
    def over(cls, mode: str, target: Target, key: bytes, cipher: str) -> Aead:
        """Over any cipher, with as many octets of the key as it takes."""
        if cipher == "aes128":
            return cls.under(mode, target, key)
        under = CIPHERS[cipher]
        made = bound(target, cipher, key[: under.key_octets], mode == "ocb3")
        return cls._derived(mode, target, made, under.block_octets)

    @classmethod
    def _derived(cls, mode: str, target: Target, cipher: Buffer, b: int) -> Aead:
        """The mode's own key from the cipher's."""
        name = "cmac" if mode == "eax" else mode
        mode_key = target.pack(f"wm_{name}_key")
        assert target.call(f"wm_{name}_derive", mode_key, cipher).value == OK
        return cls(mode, target, cipher, target.buffer(bytes(mode_key)), b)

    @property
    def nonce(self) -> bytes:
        """A nonce that the mode takes over its cipher."""
        return NONCE[: min(len(NONCE), self.block_octets - 1)]

    def seal(
        self, nonce: bytes, a: bytes, m: bytes, tag_len: int, trace: TraceMode = "off"
    ) -> tuple[int, bytes, bytes, Outcome]:
        """Status, ciphertext and tag in one call, and how it went."""
        octets, tag = bytearray(m), bytearray(b"\xee" * tag_len)
        args = (self.mode_key, nonce, len(nonce), a, len(a), octets, len(m), tag, tag_len)
        outcome = self.target.call(f"wm_{self.mode}_seal", *args, trace=trace)
        return outcome.value, bytes(octets), bytes(tag), outcome

    def open(
        self, nonce: bytes, a: bytes, ct: bytes, tag: bytes, trace: TraceMode = "off"
    ) -> tuple[int, bytes, Outcome]:
        """Status and what is left of the message in one call, and how it went."""
        octets = bytearray(ct)
        args = (self.mode_key, nonce, len(nonce), a, len(a), octets, len(ct), tag, len(tag))
        outcome = self.target.call(f"wm_{self.mode}_open", *args, trace=trace)
        return outcome.value, bytes(octets), outcome


class Incremental:
    """One context, which held something else before."""

    def __init__(self, aead: Aead, direction: int) -> None:
        self.aead = aead
        self.context = aead.target.pack(f"wm_{aead.mode}")
        self.context[:] = b"\xa5" * len(self.context)
        announced = () if aead.mode == "eax" else (aead.block_octets,)
        args = (self.context, aead.mode_key, aead.nonce, len(aead.nonce), *announced, direction)
        outcome = aead.target.call(f"wm_{aead.mode}_start", *args)
        assert outcome.value == OK

    def call(self, name: str, data: bytes) -> tuple[int, bytes]:
        """`aad` or `crypt`: the status, and the data afterwards."""
        octets = bytearray(data)
        outcome = self.aead.target.call(
            f"wm_{self.aead.mode}_{name}", self.context, octets, len(octets)
        )
        return outcome.value, bytes(octets)

    def finish(self, name: str, tag: bytes) -> tuple[int, bytes]:
        """`seal_finish` or `open_finish`: status, and the tag."""
        octets = bytearray(tag)
        length = (len(tag),) if self.aead.mode == "eax" else ()
        outcome = self.aead.target.call(
            f"wm_{self.aead.mode}_{name}", self.context, octets, *length
        )
        return outcome.value, bytes(octets)


def cipher_of(vector: Vector) -> str:
    """The cipher that a vector's group names: AES if none."""
    return str(vector.parameters.get("cipher", "aes128"))


def some(target: Target, mode: str, cipher: str, *, valid: bool) -> list[Vector]:
    """Vectors over a cipher in the number that suits the target."""
    everything = [
        vector for vector in load(mode, "aead", valid=valid) if cipher_of(vector) == cipher
    ]
    if not isinstance(target, EmulatedTarget):
        return everything
    return [
        vector
        for vector in everything
        if not vector.file.endswith("generated.json") or vector.tc_id % 4 == 0
    ]


@over_every_cipher
def test_there_are_enough_vectors(mode: str, cipher: str) -> None:
    """At least 200 cases of each block length, at least a third of them refusals."""
    b = CIPHERS[cipher].block_octets
    everything = [vector for vector in load(mode) if CIPHERS[cipher_of(vector)].block_octets == b]
    assert len(everything) >= 200
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


@over_every_cipher
def test_both_ways_of_every_vector(target: Target, mode: str, cipher: str) -> None:
    """Sealing a vector's message gives its ciphertext and tag, opening those gives the message."""
    for vector in some(target, mode, cipher, valid=True):
        nonce, a, m, ct, tag = (
            vector.octets(name) for name in ("nonce", "aad", "msg", "ct", "tag")
        )
        aead = Aead.over(mode, target, vector.octets("key"), cipher)
        assert aead.seal(nonce, a, m, len(tag))[:3] == (OK, ct, tag), vector
        assert aead.open(nonce, a, ct, tag)[:2] == (OK, m), vector
        target.reset()


@over_every_cipher
def test_refusal_of_every_vector(target: Target, mode: str, cipher: str) -> None:
    """Opening a damaged message is refused and leaves zeros where its plaintext would be."""
    for vector in some(target, mode, cipher, valid=False):
        key, nonce, a, ct, tag = (
            vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag")
        )
        got = Aead.over(mode, target, key, cipher).open(nonce, a, ct, tag)
        assert got[:2] == (vector.status, bytes(len(ct))), vector
        target.reset()


@over_every_cipher
def test_refused_lengths_touch_nothing(target: Target, mode: str, cipher: str) -> None:
    """Lengths that no nonce or tag may have are refused before a, m or tag is touched."""
    aead = Aead.over(mode, target, KEY, cipher)
    for vector in load(mode, "aead-lengths"):
        if cipher_of(vector) != cipher:
            continue
        nonce, tag_len = bytes(vector.number("nonceLen")), vector.number("tagLen")
        m = b"\x55" * 20
        assert aead.seal(nonce, b"a", m, tag_len)[:3] == (vector.status, m, b"\xee" * tag_len), (
            vector
        )
        assert aead.open(nonce, b"a", m, b"\xee" * tag_len)[:2] == (vector.status, m), vector


@every_mode
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_of_aes(target: Target, mode: str, variant: str) -> None:
    """Each variant of AES gives the same ciphertext and tag; OCB3 without an inverse cipher seals
    and does not open."""
    a, m = bytes(range(19)), bytes(range(50))
    want = Aead.under(mode, target_named("host"), KEY).seal(NONCE, a, m, 16)[:3]
    aead = Aead.under(mode, target, KEY, variant)
    assert aead.seal(NONCE, a, m, 16)[:3] == want
    refused = mode == "ocb3" and variant == "fix"
    assert aead.open(NONCE, a, want[1], want[2])[:2] == (
        (ERR_PARAM, want[1]) if refused else (OK, m)
    )


@pytest.mark.parametrize(
    ("tag_len", "want"),
    [
        (16, "67e944d23256c5e0b6c61fa22fdf1ea2"),
        (12, "77a3d8e73589158d25d01209"),
        (8, "192c9b7bd90ba06a"),
    ],
)
def test_ocb3_over_many_messages(tag_len: int, want: str) -> None:
    """RFC 7253 Appendix A: a tag over the results of 384 messages of 0 to 127 octets, on the
    host."""
    target = target_named("host")
    target.reset()
    aead = Aead.under("ocb3", target, bytes(15) + bytes([8 * tag_len]))
    results = b""
    for length in range(128):
        octets = bytes(length)
        for number, a, m in ((1, octets, octets), (2, b"", octets), (3, octets, b"")):
            status, ct, tag, _ = aead.seal((3 * length + number).to_bytes(12, "big"), a, m, tag_len)
            assert status == OK
            results += ct + tag
    assert aead.seal((385).to_bytes(12, "big"), results, b"", tag_len)[2].hex() == want


@pytest.mark.parametrize("name", USUAL)
@settings(max_examples=15)
@given(a=st.binary(max_size=60), m=st.binary(max_size=90))
def test_ocb3_is_openssls(name: str, a: bytes, m: bytes) -> None:
    """OpenSSL's OCB3 gives the same ciphertext and tag for any a and m."""
    target = target_named(name, *HEADERS)
    target.reset()
    sealed = AESOCB3(KEY).encrypt(NONCE, m, a)
    assert Aead.under("ocb3", target, KEY).seal(NONCE, a, m, 16)[:3] == (
        OK,
        sealed[: len(m)],
        sealed[len(m) :],
    )


@pytest.mark.parametrize("cipher", [cipher for mode, cipher in OVER if mode == "eax"])
def test_eax_carries_through_every_octet(target: Target, cipher: str) -> None:
    """However many octets of the counter are all ones, the next block's is one more, modulo two to
    all its bits."""
    aead = Aead.over("eax", target, KEY, cipher)
    b = aead.block_octets
    under, at = CIPHERS[cipher], target.layout("wm_eax").offset("counter")
    for ones in range(b + 1):
        counter = bytes(range(0x31, 0x31 + b - ones)) + b"\xff" * ones
        context = Incremental(aead, SEAL)
        context.context[at : at + b] = counter
        want = ctr(under, KEY[: under.key_octets], counter, bytes(2 * b))
        assert context.call("crypt", bytes(2 * b)) == (OK, want), ones


def test_ocb3_of_more_than_65536_blocks_on_host() -> None:
    """On the host, more than a piece holds and more blocks than 16 bits number give OpenSSL's
    result, of a and of m."""
    target = target_named("host")
    target.reset()
    octets = random.Random("long").randbytes(17 * (LONGEST // 16 * 16) + LONGEST)
    cuts = [n * (LONGEST // 16 * 16) for n in range(1, 18)]
    assert len(octets) > 16 << 16
    for a, m in ((octets, b""), (b"", octets)):
        sealed = AESOCB3(KEY).encrypt(NONCE, m, a)
        context = Incremental(Aead.under("ocb3", target, KEY, "tab"), SEAL)
        assert all(context.call("aad", piece)[0] == OK for piece in pieces(a, cuts) if piece)
        ct = b"".join(context.call("crypt", piece)[1] for piece in pieces(m, cuts) if piece)
        assert ct == sealed[: len(m)]
        assert context.finish("seal_finish", bytes(16)) == (OK, sealed[len(m) :])


@over_every_cipher
def test_longest_pieces_on_host(mode: str, cipher: str) -> None:
    """On the host, a and m in one piece of 65535 octets give what they give in short ones, open,
    and are wiped as a whole when refused."""
    target = target_named("host")
    target.reset()
    aead = Aead.over(mode, target, KEY, cipher)
    b, source = aead.block_octets, random.Random(f"{mode} {cipher} longest")
    a, m = source.randbytes(LONGEST), source.randbytes(LONGEST)
    cuts = list(range(0, LONGEST, 85 * b))
    context = Incremental(aead, SEAL)
    assert all(context.call("aad", piece)[0] == OK for piece in pieces(a, cuts) if piece)
    ct = b"".join(context.call("crypt", piece)[1] for piece in pieces(m, cuts) if piece)
    tag = context.finish("seal_finish", bytes(b))[1]
    assert aead.seal(aead.nonce, a, m, b)[:3] == (OK, ct, tag)
    assert aead.open(aead.nonce, a, ct, tag)[:2] == (OK, m)
    assert aead.open(aead.nonce, a[1:], ct, tag)[:2] == (ERR_SECURITY, bytes(LONGEST))


@pytest.mark.parametrize("name", USUAL)
@over_every_cipher
@settings(max_examples=8)
@given(
    a=st.binary(max_size=70),
    m=st.binary(max_size=70),
    cuts=st.lists(st.integers(0, 70), max_size=5),
    damage=st.integers(0, 127),
)
def test_cut_anywhere(
    name: str, mode: str, cipher: str, a: bytes, m: bytes, cuts: list[int], damage: int
) -> None:
    """However a and m are cut (for OCB3 between blocks), the result is that of one call; opening in
    pieces accepts its tag, none with a bit changed, and wipes its context."""
    target = target_named(name, *HEADERS)
    target.reset()
    aead = Aead.over(mode, target, KEY, cipher)
    b = aead.block_octets
    cuts = cuts if mode == "eax" else [cut // b * b for cut in cuts]
    _, ct, tag, _ = aead.seal(aead.nonce, a, m, b)
    sealing = Incremental(aead, SEAL)
    assert all(sealing.call("aad", piece)[0] == OK for piece in pieces(a, cuts) if piece)
    assert b"".join(sealing.call("crypt", piece)[1] for piece in pieces(m, cuts) if piece) == ct
    assert sealing.finish("seal_finish", bytes(b)) == (OK, tag)
    assert bytes(sealing.context) == bytes(len(sealing.context))
    wrong = bytearray(tag)
    wrong[damage // 8 % b] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        opening = Incremental(aead, OPEN)
        assert all(opening.call("aad", piece)[0] == OK for piece in pieces(a, cuts) if piece)
        assert b"".join(opening.call("crypt", piece)[1] for piece in pieces(ct, cuts) if piece) == m
        assert opening.finish("open_finish", given_tag)[0] == status
        assert bytes(opening.context) == bytes(len(opening.context))


@over_every_cipher
def test_calls_out_of_order_do_nothing(target: Target, mode: str, cipher: str) -> None:
    """a after m, the other finish, anything after the end, and for OCB3 anything after a part of a
    block: refused, nothing done."""
    aead = Aead.over(mode, target, KEY, cipher)
    b = aead.block_octets
    context = Incremental(aead, SEAL)
    assert context.call("aad", b"a")[0] == OK
    if mode == "ocb3":
        assert context.call("aad", b"b")[0] == ERR_STATE
    assert context.call("crypt", b"m")[0] == OK
    before = bytes(context.context)
    assert context.call("aad", b"b")[0] == ERR_STATE
    if mode == "ocb3":
        assert context.call("crypt", b"m") == (ERR_STATE, b"m")
    assert context.finish("open_finish", bytes(b))[0] == ERR_STATE
    assert bytes(context.context) == before
    if mode == "eax":
        for tag_len in (3, b + 1):
            assert context.finish("seal_finish", b"\xee" * tag_len) == (
                ERR_PARAM,
                b"\xee" * tag_len,
            )
        assert bytes(context.context) == before
    assert context.finish("seal_finish", b"\xee" * b) == (
        OK,
        aead.seal(aead.nonce, b"a", b"m", b)[2],
    )
    for name in ("aad", "crypt"):
        assert context.call(name, b"x") == (ERR_STATE, b"x")
    for name in ("seal_finish", "open_finish"):
        assert context.finish(name, b"\xee" * b) == (ERR_STATE, b"\xee" * b)


@pytest.mark.parametrize("cipher", [cipher for mode, cipher in OVER if mode == "ocb3"])
def test_ocb3_that_was_not_begun_does_nothing(target: Target, cipher: str) -> None:
    """After a refused start every call is refused, whatever the context held."""
    aead = Aead.over("ocb3", target, KEY, cipher)
    b = aead.block_octets
    context = Incremental(aead, SEAL)
    for nonce_len, tag_len in ((0, b), (b, b), (1, 3), (1, b + 1)):
        context.context[:] = bytes([SEAL]) * len(context.context)
        args = (context.context, aead.mode_key, bytes(b), nonce_len, tag_len, SEAL)
        assert target.call("wm_ocb3_start", *args).value == ERR_PARAM
        for name in ("aad", "crypt"):
            assert context.call(name, b"x") == (ERR_STATE, b"x")
        for name in ("seal_finish", "open_finish"):
            assert context.finish(name, b"\xee" * b) == (ERR_STATE, b"\xee" * b)


def test_ocb3_takes_blocks_of_12_and_16_octets(target: Target) -> None:
    """A cipher with shorter blocks is refused."""
    key = target.pack("wm_ocb3_key")
    for cipher, status in (("skipjack", ERR_PARAM), ("aes128", OK), ("curupira2", OK)):
        octets = bytes(CIPHERS[cipher].key_octets)
        under = block_ciphers.key_of(target, cipher, octets)
        assert target.call("wm_ocb3_derive", key, under).value == status


@over_every_cipher
@pytest.mark.parametrize("offset", range(2))
def test_tag_may_follow_the_message(target: Target, mode: str, cipher: str, offset: int) -> None:
    """A message at any address is sealed with its tag right behind it; nothing around changes."""
    around, m = b"\x5a" * (8 + offset), random.Random(offset).randbytes(37)
    aead = Aead.over(mode, target, KEY, cipher)
    b, nonce = aead.block_octets, aead.nonce
    want = b"".join(aead.seal(nonce, b"header", m, b)[1:3])
    place = target.buffer(around + m + bytes(b) + around)
    at = place.address + len(around)
    args = (aead.mode_key, nonce, len(nonce), b"header", 6, at, len(m), at + len(m), b)
    assert target.call(f"wm_{mode}_seal", *args).value == OK
    assert place.read() == around + want + around
    assert target.call(f"wm_{mode}_open", *args).value == OK
    assert place.read()[len(around) :][: len(m)] == m


@over_every_cipher
def test_secrets_take_equal_time(emulated: EmulatedTarget, mode: str, cipher: str) -> None:
    """Random keys and messages of one length give one cycle count and one trace of program
    counters, and over RC5, which looks no table up, one of addresses; so does opening, for right
    tags and for wrong ones."""
    source = random.Random(f"{mode} {cipher} time")
    sealed: set[tuple[int | None, ...]] = set()
    opened: dict[int, set[tuple[int | None, ...]]] = {OK: set(), ERR_SECURITY: set()}

    def way(outcome: Outcome) -> tuple[int | None, ...]:
        assert outcome.trace is not None
        return (
            outcome.cycles,
            outcome.trace.pc_hash,
            outcome.trace.address_hash if cipher == "rc5" else 0,
        )

    for number in range(EQUAL_TIME_RUNS):
        emulated.reset()
        fill = bytes([255 * number] * 70) if number < 2 else source.randbytes(70)
        aead = Aead.over(mode, emulated, fill[:16], cipher)
        a, m, b = fill[16:35], fill[35:], aead.block_octets
        _, ct, tag, outcome = aead.seal(aead.nonce, a, m, b, trace="hash")
        sealed.add(way(outcome))
        wrong = bytearray(tag)
        wrong[number % b] ^= 1 << number % 8
        for given_tag in (tag, bytes(wrong)):
            status, _, outcome = aead.open(aead.nonce, a, ct, given_tag, trace="hash")
            opened[status].add(way(outcome))
    assert [len(sealed), *(len(seen) for seen in opened.values())] == [1, 1, 1]
