# SPDX-License-Identifier: BSD-3-Clause
"""What the hashes cost: cycles for each octet of a long message, for an empty one, and stack."""

from __future__ import annotations

import pytest

from tests.stack.conftest import target_named
from tests.stack.hash.hashes import HASHES, Hash
from wardmote.cpus import CPU_NAMES

HEADERS = tuple(hash_.name for hash_ in HASHES)

LONG = 1024
CYCLES_PER_OCTET = {
    "sha1": (135, 165, 26),
    "sha256": (235, 320, 40),
    "blake2s": (157, 205, 32),
    "sha3_256": (420, 622, 78),
    "ascon_hash256": (785, 880, 130),
}
"""Most on the MSP430, the AVR and ARMv7-M; on the last at the upper end of its timing band, without
wait states."""
EMPTY_CYCLES = {
    "sha1": (9_700, 12_200, 2_200),
    "sha256": (16_300, 22_500, 3_100),
    "blake2s": (12_400, 16_300, 2_900),
    "sha3_256": (62_500, 92_500, 11_500),
    "ascon_hash256": (26_000, 29_200, 4_400),
}
"""Most for a message without octets: what any message costs."""
STACK_OCTETS = {
    "sha1": (160, 160, 520),
    "sha256": (200, 272, 256),
    "blake2s": (216, 224, 336),
    "sha3_256": (480, 496, 560),
    "ascon_hash256": (80, 88, 176),
}
"""Most of a digest in one call, whose context is in the stack."""


@pytest.mark.parametrize("cpu", CPU_NAMES)
@pytest.mark.parametrize("hash_", HASHES, ids=str)
def test_cost_of_a_digest(hash_: Hash, cpu: str) -> None:
    """A digest costs no more cycles and stack than the tables above say."""
    place, target = CPU_NAMES.index(cpu), target_named(cpu, *HEADERS)
    empty, long = (hash_.digest(target, bytes(octets))[1] for octets in (0, LONG))
    assert empty.cycles is not None
    assert long.cycles is not None
    assert long.stack_octets is not None
    assert empty.cycles <= EMPTY_CYCLES[hash_.name][place]
    assert (long.cycles - empty.cycles) / LONG <= CYCLES_PER_OCTET[hash_.name][place]
    assert long.stack_octets <= STACK_OCTETS[hash_.name][place]
