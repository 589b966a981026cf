# SPDX-License-Identifier: BSD-3-Clause
"""Curupira-1 and Curupira-2, both ways: vectors, square-complete transform, neighbours, equal time,
on every target.

A test goes through all vectors of a cipher on a target at once: a case takes less than pytest needs
to name it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.model import curupira_model
from tests.stack.calls import in_place, memory, one_way
from tests.stack.conftest import USUAL, target_named
from tests.vectors import Vector, load, thinned
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode
from wardmote.cpus import CPU_NAMES

HEADERS = ("curupira", "curupira1", "curupira2")

EQUAL_TIME_RUNS = 50
"""Random keys and blocks of a constant-time test."""
WAYS = ("encrypt", "decrypt")


@dataclass(frozen=True, slots=True)
class Curupira:
    """A cipher with one length of key."""

    name: str
    """Structure of its expanded key, and functions `NAME_expand`, `NAME_encrypt`, `NAME_decrypt`.
    """
    folder: str
    """Of its vectors."""
    key_octets: int
    round_keys: Callable[[bytes], tuple[bytes, ...]]
    """The model's round keys of a key, 12 octets each."""

    def __str__(self) -> str:
        return self.name

    def expand(self, target: Target, key: bytes, trace: TraceMode = "off") -> tuple[bytes, Outcome]:
        """The expanded key, in octets that held something else before, and how the call went."""
        schedule = target.pack(f"wm_{self.name}")
        schedule[:] = b"\xa5" * len(schedule)
        outcome = target.call(f"wm_{self.name}_expand", schedule, key, trace=trace)
        return bytes(schedule), outcome

    def one_way(
        self, target: Target, way: str, schedule: bytes, block: bytes, trace: TraceMode = "off"
    ) -> tuple[bytes, Outcome]:
        """A block by `encrypt` or `decrypt`, and how the call went."""
        return one_way(target, f"wm_{self.name}_{way}", schedule, block, trace)

    def vectors(self, type_: str) -> list[Vector]:
        """The vectors with this length of key."""
        return [
            vector
            for vector in load(self.folder, type_)
            if len(vector.octets("key")) == self.key_octets
        ]


CIPHERS = (
    Curupira("curupira1_96", "curupira1", 12, curupira_model.curupira1_round_keys),
    Curupira("curupira1_144", "curupira1", 18, curupira_model.curupira1_round_keys),
    Curupira("curupira1_192", "curupira1", 24, curupira_model.curupira1_round_keys),
    Curupira("curupira2", "curupira2", 12, curupira_model.curupira2_round_keys),
)
every_cipher = pytest.mark.parametrize("cipher", CIPHERS, ids=str)


def test_there_are_enough_vectors() -> None:
    """At least 200 blocks of each cipher, and of each some that others published."""
    for folder in ("curupira1", "curupira2"):
        vectors = load(folder, "block")
        assert len(vectors) >= 200
        assert len({vector.file for vector in vectors}) == 2


@every_cipher
def test_both_ways_of_every_vector(target: Target, cipher: Curupira, stride: int) -> None:
    """Each vector's plaintext becomes its ciphertext and that its plaintext."""
    for vector in thinned(cipher.vectors("block"), stride):
        schedule, _ = cipher.expand(target, vector.octets("key"))
        pt, ct = vector.octets("pt"), vector.octets("ct")
        assert cipher.one_way(target, "encrypt", schedule, pt)[0] == ct, vector
        assert cipher.one_way(target, "decrypt", schedule, ct)[0] == pt, vector


@pytest.mark.parametrize("cipher", CIPHERS[:3], ids=str)
def test_encrypted_many_times(target: Target, cipher: Curupira) -> None:
    """A block encrypted 100 or 1000 times over becomes what was published."""
    vectors = cipher.vectors("block-iterated")
    assert vectors
    for vector in vectors:
        schedule, _ = cipher.expand(target, vector.octets("key"))
        key, block = target.buffer(schedule), target.buffer(vector.octets("pt"))
        for _ in range(vector.number("count")):
            target.call(f"wm_{cipher.name}_encrypt", key, block)
        assert block.read() == vector.octets("ct"), vector


@every_cipher
def test_round_keys_are_the_models(target: Target, cipher: Curupira) -> None:
    """The expanded key is the model's, row by row."""
    source = random.Random(cipher.name)
    for _ in range(10):
        key = source.randbytes(cipher.key_octets)
        rows = [
            bytes(k[i + 3 * j] for i in range(3) for j in range(4)) for k in cipher.round_keys(key)
        ]
        assert cipher.expand(target, key)[0] == b"".join(rows)


@pytest.mark.parametrize("name", USUAL)
def test_sbox_is_made_of_its_boxes(name: str) -> None:
    """The table is what three layers of boxes of four bits give, and its own inverse."""
    table = memory(target_named(name, *HEADERS), "wm_curupira_sbox", 256)
    assert table == curupira_model.SBOX
    assert [table[table[x]] for x in range(256)] == list(range(256))


@pytest.mark.parametrize("name", [f"{cpu}-small" for cpu in CPU_NAMES])
def test_boxes_are_used_where_least_flash_counts(name: str) -> None:
    """The smallest form has no table. Its code that substitutes an octet is half as large as
    one."""
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    sizes = {symbol: size for symbol, (_, size, _) in target.program.symbols().items()}
    assert "wm_curupira_sbox" not in sizes
    assert 0 < sizes["wm_curupira_substituted"] + sizes["boxes"] <= 130


def test_square_complete_transform(target: Target) -> None:
    """Known and random blocks give what the model gives."""
    source = random.Random("sct")
    for block in (bytes(12), bytes(range(12)), *(source.randbytes(12) for _ in range(20))):
        octets = bytearray(block)
        target.call("wm_curupira_sct", octets)
        assert octets == curupira_model.sct(block)


@every_cipher
@pytest.mark.parametrize("offset", range(4))
def test_neighbours_are_left_alone(target: Target, cipher: Curupira, offset: int) -> None:
    """A block at any address changes without a change to the octets around it or to the key."""
    source = random.Random(offset)
    schedule, _ = cipher.expand(target, source.randbytes(cipher.key_octets))
    around = source.randbytes(48)
    place, key = target.buffer(around), target.buffer(schedule)
    for way in WAYS:
        function = f"wm_{cipher.name}_{way}"
        block, made = in_place(target, function, key, place, 16 + offset, 12)
        assert made == cipher.one_way(target, way, schedule, block)[0]
    assert key.read() == schedule


@every_cipher
def test_secrets_take_equal_time(emulated: EmulatedTarget, cipher: Curupira) -> None:
    """Random keys and blocks give one cycle count and one trace of program counters in expansion
    and each way."""
    source = random.Random(f"{cipher} time")
    seen: dict[str, set[tuple[object, ...]]] = {what: set() for what in ("expand", *WAYS)}
    for number in range(EQUAL_TIME_RUNS):
        key, block = source.randbytes(cipher.key_octets), source.randbytes(12)
        if number < 2:
            key, block = bytes([255 * number] * len(key)), bytes([255 * number] * 12)
        schedule, expanded = cipher.expand(emulated, key, "hash")
        outcomes = {"expand": expanded}
        for way in WAYS:
            outcomes[way] = cipher.one_way(emulated, way, schedule, block, "hash")[1]
        for what, outcome in outcomes.items():
            assert outcome.trace is not None
            seen[what].add((outcome.cycles, outcome.trace.pc_hash))
    assert {what: len(ways) for what, ways in seen.items()} == dict.fromkeys(seen, 1)
