# SPDX-License-Identifier: BSD-3-Clause
"""The cores of AES-128 in ghdl, on the vectors of the C and on random blocks of OpenSSL. The bench
compares every octet, and the clocks of every block."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.hdl.bench import BenchError, play
from tests.vectors import load

BENCH = "tb_aes128_core"
LATENCY = {"fast": 12, "small": 212, "masked": 292}
"""Clocks from the last octet in to the first octet out, as the header of each core states them."""
RANDOM_BLOCKS = {"fast": 10_000, "small": 1_000, "masked": 300}
VECTORS = load("aes128", "block")
FIRST = VECTORS[0]

cores = pytest.mark.parametrize("core", LATENCY)


def both_ways(key: bytes, pt: bytes, ct: bytes) -> Iterator[str]:
    """Steps of a script that encrypt and decrypt a block."""
    yield f"key {key.hex()}"
    yield f"encrypt {pt.hex()} {ct.hex()}"
    yield f"decrypt {ct.hex()} {pt.hex()}"


def known_blocks() -> Iterator[str]:
    """All vectors, both ways."""
    for vector in VECTORS:
        yield from both_ways(vector.octets("key"), vector.octets("pt"), vector.octets("ct"))


def random_blocks(seed: int, count: int) -> Iterator[str]:
    """Blocks as OpenSSL has them, eight of each key, either way by chance."""
    draw = random.Random(seed)
    for index in range(count):
        if index % 8 == 0:
            key = draw.randbytes(16)
            encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
            yield f"key {key.hex()}"
        pt = draw.randbytes(16)
        ct = encryptor.update(pt)
        way = draw.random() < 0.5
        yield f"encrypt {pt.hex()} {ct.hex()}" if way else f"decrypt {ct.hex()} {pt.hex()}"


@cores
def test_the_core_computes_the_vectors_of_the_c(core: str, tmp_path: Path) -> None:
    """Every vector, both ways, in the clocks of the header."""
    said = play(BENCH, known_blocks(), tmp_path, core=core, latency=LATENCY[core])
    assert f"{2 * len(VECTORS)} blocks" in said


@pytest.mark.early
@cores
def test_the_core_agrees_with_openssl(core: str, tmp_path: Path) -> None:
    """Random blocks."""
    count = RANDOM_BLOCKS[core]
    said = play(BENCH, random_blocks(16, count), tmp_path, core=core, latency=LATENCY[core])
    assert f"{count} blocks" in said


@cores
def test_octets_may_come_and_go_at_any_pace(core: str, tmp_path: Path) -> None:
    """Pauses before octets in and out, a new key after a key, and a change of direction without any
    pause."""
    steps = [f"key {'00' * 16}"]
    for gap_in, gap_out in ((0, 0), (1, 0), (0, 1), (3, 2), (25, 0)):
        steps += [f"gaps {gap_in} {gap_out}", *random_blocks(gap_in, 20)]
    play(BENCH, steps, tmp_path, core=core, latency=LATENCY[core])


def wiped_block(core: str) -> bytes:
    """What zeros become where nothing is left: the key of `fast` is zeros, and so is every round
    key of the others, where ten S-boxes take every octet from 00 to 36."""
    if core != "fast":
        return bytes([0x36]) * 16
    return Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor().update(bytes(16))


@cores
def test_a_wipe_and_a_reset_leave_nothing(core: str, tmp_path: Path) -> None:
    """After either the core is as if there had been no key, whole or in part, and no block."""
    steps = []
    for left in ([], ["part 5"]):
        for end in ("wipe", "reset"):
            steps += [f"key {'a5' * 16}", *random_blocks(1, 3), *left, end]
            steps += list(both_ways(b"", bytes(16), wiped_block(core)))[1:]
    play(BENCH, steps, tmp_path, core=core, latency=LATENCY[core])


@cores
def test_the_bench_sees_a_wrong_octet_and_a_wrong_clock(core: str, tmp_path: Path) -> None:
    """It fails on one wrong bit, and on a latency that is off by one."""
    key, pt, ct = (FIRST.octets(name) for name in ("key", "pt", "ct"))
    wrong = ct[:-1] + bytes([ct[-1] ^ 1])
    with pytest.raises(BenchError, match="octet 15"):
        play(BENCH, both_ways(key, pt, wrong), tmp_path, core=core, latency=LATENCY[core])
    for latency in (LATENCY[core] - 1, LATENCY[core] + 1):
        with pytest.raises(BenchError, match="clocks, not"):
            play(BENCH, both_ways(key, pt, ct), tmp_path, core=core, latency=latency)
