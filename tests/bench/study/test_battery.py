# SPDX-License-Identifier: BSD-3-Clause
"""The life of a battery by hand, from charges of slots that are made up."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wardmote.batteries import DEFAULT_BATTERY, Battery, read_battery
from wardmote.boards import SLOT_BOARDS
from wardmote.errors import UsageError
from wardmote.paths import BATTERY_RECORDS
from wardmote.rows import SlotKind
from wardmote.study.battery import Slotframe, battery_rows

# An alkaline pair by hand: 1 000 mAh, 3.2 to 2.1 V, 2.5 V on average, 10 uA of leakage, 80 %.
PAIR = Battery("pair", "a pair", 1000.0, 3.2, 2.5, 2.1, 10.0, 0.8)
KINDS = (
    SlotKind("sender", "beacon", 50.0, 12, 0.5),
    SlotKind("sender", "data", 100.0, 12, 0.25),
    SlotKind("sender", "empty", 0.5, 11, 99.0),
    SlotKind("receiver", "beacon", 30.0, 12, 0.5),
    SlotKind("receiver", "data", 120.0, 12, 0.25),
    SlotKind("receiver", "no data", 40.0, 12, 0.75),
    SlotKind("receiver", "empty", 0.5, 11, 99.0),
)
FRAME = Slotframe(10_000.0, 101, 1, 127, 83, 4.04, False, False, KINDS)


def slot(clock_hz: int = 8_000_000, supply_v: float = 3.6, *, allowed: bool = True) -> Any:
    """What a row of a TelosB has that counts here."""
    return SimpleNamespace(
        board="telosb",
        strategy="hardware",
        level=5,
        level_name="ENC-MIC-32",
        definition="deployable",
        clock_hz=clock_hz,
        supply_v=supply_v,
        clock_allowed=allowed,
    )


def test_life_by_hand() -> None:
    """The sender takes 25 + 25 + 49.5 uC in 1.01 s; at 3.6 V through a regulator of 80 % from 2.5 V
    that is 1.8 times as much, and 10 uA leak. The receiver takes 15 + 30 + 30 + 49.5 uC."""
    sender, receiver = battery_rows(slot(), FRAME, PAIR)
    assert (sender.node, receiver.node) == ("sender", "receiver")
    assert (sender.slotframe_uc, receiver.slotframe_uc) == (99.5, 124.5)
    assert sender.slotframe_s == 1.01
    assert sender.average_ma == pytest.approx(0.0985149, abs=1e-6)
    assert sender.empty_ma == 0.05
    assert sender.fed_by == "regulator"
    assert sender.battery_ma == pytest.approx(1.8 * 0.0985149 + 0.010, abs=2e-6)
    assert sender.battery_days == round(1000 / (1.8 * 0.0985149 + 0.010) / 24, 1)
    slow, _ = battery_rows(slot(4_194_304, 3.0), FRAME, PAIR)
    assert slow.fed_by == "battery"
    assert slow.battery_days == round(1000 / (0.0985149 + 0.010) / 24, 1)
    assert all(one.node == "sender" for one in sender.kinds)
    beyond, _ = battery_rows(slot(allowed=False), FRAME, PAIR)
    assert (beyond.battery_ma, beyond.battery_days) == (None, None)


def test_every_field() -> None:
    """Of both nodes. In the receiver's 1.01 s 124.5 uC are 0.123267 mA; 1.8 times that and 10 uA are
    0.231881 mA, of which 1 000 mAh last 179.7 days; the sender's 0.187327 mA 222.4 days."""
    alike = vars(slot()) | {
        "compares": "equal packets a slotframe, not equal slots", "frame_octets": 127,
        "payload_octets": 83, "every_s": 4.04, "cells": 1, "slotframe_slots": 101,
        "slot_us": 10_000.0, "slotframe_s": 1.01, "empty_ma": 0.05, "fed_by": "regulator",
    }  # fmt: skip
    sender, receiver = map(dataclasses.asdict, battery_rows(slot(), FRAME, PAIR))
    kinds = [dataclasses.asdict(kind) for kind in KINDS]
    assert list(sender.pop("kinds")) == kinds[:3]
    assert list(receiver.pop("kinds")) == kinds[3:]
    assert sender == alike | {
        "node": "sender", "slotframe_uc": 99.5, "average_ma": 0.098515, "battery_ma": 0.187327,
        "battery_days": 222.4,
    }  # fmt: skip
    assert receiver == alike | {
        "node": "receiver", "slotframe_uc": 124.5, "average_ma": 0.123267, "battery_ma": 0.231881,
        "battery_days": 179.7,
    }  # fmt: skip
    other = dataclasses.replace(FRAME, slots=60, cells=3, every_s=1.2345678)
    row = battery_rows(slot(), other, PAIR)[0]
    assert (row.slotframe_slots, row.cells, row.every_s) == (60, 3, 1.234568)
    assert row.slotframe_s == 0.6


