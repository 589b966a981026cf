# SPDX-License-Identifier: BSD-3-Clause
"""Which strategies are compared, at which security, and in how many of the cells there is a frame."""

from collections.abc import Mapping
from pathlib import Path

from wardmote.boards import BOARDS
from wardmote.experiments.experiment import BoardCase
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, Setting, all_settings
from wardmote.paths import slot_image

LEVEL, ASH = 5, "paper"
EXCHANGES = 1000
"""Of the proof of a template."""
DATA_EVERY = (1, 2, 4, 10)
"""A data frame in one of so many cells: 0, 50, 75 and 90 % of the cells stay empty."""
AT_ONCE = {ahead: ahead.removeprefix("ahead-") for ahead in AHEAD}
"""The strategy with the same AES that works at once, by the strategy that works ahead."""
STRATEGIES = tuple(name for ahead, at_once in AT_ONCE.items() for name in (at_once, ahead))


def setting_of(board: str, strategy: str) -> Setting:
    """What a strategy is measured with."""
    [found] = all_settings(board, [strategy], [LEVEL], ASH_FORMS[ASH], BOARDS[board].clock_hz)
    return found


def artefacts(case: BoardCase) -> Mapping[str, Path]:
    """The image of each strategy."""
    return {strategy: slot_image(case.board, strategy) for strategy in STRATEGIES}
