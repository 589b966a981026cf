# SPDX-License-Identifier: BSD-3-Clause
"""The cores of AES-128 in ghdl, on the vectors of the C and on random blocks of OpenSSL. The bench
compares every octet, and the clocks of every block."""

import os
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.hdl.bench import BenchError, play
from tests.vectors import load

pytestmark = pytest.mark.turns(4)

BENCH = "tb_octets"
LATENCY = {"fast": 12, "small": 212, "masked": 292}
"""Clocks from the last octet in to the first octet out, as the header of each core states them."""
RANDOM_BLOCKS = {"fast": 10_000, "small": 1_000, "masked": 300}
"""`make hdl-blocks` gives every core as many as `fast`, which takes minutes."""
ASKED_BLOCKS = int(os.environ.get("WARDMOTE_HDL_BLOCKS", "0"))
VECTORS = load("aes128", "block")
FIRST = VECTORS[0]

cores = pytest.mark.parametrize("core", LATENCY)


def with_key(key: bytes) -> str:
    """Steps of a script that load a key."""
    return f"key\ntalk {key.hex()} -"


def block(core: str, way: str, given: bytes, result: bytes) -> str:
    """Steps that put a block through."""
    return f"{way}\nlatency {LATENCY[core]}\ntalk {given.hex()} {result.hex()}"


def both_ways(core: str, pt: bytes, ct: bytes) -> Iterator[str]:
    """Encrypts and decrypts a block."""
    yield block(core, "encrypt", pt, ct)
    yield block(core, "decrypt", ct, pt)


def known_blocks(core: str) -> Iterator[str]:
    """All vectors, both ways."""
    for vector in VECTORS:
        yield with_key(vector.octets("key"))
        yield from both_ways(core, vector.octets("pt"), vector.octets("ct"))


def random_blocks(core: str, seed: int, count: int) -> Iterator[str]:
    """Blocks as OpenSSL has them, eight of each key, either way by chance."""
    draw = random.Random(seed)
    for index in range(count):
        if index % 8 == 0:
            key = draw.randbytes(16)
            encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
            yield with_key(key)
        pt = draw.randbytes(16)
        ct = encryptor.update(pt)
        if draw.random() < 0.5:
            yield block(core, "encrypt", pt, ct)
        else:
            yield block(core, "decrypt", ct, pt)


def heard(core: str, script: Iterable[str], folder: Path) -> int:
    """Octets that the core gave, all of them right and in time."""
    said = play(BENCH, script, folder, dut="core", core=core)
    return int(said.split(" octets")[0].split()[-1])


@cores
def test_the_core_computes_the_vectors_of_the_c(core: str, tmp_path: Path) -> None:
    """Every vector, both ways, in the clocks of the header."""
    assert heard(core, known_blocks(core), tmp_path) == 2 * 16 * len(VECTORS)


@pytest.mark.early
@cores
def test_the_core_agrees_with_openssl(core: str, tmp_path: Path) -> None:
    """Random blocks."""
    count = ASKED_BLOCKS or RANDOM_BLOCKS[core]
    assert heard(core, random_blocks(core, 16, count), tmp_path) == 16 * count


@cores
def test_octets_may_come_and_go_at_any_pace(core: str, tmp_path: Path) -> None:
    """Pauses before octets in and out, a new key after a key, and a change of direction without any
    pause."""
    steps = [with_key(bytes(16))]
    for gap_in, gap_out in ((0, 0), (1, 0), (0, 1), (3, 2), (25, 0)):
        blocks = "\n".join(random_blocks(core, gap_in, 20))
        if gap_out:  # the first octet out is taken later
            blocks = blocks.replace(f"latency {LATENCY[core]}", "latency 0")
        steps += [f"gaps {gap_in} {gap_out}", blocks]
    heard(core, steps, tmp_path)


def wiped_block(core: str) -> bytes:
    """What zeros become where nothing is left: the key of `fast` is zeros, and so is every round
    key of the others, where ten S-boxes take every octet from 00 to 36."""
    if core != "fast":
        return bytes([0x36]) * 16
    return Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor().update(bytes(16))


@cores
def test_a_wipe_leaves_nothing(core: str, tmp_path: Path) -> None:
    """After it the core is as if there had been no key, whole or in part, and no block."""
    steps = []
    for left in ([], ["encrypt", f"talk {'ff' * 5} -"]):
        steps += [with_key(b"\xa5" * 16), *random_blocks(core, 1, 3), *left, "wipe"]
        steps += list(both_ways(core, bytes(16), wiped_block(core)))
    heard(core, steps, tmp_path)


@cores
def test_the_bench_sees_a_wrong_octet_and_a_wrong_clock(core: str, tmp_path: Path) -> None:
    """It fails on one wrong bit, and on a latency that is off by one."""
    key, pt, ct = (FIRST.octets(name) for name in ("key", "pt", "ct"))
    wrong = ct[:-1] + bytes([ct[-1] ^ 1])
    with pytest.raises(BenchError, match="octet 15"):
        heard(core, [with_key(key), *both_ways(core, pt, wrong)], tmp_path)
    for latency in (LATENCY[core] - 1, LATENCY[core] + 1):
        late = [f"latency {latency}", f"talk {pt.hex()} {ct.hex()}"]
        with pytest.raises(BenchError, match="clocks, not"):
            heard(core, [with_key(key), "encrypt", *late], tmp_path)
