# SPDX-License-Identifier: BSD-3-Clause
"""Keccak-f[1600] and the Ascon permutation: every form against models of another making, equal
time, what they cost, and the octets of a state wherever they lie."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from tests.stack.conftest import EMULATED, TARGETS, target_named
from vectors.ascon_model import permute as ascon_model
from wardmote.call import EmulatedTarget, Outcome, Target

HEADERS = ("ascon", "keccak", "ascon_permutation", "keccak_f1600", "sha3_256", "ascon_hash256")

STATES = 30
"""Random states of a test; the first two are all zeros and all ones."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """A permutation of `octets` octets: `name` goes round, `prefix` begins the names of what
    reaches its octets."""

    name: str
    prefix: str
    octets: int
    rounds: int = 0
    """Passed to it, where it takes them."""
    cycles: tuple[int, int] = (0, 0)
    """Most on the MSP430 and the AVR."""

    def __str__(self) -> str:
        return f"{self.name}-{self.rounds}" if self.rounds else self.name

    def load(self, target: Target, octets: bytes) -> bytearray:
        """A state of these octets."""
        state = bytearray(self.octets)
        target.call(f"{self.prefix}_xor", state, 0, octets, len(octets))
        return state

    def run(self, target: Target, state: bytearray, **options: str) -> Outcome:
        """The permutation, once."""
        return target.call(self.name, state, *((self.rounds,) if self.rounds else ()), **options)  # type: ignore[arg-type]

    def read(
        self, target: Target, state: bytearray, at: int = 0, length: int | None = None
    ) -> bytes:
        """Octets of a state."""
        octets = bytearray(self.octets - at if length is None else length)
        target.call(f"{self.prefix}_extract", state, at, octets, len(octets))
        return bytes(octets)


ASCON = Permutation("wm_ascon_permute", "wm_ascon", 40, 12, (6_150, 6_900))
KECCAK = Permutation("wm_keccak_f1600", "wm_keccak_f1600", 200, 0, (60_700, 89_800))
PERMUTATIONS = (KECCAK, ASCON, Permutation("wm_ascon_permute", "wm_ascon", 40, 8, (4_150, 4_650)))
every_permutation = pytest.mark.parametrize("permutation", PERMUTATIONS, ids=str)


def keccak_model(state: bytes) -> bytes:
    """FIPS 202 §3.2 and §3.3 as they stand there, with lanes as integers and rc by its shift
    register."""
    mask = (1 << 64) - 1
    a = {(i % 5, i // 5): int.from_bytes(state[8 * i : 8 * i + 8], "little") for i in range(25)}

    def left(lane: int, bits: int) -> int:
        return (lane << bits % 64 | lane >> (64 - bits % 64)) & mask

    register = 1
    for _ in range(24):
        c = [a[x, 0] ^ a[x, 1] ^ a[x, 2] ^ a[x, 3] ^ a[x, 4] for x in range(5)]
        a = {(x, y): lane ^ c[x - 1] ^ left(c[(x + 1) % 5], 1) for (x, y), lane in a.items()}
        moved, (x, y) = {(0, 0): a[0, 0]}, (1, 0)
        for t in range(24):
            moved[y, (2 * x + 3 * y) % 5] = left(a[x, y], (t + 1) * (t + 2) // 2)
            x, y = y, (2 * x + 3 * y) % 5
        a = {
            (x, y): b ^ (~moved[(x + 1) % 5, y] & moved[(x + 2) % 5, y])
            for (x, y), b in moved.items()
        }
        for j in range(7):
            a[0, 0] ^= (register & 1) << ((1 << j) - 1)
            register = register << 1 ^ (register >> 7) * 0x171
    return b"".join((a[i % 5, i // 5] & mask).to_bytes(8, "little") for i in range(25))


def model(permutation: Permutation, state: bytes) -> bytes:
    """What a permutation makes of a state."""
    if permutation.octets == 200:
        return keccak_model(state)
    words = [int.from_bytes(state[i : i + 8], "little") for i in range(0, 40, 8)]
    ascon_model(words, permutation.rounds)
    return b"".join(word.to_bytes(8, "little") for word in words)


def states(permutation: Permutation) -> list[bytes]:
    """States to try."""
    source = random.Random(str(permutation))
    alike = [bytes([octet] * permutation.octets) for octet in (0, 255)]
    return alike + [source.randbytes(permutation.octets) for _ in range(STATES - 2)]


@every_permutation
@pytest.mark.parametrize("name", TARGETS)
def test_of_random_states(name: str, permutation: Permutation) -> None:
    """Each form on each target makes of a state what the model makes of it."""
    target = target_named(name, *HEADERS)
    target.reset()
    for octets in states(permutation)[::3]:
        state = permutation.load(target, octets)
        permutation.run(target, state)
        assert permutation.read(target, state) == model(permutation, octets)


@every_permutation
@pytest.mark.parametrize("name", EMULATED)
def test_takes_equal_time(name: str, permutation: Permutation) -> None:
    """Random states give one cycle count, one trace of program counters and one of addresses."""
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    seen = set()
    for octets in states(permutation):
        outcome = permutation.run(target, permutation.load(target, octets), trace="hash")
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert len(seen) == 1


@every_permutation
@pytest.mark.parametrize("place", [0, 1], ids=["msp430", "avr"])
def test_cycles(place: int, permutation: Permutation) -> None:
    """A permutation in assembly takes no more cycles than said above."""
    target = target_named(("msp430", "avr")[place], *HEADERS)
    target.reset()
    cycles = permutation.run(target, bytearray(permutation.octets)).cycles
    assert cycles is not None
    assert cycles <= permutation.cycles[place]


@pytest.mark.parametrize("permutation", PERMUTATIONS[:2], ids=str)
@pytest.mark.parametrize("name", TARGETS)
def test_octets_of_a_state(name: str, permutation: Permutation) -> None:
    """Pieces of any length, at any place of a state and any address, are added, read, and en- and
    decrypted in place; the rest stays."""
    target = target_named(name, *HEADERS)
    target.reset()
    source = random.Random("octets")
    for number in range(40):
        octets = source.randbytes(permutation.octets)
        at = source.randrange(permutation.octets + 1)
        length = (
            (0, 1, permutation.octets - at)[number]
            if number < 3
            else source.randint(0, permutation.octets - at)
        )
        at = min(at, permutation.octets - length)
        end, piece = at + length, source.randbytes(length)
        both = bytes(x ^ y for x, y in zip(octets[at:end], piece, strict=True))
        memory = target.buffer(bytes(9) + piece + bytes(9))
        there = memory.address + 9
        calls = [("xor", piece, both), ("extract", octets[at:end], octets[at:end])]
        if permutation is ASCON:
            calls += [("encrypt", both, both), ("decrypt", both, piece)]
        for verb, outside, inside in calls:
            state = permutation.load(target, octets)
            memory.write(bytes(9) + piece + bytes(9))
            target.call(f"{permutation.prefix}_{verb}", state, at, there, length)
            assert memory.read() == bytes(9) + outside + bytes(9), (verb, at, length)
            assert permutation.read(target, state) == octets[:at] + inside + octets[end:], (
                verb,
                at,
                length,
            )
