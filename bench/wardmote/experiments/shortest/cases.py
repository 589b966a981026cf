# SPDX-License-Identifier: BSD-3-Clause
"""Which slots are tuned and proven: each strategy ahead of the slot, with and without the procedures
over a PIB, and with a finer timer where a board has one, with both forms of the ASH, at the first clock
of a board and at the fastest one that its usual supply allows."""

from wardmote.boards import Board
from wardmote.measurements.slot.campaign import SlotCase
from wardmote.measurements.slot.definition import DEFINITIONS, FULL, MEASURED_TOGETHER, Definition
from wardmote.measurements.slot.setting import AHEAD, AHEAD_PIB, ASH_FORMS, FINE, all_settings
from wardmote.study.clocks import clocks_hz

LEVEL = 5
EXCHANGES = 1000
"""Of each proof."""


def cases(board: Board, seed: int) -> list[SlotCase]:
    """The cases of a board: both definitions that the paper and a network have, and that of a network
    whose frames are all as long, together."""
    definitions = (*(DEFINITIONS[name] for name in MEASURED_TOGETHER), Definition(FULL))
    fine = [f"{name}{FINE}" for name in AHEAD if board.fine_tick_hz]
    return [
        SlotCase(setting, definitions, EXCHANGES, seed)
        for clock_hz in clocks_hz(board)
        for ash in ASH_FORMS.values()
        for setting in all_settings(
            board.name, (*AHEAD, *AHEAD_PIB, *fine), (LEVEL,), ash, clock_hz
        )
    ]
