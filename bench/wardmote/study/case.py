# SPDX-License-Identifier: BSD-3-Clause
"""The fields that name a case in every study of slot rows."""

from dataclasses import dataclass
from typing import Any

from wardmote.rows import SlotRow


@dataclass(frozen=True, slots=True)
class CaseFields:
    """One case: board, strategy, level and definition at one clock and supply."""

    board: str
    strategy: str
    level: int
    level_name: str
    definition: str
    clock_hz: int
    supply_v: float
    clock_allowed: bool


def case_of(row: SlotRow) -> dict[str, Any]:
    """Those fields of a slot row, by name."""
    return {name: getattr(row, name) for name in CaseFields.__dataclass_fields__}
