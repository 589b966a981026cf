# SPDX-License-Identifier: BSD-3-Clause
"""A counter in two cells of EEPROM, on every target: what survives, whichever write is interrupted
and whatever the octet reads as, and whichever octet is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from tests.stack.conftest import target_named
from tests.stack.link.linklib import name_of
from tests.stack.store.counterlib import EXHAUSTED, TARGETS, Medium
from wardmote.call import Target

HEADERS = ("counter_cells", "counter_cells_double")
AT, CELL, BLOCK = 3, 8, 4
OCTETS = 2 * CELL
STAYS, BECOMES_ANOTHER = 1, 2
"""What an octet does when it is written, that is worn."""
INTERRUPTED = (0x00, 0x01, 0x04, 0x08, 0x5A, 0xFB, 0xFE, 0xFF)
"""What an interrupted octet reads as: among others octets that limits and complements have."""


class Cells(Medium):
    """A counter, and its medium in the target's memory."""

    record = "counter_cells_double"

    def __init__(self, target: Target) -> None:
        """A blank medium."""
        target.reset()
        self.target = target
        size = len(target.unpack("counter_cells_double", self._blank(target))["octet"])
        assert size == OCTETS + 2 * AT
        self.medium = target.buffer(self._blank(target))
        self.state = target.buffer(target.pack("wm_counter_cells"))
        target.call("counter_cells_double_use", self.medium)

    @staticmethod
    def _blank(target: Target) -> bytes:
        return bytes(target.pack("counter_cells_double", octet=[0xFF] * (OCTETS + 2 * AT)))

    def octets(self) -> bytes:
        """Both cells. Nothing else was touched."""
        found = self.look()
        assert not found["outside"]
        octets = bytes(found["octet"])
        assert set(octets[:AT] + octets[-AT:]) == {0xFF}
        return octets[AT:-AT]

    def put(self, octets: bytes) -> None:
        """Both cells become that."""
        self.alter(octet=[*b"\xff" * AT, *octets, *b"\xff" * AT])

    def power_fails(self, write: int, left: int) -> None:
        """In the write of that number from now on, from 1."""
        self.alter(operations=0, fuse=write, left=left)

    def create(self) -> str:
        """wm_counter_cells_create."""
        return name_of(self.target.call("wm_counter_cells_create", AT).value)

    def open(self, block: int = BLOCK) -> str:
        """wm_counter_cells_open."""
        return name_of(self.target.call("wm_counter_cells_open", self.state, AT, block).value)

    def _ask(self, function: str, *given: int) -> int:
        """One of the functions of a wm_counter."""
        return self.target.call(f"counter_cells_double_{function}", self.state, *given).value

    def limit(self) -> int:
        """Where the counter begins after it was opened."""
        return self._ask("limit")

    def continues(self, counter: int) -> bool:
        """Whether it can go on from there."""
        return bool(self._ask("continues", counter))

    def advance(self, counter: int) -> str:
        """Before `counter` - 1 is used."""
        return name_of(self._ask("advance", counter))

    def clear(self) -> str:
        """The counter begins anew."""
        return name_of(self._ask("clear"))


@pytest.fixture(params=(*TARGETS, "msp430-small"))
def cells(request: pytest.FixtureRequest) -> Iterator[Cells]:
    """A new counter with blocks of 4, on each target."""
    made = Cells(target_named(request.param, *HEADERS))
    assert (made.open(), made.create(), made.open()) == ("WM_ERR_NO_STORE", "WM_OK", "WM_OK")
    yield made
    made.target.reset()


def test_the_counter_begins_at_its_limit(cells: Cells) -> None:
    """A block is written once, to either cell in turn, and begins at the limit after a reset."""
    limits = []
    for counter in range(1, 10):
        before = cells.octets()
        assert cells.continues(counter - 1)
        assert cells.advance(counter) == "WM_OK"
        limits.append(cells.limit())
        after = cells.octets()
        changed = [before[at : at + CELL] != after[at : at + CELL] for at in (0, CELL)]
        assert sum(changed) == (counter % BLOCK == 1)
    assert limits == [4, 4, 4, 4, 8, 8, 8, 8, 12]
    assert cells.open() == "WM_OK"
    assert cells.limit() == 12
    assert not cells.continues(9), "its values may have been used"
    assert cells.continues(12)


