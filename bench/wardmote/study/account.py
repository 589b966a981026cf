# SPDX-License-Identifier: BSD-3-Clause
"""The account of a slot: its physical limit, and every part that is not in it."""

from dataclasses import dataclass

from wardmote.measurements.slot.account import Floor, account
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.rows import SlotRow
from wardmote.study.limit import Limit, limits


@dataclass(frozen=True, slots=True)
class AccountRow:
    """A part of the shortest slot of a case, as it was in one exchange."""

    board: str
    strategy: str
    level: int
    clock_hz: int
    supply_v: float
    clock_allowed: bool
    """The data sheets allow the clock at this supply."""
    definition: str
    value: str
    """The part of the template: TsTxOffset, TsMaxTx, TsTxAckDelay, TsMaxAck, or `rest`."""
    node: str
    part: str
    us: float
    limit_us: float
    """How much of the part the limit has too."""
    over_us: float
    """The part less that."""
    slot_us: float
    """TsSlotDuration."""
    slot_limit_us: float
    """The physical limit of TsSlotDuration."""


def limit_of(setting: Setting | SlotRow, definition: str) -> Limit:
    """The limit of a setting's or a row's radio."""
    return next(
        one
        for one in limits(setting.tick_hz)
        if (one.board, one.definition, one.turnaround_us)
        == (setting.board, definition, setting.turnaround_us)
    )


def account_rows(
    setting: Setting, image: bytes, timing: Timing, definition: str, seed: int
) -> list[AccountRow]:
    """Every part of a slot at a template, in order of time."""
    limit = limit_of(setting, definition)
    floor = Floor(
        listens_us=limit.ts_tx_offset_us - limit.rx_guard_us,
        rx_guard_us=limit.rx_guard_us,
        ack_guard_us=limit.ack_guard_us,
        ts_tx_offset_us=limit.ts_tx_offset_us,
        ts_tx_ack_delay_us=limit.ts_tx_ack_delay_us,
    )
    return [
        AccountRow(
            board=setting.board,
            strategy=setting.strategy,
            level=setting.level,
            clock_hz=setting.clock_hz,
            supply_v=setting.supply_v,
            clock_allowed=setting.clock_allowed,
            definition=definition,
            value=part.value,
            node=part.node,
            part=part.name,
            us=round(part.us, 3),
            limit_us=round(part.limit_us, 3),
            over_us=round(part.us - part.limit_us, 3),
            slot_us=round(timing.us(timing.slot_duration), 3),
            slot_limit_us=round(limit.slot_us, 3),
        )
        for part in account(setting, image, timing, seed, floor)
    ]
