# SPDX-License-Identifier: BSD-3-Clause
"""Formats the life of a battery."""

from collections.abc import Sequence

from wardmote.batteries import DEFAULT_BATTERY, Battery
from wardmote.boards import BOARDS
from wardmote.study.battery import EMPTY, BatteryRow, sleep_currents
from wardmote.views.columns import Fields
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column, number
from wardmote.views.templates import conditions_of
from wardmote.views.text import by
from wardmote.views.words import clock_at, supply_conditions


def _slots(row: BatteryRow) -> str:
    """Each kind of slot but the empty ones: how many in a slotframe, and the charge of one."""
    return ", ".join(
        f"{one.per_slotframe:.3g} {one.kind} {one.charge_uc:.1f}"
        for one in row.kinds
        if one.kind != EMPTY
    )


_of = Fields(BatteryRow)
COLUMNS: tuple[Column[BatteryRow], ...] = (
    _of.word("board", rank=0),
    Column("clock", clock_at, text=True, rank=0),
    _of.word("strategy", rank=0),
    _of.word("level", "level_name", rank=1),
    _of.word("node", rank=0),
    _of.number("slot us", rank=2),
    _of.number("every s", digits=2, rank=1),
    Column("slots of a slotframe, uC each", _slots, text=True, rank=4),
    _of.number("slotframe uC", digits=1, rank=2),
    Column("empty uA", lambda row: number(1000 * row.empty_ma, 1), rank=3),
    Column("average uA", lambda row: number(1000 * row.average_ma, 1), rank=1),
    _of.word("fed by", rank=3),
    Column("battery uA", lambda row: number(row.battery_ma and 1000 * row.battery_ma, 1), rank=3),
    _of.number("battery days", rank=0),
)


def answer(rows: Sequence[BatteryRow]) -> str:
    """The longest and the shortest life of a sender."""
    lives = [
        (row.battery_days, row)
        for row in rows
        if row.battery_days is not None and row.node == "sender"
    ]
    if not lives:
        return "No battery feeds these clocks."
    parts = ", ".join(
        f"at {word} {days:.0f} days ({BOARDS[row.board].title} at {clock_at(row)}, {row.strategy}, "
        f"{row.level_name})"
        for word, end in (("most", max), ("least", min))
        for days, row in [end(lives, key=lambda one: one[0])]
    )
    return f"The battery of a sender lasts {parts}; with {rows[0].compares}."


def charges(rows: Sequence[BatteryRow], days: float | None) -> list[str]:
    """What charge a battery must have to last so long, for the case of each board that needs least;
    nothing if no days are given."""
    fed = [row for row in rows if row.battery_ma is not None and row.node == "sender"]
    if days is None or not fed:
        return []
    least = [
        min(own, key=lambda row: row.battery_ma or 0)
        for own in by(fed, lambda row: row.board).values()
    ]
    parts = [
        f"{BOARDS[row.board].title} at {clock_at(row)}, {row.strategy}: "
        f"{24 * days * (row.battery_ma or 0):.0f} mAh"
        for row in least
    ]
    return [f"To last {days:g} days, the battery of a sender must hold: {'; '.join(parts)}."]


def conditions(rows: Sequence[BatteryRow], battery: Battery, beacons: int) -> list[tuple[str, str]]:
    """What the figures depend on."""
    asleep = [
        f"{one.device} {one.state} {1000 * one.ma:.3g} uA at {volts:g} V ({one.kind}: {one.source})"
        for name, volts in dict.fromkeys((row.board, row.supply_v) for row in rows)
        for one in sleep_currents(name, volts)
    ]
    return conditions_of(
        "battery",
        row=rows[0],
        battery=battery,
        beacons=beacons,
        asleep=asleep,
        scaling=supply_conditions(rows),
    )


@section(15)
def lives(report: Report) -> list[Section]:
    """The section of the report; nothing where no slotframe was simulated."""
    rows = report.batteries
    if not rows:
        return []
    notes = conditions(rows, DEFAULT_BATTERY, 1)
    return [Section("Life of a battery over a slotframe", rows, COLUMNS, answer(rows), notes)]
