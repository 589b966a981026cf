# SPDX-License-Identifier: BSD-3-Clause
"""XTEA on every CPU: the vectors, and equal time for every key and block."""

from __future__ import annotations

import random

from tests.vectors import load
from wardmote.call import EmulatedTarget, Target

HEADERS = ("xtea",)


def schedule(target: Target, key: bytes) -> bytes:
    """The expanded key."""
    expanded = target.pack("wm_xtea")
    target.call("wm_xtea_expand", expanded, key)
    return bytes(expanded)


def test_every_vector(target: Target) -> None:
    """Each plaintext becomes its ciphertext."""
    for vector in load("xtea", "block"):
        block = bytearray(vector.octets("pt"))
        target.call("wm_xtea_encrypt", schedule(target, vector.octets("key")), block)
        assert bytes(block) == vector.octets("ct"), vector


def test_equal_time(emulated: EmulatedTarget) -> None:
    """Cycles, path and addresses are the same for random keys and blocks."""
    source, seen = random.Random(1), set()
    for _ in range(50):
        key, block = schedule(emulated, source.randbytes(16)), bytearray(source.randbytes(8))
        done = emulated.call("wm_xtea_encrypt", key, block, trace="hash")
        assert done.trace is not None
        seen.add((done.cycles, done.trace.pc_hash, done.trace.address_hash))
    assert len(seen) == 1
