# SPDX-License-Identifier: BSD-3-Clause
"""A store is created once and destroyed by name only, and power may fail within: the old store or
none, never an error that is for ever, and what is lost is no first boot."""

import itertools

import pytest

from tests.stack.link.linklib import link_target
from tests.stack.store.counterlib import EXHAUSTED, GEOMETRY, MEDIUM_OCTETS, TARGETS, Counters

OPERATIONS_MAX = 64
"""More than creating or destroying takes."""
SEEDS = range(1, 13)
NO_STORE = "WM_ERR_NO_STORE"


def used(port: str, compactions: int, target: str = "host") -> Counters:
    """A store that has counted, and was compacted so often: any segment may be the active one."""
    store = Counters(link_target(target), port, slots=2)
    assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
    assert (store.advance(0, 5), store.advance(1, 30)) == ("WM_OK", "WM_OK")
    for _ in range(compactions):
        assert store.compact() == "WM_OK"
    return store


def renewed(store: Counters) -> tuple[str, ...]:
    """Destroys the store and creates another."""
    return (store.destroy(), store.create(), store.open())


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("port", GEOMETRY)
def test_a_store_is_created_once(name: str, port: str) -> None:
    """Opening finds none before, and creating refuses a medium that holds one, before and after it
    was used; only destroying it makes room."""
    store = Counters(link_target(name), port, slots=2)
    assert store.open() == NO_STORE
    assert (store.create(), store.open(), store.create()) == ("WM_OK", "WM_OK", "WM_ERR_STATE")
    assert store.erasures() == store.segments
    assert (store.advance(0, 5), store.create()) == ("WM_OK", "WM_ERR_STATE")
    assert (store.open(), store.limits()) == ("WM_OK", [8, 0])
    assert (store.destroy(), store.open(), store.limit(0)) == ("WM_OK", NO_STORE, EXHAUSTED)
    assert (store.destroy(), store.create(), store.open()) == ("WM_OK",) * 3
    assert store.limits() == [0, 0]


@pytest.mark.parametrize("port", GEOMETRY)
def test_what_is_not_there_grants_nothing(port: str) -> None:
    """A blank medium, one with other contents and one that was lost are told apart, and none of them
    is an empty store. Creating refuses all but the blank one."""
    for contents, answer in (
        ([0xFF] * MEDIUM_OCTETS, NO_STORE),
        ([0x5A] * 16 + [0xFF] * (MEDIUM_OCTETS - 16), "WM_ERR_STORAGE"),
        ([0] * MEDIUM_OCTETS, "WM_ERR_STORAGE"),
    ):
        store = Counters(link_target("host"), port)
        store.alter(octet=contents)
        assert store.open() == answer
        assert store.advance(0, 1) == store.clear(0) == "WM_ERR_PARAM"
        assert (store.limit(0), store.free(), store.compact()) == (EXHAUSTED, 0, "WM_ERR_STORAGE")
        assert store.create() == ("WM_OK" if answer == NO_STORE else answer)
        assert renewed(store) == ("WM_OK",) * 3


@pytest.mark.parametrize("compactions", range(4))
@pytest.mark.parametrize("port", GEOMETRY)
def test_a_store_that_is_lost_is_no_first_boot(port: str, compactions: int) -> None:
    """Whichever header is lost: opening says so, and creating refuses."""
    store = used(port, compactions)
    for segment in range(store.segments):
        header = store.place(segment, 0)
        store.set_place(segment, 0, bytes([header[0] ^ 1]) + header[1:])
    assert (store.open(), store.create()) == ("WM_ERR_STORAGE", "WM_ERR_STORAGE")
    assert (*renewed(store), store.limits()) == ("WM_OK", "WM_OK", "WM_OK", [0, 0])


@pytest.mark.parametrize("compactions", range(4))
@pytest.mark.parametrize("port", GEOMETRY)
def test_an_end_that_is_cut(port: str, compactions: int) -> None:
    """Wherever power fails, and whatever it leaves, the store opens with all its limits, or there is
    none; then one can be created."""
    answers = set()
    for operation, seed in itertools.product(range(1, OPERATIONS_MAX), SEEDS):
        store = used(port, compactions)
        store.power_fails(operation, seed)
        done = (store.destroy(), store.create())
        if not store.power_returns():
            assert done == ("WM_OK", "WM_OK")
            break
        answer = store.open()
        answers.add(answer)
        assert answer in ("WM_OK", NO_STORE), (operation, seed)
        if answer == "WM_OK":
            assert store.limits() in ([8, 32], [0, 0])
        store.power_fails(1 + seed, seed + operation)
        if answer == NO_STORE:
            store.create()
        else:
            store.destroy()
        store.power_returns()
        assert store.open() in ("WM_OK", NO_STORE)
        assert renewed(store) == ("WM_OK",) * 3
        assert (store.limits(), store.look()["overwritten"]) == ([0, 0], False)
    else:
        pytest.fail("it takes more operations than were tried")
    assert answers == {"WM_OK", NO_STORE}


@pytest.mark.parametrize("port", GEOMETRY)
def test_a_creation_that_is_cut(port: str) -> None:
    """On a blank medium: as often as power fails, there is no store or an empty one, and creating
    goes on until there is one."""
    for operation, seed in itertools.product(range(1, 12), range(1, 60)):
        store = Counters(link_target("host"), port, slots=2)
        for again in range(3):
            store.power_fails(operation + again, seed + 100 * again)
            done = store.create()
            if not store.power_returns():
                assert done in ("WM_OK", "WM_ERR_STATE")
            assert store.open() in ("WM_OK", NO_STORE), (operation, seed, again)
        assert store.create() in ("WM_OK", "WM_ERR_STATE")
        assert (store.open(), store.limits()) == ("WM_OK", [0, 0])
        assert not store.look()["overwritten"]


@pytest.mark.parametrize("port", [port for port in GEOMETRY if GEOMETRY[port].unit == 2])
@pytest.mark.parametrize("ended", [False, True])
def test_any_bits_of_a_mark_may_be_left(port: str, ended: bool) -> None:
    """A segment that was replaced is marked in one unit, and power may fail in between: in units of
    2 some of its bits are 0 then and some are not. Whichever they are, no record comes of them, and
    the store opens with all its limits."""
    store = used(port, 0)
    segment, place = (store.segments - 1, 0) if ended else (0, 1)
    if not ended:
        assert store.compact() == "WM_OK"
    mark, blank = store.place(segment, place), b"\xff" * store.place_octets
    assert mark != blank
    assert mark[2:] == blank[2:]
    for first, second in itertools.product(range(256), repeat=2):
        if first & mark[0] == mark[0] and second & mark[1] == mark[1]:
            store.set_place(segment, place, bytes([first, second]) + blank[2:])
            assert (store.open(), store.limits()) == ("WM_OK", [8, 32]), (first, second)
