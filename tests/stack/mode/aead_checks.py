# SPDX-License-Identifier: BSD-3-Clause
"""What every AEAD is tested for, whatever its key, nonce and tag are. A primitive's own test says
how its functions are called and which model it must agree with."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

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
from tests.vectors import Vector
from wardmote.call import Outcome, Target, TraceMode

Sealed = tuple[bytes, bytes]
"""Ciphertext and tag."""
NO_TAG = 0xEE
"""What the octets of a tag are before a call."""


@dataclass(frozen=True, slots=True)
class Aead:
    """The functions of an AEAD with one key and nonce on one target."""

    target: Target
    prefix: str
    """Of the functions' names: `wm_ketje_sr`."""
    begin: tuple[Any, ...]
    """Arguments before a: key and nonce, or cipher, expanded key and nonce."""
    tag_octets: int
    names_tag: bool = False
    """The functions take the length of the tag as an argument."""

    @property
    def last(self) -> tuple[int, ...]:
        """Arguments behind the tag."""
        return (self.tag_octets,) if self.names_tag else ()

    def seal(self, a: bytes, m: bytes, trace: TraceMode = "off") -> tuple[bytes, bytes, Outcome]:
        """Ciphertext and tag of one call, and how it went."""
        ct, tag = bytearray(m), bytearray([NO_TAG] * self.tag_octets)
        arguments = (*self.begin, a, len(a), ct, len(m), tag, *self.last)
        outcome = self.target.call(f"{self.prefix}_seal", *arguments, trace=trace)
        return bytes(ct), bytes(tag), outcome

    def open(
        self, a: bytes, ct: bytes, tag: bytes, trace: TraceMode = "off"
    ) -> tuple[bytes, Outcome]:
        """What opening in one call left of the ciphertext, and how it went."""
        m = bytearray(ct)
        arguments = (*self.begin, a, len(a), m, len(m), tag, *self.last)
        outcome = self.target.call(f"{self.prefix}_open", *arguments, trace=trace)
        return bytes(m), outcome

    def context(self, direction: int) -> AeadContext:
        """A context that has begun."""
        start = (*self.begin, *self.last, direction)
        context = AeadContext(self.target, self.prefix, self.tag_octets, *start)
        if self.names_tag:
            assert context.started == OK, "a start that may refuse the length of the tag"
        return context


