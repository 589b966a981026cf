# SPDX-License-Identifier: BSD-3-Clause
"""The medium of these tests does no more than port/counter_port.h allows."""

from __future__ import annotations

import pytest

from tests.stack.conftest import target_named
from tests.stack.store.counterlib import MEDIUM_OCTETS, Counters

SEEDS = range(1, 9)


@pytest.mark.parametrize("port", ["counter_double_two4", "counter_double_two8"])
def test_what_cannot_be_read_does_not_come_back(port: str) -> None:
    """A unit that could not be read may read as ones or as chance octets after an interrupted
    erasure, but never as what it should have been: a header would be complete that was not."""
    store = Counters(target_named("host"), port)
    lost = bytes(store.octets)
    found = set()
    for seed in SEEDS:
        store.power_returns()
        store.blank()
        assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
        first = bytes(store.look()["octet"])[: store.octets]
        store.alter(
            octet=list((first + lost).ljust(MEDIUM_OCTETS, b"\xff")),
            unreadable=[0] * (store.octets // store.unit)
            + [1] * (MEDIUM_OCTETS // 4 - store.octets // store.unit),
        )
        store.power_fails(1, seed)
        assert store.compact() == "WM_ERR_STORAGE"
        for at in range(0, store.octets, store.unit):
            octets = bytes(store.look()["octet"])[store.octets + at :][: store.unit]
            readable = not store.look()["unreadable"][(store.octets + at) // store.unit]
            as_it_was = octets == lost[at : at + store.unit]
            assert not (readable and as_it_was)
            found.add((readable, as_it_was))
    assert found == {(True, False), (False, True), (False, False)}
