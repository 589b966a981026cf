# SPDX-License-Identifier: BSD-3-Clause
"""Formats slot rows as an answer and its conditions."""

from collections.abc import Sequence
from typing import Any, Protocol

from wardmote.boards import BOARDS, scaling_of
from wardmote.measurements.slot.setting import TURNAROUND_US
from wardmote.rows import SlotRow
from wardmote.views.table import band
from wardmote.views.templates import conditions_of
from wardmote.views.text import by

BOARD_TITLES = {name: board.title for name, board in BOARDS.items()}
USUAL_LEVEL = 5
"""ENC-MIC-32, the level of WirelessHART and 6TiSCH."""
BEYOND = "(beyond)"
"""Marks a clock that the data sheets do not allow at the supply."""


def clock_name(clock_hz: int) -> str:
    """A clock in MHz: 8 MHz, 4.19 MHz."""
    return f"{clock_hz / 1e6:.3g} MHz"


class Supplied(Protocol):
    """A row, or a setting, with clock and supply."""

    @property
    def clock_hz(self) -> int:
        """The clock of the CPU."""

    @property
    def supply_v(self) -> float:
        """The supply voltage."""

    @property
    def clock_allowed(self) -> bool:
        """Whether the data sheets allow the clock at this supply."""


def clock_at(row: Supplied) -> str:
    """Clock and supply: 8 MHz at 3.6 V; what the data sheets do not allow is marked."""
    text = f"{clock_name(row.clock_hz)} at {row.supply_v:g} V"
    return text if row.clock_allowed else f"{text} {BEYOND}"


def supply_conditions(rows: Sequence[Any]) -> list[str]:
    """How the currents of the rows' boards follow from those that are known, and what a mark says."""
    boards = dict.fromkeys(row.board for row in rows)
    found = [f"{BOARD_TITLES[board]}: {text}" for board in boards for text in scaling_of(board)]
    if not all(row.clock_allowed for row in rows):
        found.append(f"{BEYOND}: the data sheets do not allow this clock at this supply")
    return found


def published_text(row: SlotRow) -> str:
    """The printed duration without unit."""
    return "" if row.published_ms is None else f"{row.published_ms:g}"


def answer(rows: Sequence[SlotRow]) -> str:
    """One sentence for each board, clock and definition: the shortest slot of each strategy at the
    usual level, or at the highest measured level."""
    if not rows:
        return "Nothing was measured."
    parts = by(
        rows, lambda row: (row.board, clock_at(row), row.turnaround_us, row.definition)
    ).values()
    return " ".join(map(_answer, parts))


def _answer(rows: Sequence[SlotRow]) -> str:
    levels = {row.level for row in rows}
    level = USUAL_LEVEL if USUAL_LEVEL in levels else max(levels)
    chosen = [row for row in rows if row.level == level]
    first = chosen[0]
    parts = ", ".join(f"{row.strategy} {_ends_ms(row)}" for row in chosen)
    kind = f"a secured slot at {first.level_name}" if level else "an unsecured slot"
    board = BOARDS[first.board].named
    printed = [row for row in chosen if row.published_ms is not None]
    beside = ""
    if printed:
        beside = f"; published {'/'.join(map(published_text, printed))}"
        beside += f" ({'/'.join(row.strategy for row in printed)})"
    proven = sum(row.verified for row in rows)
    proof = f"; {proven} of {len(rows)} {'case' if len(rows) == 1 else 'cases'} proven"
    quick = f", turnaround {first.turnaround_us} us" * (first.turnaround_us != TURNAROUND_US)
    subject = f"{board[0].upper()}{board[1:]} ({clock_at(first)}{quick})"
    return f"{subject} needs for {kind} ({first.definition}), in ms: {parts}{beside}{proof}."


def _ends_ms(row: SlotRow) -> str:
    """TsSlotDuration; both ends of a timing band."""
    low = None if row.low is None else row.low.ts_slot_duration_us / 1000
    return band(low, row.ts_slot_duration_ms, 1, " to ")


MEANINGS = {
    "deployable": "the receiver can be ready before its whole guard time",
    "needed": "the same with the least guard time that two crystals of 30 ppm need",
    "paper": "Eq. 1 of the paper, with the guard time that fits but no less than is needed",
}


def definition_text(row: SlotRow) -> str:
    """A definition of the shortest slot in words."""
    guard = f", {row.ts_rx_guard_us:.0f} us" if row.definition == "deployable" else ""
    return f"{row.definition} ({MEANINGS[row.definition]}{guard})"


def ends_text(row: SlotRow, name: str) -> str:
    """A field of a row without decimals; both ends of a timing band."""
    return band(None if row.low is None else getattr(row.low, name), getattr(row, name))


def conditions(rows: Sequence[SlotRow]) -> list[tuple[str, str]]:
    """What every figure depends on, as pairs of name and value. A value lists all that rows have."""

    def ash(row: SlotRow) -> str:
        form = f"KeyIdMode {row.key_id_mode}, counter {row.counter}, {row.nonce} nonce"
        return f"{row.ash_octets} octets ({form})" if row.level else "none at level 0"

    def clock(row: SlotRow) -> str:
        running = f"{row.clock_measured_hz / 1e6:.4f} MHz running"
        return f"{clock_at(row)} asked for, {running}"

    return conditions_of(
        "slot",
        rows=rows,
        definitions=map(definition_text, rows),
        boards=[BOARD_TITLES.get(row.board, row.board) for row in rows],
        clocks=map(clock, rows),
        headers=map(ash, rows),
        currents=supply_conditions(rows),
    )