def damaged(tag: bytes, bit: int) -> bytes:
    """A tag with one bit changed; `bit` is any number."""
    wrong = bytearray(tag)
    wrong[bit // 8 % len(tag)] ^= 1 << bit % 8
    return bytes(wrong)


def messages(longest: int) -> tuple[st.SearchStrategy[bytes], st.SearchStrategy[list[int]]]:
    """Octets up to a length, and places to cut them at."""
    return st.binary(max_size=longest), st.lists(st.integers(0, longest), max_size=4)


def check_enough(vectors: Sequence[Vector]) -> None:
    """At least 200 vectors, a third of them refusals."""
    assert len(vectors) >= 200
    assert 3 * sum(not vector.valid for vector in vectors) >= len(vectors)


def parts(vector: Vector) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Key, nonce, associated data, ciphertext and tag of a vector."""
    key, nonce, a, ct, tag = (vector.octets(name) for name in ("key", "nonce", "aad", "ct", "tag"))
    return key, nonce, a, ct, tag


def check_vector(aead: Aead, vector: Vector) -> None:
    """A valid vector seals to its ciphertext and tag and opens to its message; a wrong one is
    refused and leaves zeros where its plaintext would be; one whose tag has no valid length is left
    as it is."""
    _, _, a, ct, tag = parts(vector)
    if vector.valid:
        assert aead.seal(a, vector.octets("msg"))[:2] == (ct, tag), vector
    m, outcome = aead.open(a, ct, tag)
    left = {
        OK: vector.octets("msg") if vector.valid else None,
        ERR_SECURITY: bytes(len(ct)),
        ERR_PARAM: ct,
    }
    assert (outcome.value, m) == (vector.status, left[vector.status]), vector


def check_both_ways(aead: Aead, a: bytes, m: bytes, want: Sealed) -> None:
    """One call gives what is wanted, and opening that gives the message."""
    assert aead.seal(a, m)[:2] == want, len(m)
    opened, outcome = aead.open(a, *want)
    assert (outcome.value, opened) == (OK, m), len(m)


def check_pieces(
    start: Callable[[int], AeadContext],
    a: Sequence[bytes],
    m: Sequence[int],
    message: bytes,
    want: Sealed,
    damage: int,
) -> None:
    """However a and m are cut into pieces, sealing gives what is wanted; opening accepts that and
    no tag with a bit changed; either finish wipes the context. `start` begins one for a direction;
    m is where the message and its ciphertext are cut."""
    ct, tag = want
    sealing = start(SEAL)
    assert sealing.through(a, pieces(message, m)) == ct
    assert sealing.seal_finish() == (OK, tag)
    assert sealing.context == bytes(len(sealing.context))
    for given_tag, status in ((tag, OK), (damaged(tag, damage), ERR_SECURITY)):
        opening = start(OPEN)
        assert opening.through(a, pieces(ct, m)) == message
        assert opening.open_finish(given_tag) == status
        assert opening.context == bytes(len(opening.context))


def check_calls_out_of_order(aead: Aead) -> None:
    """a after m, the other direction's finish, and anything after a finish answer WM_ERR_STATE and
    change nothing."""
    no_tag, any_tag = bytes([NO_TAG] * aead.tag_octets), bytes(aead.tag_octets)
    for direction in (SEAL, OPEN):
        context = aead.context(direction)
        assert context.crypt(b"")[0] == OK
        assert context.aad(b"a") == OK, "nothing of m has come yet"
        assert context.crypt(b"m")[0] == OK
        before = bytes(context.context)
        assert context.aad(b"a") == ERR_STATE
        if direction == SEAL:
            assert context.open_finish(any_tag) == ERR_STATE
        else:
            assert context.seal_finish() == (ERR_STATE, no_tag)
        assert context.context == before
        finished = context.seal_finish()[0] if direction == SEAL else context.open_finish(any_tag)
        assert finished != ERR_STATE
        assert context.aad(b"a") == ERR_STATE
        assert context.crypt(b"m") == (ERR_STATE, b"m")
        assert context.seal_finish() == (ERR_STATE, no_tag)
        assert context.open_finish(any_tag) == ERR_STATE
        assert context.context == bytes(len(context.context))


def check_place(aead: Aead, offset: int, want: Callable[[bytes, bytes], Sealed]) -> None:
    """a, m and tag in a row may begin at any address; nothing around them changes."""
    source = random.Random(offset)
    a, m, before, after = (source.randbytes(n) for n in (19, 37, 8 + offset, 9))
    ct, tag = want(a, m)
    memory = aead.target.buffer(before + a + m + bytes(len(tag)) + after)
    a_at = memory.address + len(before)
    row = (a_at, len(a), a_at + len(a), len(m), a_at + len(a) + len(m), *aead.last)
    sealed = aead.target.call(f"{aead.prefix}_seal", *aead.begin, *row)
    if aead.names_tag:
        assert sealed.value == OK
    assert memory.read() == before + a + ct + tag + after
    assert aead.target.call(f"{aead.prefix}_open", *aead.begin, *row).value == OK
    assert memory.read() == before + a + m + tag + after


def check_equal_time(
    begin: Callable[[bytes, bytes], Aead],
    lengths: tuple[int, int, int, int],
    runs: int,
    *,
    addresses: bool = True,
) -> None:
    """Random keys, nonces, data and messages take one cycle count and one trace of program counters
    to seal, one to open with the right tag and one with a wrong one, wherever it is wrong; the same
    for addresses where the cipher has no tables. `lengths` are those of the four."""
    source = random.Random(f"equal time {lengths}")
    seen: dict[str, set[tuple[object, ...]]] = {"sealed": set(), "opened": set(), "refused": set()}
    for number in range(runs):
        key, nonce, a, m = (
            bytes([255 * number] * n) if number < 2 else source.randbytes(n) for n in lengths
        )
        aead = begin(key, nonce)
        ct, tag, sealed = aead.seal(a, m, "hash")
        _, opened = aead.open(a, ct, tag, "hash")
        _, refused = aead.open(a, ct, damaged(tag, source.randrange(8 * len(tag))), "hash")
        assert (opened.value, refused.value) == (OK, ERR_SECURITY)
        for way, outcome in (("sealed", sealed), ("opened", opened), ("refused", refused)):
            assert outcome.trace is not None
            touched = outcome.trace.address_hash if addresses else None
            seen[way].add((outcome.cycles, outcome.trace.pc_hash, touched))
    assert [len(ways) for ways in seen.values()] == [1, 1, 1]
