# SPDX-License-Identifier: BSD-3-Clause
"""Stream ciphers: vectors, pieces, place, equal time, on every target.

A test goes through all vectors of a cipher on a target at once: a case takes less than pytest needs
to name it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import ciphers_model
from tests.stack.calls import pieces
from tests.stack.conftest import TARGETS, target_named
from tests.vectors import load
from wardmote.call import EmulatedTarget, Target

HEADERS = ("trivium", "grain_v1")

EQUAL_TIME_RUNS = 30
"""Random keys and messages of a constant-time test."""


@dataclass(frozen=True, slots=True)
class StreamCipher:
    """A cipher with `init` and `crypt` of the usual form."""

    name: str
    iv_octets: int
    model: Callable[[bytes, bytes, int], bytes]

    def __str__(self) -> str:
        return self.name

    def begin(self, target: Target, key: bytes, iv: bytes) -> bytearray:
        """A context that held something else before, begun."""
        context = target.pack(f"wm_{self.name}")
        context[:] = b"\xa5" * len(context)
        target.call(f"wm_{self.name}_init", context, key, iv)
        return context

    def crypt(self, target: Target, context: bytearray, parts: Sequence[bytes]) -> bytes:
        """Encrypts the next octets, which are given in parts."""
        done = b""
        for part in parts:
            octets = bytearray(part)
            target.call(f"wm_{self.name}_crypt", context, octets, len(octets))
            done += octets
        return done


CIPHERS = (
    StreamCipher("trivium", 10, ciphers_model.trivium),
    StreamCipher("grain_v1", 8, ciphers_model.grain_v1),
)
every_cipher = pytest.mark.parametrize("cipher", CIPHERS, ids=str)


@every_cipher
def test_keystream_of_every_vector(target: Target, cipher: StreamCipher) -> None:
    """Zeros become each vector's keystream; there are at least 200, of every length to 130."""
    vectors = load(cipher.name, "keystream")
    assert len(vectors) >= 200
    assert {len(vector.octets("stream")) for vector in vectors} >= set(range(131))
    for vector in vectors:
        want = vector.octets("stream")
        context = cipher.begin(target, vector.octets("key"), vector.octets("iv"))
        assert cipher.crypt(target, context, [bytes(len(want))]) == want, vector


@every_cipher
def test_every_cut_of_a_short_message(target: Target, cipher: StreamCipher) -> None:
    """A message of 13 octets cut at any two places is encrypted as the model does, and decrypted by
    the same."""
    source = random.Random(cipher.name)
    key, iv, message = (
        source.randbytes(10),
        source.randbytes(cipher.iv_octets),
        source.randbytes(13),
    )
    want = bytes(a ^ b for a, b in zip(message, cipher.model(key, iv, 13), strict=True))
    begun = cipher.begin(target, key, iv)
    for first in range(14):
        for second in range(first, 14, 1 if first < 5 else 3):
            parts = pieces(message, [first, second])
            assert cipher.crypt(target, bytearray(begun), parts) == want, (first, second)
    assert cipher.crypt(target, bytearray(begun), [want]) == message


@pytest.mark.parametrize("name", TARGETS)
@every_cipher
@settings(max_examples=8)
@given(
    message=st.binary(max_size=90),
    cuts=st.lists(st.integers(0, 90), max_size=6),
    key=st.binary(min_size=20, max_size=20),
)
def test_cut_anywhere(
    name: str, cipher: StreamCipher, message: bytes, cuts: list[int], key: bytes
) -> None:
    """However a message is cut into pieces, empty ones among them, it is encrypted as the model
    does."""
    target = target_named(name, *HEADERS)
    target.reset()
    key, iv = key[:10], key[10 : 10 + cipher.iv_octets]
    want = bytes(a ^ b for a, b in zip(message, cipher.model(key, iv, len(message)), strict=True))
    assert cipher.crypt(target, cipher.begin(target, key, iv), pieces(message, cuts)) == want


@every_cipher
@pytest.mark.parametrize("offset", range(4))
def test_any_address_and_nothing_around_it(
    target: Target, cipher: StreamCipher, offset: int
) -> None:
    """A message at any address is encrypted without a change to what lies around it."""
    around = b"\x5a" * 8
    place = target.buffer(around + bytes(offset + 21) + around)
    context = cipher.begin(target, bytes(10), bytes(cipher.iv_octets))
    target.call(f"wm_{cipher.name}_crypt", context, place.address + 8 + offset, 21)
    want = cipher.model(bytes(10), bytes(cipher.iv_octets), 21)
    assert place.read() == around + bytes(offset) + want + around


@every_cipher
def test_secrets_take_equal_time(emulated: EmulatedTarget, cipher: StreamCipher) -> None:
    """Random keys, initial values and messages of one length give one cycle count, one trace of
    program counters and one of addresses, at the start and after."""
    source = random.Random(f"{cipher} time")
    seen = set()
    for number in range(EQUAL_TIME_RUNS):
        fill = bytes([255 * number] * 45) if number < 2 else source.randbytes(45)
        context = emulated.pack(f"wm_{cipher.name}")
        arguments = context, fill[:10], fill[10 : 10 + cipher.iv_octets]
        begun = emulated.call(f"wm_{cipher.name}_init", *arguments, trace="hash")
        done = emulated.call(
            f"wm_{cipher.name}_crypt", context, bytearray(fill[20:]), 25, trace="hash"
        )
        for outcome in (begun, done):
            assert outcome.trace is not None
        seen.add(
            tuple(
                (o.cycles, o.trace.pc_hash, o.trace.address_hash)
                for o in (begun, done)
                if o.trace is not None
            )
        )
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("form", "octets"), [("wm_trivium", 48), ("wm_grain_v1", 24), ("wm_grain128", 56)]
)
def test_octets_of_a_context(target: Target, form: str, octets: int) -> None:
    """A context takes no more RAM than its header says: that with a length in it takes more where a
    size_t has 8 octets."""
    if form == "wm_grain128" and target.model.pointer_octets == 8:
        octets += 8
    assert octets - 3 <= len(target.pack(form)) <= octets
