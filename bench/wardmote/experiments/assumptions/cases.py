# SPDX-License-Identifier: BSD-3-Clause
"""One case for each assumed number, board and strategy: the number, and what it may be instead."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from wardmote.batteries import DEFAULT_BATTERY
from wardmote.boards import Board
from wardmote.paths import BATTERY_RECORDS
from wardmote.study.parameters import ASSUMED, assumed

STRATEGIES = ("software", "hardware")
WRONG_BY = 0.2
BATTERY = "battery."
BAND = "timing band"
WHOLE = ("cycles", "octets")
"""Units of numbers that are whole: they are wrong by one at least."""
INSTEAD: Mapping[str, tuple[float, float]] = {
    "timing.msp430f1611.dco_tap_ratio": (1.112, 1.168),
    "timing.msp430f1611.usart_start": (0, 8),
    "timing.cc2420.correlation": (86, 127),
    "timing.cc2538.correlation": (86, 127),
    "timing.cc2538.flash_line_octets": (4, 16),
    "current.aes.busy": (0, 1000),
    "battery.regulator": (68, 100),
}
"""Numbers of which 20 per cent have no meaning: a step between taps is 0.14 over 1; a 0 cannot be
wrong by 20 per cent; 127 and 100 are the most; a line has a power of 2. Other zeros are a fifth of
their unit."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumed number at a board and a strategy, with what else it may be."""

    board: str
    strategy: str
    parameter: str
    assumed: float
    low: float
    high: float
    unit: str
    seed: int


@dataclass(frozen=True, slots=True)
class Case(Assumption):
    """One that is measured."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.parameter} of {self.board}, {self.strategy}"


def instead(parameter: str, value: float, unit: str) -> tuple[float, float]:
    """A number less and more by 20 per cent."""
    if parameter in INSTEAD:
        return INSTEAD[parameter]
    if value == 0:
        return 0.0, WRONG_BY
    step = WRONG_BY * abs(value)
    if unit in WHOLE:
        step = max(1, round(step))
    return round(value - step, 9), round(value + step, 9)


def cases(board: Board, seed: int) -> list[Case]:
    """Every assumed number of the board and of the battery, and the end of the timing band."""
    numbers = [(row.parameter, row.value, row.unit) for row in assumed([board.name])]
    numbers += _of_the_battery()
    found = [(name, value, *instead(name, value, unit), unit) for name, value, unit in numbers]
    if board.bands:
        found.append((BAND, 1.0, 0.0, 1.0, ""))
    return [Case(board.name, strategy, *one, seed) for strategy in STRATEGIES for one in found]


def _of_the_battery() -> list[tuple[str, float, str]]:
    with (BATTERY_RECORDS / f"{DEFAULT_BATTERY.name}.toml").open("rb") as file:
        record = tomllib.load(file)
    return [
        (BATTERY + name, float(entry["value"]), entry["unit"])
        for name, entry in record.items()
        if isinstance(entry, dict) and entry["kind"] == ASSUMED
    ]
