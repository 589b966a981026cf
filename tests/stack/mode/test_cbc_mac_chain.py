# SPDX-License-Identifier: BSD-3-Clause
"""Whole blocks in a row of a CBC-MAC, which `tab` takes along the chain by itself on the MSP430:
tags, equal time, cycles."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tests.stack.calls import OK, bound, pieces
from tests.stack.conftest import USUAL, target_named
from tests.stack.mode import macs
from tests.stack.mode.macs import MACS, Mac
from wardmote.call import EmulatedTarget, Outcome

HEADERS = macs.HEADERS
CHAIN_CYCLES = 1_525
"""Of a block in a row on the MSP430."""
RUNS = 20
OVER_AES = [mac for mac in MACS if str(mac) in ("cbc_mac", "cmac", "xcbc_mac_96")]


def updated(target: EmulatedTarget, key: bytes, message: bytes, at: int = 0) -> Outcome:
    """All of a message in one call, `at` octets behind an even address."""
    target.reset()
    context = target.pack("wm_cbc_mac")
    target.call("wm_cbc_mac_init", context, bound(target, "aes128_tab", key))
    place = target.buffer(bytes(at) + message)
    return target.call("wm_cbc_mac_update", context, place.address + at, len(message), trace="hash")


@pytest.mark.parametrize("mac", OVER_AES, ids=str)
@pytest.mark.parametrize("name", USUAL)
def test_rows_of_any_length(name: str, mac: Mac) -> None:
    """0 to 5 whole blocks in a row, behind 0 to 17 octets and in front of 0 to 17, at even and odd
    addresses, give the reference's tag."""
    target = target_named(name, *HEADERS)
    source = Random(mac.name)
    for before in (0, 1, 8, 15, 16, 17):
        for blocks in range(6):
            target.reset()
            key, behind = source.randbytes(mac.key_octets), source.choice((0, 1, 15, 16, 17))
            message = source.randbytes(before + 16 * blocks + behind)
            want = mac.reference(key, message)
            cuts = [before, before + 16 * blocks]
            context = mac.context(target, key, pieces(message, cuts))
            assert mac.final(target, context, len(want)) == (OK, want), (before, blocks, behind)


def test_a_row_takes_equal_time() -> None:
    """Random keys and messages take one cycle count and one trace of program counters."""
    target = target_named("msp430", *HEADERS)
    assert isinstance(target, EmulatedTarget)
    source = Random(1)
    ways = set()
    for number in range(RUNS):
        key, message = source.randbytes(16), source.randbytes(80)
        if number < 2:
            key, message = bytes([255 * number] * 16), bytes([255 * number] * 80)
        done = updated(target, key, message)
        assert done.trace is not None
        ways.add((done.cycles, done.trace.pc_hash))
    assert len(ways) == 1


def test_cycles_of_a_row() -> None:
    """One block more in a row costs what stack/arch/msp430/aes128_tab_chain.S says. At an odd
    address a row is taken block by block."""
    target = target_named("msp430", *HEADERS)
    assert isinstance(target, EmulatedTarget)
    costs = [updated(target, bytes(16), bytes(16 * blocks)).cycles or 0 for blocks in range(3, 7)]
    assert [b - a for a, b in pairwise(costs)] == [CHAIN_CYCLES] * 3
    odd = [updated(target, bytes(16), bytes(16 * blocks), 1).cycles or 0 for blocks in (3, 4)]
    assert odd[1] - odd[0] > CHAIN_CYCLES
