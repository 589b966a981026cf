# SPDX-License-Identifier: BSD-3-Clause
"""The tree that motes on a grid form, whose root is the landmark in their middle, and its routes."""

from random import Random

from wardmote.experiments.tinysec.places import AREA_M, Place

COLUMNS, ROWS = 4, 9
MOTES = COLUMNS * ROWS
LANDMARK = 17
"""In the fifth row of nine."""
TO_BASE_AND_FROM = 2


def parent(mote: int) -> int:
    """The next mote towards the landmark: along the rows first."""
    row, column = divmod(mote, COLUMNS)
    to_row, to_column = divmod(LANDMARK, COLUMNS)
    if row != to_row:
        return mote + (COLUMNS if row < to_row else -COLUMNS)
    if column != to_column:
        return mote + (1 if column < to_column else -1)
    return mote


def climb(mote: int) -> list[int]:
    """A mote and all those on its way to the landmark."""
    return [mote] if mote == LANDMARK else [mote, *climb(parent(mote))]


def depth(mote: int) -> int:
    """Hops from a mote to the landmark."""
    return len(climb(mote)) - 1


def ends(hops: int, seed: int) -> tuple[int, int]:
    """Where a route of so many hops begins and ends. The two are as deep in the tree, or the first by
    one deeper. The second is not on the way of the first, where the message would end too soon."""
    between = hops - TO_BASE_AND_FROM
    draw = Random(f"routes {seed}")
    first = draw.choice(_at_depth(between - between // 2))
    passed = climb(first)
    return first, draw.choice([mote for mote in _at_depth(between // 2) if mote not in passed])


def _at_depth(hops: int) -> list[int]:
    return [mote for mote in range(MOTES) if depth(mote) == hops]


def on_grid() -> list[Place]:
    """Where the motes are, and last the base: in metres."""
    width, length = AREA_M
    found = [
        (column * width / (COLUMNS - 1), row * length / (ROWS - 1))
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]
    return [*found, (-width / 2, length / 2)]
