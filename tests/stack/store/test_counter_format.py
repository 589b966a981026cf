# SPDX-License-Identifier: BSD-3-Clause
"""A store that is formatted again, and power that fails within: the old store or none, never an
error that is for ever."""

import itertools

import pytest

from tests.stack.link.linklib import link_target
from tests.stack.store.counterlib import GEOMETRY, Counters

OPERATIONS_MAX = 64
"""More than a format takes."""


def used(port: str, compactions: int) -> Counters:
    """A store that has counted, and was compacted so often: any segment may be the active one."""
    store = Counters(link_target("host"), port, slots=2)
    assert (store.format(), store.open()) == ("WM_OK", "WM_OK")
    assert (store.advance(0, 5), store.advance(1, 30)) == ("WM_OK", "WM_OK")
    for _ in range(compactions):
        assert store.compact() == "WM_OK"
    return store


@pytest.mark.parametrize("compactions", range(4))
@pytest.mark.parametrize("port", GEOMETRY)
def test_a_format_that_is_cut(port: str, compactions: int) -> None:
    """Wherever power fails, and whichever bits were done, the store opens with all its limits, or
    says that nothing is stored; then it can be formatted."""
    answers = set()
    for operation, seed in itertools.product(range(1, OPERATIONS_MAX), range(1, 9)):
        store = used(port, compactions)
        store.power_fails(operation, seed)
        done = store.format()
        if not store.power_returns():
            assert done == "WM_OK"
            break
        answer = store.open()
        answers.add(answer)
        assert answer in ("WM_OK", "WM_ERR_STATE"), (operation, seed)
        if answer == "WM_OK":
            assert store.limits() in ([8, 32], [0, 0])
        store.power_fails(1 + seed, seed + operation)
        store.format()
        store.power_returns()
        assert store.open() in ("WM_OK", "WM_ERR_STATE")
        assert (store.format(), store.open(), store.limits()) == ("WM_OK", "WM_OK", [0, 0])
    else:
        pytest.fail("a format takes more operations than were tried")
    assert answers == {"WM_OK", "WM_ERR_STATE"}


@pytest.mark.parametrize("port", GEOMETRY)
def test_a_first_format_that_is_cut(port: str) -> None:
    """On a blank medium nothing was ever stored, and each segment is erased once."""
    for operation, seed in itertools.product(range(1, 9), range(1, 5)):
        store = Counters(link_target("host"), port, slots=2)
        store.power_fails(operation, seed)
        store.format()
        if store.power_returns():
            assert store.open() in ("WM_OK", "WM_ERR_STATE")
    store = Counters(link_target("host"), port, slots=2)
    assert store.format() == "WM_OK"
    assert store.look()["erasures"][: store.segments] == [1] * store.segments
