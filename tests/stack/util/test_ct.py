# SPDX-License-Identifier: BSD-3-Clause
"""Comparison, wiping, exclusive or, copy and move of octet strings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stack.conftest import USUAL, target_named
from wardmote.call import EmulatedTarget, Target

HEADERS = ("ct", "xor", "move")
SMALL = ("host-small", "msp430-small", "avr-small")
"""Where the small form has a source of its own, or another way through one."""
ALL = (*USUAL, *SMALL)


@pytest.mark.parametrize("length", [0, 1, 2, 4, 8, 16, 33])
def test_equal_strings_do_not_differ(target: Target, length: int) -> None:
    """Equal strings of any length compare as equal."""
    octets = random.Random(length).randbytes(length)
    assert target.call("wm_ct_diff", octets, octets, length).value == 0


def test_every_single_bit_counts(target: Target) -> None:
    """Two strings that differ in one bit, any one, compare as different."""
    octets = random.Random(1).randbytes(16)
    for bit in range(128):
        other = bytearray(octets)
        other[bit // 8] ^= 1 << bit % 8
        assert target.call("wm_ct_diff", octets, bytes(other), 16).value != 0, bit


def test_octets_behind_the_length_do_not_count(target: Target) -> None:
    """Only the first `len` octets are compared."""
    assert target.call("wm_ct_diff", b"abcd", b"abce", 3).value == 0


def test_comparison_takes_equal_time(emulated: EmulatedTarget) -> None:
    """Equal or different in any octet: one cycle count, one trace of program counters."""
    octets = bytes(range(16))
    seen = set()
    for place in range(17):
        other = bytes(octet ^ (255 if i == place else 0) for i, octet in enumerate(octets))
        outcome = emulated.call("wm_ct_diff", octets, other, 16, trace="hash")
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash))
    assert len(seen) == 1


@pytest.mark.parametrize("offset", range(4))
def test_wipe_of_every_length(target: Target, offset: int) -> None:
    """Exactly `len` octets become zero, at every alignment."""
    buffer = target.buffer(48)
    for length in range(40):
        buffer.write(b"\x5a" * 48)
        target.call("wm_wipe", buffer.address + 4 + offset, length)
        assert buffer.read() == b"\x5a" * (4 + offset) + bytes(length) + b"\x5a" * (
            44 - offset - length
        )


@pytest.mark.parametrize("name", ALL)
@given(
    strings=st.integers(0, 16).flatmap(
        lambda n: st.tuples(st.binary(min_size=n, max_size=n), st.binary(min_size=n, max_size=n))
    ),
    offsets=st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_xor_and_copy_of_any_length_and_place(
    name: str, strings: tuple[bytes, bytes], offsets: tuple[int, int]
) -> None:
    """Exclusive or and copy are right for any length up to a block at any two addresses, and touch
    nothing else."""
    target = target_named(name, *HEADERS)
    target.reset()
    to, source = strings
    margin = bytes(4)
    both = bytes(a ^ b for a, b in zip(to, source, strict=True))
    for function, want in (("wm_xor", both), ("wm_copy", source)):
        to_buffer = target.buffer(bytes(offsets[0]) + to + margin)
        from_buffer = target.buffer(bytes(offsets[1]) + source + margin)
        target.call(
            function, to_buffer.address + offsets[0], from_buffer.address + offsets[1], len(to)
        )
        assert to_buffer.read() == bytes(offsets[0]) + want + margin
        assert from_buffer.read() == bytes(offsets[1]) + source + margin


@pytest.mark.parametrize("way", [-25, -24, -16, -9, -8, -5, -1, 0, 1, 3, 4, 8, 11, 12, 16, 24, 40])
def test_move_of_strings_that_overlap(way: int) -> None:
    """Octets come where they are to be, whether or not their old place overlaps, and nothing else
    changes."""
    octets = random.Random(way).randbytes(180)
    for name in ALL:
        target = target_named(name, *HEADERS)
        for length, at in ((0, 41), (1, 40), (16, 41), (33, 40), (50, 43), (95, 42)):
            target.reset()
            buffer = target.buffer(octets)
            target.call("wm_move", buffer.address + at + way, buffer.address + at, length)
            want = bytearray(octets)
            want[at + way : at + way + length] = octets[at : at + length]
            assert buffer.read() == bytes(want), (name, length, at)
