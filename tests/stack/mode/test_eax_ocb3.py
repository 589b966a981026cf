# SPDX-License-Identifier: BSD-3-Clause
"""EAX and OCB3 over AES-128: vectors both ways, refusals, order of calls, pieces, place, equal time, on every target.

A test goes through vectors of a target at once: a case takes less than pytest needs to name it. The emulated targets
take every printed vector and every fourth of the others; the host takes all.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESOCB3
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.calls import ERR_PARAM, ERR_SECURITY, ERR_STATE, OK, expand, pieces
from tests.stack.conftest import TARGETS, target_named
from tests.vectors import Vector, load
from wardmote.call import Buffer, EmulatedTarget, Outcome, Target, TraceMode

SEAL, OPEN = 1, 2
KEY, NONCE = bytes(range(16)), bytes(range(0x20, 0x2C))
MODES = ("eax", "ocb3")
VARIANTS = ("small", "tab", "fix")
EQUAL_TIME_RUNS = 20
every_mode = pytest.mark.parametrize("mode", MODES)


@dataclass(frozen=True, slots=True)
class Aead:
    """A mode under a key on a target; the variant is that of encryption."""

    mode: str
    target: Target
    schedule: Buffer
    mode_key: Buffer

    @classmethod
    def under(cls, mode: str, target: Target, key: bytes, variant: str = "small") -> Aead:
        """Expands the key and derives the mode's own from it; `fix` has another form of key and cannot open in OCB3."""
        schedule = target.buffer(expand(target, key, variant))
        if mode == "eax":
            mode_key = target.pack("wm_cmac_key")
            target.call("wm_cmac_derive", mode_key, target.address_of(f"wm_aes128_{variant}"), schedule)
        else:
            mode_key = target.pack("wm_ocb3_key")
            inverse = target.address_of("wm_aes128_small_inverse") if variant != "fix" else 0
            forward = target.address_of(f"wm_aes128_{variant}_forward")
            assert target.call("wm_ocb3_derive", mode_key, forward, inverse, schedule).value == OK
        return cls(mode, target, schedule, target.buffer(bytes(mode_key)))

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

    def __init__(self, aead: Aead, direction: int, tag_len: int = 16) -> None:
        self.aead, self.tag_len = aead, tag_len
        self.context = aead.target.pack(f"wm_{aead.mode}")
        self.context[:] = b"\xa5" * len(self.context)
        announced = () if aead.mode == "eax" else (tag_len,)
        args = (self.context, aead.mode_key, NONCE, len(NONCE), *announced, direction)
        outcome = aead.target.call(f"wm_{aead.mode}_start", *args)
        assert aead.mode == "eax" or outcome.value == OK

    def call(self, name: str, data: bytes) -> tuple[int, bytes]:
        """`aad` or `crypt`: status, and what it left of the data."""
        octets = bytearray(data)
        outcome = self.aead.target.call(f"wm_{self.aead.mode}_{name}", self.context, octets, len(octets))
        return outcome.value, bytes(octets)

    def finish(self, name: str, tag: bytes) -> tuple[int, bytes]:
        """`seal_finish` or `open_finish`: status, and the tag."""
        octets = bytearray(tag)
        length = (len(tag),) if self.aead.mode == "eax" else ()
        outcome = self.aead.target.call(f"wm_{self.aead.mode}_{name}", self.context, octets, *length)
        return outcome.value, bytes(octets)


def some(target: Target, mode: str, *, valid: bool) -> list[Vector]:
    """Vectors in the number that suits the target."""
    everything = load(mode, "aead", valid=valid)
    if not isinstance(target, EmulatedTarget):
        return everything
    return [vector for vector in everything if not vector.file.endswith("generated.json") or vector.tc_id % 4 == 0]


@every_mode
def test_there_are_enough_vectors(mode: str) -> None:
    """At least 200 cases, at least a third of them refusals."""
    everything = load(mode)
    assert len(everything) >= 200
    assert 3 * sum(not vector.valid for vector in everything) >= len(everything)


@every_mode
def test_both_ways_of_every_vector(block_modes: Target, mode: str) -> None:
    """Sealing a vector's message gives its ciphertext and tag, opening those gives the message."""
    for vector in some(block_modes, mode, valid=True):
        nonce, a, m, ct, tag = (vector.octets(name) for name in ("nonce", "aad", "msg", "ct", "tag"))
        aead = Aead.under(mode, block_modes, vector.octets("key"))
        assert aead.seal(nonce, a, m, len(tag))[:3] == (OK, ct, tag), vector
        assert aead.open(nonce, a, ct, tag)[:2] == (OK, m), vector
        block_modes.reset()


