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
    MEDIUM_OCTETS,
    OTHERS,
    TARGETS,
    Counters,
    Step,
    play,
)

HEADER, RETIRED, FIRST = 0, 1, 2


def last_at(store: Counters) -> int:
    """Where in a place what completes it begins."""
    return 6 if store.unit == 2 else 8


UNITS = ("counter_double_two", "counter_double_two4", "counter_double_two8")


@pytest.fixture(params=[(target, port) for port in UNITS for target in TARGETS], ids="-".join)
def store(request: pytest.FixtureRequest) -> Iterator[Counters]:
    """A new store of 3 slots with blocks of 4, once on each target, in units of 2, 4 and 8."""
    target, port = request.param
    store = Counters(link_target(target), port)
    assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
    yield store
    store.target.reset()


def test_counters_begin_at_their_limit(store: Counters) -> None:
    """The limit is the counter rounded up to the block, in the medium before the call returns."""
    assert store.limits() == [0, 0, 0]
    assert store.advance(0, 1) == "WM_OK"
    assert store.advance(2, 9) == "WM_OK"
    assert store.limits() == [4, 0, 12]
    assert store.open() == "WM_OK"
    assert store.limits() == [4, 0, 12]


def test_a_medium_that_is_not_ours(store: Counters) -> None:
    """Nothing is granted, cleared or moved, not even what needs no write."""
    assert [store.advance(0, 1), store.advance(1, 9)] == ["WM_OK"] * 2
    before = store.look()["octet"]
    store.alter(copied=True)
    asked = [store.advance(0, 2), store.advance(0, 5), store.clear(0), store.clear(2)]
    assert [*asked, store.compact()] == ["WM_ERR_STORAGE"] * 5
    assert (store.look()["octet"], store.limits()) == (before, [4, 12, 0])
    store.alter(copied=False)
    assert [store.advance(0, 5), store.clear(0), store.compact()] == ["WM_OK"] * 3


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
    records, places = 40, store.geometry.records
    assert store.erasures() - store.segments <= records // (places - store.slots)
    assert abs(store.look()["erasures"][0] - store.look()["erasures"][1]) <= 1, "both wear alike"
    assert not store.look()["overwritten"]


def test_three_segments_wear_alike() -> None:
    """Erasures go round."""
    store = Counters(link_target("host"), "counter_double_three", slots=2, block=1)
    assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
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
    assert store.limit(0) == 264
    assert [next for next in range(300) if not store.continues(0, next)] == [*range(9)]
    assert store.open(block=1) == "WM_OK"
    assert store.advance(0, 265) == "WM_OK"
    assert store.limit(0) == 265
    assert [next for next in range(300) if not store.continues(0, next)] == [*range(265)]


@pytest.mark.parametrize("name", TARGETS)
def test_what_no_store_can_use_is_refused(name: str) -> None:
    """A port with one segment, with small or odd ones, with units of 0 and others that are none, too
    many slots, a block that is no power of two."""
    for fault in ("single", "small", "odd", "none", "six", "sixteen", "half"):
        store = Counters(link_target(name), f"counter_double_{fault}", slots=1)
        answers = (store.create(), store.destroy(), store.open())
        assert answers == ("WM_ERR_PARAM",) * 3, fault
    store = Counters(link_target(name))
    assert store.create() == "WM_OK"
    for slots in (0, 6, 129):
        assert store.open(slots=slots) == "WM_ERR_PARAM"
    for block in (0, 3, 6, 0x80000001, EXHAUSTED):
        assert store.open(block=block) == "WM_ERR_PARAM"
    assert store.open(slots=5, block=0x80000000) == "WM_OK"
    assert store.advance(5, 1) == store.clear(5) == "WM_ERR_PARAM"
    assert store.limit(5) == EXHAUSTED
    assert store.advance(4, 1) == "WM_OK"
    assert store.open(slots=4) == "WM_ERR_PARAM", "the medium has a slot that this store has not"


def test_a_lost_record_is_an_error(store: Counters) -> None:
    """A record that was complete and is not any more is never passed over for the one before it."""
    assert [store.advance(0, 1), store.advance(0, 5)] == ["WM_OK", "WM_OK"]
    kept = store.place(0, FIRST + 1)
    for octet in range(store.place_octets):
        for bit in range(8):
            changed = bytearray(kept)
            changed[octet] ^= 1 << bit
            store.set_place(0, FIRST + 1, bytes(changed))
            refusal = store.open()
            if octet >= last_at(store) and (store.unit != 2 or changed[octet] > kept[octet]):
                # A mark that lost a zero is a mark that was interrupted, and so is a last unit that
                # is not right: the record itself is whole.
                assert (refusal, store.limit(0)) == ("WM_OK", 8)
            else:
                assert refusal == "WM_ERR_STORAGE", (octet, bit)
    store.set_place(0, FIRST + 1, kept)
    assert (store.open(), store.limit(0)) == ("WM_OK", 8)


def test_records_that_became_blank_are_an_error(store: Counters) -> None:
    """Also if nothing is left of them: places that are blank stand behind all records, never before
    one. Otherwise every counter since the record before would be granted again."""
    assert [store.advance(slot, 1) for slot in (2, 0, 1)] == ["WM_OK"] * 3
    assert [store.advance(0, 5), store.advance(1, 5)] == ["WM_OK"] * 2
    records = [store.place(0, FIRST + place) for place in range(5)]
    blank = b"\xff" * store.place_octets
    for place in range(3):
        for lost in (place, place + 1):
            store.set_place(0, FIRST + lost, blank)
        assert (store.open(), store.limit(0)) == ("WM_ERR_STORAGE", EXHAUSTED), place
        for lost in (place, place + 1):
            store.set_place(0, FIRST + lost, records[lost])
    assert (store.open(), store.limits()) == ("WM_OK", [8, 8, 4])