def test_counters_may_be_skipped(cells: Cells) -> None:
    """A block is written after the other, so that cells stay a block apart."""
    assert (cells.advance(3 * BLOCK + 1), cells.limit()) == ("WM_OK", 4 * BLOCK)
    assert {*cells.octets()[::CELL]} == {3 * BLOCK, 4 * BLOCK}


def test_what_is_in_the_medium(cells: Cells) -> None:
    """Limit and complement, least significant octet first."""
    assert (cells.open(0x1234), cells.advance(0x1234)) == ("WM_OK", "WM_OK")
    assert cells.octets() in (cell(0x1234) + cell(0), cell(0) + cell(0x1234))
    assert cell(0x1234).hex() == "34120000cbedffff"


def test_refusals(cells: Cells) -> None:
    """Arguments out of range, a second creation, a counter that is not open."""
    assert cells.advance(0) == "WM_ERR_COUNTER"
    assert cells.create() == "WM_ERR_STATE"
    assert cells.open(0) == "WM_ERR_PARAM"
    assert (cells.limit(), cells.continues(0), cells.advance(1)) == (
        EXHAUSTED,
        False,
        "WM_ERR_STORAGE",
    )


def test_other_contents_are_no_counter(cells: Cells) -> None:
    """They are neither opened nor made a counter; nor is one that lost both cells."""
    right = cells.octets()
    for contents in (
        bytes(OCTETS),
        b"\xff" * 7 + bytes(9),
        bytes([right[0] ^ 1, *right[1:CELL]]) * 2,
    ):
        cells.put(contents)
        assert (cells.open(), cells.create()) == ("WM_ERR_STORAGE", "WM_ERR_STORAGE")
        assert (cells.octets(), cells.limit()) == (contents, EXHAUSTED)


def test_clear(cells: Cells) -> None:
    """The counter begins at 0 again, before a reset and after it."""
    for counter in (1, 5, 9):
        assert cells.advance(counter) == "WM_OK"
    assert (cells.clear(), cells.limit(), cells.continues(0)) == ("WM_OK", 0, True)
    assert (cells.advance(1), cells.limit()) == ("WM_OK", 4)
    assert (cells.open(), cells.limit()) == ("WM_OK", 4)


