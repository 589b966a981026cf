# SPDX-License-Identifier: BSD-3-Clause
"""Computes throughput by the paper's Eq. 2, R <= N_i A_j / (N_ts TsSlotDuration), and battery
life."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.batteries import DEFAULT_BATTERY, Battery
from wardmote.boards import BOARDS, Current, current_of
from wardmote.rows import SlotRow
from wardmote.study.case import CaseFields, case_of
from wardmote.study.energy import NODES
from wardmote.study.payload import UPPER_OCTETS, application_bits, published_bits

HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a node uses a slotframe."""

    n_i: int
    """Slots in which it sends."""
    n_ts: int
    """Slots of the slotframe."""
    duty: float = 1.0
    """Fraction of its slots in which the node has a frame to send; it sleeps in the others."""
    slot_us: float | None = None
    """TsSlotDuration of the network; None: the shortest of each case."""
    upper_octets: int = UPPER_OCTETS
    battery: Battery = DEFAULT_BATTERY


@dataclass(frozen=True, slots=True)
class ThroughputRow(CaseFields):
    """One case under a schedule."""

    ash_octets: int
    frame_octets: int
    n_i: int
    n_ts: int
    duty: float
    slot_us: float
    fits: bool
    """The slot of the network is long enough for the case; if not, rate, current and battery life are
    None."""
    a_bits: int
    """A_j from the frame format."""
    a_published_bits: int
    rate_bps: float | None
    """Bound of Eq. 2 with our A_j."""
    rate_published_a_bps: float | None
    """Bound of Eq. 2 with the printed A_j."""
    slot_charge_uc: float
    """Charge of the sender in one slot with an exchange, at the shortest slot of the case."""
    sleep_ma: float
    average_ma: float | None
    """Current of the board at its supply."""
    fed_by: str
    """`battery`, or `regulator` if the battery does not supply, over its whole discharge, what the
    clock needs."""
    battery_ma: float | None
    """Current of the battery, self-discharge included; None if the slot is too short, and for a clock
    that the supply does not allow."""
    battery_days: float | None


def sleep_currents(board: str, supply_v: float) -> tuple[Current, ...]:
    """Currents of CPU and radio in unused slots: the states in which the firmware leaves them."""
    return tuple(
        current_of(board, device, state, supply_v=supply_v) for device, state in BOARDS[board].sleep
    )


def throughput_rows(rows: Sequence[SlotRow], schedule: Schedule) -> list[ThroughputRow]:
    """One row for each case."""
    return [_row(row, schedule) for row in rows]


def average_ma(
    slot_charge_uc: float, own_us: float, sleep_ma: float, slot_us: float, schedule: Schedule
) -> float:
    """Average current: exchanges as measured, sleep at all other times. Beacons and joining are not
    counted."""
    frame_us = schedule.n_ts * slot_us
    exchanges = schedule.n_i * schedule.duty
    asleep_us = frame_us - exchanges * own_us
    return (exchanges * slot_charge_uc * 1000 + asleep_us * sleep_ma) / frame_us


def _row(row: SlotRow, schedule: Schedule) -> ThroughputRow:
    slot_us = row.ts_slot_duration_us if schedule.slot_us is None else schedule.slot_us
    fits = slot_us >= row.ts_slot_duration_us
    bits = application_bits(row.level, row.ash_octets, row.frame_octets, schedule.upper_octets)
    printed = published_bits(row.level)
    per_second = schedule.n_i / (schedule.n_ts * slot_us * 1e-6)
    sender = [state for state in row.states if NODES[state.node] == "sender"]
    charge_uc = sum(state.us_per_slot * state.current_ma / 1000 for state in sender)
    sleep_ma = sum(current.ma for current in sleep_currents(row.board, row.supply_v))
    battery, board = schedule.battery, BOARDS[row.board]
    mean_ma = average_ma(charge_uc, row.ts_slot_duration_us, sleep_ma, slot_us, schedule)
    fed_by = battery.feeds(board, row.clock_hz)
    battery_ma = battery.current_ma(fed_by, row.supply_v, mean_ma)
    lives = fits and row.clock_allowed
    return ThroughputRow(
        **case_of(row),
        ash_octets=row.ash_octets,
        frame_octets=row.frame_octets,
        n_i=schedule.n_i,
        n_ts=schedule.n_ts,
        duty=schedule.duty,
        slot_us=slot_us,
        fits=fits,
        a_bits=bits,
        a_published_bits=printed,
        rate_bps=round(bits * per_second, 3) if fits else None,
        rate_published_a_bps=round(printed * per_second, 3) if fits else None,
        slot_charge_uc=round(charge_uc, 6),
        sleep_ma=round(sleep_ma, 6),
        average_ma=round(mean_ma, 6) if fits else None,
        fed_by=fed_by,
        battery_ma=round(battery_ma, 6) if lives else None,
        battery_days=round(battery.charge_mah / battery_ma / HOURS_A_DAY, 1) if lives else None,
    )
