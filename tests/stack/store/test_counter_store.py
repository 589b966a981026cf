# SPDX-License-Identifier: BSD-3-Clause
"""Counters that outlive power cuts, on every target: what is stored when, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stack.link.linklib import link_target
from tests.stack.store.counterlib import (
    EXHAUSTED,
    GEOMETRY,
    PLACE,
    TARGETS,
    Counters,
    Step,
    play,
)

HEADER, RETIRED, FIRST = 0, 1, 2
MARK_AT = 6


@pytest.fixture(params=TARGETS)
def store(request: pytest.FixtureRequest) -> Iterator[Counters]:
    """A formatted and opened store of 3 slots with blocks of 4, once on each target."""
    store = Counters(link_target(request.param))
    assert (store.format(), store.open()) == ("WM_OK", "WM_OK")
    yield store
    store.target.reset()


@pytest.fixture
def on_host() -> Counters:
    """A formatted and opened store on this machine."""
    store = Counters(link_target("host"))
    assert (store.format(), store.open()) == ("WM_OK", "WM_OK")
    return store


def test_counters_begin_at_their_limit(store: Counters) -> None:
    """The limit is the counter rounded up to the block, in the medium before the call returns."""
    assert store.limits() == [0, 0, 0]
    assert store.advance(0, 1) == "WM_OK"
    assert store.advance(2, 9) == "WM_OK"
    assert store.limits() == [4, 0, 12]
    assert store.open() == "WM_OK"
    assert store.limits() == [4, 0, 12]


def test_a_block_is_written_once(store: Counters) -> None:
    """Sixteen frames are four records; the counters between are granted without touching the
    medium."""
    free = store.free()
    for counter in range(1, 17):
        before = store.look()["octet"]
        assert store.advance(1, counter) == "WM_OK"
        assert (store.look()["octet"] != before) == (counter % 4 == 1)
    assert free - store.free() == 4


def test_what_was_granted_needs_no_medium(store: Counters) -> None:
    """Below the limit a counter is granted though the medium is dead; the next block is not, nor
    anything after it."""
    assert store.advance(0, 1) == "WM_OK"
    store.alter(off=True)
    assert [store.advance(0, counter) for counter in (2, 3, 4)] == ["WM_OK"] * 3
    assert store.advance(0, 5) == "WM_ERR_STORAGE"
    store.alter(off=False)
    assert store.advance(1, 1) == "WM_ERR_STORAGE", "once failed, failed until it is opened anew"
    assert (store.compact(), store.free()) == ("WM_ERR_STORAGE", 0)
    assert store.open() == "WM_OK"
    assert store.limits() == [4, 0, 0]
    assert store.advance(0, 5) == "WM_OK"


def test_limits_move_to_the_other_segment(store: Counters) -> None:
    """When a segment is full the limits go on in the next, which is erased once; nothing is lost on
    the way."""
    for counter in range(1, 4 * 40, 4):
        assert store.advance(counter // 4 % 3, counter) == "WM_OK"
    limits = store.limits()
    assert store.open() == "WM_OK"
    assert store.limits() == limits == [160, 152, 156]
    records, places = 40, store.octets // PLACE - 2
    assert store.erasures() - store.segments <= records // (places - store.slots)
    assert abs(store.look()["erasures"][0] - store.look()["erasures"][1]) <= 1, "both wear alike"
    assert not store.look()["overwritten"]


def test_three_segments_wear_alike() -> None:
    """Erasures go round."""
    store = Counters(link_target("host"), "counter_double_three", slots=2, block=1)
    assert (store.format(), store.open()) == ("WM_OK", "WM_OK")
    for counter in range(1, 91):
        assert store.advance(0, counter) == "WM_OK"
    assert max(store.look()["erasures"]) - min(store.look()["erasures"]) <= 1
    assert store.limit(0) == 90


def test_compaction_can_be_done_ahead(store: Counters) -> None:
    """A node with time compacts; the advances that follow erase nothing."""
    for counter in range(1, 6):
        assert store.advance(0, 4 * counter) == "WM_OK"
    assert store.free() == 1
    assert store.compact() == "WM_OK"
    assert store.free() == 5
    erased = store.erasures()
    for counter in range(6, 11):
        assert store.advance(0, 4 * counter) == "WM_OK"
    assert (store.erasures(), store.free(), store.limit(0)) == (erased, 0, 40)


def test_a_cleared_slot_begins_anew(store: Counters) -> None:
    """With a new key a counter begins at 0, also after a reboot and a compaction; the others
    stay."""
    assert [store.advance(0, 100), store.advance(1, 50), store.clear(0)] == ["WM_OK"] * 3
    assert store.limits() == [0, 52, 0]
    assert store.open() == "WM_OK"
    assert store.limits() == [0, 52, 0]
    assert store.advance(0, 2) == "WM_OK"
    assert store.compact() == "WM_OK"
    assert store.open() == "WM_OK"
    assert store.limits() == [4, 52, 0]
    free = store.free()
    assert (store.clear(2), store.free()) == ("WM_OK", free), "what is 0 already is not written"


def test_the_last_block_ends_exhausted(store: Counters) -> None:
    """There is no limit above 0xFFFFFFFF, and from there a counter begins exhausted."""
    assert store.advance(0, EXHAUSTED - 5) == "WM_OK"
    assert store.limit(0) == EXHAUSTED - 3
    assert store.advance(0, EXHAUSTED - 2) == "WM_OK"
    assert store.open() == "WM_OK"
    assert store.limit(0) == EXHAUSTED
    assert store.advance(0, EXHAUSTED) == "WM_OK"
    assert store.advance(0, EXHAUSTED + 1 & EXHAUSTED) == "WM_ERR_COUNTER"


def test_the_block_may_change(store: Counters) -> None:
    """A store that was written in blocks of 4 is read by a build with blocks of 256, and back."""
    assert store.advance(0, 5) == "WM_OK"
    assert store.open(block=256) == "WM_OK"
    assert store.limit(0) == 8
    assert store.advance(0, 9) == "WM_OK"
    assert store.limit(0) == 256
    assert store.open(block=1) == "WM_OK"
    assert store.advance(0, 257) == "WM_OK"
    assert store.limit(0) == 257


@pytest.mark.parametrize("name", TARGETS)
def test_what_no_store_can_use_is_refused(name: str) -> None:
    """A port with one segment, with small or odd ones, too many slots, a block that is no power of
    two."""
    for port in ("counter_double_single", "counter_double_small", "counter_double_odd"):
        store = Counters(link_target(name), port, slots=1)
        assert (store.format(), store.open()) == ("WM_ERR_PARAM", "WM_ERR_PARAM")
    store = Counters(link_target(name))
    assert store.format() == "WM_OK"
    for slots in (0, 6, 129):
        assert store.open(slots=slots) == "WM_ERR_PARAM"
    for block in (0, 3, 6, 0x80000001, EXHAUSTED):
        assert store.open(block=block) == "WM_ERR_PARAM"
    assert store.open(slots=5, block=0x80000000) == "WM_OK"
    assert store.advance(5, 1) == store.clear(5) == "WM_ERR_PARAM"
    assert store.limit(5) == EXHAUSTED
    assert store.advance(4, 1) == "WM_OK"
    assert store.open(slots=4) == "WM_ERR_PARAM", "the medium has a slot that this store has not"


def test_a_blank_medium_is_no_empty_store(store: Counters) -> None:
    """Without a format there is nothing to begin with; a store that is not open grants nothing."""
    for blank in ([0xFF] * 192, [0x5A] * 16 + [0xFF] * 176):
        store.alter(octet=blank)
        refusal = store.open()
        assert refusal == ("WM_ERR_STATE" if blank[0] == 0xFF else "WM_ERR_STORAGE")
        assert store.advance(0, 1) == store.clear(0) == "WM_ERR_PARAM"
        assert (store.limit(0), store.free(), store.compact()) == (EXHAUSTED, 0, "WM_ERR_STORAGE")


def test_an_interrupted_format_can_be_repeated(on_host: Counters) -> None:
    """Wherever power fails in the first format, the medium is blank or an empty store, and a format
    makes one."""
    for operation in range(1, 8):
        for seed in range(20):
            on_host.alter(octet=[0xFF] * 192)
            on_host.power_fails(operation, seed)
            interrupted = on_host.format()
            assert on_host.power_returns() == (operation <= 6)
            assert on_host.open() in (
                ("WM_ERR_STATE", "WM_OK") if interrupted != "WM_OK" else ("WM_OK",)
            )
            assert (on_host.format(), on_host.open(), on_host.limits()) == (
                "WM_OK",
                "WM_OK",
                [0, 0, 0],
            )


def test_a_lost_record_is_an_error(store: Counters) -> None:
    """A record that was complete and is not any more is never passed over for the one before it."""
    assert [store.advance(0, 1), store.advance(0, 5)] == ["WM_OK", "WM_OK"]
    kept = store.place(0, FIRST + 1)
    for octet in range(PLACE):
        for bit in range(8):
            changed = bytearray(kept)
            changed[octet] ^= 1 << bit
            store.set_place(0, FIRST + 1, bytes(changed))
            refusal = store.open()
            if octet >= MARK_AT and changed[octet] > kept[octet]:
                # A mark that lost a zero is a mark that was interrupted: the record itself is
                # whole.
                assert (refusal, store.limit(0)) == ("WM_OK", 8)
            else:
                assert refusal == "WM_ERR_STORAGE", (octet, bit)
    store.set_place(0, FIRST + 1, kept)
    assert (store.open(), store.limit(0)) == ("WM_OK", 8)


def test_a_lost_generation_is_an_error(store: Counters) -> None:
    """Without the header of the newest segment the older one is not believed: it says that it is
    not the newest."""
    for counter in range(1, 40, 4):
        assert store.advance(0, counter) == "WM_OK"
    assert store.place(0, RETIRED) != b"\xff" * PLACE
    header = store.place(1, HEADER)
    for lost in (b"\xff" * PLACE, b"\0" * PLACE, bytes([header[0] ^ 1]) + header[1:]):
        store.set_place(1, HEADER, lost)
        assert store.open() == "WM_ERR_STORAGE"
    store.set_place(1, HEADER, header)
    assert store.open() == "WM_OK"


def test_a_limit_that_falls_is_an_error(store: Counters) -> None:
    """Two valid records in the wrong order are not what a store writes."""
    assert [store.advance(0, 1), store.advance(0, 5)] == ["WM_OK", "WM_OK"]
    low, high = store.place(0, FIRST), store.place(0, FIRST + 1)
    store.set_place(0, FIRST, high)
    store.set_place(0, FIRST + 1, low)
    assert store.open() == "WM_ERR_STORAGE"


def test_what_cannot_be_read_back_is_not_granted(store: Counters) -> None:
    """Bits that are worn and stay 1 are noticed before the counter is used; the store can be opened
    anew, and its limit is the old one, or the new one where only the mark is worn."""
    assert store.advance(0, 1) == "WM_OK"
    for octet in range(PLACE):
        worn = [0] * 192
        worn[(FIRST + 1) * PLACE + octet] = 0xFF
        store.set_place(0, FIRST + 1, b"\xff" * PLACE)
        store.alter(worn=worn)
        assert store.open() == "WM_OK"
        assert (store.advance(0, 5), store.limit(0)) == ("WM_ERR_STORAGE", 4), octet
        assert (store.open(), store.limit(0)) == ("WM_OK", 4 if octet < MARK_AT else 8), octet


def test_a_segment_that_does_not_erase_is_an_error(store: Counters) -> None:
    """A compaction into a segment with bits that stay 0 grants nothing, and leaves the old segment
    as it is."""
    assert store.advance(0, 1) == "WM_OK"
    worn, octets = [0] * 192, list(store.look()["octet"])
    octets[store.octets + 17], worn[store.octets + 17] = 0xFE, 0x01
    store.alter(worn=worn, octet=octets)
    assert store.compact() == "WM_ERR_STORAGE"
    assert store.open() == "WM_OK"
    assert store.limit(0) == 4


def test_a_medium_that_cannot_be_read_opens_nothing(store: Counters) -> None:
    """A read that fails is an error of its own, not an empty place."""
    store.alter(broken=True)
    assert store.open() == "WM_ERR_STORAGE"
    assert store.format() == "WM_ERR_STORAGE"
    store.alter(broken=False)
    assert store.format() == "WM_OK"


def history(seed: int, steps: int) -> list[Step]:
    """A pseudo-random life in which every other step ends in a power cut."""
    draw = random.Random(seed)
    return [
        Step(
            slot=draw.randrange(5),
            skip=draw.choice((1, 1, 2, 3, 9, 100)),
            cut=draw.choice((0, draw.randint(1, 25))),
            cut_open=draw.choice((0, 0, 1, 2)),
            seed=draw.randrange(1 << 32),
            clear=draw.random() < 0.05,
        )
        for _ in range(steps)
    ]


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("port", GEOMETRY)
def test_power_cuts_break_no_promise(name: str, port: str) -> None:
    """On every target: 60 steps, a cut in every other one, within units and erasures too."""
    store = Counters(link_target(name), port, slots=3 if port == "counter_double_two" else 2)
    past = play(store, history(1, 60))
    assert past.cuts > 10


STEPS = st.lists(
    st.builds(
        Step,
        slot=st.integers(0, 4),
        skip=st.one_of(st.integers(1, 9), st.sampled_from((1000, 0x10000, EXHAUSTED))),
        cut=st.integers(0, 30),
        cut_open=st.integers(0, 2),
        seed=st.integers(0, EXHAUSTED),
        clear=st.integers(0, 9).map(lambda n: n == 0),
    ),
    max_size=30,
)


@given(steps=STEPS, port=st.sampled_from(sorted(GEOMETRY)), block=st.sampled_from((1, 2, 4, 64)))
@settings(max_examples=300)
def test_any_history_keeps_its_promises(steps: list[Step], port: str, block: int) -> None:
    """Any sequence of advances, cut anywhere within any operation: what is opened is at or above
    what was granted, at most a block above what was asked for, and worn no more than the header
    says."""
    play(Counters(link_target("host"), port, slots=2, block=block), steps)
