# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the rows for a figure, since there are several definitions of the shortest slot, and
strategies that secure a frame at once or ahead of its slot."""

from collections.abc import Sequence

from wardmote.measurements.slot.definition import DEFINITIONS, PAPER
from wardmote.measurements.slot.setting import OWN_IMAGE, STRATEGIES, TURNAROUND_US
from wardmote.rows import SlotRow

AT_ONCE = (*STRATEGIES, OWN_IMAGE)
"""With the clock that every board has."""


def plain(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows with the usual turnaround; all if there are none."""
    return [row for row in rows if row.turnaround_us == TURNAROUND_US] or list(rows)


def at_once(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows whose frames are secured within the slot; all if there are none."""
    return [row for row in rows if row.strategy in AT_ONCE] or list(rows)


def headline(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows with the usual turnaround and the definition that a network would run, among the
    definitions in `rows`."""
    rows = plain(rows)
    have = {row.definition for row in rows}
    first = next((name for name in DEFINITIONS if name in have), None)
    return [row for row in rows if row.definition == first]


def of_the_paper(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows that may stand beside published figures."""
    return [row for row in plain(rows) if row.definition == PAPER]
