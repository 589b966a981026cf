# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the shortest slots ahead of the slot, made of those that `wardmote slot` has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.measurements.slot.definition import DEPLOYABLE, FULL
from wardmote.measurements.slot.provenance import provenance_of
from wardmote.measurements.slot.setting import ASH_FORMS, FINE, AshForm
from wardmote.paths import slot_image
from wardmote.rows import SlotRow
from wardmote.study.account import limit_of

LIMITS = {FULL: DEPLOYABLE}
"""Definitions that have the limit of another one."""
PIB = "-pib"
"""Ends the name of a strategy that has the procedures over a PIB."""


@dataclass(frozen=True, slots=True)
class ShortestRow:
    """The shortest slot of a strategy in one definition."""

    board: str
    seed: int
    strategy: str
    """Without the ends that say that the procedures are there, and a finer timer."""
    tick_hz: int
    """Ticks in a second of the timer that tells the slots."""
    procedures: bool
    """Whether the tables of a PIB are asked besides the engine's rules."""
    ash: str
    definition: str
    clock_hz: int
    supply_v: float
    clock_allowed: bool
    ts_tx_offset_us: float
    ts_tx_ack_delay_us: float
    ts_slot_duration_us: float
    limit_us: float
    """What the radio and the guard times alone need."""
    energy_uj: float
    """Of the sender, in a slot with an exchange; the next field has that of the receiver."""
    energy_receiver_uj: float
    exchanges: int
    lost: int
    late: int
    one_less_fails: bool
    """Whether the proof fails with each of the three values one tick shorter."""
    proven: bool
    """No loss and no missed deadline, at both ends of a timing band; one tick less fails."""
    wardmote: str
    commit: str


def gathered(values: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each definition of each case."""
    return [_values(figures, one["seed"]) for one in values for figures in one["definitions"]]


def _values(figures: Mapping[str, Any], seed: int) -> dict[str, Any]:
    board, strategy = figures["board"], figures["strategy"]
    row = SlotRow.of(figures, provenance_of(slot_image(board, strategy), seed, board))
    form = AshForm(row.key_id_mode, row.counter == "carried")
    return {
        "board": row.board,
        "seed": seed,
        "strategy": row.strategy.removesuffix(PIB).removesuffix(FINE),
        "tick_hz": row.tick_hz,
        "procedures": row.strategy.endswith(PIB),
        "ash": next(name for name, one in ASH_FORMS.items() if one == form),
        "definition": row.definition,
        "clock_hz": row.clock_hz,
        "supply_v": row.supply_v,
        "clock_allowed": row.clock_allowed,
        "ts_tx_offset_us": row.ts_tx_offset_us,
        "ts_tx_ack_delay_us": row.ts_tx_ack_delay_us,
        "ts_slot_duration_us": row.ts_slot_duration_us,
        "limit_us": round(limit_of(row, LIMITS.get(row.definition, row.definition)).slot_us, 3),
        "energy_uj": row.energy_uj,
        "energy_receiver_uj": row.energy_receiver_uj,
        "exchanges": row.exchanges,
        "lost": row.lost,
        "late": row.late,
        "one_less_fails": row.tx_offset_minus_1_fails
        and row.tx_ack_delay_minus_1_fails
        and row.slot_duration_minus_1_fails,
        "proven": row.verified,
    }
