# SPDX-License-Identifier: BSD-3-Clause
"""The batteries. The record `batteries/<name>.toml` has charge, voltages, self-discharge, and the
regulator for boards that do not run from the battery itself."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wardmote.boards import Board
from wardmote.errors import UsageError
from wardmote.paths import BATTERY_RECORDS

DIRECT = "battery"
REGULATED = "regulator"


@dataclass(frozen=True, slots=True)
class Battery:
    """A battery and its regulator."""

    name: str
    title: str
    charge_mah: float
    full_v: float
    """Voltage of the fresh battery."""
    mean_v: float
    """Mean voltage over the discharge."""
    empty_v: float
    """Voltage at which its charge is used up."""
    leakage_ua: float
    """Self-discharge."""
    efficiency: float
    """Power that the regulator gives, over the power that it takes."""

    def feeds(self, board: Board, clock_hz: int) -> str:
        """How it feeds a board: by itself, if the board runs at that clock at every voltage of the
        discharge, else through the regulator."""
        ends = (self.empty_v, self.full_v)
        return DIRECT if all(board.supply.allows(clock_hz, end) for end in ends) else REGULATED

    def current_ma(self, feeds: str, supply_v: float, load_ma: float) -> float:
        """Current that it gives while the board takes `load_ma` at `supply_v`. The regulator passes
        on power; without one the current is the board's."""
        taken_ma = load_ma
        if feeds == REGULATED:
            taken_ma = load_ma * supply_v / (self.mean_v * self.efficiency)
        return taken_ma + self.leakage_ua / 1000


def read_battery(path: Path) -> Battery:
    """Reads the record of one battery; raises UsageError if a fact is missing."""
    try:
        with path.open("rb") as file:
            record = tomllib.load(file)
        numbers = {name: float(one["value"]) for name, one in record.items() if name != "title"}
        return Battery(
            path.stem,
            record["title"],
            numbers["charge"],
            numbers["full"],
            numbers["mean"],
            numbers["empty"],
            numbers["leakage"],
            numbers["regulator"] / 100,
        )
    except KeyError as error:
        raise UsageError(f"{path}: no {error.args[0]}") from error
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{path}: no record of a battery: {error}") from error


BATTERIES: Mapping[str, Battery] = {
    path.stem: read_battery(path) for path in sorted(BATTERY_RECORDS.glob("*.toml"))
}
DEFAULT_BATTERY = next(iter(BATTERIES.values()))
