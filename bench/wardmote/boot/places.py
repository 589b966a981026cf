# SPDX-License-Identifier: BSD-3-Clause
"""Where motes stand: a table of places in CSV, which may change over time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import Simulation
from wardmote.boot.links import Row, rows_of
from wardmote.units import PS_PER_S

NEEDED = "mote", "x_m", "y_m"
OPTIONAL = "z_m", "time_s"
FARTHEST_M = 500_000
"""So that any two are at most 1000 km apart along each side."""
Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Distance:
    """From `at_ps` on, two motes are this far apart."""

    at_ps: int
    one: int
    other: int
    metres: float

    def set(self, simulation: Simulation) -> None:
        """Makes it so."""
        simulation.set_distance(self.one, self.other, self.metres)


def _point(row: Row) -> Point:
    x, y, z = (row.real(name, -FARTHEST_M, FARTHEST_M) for name in ("x_m", "y_m", "z_m"))
    if x is None or y is None:
        raise row.refuse("a mote has both x_m and y_m")
    return x, y, z or 0.0


def read_places(path: Path, motes: int) -> list[Distance]:
    """The distances that follow from the places of a file, in the order of time; raises UsageError
    with the line that is wrong."""
    moves: list[tuple[int, int, Point]] = []
    for row in rows_of(path, motes, NEEDED, OPTIONAL):
        at_ps = round((row.real("time_s", 0, 1e6) or 0) * PS_PER_S)
        moves.append((at_ps, row.mote("mote"), _point(row)))
    moves.sort(key=lambda move: move[0])
    return list(_distances(moves))


def _distances(moves: list[tuple[int, int, Point]]) -> Iterator[Distance]:
    """Each mote that moves is at a new distance to those whose places are known."""
    known: dict[int, Point] = {}
    for at_ps, mote, point in moves:
        known[mote] = point
        for other, there in known.items():
            if other != mote:
                yield Distance(at_ps, mote, other, math.dist(point, there))
