# SPDX-License-Identifier: BSD-3-Clause
"""The permutations of Ascon and of SHA-3 in assembly for ARMv7-M: what they and their octets cost,
and that random states change neither cycles nor path nor addresses. That they are right,
test_hashes.py and the tests of modes say; here they are compared with the C on random states and
every place and length of octets."""

from __future__ import annotations

import random

import pytest

from tests.stack.conftest import target_named
from wardmote.call import Outcome, Target, TraceMode

HEADERS = ("ascon", "ascon_permutation", "keccak", "keccak_f1600")
RUNS = 100
"""Random states of a constant-time test."""
STATE = {"ascon": "wm_ascon_state", "keccak_f1600": "wm_keccak_state"}
OCTETS = {"ascon": 40, "keccak_f1600": 200}
PERMUTATIONS = {
    "ascon-8": ("ascon", 8),
    "ascon-12": ("ascon", 12),
    "keccak_f1600": ("keccak_f1600", 24),
}
CYCLES = {"ascon-8": (652, 656), "ascon-12": (953, 960), "keccak_f1600": (10_111, 10_136)}
"""Most cycles at the two ends of the timing band, without wait states."""
STACK_OCTETS = {"ascon-8": 40, "ascon-12": 40, "keccak_f1600": 304}
WAYS = {"ascon": ("xor", "extract", "encrypt", "decrypt"), "keccak_f1600": ("xor", "extract")}
XOR_CYCLES = {"ascon": (16, 53), "keccak_f1600": (136, 1_060)}
"""Octets, and most cycles to xor that many into a state."""
every_permutation = pytest.mark.parametrize("name", PERMUTATIONS)
every_way = pytest.mark.parametrize(
    ("state", "way"), [(state, way) for state in WAYS for way in WAYS[state]]
)


def target(kind: str = "") -> Target:
    """The permutations on ARMv7-M."""
    return target_named(f"armv7m{kind}", *HEADERS)


def of_octets(where: Target, state: str, octets: bytes) -> bytearray:
    """A state that holds these octets, however it lies in memory."""
    made = where.pack(STATE[state])
    where.call(f"wm_{state}_xor", made, 0, octets, len(octets))
    return made


def octets_of(where: Target, state: str, made: bytearray) -> bytes:
    """All octets of a state."""
    octets = bytearray(OCTETS[state])
    where.call(f"wm_{state}_extract", bytes(made), 0, octets, len(octets))
    return bytes(octets)


def permute(where: Target, name: str, made: bytearray, trace: TraceMode = "off") -> Outcome:
    """One permutation."""
    state, rounds = PERMUTATIONS[name]
    if state == "ascon":
        return where.call("wm_ascon_permute", made, rounds, trace=trace)
    return where.call("wm_keccak_f1600", made, trace=trace)


@every_permutation
def test_it_is_the_permutation_in_c(name: str) -> None:
    """Random states, all zeros and all ones go where the C takes them."""
    state, source = PERMUTATIONS[name][0], random.Random(name)
    octets = OCTETS[state]
    for given in (bytes(octets), b"\xff" * octets, *(source.randbytes(octets) for _ in range(20))):
        found = []
        for where in (target(), target("-portable")):
            made = of_octets(where, state, given)
            assert octets_of(where, state, made) == given
            permute(where, name, made)
            found.append(octets_of(where, state, made))
        assert found[0] == found[1] != given


@every_way
def test_octets_at_every_place(state: str, way: str) -> None:
    """Octets of every length to 17 at every place, at any address, do to the state and to the
    message what the C does, and nothing beside them changes."""
    source = random.Random(f"{state} {way}")
    for at in (*range(23), OCTETS[state] - 17):
        given, message = source.randbytes(OCTETS[state]), source.randbytes(17)
        for length in range(18):
            found = []
            for where in (target(), target("-portable")):
                where.reset()
                made, place = (
                    of_octets(where, state, given),
                    where.buffer(b"\x5a" * 33 + message + b"\x5a" * 16),
                )
                begin = place.address + 32 + length % 2
                where.call(f"wm_{state}_{way}", made, at, begin, length)
                found.append((octets_of(where, state, made), place.read()))
            assert found[0] == found[1], (at, length)


@every_permutation
def test_states_take_equal_time_and_addresses(name: str) -> None:
    """Random states give one cycle count, one trace of program counters and one of addresses."""
    where, source = target(), random.Random(f"{name} time")
    seen = set()
    for _ in range(RUNS):
        outcome = permute(
            where,
            name,
            bytearray(source.randbytes(len(where.pack(STATE[PERMUTATIONS[name][0]])))),
            "hash",
        )
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert len(seen) == 1


@every_way
def test_octets_take_equal_time_and_addresses(state: str, way: str) -> None:
    """So do octets, whatever they and the state are, where they fill words and where they do
    not."""
    where, source = target(), random.Random(f"{state} {way} time")
    for at, length in ((0, 16), (3, 7)):
        seen = set()
        for _ in range(RUNS):
            made = bytearray(source.randbytes(len(where.pack(STATE[state]))))
            octets = bytearray(source.randbytes(length))
            outcome = where.call(f"wm_{state}_{way}", made, at, octets, length, trace="hash")
            assert outcome.trace is not None
            seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
        assert len(seen) == 1


@every_permutation
def test_cycles_and_stack(name: str) -> None:
    """A permutation costs no more at either end of the timing band, and no more stack."""
    for timing, most in zip(("low", "high"), CYCLES[name], strict=True):
        where = target("-low" if timing == "low" else "")
        outcome = permute(where, name, where.pack(STATE[PERMUTATIONS[name][0]]))
        assert outcome.cycles is not None
        assert outcome.stack_octets is not None
        assert outcome.cycles <= most
        assert outcome.stack_octets <= STACK_OCTETS[name]


def test_a_round_of_ascon() -> None:
    """A round of Ascon takes 76 cycles: what four more rounds add."""
    eight, twelve = (
        permute(target(), f"ascon-{rounds}", target().pack("wm_ascon_state")).cycles
        for rounds in (8, 12)
    )
    assert eight is not None
    assert twelve is not None
    assert twelve - eight == 4 * 76


@pytest.mark.parametrize("state", XOR_CYCLES)
def test_cycles_of_a_block(state: str) -> None:
    """To take a block in costs little beside the permutation."""
    octets, most = XOR_CYCLES[state]
    outcome = target().call(
        f"wm_{state}_xor", target().pack(STATE[state]), 0, bytes(octets), octets
    )
    assert outcome.cycles is not None
    assert outcome.cycles <= most


def test_keccak_leaves_nothing_in_the_stack() -> None:
    """What the stack held of the state is zero afterwards: two states leave the same octets below
    the stack pointer."""
    where, source = target(), random.Random("keccak stack")
    left = set()
    for _ in range(3):
        made = bytearray(source.randbytes(200))
        outcome = permute(where, "keccak_f1600", made, "full")
        assert outcome.trace is not None
        lowest, highest = min(outcome.trace.sps), max(outcome.trace.sps)
        left.add(where.read(lowest, highest - lowest - 36))
    assert left == {bytes(268)}
