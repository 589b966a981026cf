# SPDX-License-Identifier: BSD-3-Clause
"""Computes time and energy on a board from its clock and the active current of its CPU."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS, METER_CPU, Current, board_data, current_of
from wardmote.choices import choice
from wardmote.errors import UsageError

MHZ = 1_000_000


@dataclass(frozen=True, slots=True)
class BoardAtClock:
    """A board at one of its clocks."""

    name: str
    cpu: str
    clock_hz: int

    @property
    def supply_v(self) -> float:
        """Supply voltage: the usual one, or the least that allows the clock."""
        return BOARDS[self.name].supply.for_clock(self.clock_hz)

    @property
    def current_ma(self) -> float:
        """Current of the running CPU."""
        return self._active.ma

    @property
    def source(self) -> str:
        """Kind and source of the current, and how it follows from a supply at which it is known."""
        text = f"{self._active.kind}: {self._active.source}"
        scaling = board_data(self.name)["scaling"][METER_CPU]
        if scaling["value"] == self.supply_v:
            return text
        return f"{text}; known at {scaling['value']:g} V, {scaling['rule']}"

    @property
    def _active(self) -> Current:
        return current_of(self.name, METER_CPU, "active", self.clock_hz, supply_v=self.supply_v)

    def time_us(self, cycles: int) -> float:
        """Time of `cycles`."""
        return round(cycles * MHZ / self.clock_hz, 3)

    def energy_uj(self, cycles: int) -> float:
        """Energy of the CPU in that time; nothing else of the board is counted."""
        return round(self.supply_v * self.current_ma * cycles * 1000 / self.clock_hz, 6)


def boards(texts: Sequence[str], cpus: Sequence[str]) -> dict[str, BoardAtClock]:
    """A board for each CPU that has one: a board given as `NAME` or `NAME@CLOCK`, else the first
    board with that CPU at its default clock."""
    found: dict[str, BoardAtClock] = {}
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, _, clock = part.partition("@")
        name = choice("board", name, tuple(BOARDS), ", and NAME@CLOCK")
        cpu, by_name = BOARDS[name].cpu, BOARDS[name].clocks_hz
        clock = choice("clock", clock or next(iter(by_name)), tuple(by_name), f" on {name}")
        if cpu not in cpus:
            raise UsageError(
                f"board {name} has an {cpu}, which is not measured: name that with --cpu too, "
                "or leave the board out"
            )
        if cpu in found:
            raise UsageError(f"boards {found[cpu].name} and {name} have the same CPU: give one")
        found[cpu] = BoardAtClock(name, cpu, by_name[clock])
    for name, board in BOARDS.items():
        if board.cpu in cpus and board.cpu not in found:
            found[board.cpu] = BoardAtClock(name, board.cpu, board.clock_hz)
    return found