def test_an_interrupted_record_may_become_blank(store: Counters) -> None:
    """Cells between one and zero, of which some read as 0 when power returned, and none later on."""
    assert store.advance(0, 1) == "WM_OK"
    store.set_place(0, FIRST + 1, b"\xfe" + b"\xff" * (store.place_octets - 1))
    assert (store.open(), store.advance(0, 5)) == ("WM_OK", "WM_OK")
    store.set_place(0, FIRST + 1, b"\xff" * store.place_octets)
    assert (store.open(), store.limits()) == ("WM_OK", [8, 0, 0])


def test_a_lost_generation_is_an_error(store: Counters) -> None:
    """Without the header of the newest segment the older one is not believed: it says that it is
    not the newest."""
    for counter in range(1, 40, 4):
        assert store.advance(0, counter) == "WM_OK"
    assert store.place(0, RETIRED) != b"\xff" * store.place_octets
    header = store.place(1, HEADER)
    for lost in (
        b"\xff" * store.place_octets,
        b"\0" * store.place_octets,
        bytes([header[0] ^ 1]) + header[1:],
    ):
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
    for octet in range(store.place_octets):
        worn = [0] * MEDIUM_OCTETS
        worn[(FIRST + 1) * store.place_octets + octet] = 0xFF
        store.set_place(0, FIRST + 1, b"\xff" * store.place_octets)
        store.alter(worn=worn)
        assert store.open() == "WM_OK"
        assert (store.advance(0, 5), store.limit(0)) == ("WM_ERR_STORAGE", 4), octet
        assert (store.open(), store.limit(0)) == ("WM_OK", 4 if octet < last_at(store) else 8), (
            octet
        )


def test_a_clear_that_fails_leaves_the_old_limit(store: Counters) -> None:
    """The keys are the old ones then, whichever octet of the record is worn: their counter does not
    begin anew after a reset. It is so in the last place of a segment too."""
    for place in range(1, store.geometry.records):
        for octet in range(store.place_octets):
            store.blank()
            assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
            for counter in range(place):
                assert store.advance(0, 4 * counter + 1) == "WM_OK"
            worn = [0] * MEDIUM_OCTETS
            worn[(FIRST + place) * store.place_octets + octet] = 0xFF
            store.alter(worn=worn)
            answer = store.clear(0)
            assert answer == ("WM_OK" if store.limit(0) == 0 else "WM_ERR_STORAGE")
            store.alter(worn=[0] * MEDIUM_OCTETS)
            assert (store.open(), store.limit(0)) == (
                "WM_OK",
                0 if answer == "WM_OK" else 4 * place,
            )
            assert not store.look()["overwritten"]


def test_a_segment_that_does_not_erase_is_an_error(store: Counters) -> None:
    """A compaction into a segment with bits that stay 0 grants nothing, and leaves the old segment
    as it is."""
    assert store.advance(0, 1) == "WM_OK"
    worn, octets = [0] * MEDIUM_OCTETS, list(store.look()["octet"])
    octets[store.octets + 17], worn[store.octets + 17] = 0xFE, 0x01
    store.alter(worn=worn, octet=octets)
    assert store.compact() == "WM_ERR_STORAGE"
    assert store.open() == "WM_OK"
    assert store.limit(0) == 4


def test_a_medium_that_cannot_be_read_opens_nothing(store: Counters) -> None:
    """A read that fails is an error of its own, not an empty place."""
    store.alter(broken=True)
    assert store.open() == "WM_ERR_STORAGE"
    assert (store.create(), store.destroy()) == ("WM_ERR_STORAGE", "WM_ERR_STORAGE")
    store.alter(broken=False)
    assert (store.destroy(), store.create(), store.open()) == ("WM_OK", "WM_OK", "WM_OK")


def test_a_store_that_was_never_opened(store: Counters) -> None:
    """Zeros are no store: nothing is granted, and no medium is looked for."""
    store.store.write(bytes(len(store.store.read())))
    assert (store.limit(0), store.free()) == (EXHAUSTED, 0)
    assert (store.advance(0, 1), store.clear(0)) == ("WM_ERR_PARAM", "WM_ERR_PARAM")
    assert store.compact() == "WM_ERR_STORAGE"


def history(seed: int, steps: int) -> list[Step]:
    """A pseudo-random life in which every other step ends in a power cut."""
    draw = random.Random(seed)
    return [
        Step(
            slot=draw.randrange(5),
            skip=draw.choice((1, 1, 2, 3, 9, 100)),
            cut=draw.choice((0, draw.randint(1, 3), draw.randint(1, 25))),
            cut_open=draw.choice((0, 0, 1, 2)),
            seed=draw.randrange(1 << 32),
            what=draw.choice(OTHERS) if draw.random() < 0.2 else "advance",
        )
        for _ in range(steps)
    ]


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("port", GEOMETRY)
def test_power_cuts_break_no_promise(name: str, port: str) -> None:
    """On every target: 60 steps, a cut in every other one, within units and erasures too."""
    store = Counters(link_target(name), port, slots=3 if "two" in port else 2)
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
        what=st.sampled_from(("advance",) * 6 + OTHERS),
    ),
    max_size=30,
)


@pytest.mark.parametrize("port", GEOMETRY)
@given(steps=STEPS, block=st.sampled_from((1, 2, 4, 64)))
@settings(max_examples=200)
def test_any_history_keeps_its_promises(steps: list[Step], port: str, block: int) -> None:
    """Any sequence of operations, cut anywhere within any of them, in each unit: the store says what
    a model says. What is opened is at or above what was granted, at most a block above what was
    asked for, and worn no more than the header says."""
    play(Counters(link_target("host"), port, slots=2, block=block), steps)