@every_mode
def test_refusal_of_every_vector(block_modes: Target, mode: str) -> None:
    """Opening a damaged message is refused and leaves zeros where its plaintext would be."""
    for vector in some(block_modes, mode, valid=False):
        key, nonce, a, ct, tag = (vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag"))
        got = Aead.under(mode, block_modes, key).open(nonce, a, ct, tag)
        assert got[:2] == (vector.status, bytes(len(ct))), vector
        block_modes.reset()


@every_mode
def test_refused_lengths_touch_nothing(block_modes: Target, mode: str) -> None:
    """Lengths that no nonce or tag may have are refused before a, m or tag is touched."""
    aead = Aead.under(mode, block_modes, KEY)
    for vector in load(mode, "aead-lengths"):
        nonce, tag_len = bytes(vector.number("nonceLen")), vector.number("tagLen")
        m = b"\x55" * 20
        assert aead.seal(nonce, b"a", m, tag_len)[:3] == (vector.status, m, b"\xee" * tag_len), vector
        assert aead.open(nonce, b"a", m, b"\xee" * tag_len)[:2] == (vector.status, m), vector


@every_mode
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_of_aes(block_modes: Target, mode: str, variant: str) -> None:
    """Each variant of AES gives the same ciphertext and tag; OCB3 without an inverse cipher seals and does not open."""
    a, m = bytes(range(19)), bytes(range(50))
    want = Aead.under(mode, target_named("host"), KEY).seal(NONCE, a, m, 16)[:3]
    aead = Aead.under(mode, block_modes, KEY, variant)
    assert aead.seal(NONCE, a, m, 16)[:3] == want
    refused = mode == "ocb3" and variant == "fix"
    assert aead.open(NONCE, a, want[1], want[2])[:2] == ((ERR_PARAM, want[1]) if refused else (OK, m))


@pytest.mark.parametrize(
    ("tag_len", "want"),
    [(16, "67e944d23256c5e0b6c61fa22fdf1ea2"), (12, "77a3d8e73589158d25d01209"), (8, "192c9b7bd90ba06a")],
)
def test_ocb3_over_many_messages(tag_len: int, want: str) -> None:
    """RFC 7253 Appendix A: a tag over the results of 384 messages of 0 to 127 octets, on the host."""
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


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=15)
@given(a=st.binary(max_size=60), m=st.binary(max_size=90))
def test_ocb3_is_openssls(name: str, a: bytes, m: bytes) -> None:
    """OpenSSL's OCB3 gives the same ciphertext and tag for any a and m."""
    target = target_named(name, "blockmodes")
    target.reset()
    sealed = AESOCB3(KEY).encrypt(NONCE, m, a)
    assert Aead.under("ocb3", target, KEY).seal(NONCE, a, m, 16)[:3] == (OK, sealed[: len(m)], sealed[len(m) :])