@pytest.mark.parametrize(
    ("same_rate", "same_slot", "says"),
    [
        (False, False, "equal packets a slotframe, not equal slots"),
        (True, False, "equal packets a second, not equal slots"),
        (False, True, "equal packets a slotframe, equal slots"),
    ],
)
def test_a_row_says_what_it_compares(same_rate: bool, same_slot: bool, says: str) -> None:
    """By default cases send equally often a slotframe, and their slots differ."""
    frame = dataclasses.replace(FRAME, same_rate=same_rate, same_slot=same_slot)
    assert {row.compares for row in battery_rows(slot(), frame, PAIR)} == {says}


def test_what_feeds_a_board() -> None:
    """The battery itself feeds what runs at each of its voltages: at 2.1 V a TelosB runs up to 4.79
    MHz. Below 2.1 V its radio does not run at all."""
    telosb, openmote = SLOT_BOARDS["telosb"], SLOT_BOARDS["openmote-cc2538"]
    cases = {8_000_000: "regulator", 6_700_000: "regulator", 4_194_304: "battery"}
    for clock_hz, fed_by in cases.items():
        assert PAIR.feeds(telosb, clock_hz) == fed_by
    assert PAIR.feeds(openmote, 32_000_000) == "battery"
    deeper = dataclasses.replace(PAIR, empty_v=2.0)
    assert deeper.feeds(telosb, 4_194_304) == "regulator"
    fresher = dataclasses.replace(PAIR, full_v=3.7)
    assert fresher.feeds(openmote, 32_000_000) == "regulator"


def test_current_of_the_battery_by_hand() -> None:
    """1 mA at 3.6 V is 3.6 mW; at 80 % that takes 4.5 mW, 1.8 mA at 2.5 V. Without a regulator it is
    1 mA. Both leak 10 uA."""
    assert PAIR.current_ma("regulator", 3.6, 1.0) == pytest.approx(1.81)
    assert PAIR.current_ma("battery", 3.0, 1.0) == pytest.approx(1.01)


def test_a_battery_of_the_user(tmp_path: Path) -> None:
    """A file like the record is a battery; one that is none, or lacks a fact, is refused by name."""
    record = (BATTERY_RECORDS / "two-aa.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(record.replace("value = 2821.5", "value = 1000"), encoding="utf-8")
    assert read_battery(own) == dataclasses.replace(DEFAULT_BATTERY, name="own", charge_mah=1000.0)
    for text, says in (
        ("title =", "no record of a battery"),
        ("title = 'a'\n[charge]\nvalue = 'x'\n", "no record of a battery"),
        ("title = 'a'\n[charge]\nvalue = 1\n", "no full"),
    ):
        own.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=says):
            read_battery(own)
    with pytest.raises(UsageError, match="no record of a battery"):
        read_battery(tmp_path / "none.toml")
