# SPDX-License-Identifier: BSD-3-Clause
"""Computes the life of a battery from the charges of the slots of a slotframe."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.batteries import Battery
from wardmote.boards import BOARDS, Current, current_of
from wardmote.rows import SlotKind, SlotRow
from wardmote.study.case import CaseFields, case_of

HOURS_A_DAY = 24
EMPTY = "empty"
NODES = ("sender", "receiver")
A_SLOTFRAME, A_SECOND = "a slotframe", "a second"


@dataclass(frozen=True, slots=True)
class Slotframe:
    """The measurements of one case, and the traffic that they are used for."""

    slot_us: float
    slots: int
    cells: int
    frame_octets: int
    payload_octets: int
    every_s: float
    """Mean time from one data frame to the next."""
    same_rate: bool
    """The interval was asked for, so that all cases send equally often."""
    same_slot: bool
    """The slot was asked for, so that all cases have the same."""
    kinds: tuple[SlotKind, ...]


@dataclass(frozen=True, slots=True)
class BatteryRow(CaseFields):
    """One node of one case."""

    node: str
    """sender or receiver"""
    compares: str
    """What cases with other slots have in common: `equal packets a slotframe, not equal slots` by
    default; `equal packets a second` if an interval is given, `equal slots` if a slot is."""
    frame_octets: int
    payload_octets: int
    every_s: float
    """Mean time from one data frame to the next."""
    cells: int
    slotframe_slots: int
    slot_us: float
    slotframe_s: float
    slotframe_uc: float
    """Charge of a mean slotframe: the sum over `kinds`."""
    empty_ma: float
    """Current in empty slots, what it takes to pass over them included."""
    average_ma: float
    """Current of the board at its supply."""
    fed_by: str
    """`battery`, or `regulator` if the battery does not supply, over its whole discharge, what the
    clock needs."""
    battery_ma: float | None
    """Current of the battery, self-discharge included; None for a clock that the supply does not
    allow."""
    battery_days: float | None
    kinds: tuple[SlotKind, ...]


def sleep_currents(board: str, supply_v: float) -> tuple[Current, ...]:
    """Currents of CPU and radio in empty slots: the states in which the firmware leaves them."""
    return tuple(
        current_of(board, device, state, supply_v=supply_v) for device, state in BOARDS[board].sleep
    )


def charge_uc(kinds: Sequence[SlotKind], node: str) -> float:
    """Charge of a node in a mean slotframe, in microcoulombs."""
    return sum(one.charge_uc * one.per_slotframe for one in kinds if one.node == node)


def battery_rows(row: SlotRow, frame: Slotframe, battery: Battery) -> list[BatteryRow]:
    """One row for each node."""
    return [_row(row, frame, battery, node) for node in NODES]


def _row(row: SlotRow, frame: Slotframe, battery: Battery, node: str) -> BatteryRow:
    length_s = frame.slots * frame.slot_us / 1e6
    spent_uc = charge_uc(frame.kinds, node)
    mean_ma = spent_uc / length_s / 1000
    own = tuple(one for one in frame.kinds if one.node == node)
    empty = next((one.charge_uc for one in own if one.kind == EMPTY), 0.0)
    fed_by = battery.feeds(BOARDS[row.board], row.clock_hz)
    battery_ma = battery.current_ma(fed_by, row.supply_v, mean_ma)
    days = battery.charge_mah / battery_ma / HOURS_A_DAY
    return BatteryRow(
        **case_of(row),
        node=node,
        compares=f"equal packets {A_SECOND if frame.same_rate else A_SLOTFRAME}, "
        f"{'' if frame.same_slot else 'not '}equal slots",
        frame_octets=frame.frame_octets,
        payload_octets=frame.payload_octets,
        every_s=round(frame.every_s, 6),
        cells=frame.cells,
        slotframe_slots=frame.slots,
        slot_us=frame.slot_us,
        slotframe_s=round(length_s, 6),
        slotframe_uc=round(spent_uc, 6),
        empty_ma=round(empty / frame.slot_us * 1000, 6),
        average_ma=round(mean_ma, 6),
        fed_by=fed_by,
        battery_ma=round(battery_ma, 6) if row.clock_allowed else None,
        battery_days=round(days, 1) if row.clock_allowed else None,
        kinds=own,
    )
