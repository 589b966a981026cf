# SPDX-License-Identifier: BSD-3-Clause
"""What the hashes cost: cycles for each octet of a long message, for an empty one, and stack."""

from __future__ import annotations

import pytest

from tests.stack.conftest import target_named
from tests.stack.hash.hashes import HASHES, Hash
from wardmote.cpus import CPU_NAMES

HEADERS = tuple(hash_.name for hash_ in HASHES)

LONG = 1024
MOST = {
    "sha1": ((135, 165, 26), (9_700, 12_200, 2_200), (160, 160, 520)),
    "sha256": ((235, 320, 40), (16_300, 22_500, 3_100), (200, 272, 256)),
    "blake2s": ((157, 205, 32), (12_400, 16_300, 2_900), (216, 224, 336)),
    "sha3_256": ((424, 624, 78), (62_700, 92_500, 11_500), (480, 496, 560)),
    "ascon_hash256": ((785, 880, 130), (26_000, 29_200, 4_400), (80, 88, 176)),
}
"""The most of each hash: cycles for an octet of a long message, cycles for a message without octets
(what any message costs), and stack octets of a digest in one call, whose context is in the stack.
Each is for the MSP430, the AVR and ARMv7-M; on the last at the upper end of its timing band,
without wait states."""


@pytest.mark.parametrize("cpu", CPU_NAMES)
@pytest.mark.parametrize("hash_", HASHES, ids=str)
def test_cost_of_a_digest(hash_: Hash, cpu: str) -> None:
    """A digest costs no more cycles and stack than the table above says."""
    place, target = CPU_NAMES.index(cpu), target_named(cpu, *HEADERS)
    empty, long = (hash_.digest(target, bytes(octets))[1] for octets in (0, LONG))
    assert empty.cycles is not None
    assert long.cycles is not None
    assert long.stack_octets is not None
    per_octet, for_none, stack = (bounds[place] for bounds in MOST[hash_.name])
    assert empty.cycles <= for_none
    assert (long.cycles - empty.cycles) / LONG <= per_octet
    assert long.stack_octets <= stack
