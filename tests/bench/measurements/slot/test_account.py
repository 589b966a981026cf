# SPDX-License-Identifier: BSD-3-Clause
"""The account of a slot: its parts make up TsSlotDuration, what the limit has is the limit, and time
that is added to a template is found where it was added."""

import dataclasses
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.test_slot_ahead import SHORT_GUARD
from tests.firmware.test_slot_ahead import TEMPLATES as AHEAD_TEMPLATES
from wardmote.boards import BOARDS
from wardmote.measurements.slot.account import OTHERS
from wardmote.measurements.slot.block import LEAF_MOTE
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, STRATEGIES, Setting, all_settings
from wardmote.measurements.slot.timing import Timing
from wardmote.measurements.slot.trace import PS_PER_US, observe
from wardmote.paths import slot_image
from wardmote.study.account import AccountRow, account_rows
from wardmote.study.limit import limits
from wardmote.units import ticks_to_us
from wardmote.views.account import BLOCKS, COLUMNS, answer, blocks_of, table
from wardmote.views.document import texts

NAMED_US, LEVEL, SEED = 20, 5, 1
TICK_US = ticks_to_us(1)
CUT_US = 8.0
"""What the way from the alarm to the radio may take of a guard time at 6.7 MHz."""


class Case(NamedTuple):
    """A slot that is taken apart."""

    board: str
    strategy: str
    definition: str
    clock_hz: int = 0
    """0: the first of the board."""

    @property
    def setting(self) -> Setting:
        """What is measured."""
        clock_hz = self.clock_hz or BOARDS[self.board].clock_hz
        ash = ASH_FORMS["paper"]
        [found] = all_settings(self.board, (self.strategy,), (LEVEL,), ash, clock_hz)
        return found


AT_3V_HZ = 6_700_000
TEMPLATES: dict[Case, Timing] = {
    **{
        Case(board, "ahead-software", "deployable"): AHEAD_TEMPLATES[
            board, "ahead-software", "paper"
        ]
        for board in ("telosb", "openmote-cc2538")
    },
    Case("openmote-cc2538", "ahead-software", "paper"): SHORT_GUARD,
    Case("openmote-cc2538", "software", "deployable"): Timing(44, 33, 7),
    Case("telosb", "software", "deployable"): Timing(158, 196, 52),
    Case("telosb", "ahead-software", "deployable", AT_3V_HZ): Timing(45, 56, 27),
    Case("telosb", "ahead-hardware", "deployable", AT_3V_HZ): Timing(45, 21, 11),
}
"""Some that tuning finds, or that are at most a tick longer."""
CASES = pytest.mark.parametrize("case", TEMPLATES, ids=str)
GUARD = "guard time"
WHOLE = ("sum", "TsSlotDuration")


def rows_of(case: Case, timing: Timing | None = None) -> list[AccountRow]:
    """The account of a case."""
    image = slot_image(case.board, case.strategy).read_bytes()
    timing = timing or TEMPLATES[case]
    return account_rows(case.setting, image, timing, case.definition, SEED)


def us_of(rows: list[AccountRow]) -> dict[tuple[str, str], float]:
    """How long each part is."""
    return {(row.value, row.part): row.us for row in rows}


@CASES
def test_the_parts_are_the_slot(case: Case) -> None:
    """To 20 us: the parts, and the limit with what is over it. No part is negative."""
    rows = rows_of(case)
    for row in rows:
        setting = case.setting
        assert (row.board, row.strategy, row.definition) == case[:3]
        assert (row.level, row.clock_hz) == (LEVEL, setting.clock_hz)
        assert (row.supply_v, row.clock_allowed) == (setting.supply_v, True)
        assert row.node in ("sender", "receiver")
        assert row.us >= 0, row
        assert row.limit_us >= 0, row
        assert row.over_us == pytest.approx(row.us - row.limit_us, abs=0.01)
        assert row.over_us >= 0 or row.part == GUARD
        assert row.slot_us == pytest.approx(ticks_to_us(TEMPLATES[case].slot_duration), abs=0.01)
    one = rows[0]
    assert sum(row.us for row in rows) == pytest.approx(one.slot_us, abs=NAMED_US)
    over_us = sum(row.over_us for row in rows)
    assert one.slot_limit_us + over_us == pytest.approx(one.slot_us, abs=NAMED_US)
    assert len({(row.value, row.part) for row in rows}) == len(rows)


@CASES
def test_the_next_slot_begins_where_the_parts_end(case: Case) -> None:
    """The sender marks it, and no part is measured from that mark."""
    seen = observe(
        case.setting, slot_image(case.board, case.strategy).read_bytes(), TEMPLATES[case], SEED
    )
    marks = seen.marks[LEAF_MOTE.name]
    slots = [ps for name, rises, ps in marks if name == "slot" and rises]
    slot_us = (slots[1] - slots[0]) / PS_PER_US
    assert sum(row.us for row in rows_of(case)) == pytest.approx(slot_us, abs=NAMED_US)


@CASES
def test_what_the_limit_has_is_the_limit(case: Case) -> None:
    """The limit is that of the documents, and all of it is in the parts. The radio was seen to take
    its time: no figure of a manual stands in for what happened."""
    board, definition = case.board, case.definition
    rows = rows_of(case)
    [limit] = [
        one
        for one in limits()
        if (one.board, one.definition, one.turnaround_us) == (board, definition, 192)
    ]
    assert rows[0].slot_limit_us == pytest.approx(limit.slot_us, abs=0.01)
    assert sum(row.limit_us for row in rows) == pytest.approx(limit.slot_us, abs=0.1)
    us = us_of(rows)
    assert us["TsMaxTx", "on the air"] == pytest.approx(4256, abs=0.1)
    turned = [row.us for row in rows if row.part == "turnaround"]
    assert turned == pytest.approx([192] * len(turned), abs=0.1)
    assert all(
        row.us == pytest.approx(row.limit_us, abs=CUT_US) for row in rows if row.part == GUARD
    )