def test_no_counter_comes_twice_whichever_write_is_interrupted(cells: Cells) -> None:
    """Every write of a record, whatever its octet reads as, and one of the opening that follows: what
    was granted is never granted again, and an interruption costs a block."""
    steps = ((9, 4), (12, 4), (13, 1), (253, 1), (256, 1))
    for (granted, skip), write, left in product(steps, range(1, 9), INTERRUPTED):
        prepare(cells, granted)
        most = -(-(granted + skip) // BLOCK) * BLOCK
        cells.power_fails(write, left)
        cells.advance(granted + skip)
        if not cells.power_returns():
            continue  # no block was written
        cells.power_fails((write * 7 + left) % 9, left)
        cells.open()
        again = cells.power_returns()
        assert cells.open() == "WM_OK"
        assert granted <= cells.limit() <= most + BLOCK * again
        assert cells.advance(cells.limit() + 1) == "WM_OK"


def cell(limit: int) -> bytes:
    """A right cell."""
    octets = limit.to_bytes(4, "little")
    return octets + bytes(octet ^ 0xFF for octet in octets)


def prepare(cells: Cells, granted: int) -> None:
    """A counter that has granted so many, and written both cells since it was opened."""
    limit = -(-granted // BLOCK) * BLOCK
    cells.put(cell(limit - 3 * BLOCK) + cell(limit - 2 * BLOCK))
    assert cells.open() == "WM_OK"
    assert (cells.advance(limit - BLOCK), cells.advance(granted)) == ("WM_OK", "WM_OK")


def test_an_interrupted_creation_is_done_again(cells: Cells) -> None:
    """Or a counter is there already. It begins at 0, or a block above."""
    for write, left in product(range(1, 17), INTERRUPTED):
        cells.put(b"\xff" * OCTETS)
        cells.power_fails(write, left)
        cells.create()
        assert cells.power_returns()
        assert cells.create() in ("WM_OK", "WM_ERR_STATE")
        assert cells.open() == "WM_OK"
        assert cells.limit() in (0, BLOCK)


def test_an_octet_that_is_lost_after_a_cut(cells: Cells) -> None:
    """Also if the limit carried into a higher octet when power failed, and whether or not the counter
    was opened between the two. What cannot be told from an older counter is not opened."""
    opened = 0
    for granted, write in product((252, 0xFFFC), range(1, 9)):
        prepare(cells, granted)
        before = cells.octets()
        for left, between, at in product((0x00, 0xFF), (False, True), range(OCTETS)):
            cells.put(before)
            assert cells.open() == "WM_OK"
            cells.power_fails(write, left)
            cells.advance(granted + 1)
            assert cells.power_returns()
            if between:
                assert cells.open() == "WM_OK"
            octets = bytearray(cells.octets())
            octets[at] ^= 1
            cells.put(bytes(octets))
            answer = cells.open()
            assert answer == "WM_OK" or (answer == "WM_ERR_STORAGE" and not between)
            opened += answer == "WM_OK"
            assert cells.limit() >= granted
    assert opened > 8 * OCTETS


def test_an_octet_that_is_lost_after_a_cut_of_clear(cells: Cells) -> None:
    """The counter begins at its old limit or anew. What is granted from there is not granted again
    when an octet is lost."""
    limits = set()
    for write, left in product(range(1, 17), (0x00, 0xFF)):
        prepare(cells, 0x1240)
        cells.power_fails(write, left)
        cells.clear()
        assert cells.power_returns()
        assert cells.open() == "WM_OK"
        limits.add(cells.limit())
        now = cells.octets()
        for at in range(OCTETS):
            octets = bytearray(now)
            octets[at] ^= 1
            cells.put(bytes(octets))
            limit = cells.limit()
            assert cells.open() == "WM_OK"
            assert cells.limit() >= limit
            cells.put(now)
            assert cells.open() == "WM_OK"
    assert limits <= {0, BLOCK, 0x1240, 0x1240 + BLOCK}


def test_a_clear_that_fails_leaves_the_old_limit(cells: Cells) -> None:
    """The keys are the old ones then: no octet that stays as it is, or becomes another, lets the
    counter begin anew after a reset."""
    failed = 0
    for at, how in product(range(OCTETS), (STAYS, BECOMES_ANOTHER)):
        prepare(cells, 0x1240)
        worn = [0] * (OCTETS + 2 * AT)
        worn[AT + at] = how
        cells.alter(worn=worn)
        answer = cells.clear()
        cells.alter(worn=[0] * (OCTETS + 2 * AT))
        if answer == "WM_OK":
            continue  # the octet did not change
        assert (answer, cells.limit()) == ("WM_ERR_STORAGE", 0x1240)
        failed += 1
        assert cells.open() == "WM_OK"
        assert cells.limit() >= 0x1240
    assert failed > OCTETS


def test_an_octet_that_is_lost(cells: Cells) -> None:
    """Any one octet that changes costs counters and repeats none."""
    for granted, at, change in product((9, 12, 13), range(OCTETS), (1, 4, 0x80, 0xA5, 0xFF)):
        prepare(cells, granted)
        octets = bytearray(cells.octets())
        octets[at] ^= change
        cells.put(bytes(octets))
        assert cells.open() == "WM_OK"
        assert granted <= cells.limit() <= granted + 2 * BLOCK


def test_what_cannot_be_read_back_is_not_granted(cells: Cells) -> None:
    """Counters below the limit still are. It is so until the counter is opened anew. A medium that
    keeps nothing grants nothing."""
    cells.alter(worn=[1] * (OCTETS + 2 * AT))
    assert cells.advance(1) == "WM_ERR_STORAGE"
    cells.alter(worn=[0] * (OCTETS + 2 * AT))
    for at in range(OCTETS):
        prepare(cells, 12)
        worn = [0] * (OCTETS + 2 * AT)
        worn[AT + at] = 1
        cells.alter(worn=worn)
        answers = [cells.advance(counter) for counter in (13, 17)]
        cells.alter(worn=[0] * (OCTETS + 2 * AT))
        if "WM_ERR_STORAGE" in answers:
            limit = cells.limit()
            assert (cells.advance(limit), cells.advance(limit + 1)) == ("WM_OK", "WM_ERR_STORAGE")
            assert cells.clear() == "WM_ERR_STORAGE"
        assert cells.open() == "WM_OK"
        assert cells.limit() >= 4 * answers.count("WM_OK") + 12


def test_a_block_that_was_not_stored_lets_no_old_counter_go_on(cells: Cells) -> None:
    """After a reset a counter below the limit may have been used. It still may, after the medium
    failed to take the first block."""
    prepare(cells, 12)
    assert (cells.open(), cells.limit(), cells.continues(11)) == ("WM_OK", 12, False)
    cells.alter(worn=[STAYS] * (OCTETS + 2 * AT))
    assert (cells.advance(13), cells.limit()) == ("WM_ERR_STORAGE", 12)
    assert (cells.continues(11), cells.continues(12)) == (False, True)


def test_the_last_counters(cells: Cells) -> None:
    """A limit does not wrap. Each counter is granted; after a reset there is none left."""
    cells.put(2 * cell(EXHAUSTED - 5))
    assert (cells.open(), cells.limit()) == ("WM_OK", EXHAUSTED - 5)
    for counter in (EXHAUSTED - 4, EXHAUSTED):
        assert (cells.continues(counter - 1), cells.advance(counter)) == (True, "WM_OK")
    assert (cells.open(), cells.limit(), cells.continues(EXHAUSTED)) == ("WM_OK", EXHAUSTED, False)


def test_the_assembly_of_the_msp430_does_what_c_does() -> None:
    """Any calls on any medium, also one that is worn: the same answers and octets."""
    both = [Cells(target_named(name, *HEADERS)) for name in ("host", "msp430-small")]
    assert [cells.open() for cells in both] == 2 * ["WM_ERR_NO_STORE"]
    draw = Random(15)
    for _ in range(3000):
        near = (both[0].limit() + draw.randrange(-9, 9)) % 2**32
        right = (cell(near), cell((near + draw.choice((1, 3, 4, 5))) % 2**32), b"\xff" * CELL)
        worn = [draw.choice((0,) * 40 + (STAYS,)) for _ in range(OCTETS + 2 * AT)]
        act: tuple[str, tuple[object, ...]] = draw.choice(
            (
                ("open", (draw.choice((BLOCK, 1, 0xFFFF, BLOCK, 0)),)),
                ("create", ()),
                *(("continues", (near,)), ("advance", (near,)), ("advance", (draw.randrange(3),))),
                ("clear", ()),
                ("put", (draw.choice(right) + draw.choice(right),)),
                ("put", (draw.choice((draw.randbytes(OCTETS), cell(EXHAUSTED - 2) * 2)),)),
            )
        )
        answers = []
        for cells in both:
            cells.alter(worn=worn)
            answer = getattr(cells, act[0])(*act[1])
            answers.append((answer, cells.octets(), cells.limit(), cells.continues(near)))
        assert answers[0] == answers[1], act
    for cells in both:
        cells.target.reset()
