# SPDX-License-Identifier: BSD-3-Clause
"""Computes where our library is the fastest, beside others."""

from collections.abc import Sequence

from wardmote.measurements.libraries.rows import OURS, LibraryPrimitiveRow, LibraryRow

KEY_FIGURE = "key"
"""The figure that is not compared: a library may put its work into the key or into the blocks."""


def first(rows: Sequence[LibraryRow], cpu: str) -> bool:
    """Whether our library is fastest on a CPU, for a block and for a frame."""
    here = [row for row in rows if row.cpu == cpu]
    ours = [row for row in here if row.library == OURS]
    return all(
        min(getattr(row, name) for row in ours) == min(getattr(row, name) for row in here)
        for name in ("block_cycles", "frame_cycles")
    )


def compared(
    rows: Sequence[LibraryPrimitiveRow],
) -> list[tuple[str, LibraryPrimitiveRow, LibraryPrimitiveRow]]:
    """Each figure of one primitive on one CPU, with our fastest row and the fastest row of another
    library."""
    ours = [row for row in rows if row.cycles and row.library == OURS]
    others = [row for row in rows if row.cycles and row.library != OURS]
    if not ours or not others:
        return []
    figures = [(n, name) for n, name in enumerate(ours[0].of) if name != KEY_FIGURE]
    return [
        (name, min(ours, key=lambda row: row.cycles[n]), min(others, key=lambda row: row.cycles[n]))
        for n, name in figures
    ]


def ratio(figure: str, ours: LibraryPrimitiveRow, other: LibraryPrimitiveRow) -> float:
    """Cycles of the other over ours; below 1, ours is slower."""
    n = ours.of.index(figure)
    return other.cycles[n] / ours.cycles[n]


def all_first(rows: Sequence[LibraryPrimitiveRow]) -> bool:
    """Whether ours is fastest in every figure of every primitive on every CPU."""
    groups = {(row.cpu, row.primitive) for row in rows}
    here = ([row for row in rows if (row.cpu, row.primitive) == group] for group in groups)
    return all(ratio(*one) >= 1 for own in here for one in compared(own))
