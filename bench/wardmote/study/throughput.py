# SPDX-License-Identifier: BSD-3-Clause
"""Computes throughput by the paper's Eq. 2, R <= N_i A_j / (N_ts TsSlotDuration)."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.measurements.slot.setting import FRAME_OCTETS
from wardmote.rows import SlotRow
from wardmote.study.case import CaseFields, case_of
from wardmote.study.energy import NODES
from wardmote.study.payload import UPPER_OCTETS, application_bits, published_bits


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a node uses a slotframe."""

    n_i: int
    """Slots in which it sends."""
    n_ts: int
    """Slots of the slotframe."""
    slot_us: float | None = None
    """TsSlotDuration of the network; None: the shortest of each case."""
    upper_octets: int = UPPER_OCTETS


@dataclass(frozen=True, slots=True)
class ThroughputRow(CaseFields):
    """One case under a schedule."""

    ash_octets: int
    frame_octets: int
    n_i: int
    n_ts: int
    slot_us: float
    fits: bool
    """The slot of the network is long enough for the case; if not, the rates are None."""
    a_bits: int
    """A_j from the frame format."""
    a_published_bits: int | None
    """A_j as printed, of a frame as long as the paper's; of any other there is none."""
    rate_bps: float | None
    """Bound of Eq. 2 with our A_j."""
    rate_published_a_bps: float | None
    """Bound of Eq. 2 with the printed A_j."""
    slot_charge_uc: float
    """Charge of the sender in one slot with an exchange, at the shortest slot of the case."""


def throughput_rows(rows: Sequence[SlotRow], schedule: Schedule) -> list[ThroughputRow]:
    """One row for each case."""
    return [_row(row, schedule) for row in rows]


def _row(row: SlotRow, schedule: Schedule) -> ThroughputRow:
    slot_us = row.ts_slot_duration_us if schedule.slot_us is None else schedule.slot_us
    fits = slot_us >= row.ts_slot_duration_us
    bits = application_bits(row.level, row.ash_octets, row.frame_octets, schedule.upper_octets)
    printed = published_bits(row.level) if row.frame_octets == FRAME_OCTETS else None
    per_second = schedule.n_i / (schedule.n_ts * slot_us * 1e-6)
    sender = [state for state in row.states if NODES[state.node] == "sender"]
    charge_uc = sum(state.us_per_slot * state.current_ma / 1000 for state in sender)
    return ThroughputRow(
        **case_of(row),
        ash_octets=row.ash_octets,
        frame_octets=row.frame_octets,
        n_i=schedule.n_i,
        n_ts=schedule.n_ts,
        slot_us=slot_us,
        fits=fits,
        a_bits=bits,
        a_published_bits=printed,
        rate_bps=round(bits * per_second, 3) if fits else None,
        rate_published_a_bps=(
            round(printed * per_second, 3) if fits and printed is not None else None
        ),
        slot_charge_uc=round(charge_uc, 6),
    )
