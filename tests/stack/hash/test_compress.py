# SPDX-License-Identifier: BSD-3-Clause
"""The compressions of SHA-1, SHA-256 and BLAKE2s, in assembly and in their small forms: against
portable C on random states, every length of message, cycles, equal time, flash."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.flash import octets as flash_octets
from tests.stack.calls import words
from tests.stack.conftest import EMULATED, TARGETS, target_named
from tests.stack.hash.hashes import HASHES, Hash
from wardmote.call import EmulatedTarget, Outcome, Target, TraceMode
from wardmote.cpus import CPU_NAMES
from wardmote.measurements.primitives.table.hashes import entries

HEADERS = ("sha1", "sha256", "blake2s", "sha1_compress", "sha256_compress", "blake2s_compress")

EXTREMES = (b"\x00", b"\xff", b"\x80", b"\x01", b"\x7f")
"""Octets of which whole states and blocks are made, beside random ones."""
RANDOM_STATES = 40
EQUAL_TIME_RUNS = 100
LONGEST = 200
"""Of the messages of every length."""

MOST_CYCLES = {
    "sha1": {"msp430": 7_700, "avr": 9_800, "armv7m": 1_550},
    "sha256": {"msp430": 14_000, "avr": 19_760, "armv7m": 2_400},
    "blake2s": {"msp430": 9_720, "avr": 13_230, "armv7m": 1_560},
}
"""Of one compression; on ARMv7-M at the upper end of its timing band, without wait states."""
MOST_CYCLES_SMALL = {
    "sha1": {"msp430": 24_000, "avr": 15_800, "armv7m": 5_800},
    "sha256": {"msp430": 42_000, "avr": 34_500, "armv7m": 8_950},
    "blake2s": {"msp430": 26_500, "avr": 26_800, "armv7m": 5_880},
}
MOST_SMALL_FLASH = {
    "sha1": {"msp430": 1_530, "avr": 1_440, "armv7m": 890},
    "sha256": {"msp430": 2_235, "avr": 1_960, "armv7m": 1_125},
    "blake2s": {"msp430": 1_535, "avr": 1_440, "armv7m": 1_010},
}
"""Octets of the whole hash of the small library, tables and padding with it."""


@dataclass(frozen=True, slots=True)
class Compression:
    """One of them, as a function of a state and a block."""

    name: str
    state_octets: int
    """What it takes beside the block: of BLAKE2s h, t and f0."""

    def __str__(self) -> str:
        return self.name

    def run(
        self, target: Target, state: bytes, block: bytes, trace: TraceMode = "off"
    ) -> tuple[bytes, Outcome]:
        """The state afterwards, and how the call went. Words have their least significant octet
        first, whatever the target."""
        call = f"wm_{self.name}_compress"
        if self.name == "blake2s":
            context = target.pack("wm_blake2s", fill=64, digest_len=32)
            context[:104] = words(target, state[:40], 4) + block
            outcome = target.call(call, context, int.from_bytes(state[40:], "little"), trace=trace)
            return words(target, bytes(context[:40]), 4), outcome
        kept, md = bytearray(words(target, state, 4)), target.pack("wm_md64")
        md[8:] = block
        outcome = target.call(call, kept, md, trace=trace)
        return words(target, bytes(kept), 4), outcome

    def inputs(self, number: int) -> Iterator[tuple[bytes, bytes]]:
        """States and blocks: of one octet over and over, and random ones."""
        source = random.Random(self.name)
        for a in EXTREMES:
            for b in EXTREMES:
                yield a * self.state_octets, b * 64
        for _ in range(number):
            yield source.randbytes(self.state_octets), source.randbytes(64)


COMPRESSIONS = (Compression("sha1", 20), Compression("sha256", 32), Compression("blake2s", 44))
every_compression = pytest.mark.parametrize("compression", COMPRESSIONS, ids=str)
OURS = tuple(hash_ for hash_ in HASHES if hash_.name in MOST_CYCLES)


def emulated_hashes_named(name: str) -> EmulatedTarget:
    """A target with all hashes that counts cycles."""
    target = target_named(name, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    return target


@pytest.mark.parametrize("name", TARGETS[1:])
@every_compression
def test_compression_is_that_of_portable_c(name: str, compression: Compression) -> None:
    """States that no message leads to, and counters past 32 bits, become what portable C on the
    host makes of them."""
    host, target = target_named("host"), target_named(name, *HEADERS)
    target.reset()
    for state, block in compression.inputs(RANDOM_STATES):
        assert compression.run(target, state, block)[0] == compression.run(host, state, block)[0], (
            state,
            block,
        )


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("hash_", OURS, ids=str)
def test_every_length_in_one_piece(name: str, hash_: Hash) -> None:
    """A random message of every length to 200 octets has the reference's digest."""
    target, source = target_named(name, *HEADERS), random.Random(f"{hash_.name} {name}")
    target.reset()
    for length in range(LONGEST + 1):
        message = source.randbytes(length)
        assert hash_.digest(target, message)[0] == hash_.reference(message), length


@pytest.mark.parametrize("name", EMULATED)
@every_compression
def test_compression_takes_equal_time(name: str, compression: Compression) -> None:
    """States and blocks of every kind give one cycle count, one trace of program counters and one
    of addresses."""
    target = emulated_hashes_named(name)
    seen = set()
    for state, block in compression.inputs(EQUAL_TIME_RUNS):
        outcome = compression.run(target, state, block, trace="hash")[1]
        assert outcome.trace is not None
        seen.add((outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash))
    assert len(seen) == 1


@pytest.mark.parametrize("cpu", CPU_NAMES)
@every_compression
def test_cycles_of_a_compression(cpu: str, compression: Compression) -> None:
    """A compression takes no more cycles than the tables above say, in either form, and the small
    one takes longer."""
    state, block = bytes(compression.state_octets), bytes(64)
    fast, small = (
        compression.run(emulated_hashes_named(name), state, block)[1].cycles
        for name in (cpu, f"{cpu}-small")
    )
    assert fast is not None
    assert small is not None
    assert fast <= MOST_CYCLES[compression.name][cpu]
    assert fast < small <= MOST_CYCLES_SMALL[compression.name][cpu]


@pytest.mark.parametrize("cpu", CPU_NAMES)
@every_compression
def test_flash_of_the_small_form(cpu: str, compression: Compression) -> None:
    """A whole hash of the small library takes no more flash than the table above says, and less
    than the fast one."""
    fast, small = (
        flash_octets(cpu, entry)[0]
        for entry in sorted(entries(), key=lambda e: e.variant)
        if entry.name == str(compression)
    )
    assert small <= MOST_SMALL_FLASH[compression.name][cpu]
    assert small < fast
