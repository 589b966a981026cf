# SPDX-License-Identifier: BSD-3-Clause
"""The least length of a secured slot on a radio: times of the radio and guard times, without any
work of a CPU. Guard times are whole ticks, and nothing else is rounded."""

from dataclasses import dataclass

from wardmote.boards import SLOT_BOARDS, board_data
from wardmote.measurements.slot.definition import DEFINITIONS, Definition, Needs
from wardmote.study.engine import parameter
from wardmote.units import TICKS_PER_S

MAX_TX_US, MAX_ACK_US = 4256.0, 2400.0
"""TsMaxTx and TsMaxAck of the standard."""
TURNAROUNDS = ("tx_turnaround", "tx_turnaround_short")
LISTENS = "rx_calibrate"
NO_GUARD = "no guard time"
NO_NEEDS = Needs(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Limit:
    """The least slot of a board's radio at one turnaround."""

    board: str
    definition: str
    """A definition of the shortest slot, or `no guard time`: Eq. 1 with turnarounds alone."""
    turnaround_us: float
    rx_guard_us: float
    ack_guard_us: float
    ts_tx_offset_us: float
    ts_tx_ack_delay_us: float

    @property
    def slot_us(self) -> float:
        """TsSlotDuration."""
        return self.ts_tx_offset_us + MAX_TX_US + self.ts_tx_ack_delay_us + MAX_ACK_US


def limits(tick_hz: int = TICKS_PER_S) -> list[Limit]:
    """The limits of every board, turnaround and definition. Guard times are whole ticks."""
    found: list[Limit] = []
    for board, radio in ((name, radio) for name in SLOT_BOARDS for radio in _radios(name)):
        for name in TURNAROUNDS:
            turnaround_us = parameter(board, radio, name)
            if turnaround_us is None:
                continue
            found.append(Limit(board, NO_GUARD, turnaround_us, 0, 0, turnaround_us, turnaround_us))
            found += [
                _limit(
                    board,
                    definition.at(tick_hz),
                    turnaround_us,
                    parameter(board, radio, LISTENS) or 0,
                )
                for definition in DEFINITIONS.values()
            ]
    return found


def _radios(board: str) -> list[str]:
    """Chips of a board whose receiver has a time to start."""
    return [chip for chip, times in board_data(board)["timing"].items() if LISTENS in times]


def _limit(board: str, definition: Definition, turnaround_us: float, listens_us: float) -> Limit:
    timing = definition.timing(NO_NEEDS)
    guard_us, ack_guard_us = timing.us(timing.rx_guard), timing.us(timing.ack_guard)
    return Limit(
        board=board,
        definition=definition.name,
        turnaround_us=turnaround_us,
        rx_guard_us=guard_us,
        ack_guard_us=ack_guard_us,
        ts_tx_offset_us=max(turnaround_us, listens_us + guard_us),
        ts_tx_ack_delay_us=max(turnaround_us, listens_us + ack_guard_us),
    )
