# SPDX-License-Identifier: BSD-3-Clause
"""Which rows a figure is taken from, where there are several definitions of the shortest slot."""

from collections.abc import Sequence

from wardmote.measurements.slot.definition import DEFINITIONS, PAPER
from wardmote.rows import SlotRow


def headline(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows of the definition that a network would run, of those that there are."""
    have = {row.definition for row in rows}
    first = next((name for name in DEFINITIONS if name in have), None)
    return [row for row in rows if row.definition == first]


def of_the_paper(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows that may stand beside published figures."""
    return [row for row in rows if row.definition == PAPER]