@pytest.mark.parametrize("name", TARGETS)
@every_mode
@settings(max_examples=8)
@given(
    a=st.binary(max_size=70),
    m=st.binary(max_size=70),
    cuts=st.lists(st.integers(0, 70), max_size=5),
    damage=st.integers(0, 127),
)
def test_cut_anywhere(name: str, mode: str, a: bytes, m: bytes, cuts: list[int], damage: int) -> None:
    """However a and m are cut (for OCB3 between blocks), the result is that of one call; opening in pieces accepts its
    tag, none with a bit changed, and wipes its context."""
    target = target_named(name, "blockmodes")
    target.reset()
    aead = Aead.under(mode, target, KEY)
    cuts = cuts if mode == "eax" else [cut // 16 * 16 for cut in cuts]
    _, ct, tag, _ = aead.seal(NONCE, a, m, 16)
    sealing = Incremental(aead, SEAL)
    assert all(sealing.call("aad", piece)[0] == OK for piece in pieces(a, cuts) if piece)
    assert b"".join(sealing.call("crypt", piece)[1] for piece in pieces(m, cuts) if piece) == ct
    assert sealing.finish("seal_finish", bytes(16)) == (OK, tag)
    assert bytes(sealing.context) == bytes(len(sealing.context))
    wrong = bytearray(tag)
    wrong[damage // 8] ^= 1 << damage % 8
    for given_tag, status in ((tag, OK), (bytes(wrong), ERR_SECURITY)):
        opening = Incremental(aead, OPEN)
        assert all(opening.call("aad", piece)[0] == OK for piece in pieces(a, cuts) if piece)
        assert b"".join(opening.call("crypt", piece)[1] for piece in pieces(ct, cuts) if piece) == m
        assert opening.finish("open_finish", given_tag)[0] == status
        assert bytes(opening.context) == bytes(len(opening.context))


@every_mode
def test_calls_out_of_order_do_nothing(block_modes: Target, mode: str) -> None:
    """a after m, the other finish, anything after the end, and for OCB3 anything after a part of a block: refused,
    nothing done."""
    aead = Aead.under(mode, block_modes, KEY)
    context = Incremental(aead, SEAL)
    assert context.call("aad", b"a")[0] == OK
    if mode == "ocb3":
        assert context.call("aad", b"b")[0] == ERR_STATE
    assert context.call("crypt", b"m")[0] == OK
    before = bytes(context.context)
    assert context.call("aad", b"b")[0] == ERR_STATE
    if mode == "ocb3":
        assert context.call("crypt", b"m") == (ERR_STATE, b"m")
    assert context.finish("open_finish", bytes(16))[0] == ERR_STATE
    assert bytes(context.context) == before
    assert context.finish("seal_finish", b"\xee" * 16) == (OK, aead.seal(NONCE, b"a", b"m", 16)[2])
    for name in ("aad", "crypt"):
        assert context.call(name, b"x") == (ERR_STATE, b"x")
    for name in ("seal_finish", "open_finish"):
        assert context.finish(name, b"\xee" * 16) == (ERR_STATE, b"\xee" * 16)


def test_ocb3_takes_blocks_of_16_octets_only(block_modes: Target) -> None:
    """A cipher with shorter blocks is refused."""
    key = block_modes.pack("wm_ocb3_key")
    skipjack, aes = (block_modes.address_of(f"wm_{name}_forward") for name in ("skipjack", "aes128_small"))
    schedule = block_modes.buffer(bytes(176))
    for forward, inverse, status in ((skipjack, 0, ERR_PARAM), (aes, skipjack, ERR_PARAM), (aes, 0, OK)):
        assert block_modes.call("wm_ocb3_derive", key, forward, inverse, schedule).value == status


@every_mode
@pytest.mark.parametrize("offset", range(2))
def test_tag_may_follow_the_message(block_modes: Target, mode: str, offset: int) -> None:
    """A message at any address is sealed with its tag right behind it; nothing around changes."""
    around, m = b"\x5a" * (8 + offset), random.Random(offset).randbytes(37)
    aead = Aead.under(mode, block_modes, KEY)
    want = b"".join(aead.seal(NONCE, b"header", m, 16)[1:3])
    place = block_modes.buffer(around + m + bytes(16) + around)
    at = place.address + len(around)
    args = (aead.mode_key, NONCE, len(NONCE), b"header", 6, at, len(m), at + len(m), 16)
    assert block_modes.call(f"wm_{mode}_seal", *args).value == OK
    assert place.read() == around + want + around
    assert block_modes.call(f"wm_{mode}_open", *args).value == OK
    assert place.read()[len(around) :][: len(m)] == m


@every_mode
def test_secrets_take_equal_time(emulated_block_modes: EmulatedTarget, mode: str) -> None:
    """Random keys and messages of one length give one cycle count and one trace of program counters; so does opening,
    for right tags and for wrong ones. Addresses are not compared: AES looks tables up by secrets here."""
    source = random.Random(f"{mode} time")
    sealed: set[tuple[int | None, int]] = set()
    opened: dict[int, set[tuple[int | None, int]]] = {OK: set(), ERR_SECURITY: set()}
    for number in range(EQUAL_TIME_RUNS):
        emulated_block_modes.reset()
        fill = bytes([255 * number] * 70) if number < 2 else source.randbytes(70)
        aead = Aead.under(mode, emulated_block_modes, fill[:16])
        a, m = fill[16:35], fill[35:]
        _, ct, tag, outcome = aead.seal(NONCE, a, m, 16, trace="hash")
        assert outcome.trace is not None
        sealed.add((outcome.cycles, outcome.trace.pc_hash))
        wrong = bytearray(tag)
        wrong[number % 16] ^= 1 << number % 8
        for given_tag in (tag, bytes(wrong)):
            status, _, outcome = aead.open(NONCE, a, ct, given_tag, trace="hash")
            assert outcome.trace is not None
            opened[status].add((outcome.cycles, outcome.trace.pc_hash))
    assert [len(sealed), *(len(seen) for seen in opened.values())] == [1, 1, 1]
