# SPDX-License-Identifier: BSD-3-Clause
"""Footprints of the built images, which several tests look at: measured once a process."""

from functools import cache

from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.slot.setting import STRATEGIES


@cache
def measured(board: str) -> tuple[FootprintRow, ...]:
    """All strategies of a board."""
    return tuple(measure(board, STRATEGIES, seed=1))
