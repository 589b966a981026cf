# SPDX-License-Identifier: BSD-3-Clause
"""Divides a tuned timeslot into phases; their sum is TsSlotDuration."""

from dataclasses import dataclass

from wardmote.rows import SlotRow
from wardmote.units import cycles_to_us, ticks_to_us

RADIO_PHASES = ("TsMaxTx", "TsMaxAck")
PHASES = (
    "sec1",
    "to TsTxOffset",
    "TsMaxTx",
    "sec2",
    "sec3",
    "to TsTxAckDelay",
    "TsMaxAck",
    "sec4",
    "to the end",
)


@dataclass(frozen=True, slots=True)
class Phase:
    """One part of a timeslot."""

    name: str
    us: float


def composition(row: SlotRow) -> list[Phase]:
    """The phases in order of time. "to …" is the rest of the time before a deadline: turnaround of the
    radio, waking up, work of the TSCH engine, and rounding to a tick."""
    sec1, sec2, sec3, sec4 = (
        cycles_to_us(cycles, row.clock_measured_hz)
        for cycles in (row.sec1_cycles, row.sec2_cycles, row.sec3_cycles, row.sec4_cycles)
    )
    lengths = (
        sec1,
        row.ts_tx_offset_us - sec1,
        ticks_to_us(row.ts_max_tx_ticks, row.tick_hz),
        sec2,
        sec3,
        row.ts_tx_ack_delay_us - sec2 - sec3,
        ticks_to_us(row.ts_max_ack_ticks, row.tick_hz),
        sec4,
        ticks_to_us(row.tail_ticks, row.tick_hz) - sec4,
    )
    return [Phase(name, us) for name, us in zip(PHASES, lengths, strict=True)]