@pytest.mark.parametrize("field", ["tail", "tx_ack_delay"])
def test_added_time_is_found(field: str) -> None:
    """Four ticks more in one value of the template are in one part of it, and no other part grows by
    more than the phase of the two clocks."""
    case = Case("openmote-cc2538", "software", "deployable")
    timing = TEMPLATES[case]
    longer = dataclasses.replace(timing, **{field: getattr(timing, field) + 4})
    before, after = us_of(rows_of(case)), us_of(rows_of(case, longer))
    assert before.keys() == after.keys()
    grown = {name: after[name] - us for name, us in before.items()}
    place = {
        "tail": ("rest", "until the slot ends"),
        "tx_ack_delay": ("TsTxAckDelay", OTHERS),
    }[field]
    assert grown.pop(place) == pytest.approx(4 * TICK_US, abs=TICK_US)
    assert all(abs(us) <= TICK_US for us in grown.values()), grown


def test_the_end_that_needs_more_time_is_taken_apart() -> None:
    """A TelosB in software: security on both sides. An OpenMote ahead of the slot: guard times."""
    secured = us_of(rows_of(Case("telosb", "software", "deployable")))
    assert secured["TsTxOffset", "sec1"] > 4000
    assert secured["TsTxAckDelay", "sec2"] > 4000
    assert not any(part == GUARD for _, part in secured)
    guarded = us_of(rows_of(Case("openmote-cc2538", "ahead-software", "deployable")))
    assert {value for value, part in guarded if part == GUARD} == {"TsTxOffset", "TsTxAckDelay"}
    short = us_of(rows_of(Case("openmote-cc2538", "ahead-software", "paper")))
    assert sum(short.values()) - 7253.6 == pytest.approx(131.6, abs=NAMED_US)


def test_the_table_has_the_limit_and_the_sum() -> None:
    """And nothing that is not over the limit."""
    rows = rows_of(Case("openmote-cc2538", "ahead-software", "paper"))
    lines = table(rows).splitlines()
    assert lines[0] == "| µs | ahead-software |"
    assert lines[2] == "| **limit** | **7254** |"
    assert lines[-2:] == ["| **sum** | **7385** |", "| TsSlotDuration | 7385 |"]
    named = sum(float(line.split("|")[2]) for line in lines[3:-2])
    assert named == pytest.approx(7385 - 7254, abs=len(lines))
    assert "on the air" not in table(rows)
    text = "<!-- account: openmote-cc2538-paper -->\nold\n<!-- account: end -->"
    assert BLOCKS.filled(text, rows) == text.replace("old\n", table(rows))
    other = "<!-- account: telosb-3v-paper -->\nold\n<!-- account: end -->"
    assert blocks_of(rows).filled(text + other, rows) == text.replace("old\n", table(rows)) + other
    assert "7385 us, the limit is 7254 us, 132 us of the 132 us" in answer(rows)
    assert {column.name for column in COLUMNS} > {"part", "us", "over it"}


def columns_of(block: str) -> dict[str, dict[str, float]]:
    """The figures of a table, by strategy and line; empty cells are left out."""
    lines = [
        [cell.strip(" *") for cell in line.strip("|").split("|")] for line in block.splitlines()
    ]
    return {
        strategy: {line[0]: float(line[at]) for line in lines[2:] if line[at]}
        for at, strategy in enumerate(lines[0])
        if at
    }


def test_the_document_has_these_figures(root: Path) -> None:
    """In each of its tables the limit and the parts are TsSlotDuration to 20 us, and a column that is
    measured again is the same to a tick."""
    found = texts((root / "docs/where-does-the-slot-time-go.md").read_text("utf-8"), BLOCKS.kind)
    assert found.keys() == BLOCKS.makes.keys()
    for block in found.values():
        columns = columns_of(block)
        assert set(columns) == {*STRATEGIES, *AHEAD}
        for figures in columns.values():
            parts = sum(us for name, us in figures.items() if name not in WHOLE)
            assert parts == pytest.approx(figures["TsSlotDuration"], abs=NAMED_US)
            assert figures["sum"] == pytest.approx(figures["TsSlotDuration"], abs=NAMED_US)
    for name, case in (
        ("openmote-cc2538-paper", Case("openmote-cc2538", "ahead-software", "paper")),
        ("telosb-3v-deployable", Case("telosb", "ahead-hardware", "deployable", AT_3V_HZ)),
    ):
        old = columns_of(found[name])[case.strategy]
        new = columns_of(table(rows_of(case)))[case.strategy]
        assert old == pytest.approx(new, abs=TICK_US)


def test_a_supply_is_that_of_its_own_table() -> None:
    """A slot at 3.0 V does not stand among those at 3.6 V, and one at a clock that the data sheet does
    not allow stands in no table."""
    case = Case("telosb", "ahead-hardware", "deployable", AT_3V_HZ)
    rows = rows_of(case)
    assert set(blocks_of(rows).makes) == {"telosb-3v-deployable"}
    beyond = [dataclasses.replace(row, supply_v=2.2, clock_allowed=False) for row in rows]
    assert blocks_of(beyond).makes == {}
    assert "TelosB at 6.7 MHz at 3 V, ahead-hardware" in answer(rows)
