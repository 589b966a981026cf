# SPDX-License-Identifier: BSD-3-Clause
"""A measured function beside a primitive of the stack, CPU by CPU."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.measurements.function.rows import MeasureRow
from wardmote.measurements.primitives.rows import PrimitiveRow


@dataclass(frozen=True, slots=True)
class BesideRow:
    """One operation of the stack beside the function, on one CPU."""

    cpu: str
    function: str
    octets: int
    """That the function works on."""
    function_cycles: int
    """The most; of a CPU whose timing is a band, at its slow end, as are the stack's."""
    primitive: str
    variant: str
    operation: str
    primitive_octets: int
    """Of the operation's message; 0 where its cost depends on none."""
    a_octets: int
    cycles: int
    times: float | None
    """The function's cycles over the stack's for as many messages: above 1, the stack's are fewer.
    None where the lengths differ."""
    flash_octets: int
    """Of everything that all operations of the primitive need."""
    stack_octets: int
    constant_time: bool
    wardmote: str
    commit: str


def beside(measured: Sequence[MeasureRow], rows: Sequence[PrimitiveRow]) -> list[BesideRow]:
    """Every operation of the stack on the CPU of each measured row, at its length where there is
    one."""
    found = []
    for mine in measured:
        if mine.cycles_max is None:
            continue
        own = [row for row in rows if row.cpu == mine.cpu]
        lengths = {(row.primitive, row.variant): _nearest(own, row, mine.octets) for row in own}
        found += [
            _row(mine, mine.cycles_max, row)
            for row in own
            if row.octets in (0, lengths[row.primitive, row.variant])
        ]
    return found


def _nearest(rows: Sequence[PrimitiveRow], like: PrimitiveRow, octets: int) -> int:
    """The least length of a primitive that is no shorter, else its longest."""
    names = like.primitive, like.variant
    all_ = {row.octets for row in rows if (row.primitive, row.variant) == names}
    return min((one for one in all_ if one >= octets), default=max(all_))


def _row(mine: MeasureRow, cycles: int, row: PrimitiveRow) -> BesideRow:
    same = row.octets == mine.octets
    return BesideRow(
        cpu=mine.cpu,
        function=mine.operation,
        octets=mine.octets,
        function_cycles=cycles,
        primitive=row.primitive,
        variant=row.variant,
        operation=row.operation,
        primitive_octets=row.octets,
        a_octets=row.a_octets,
        cycles=row.cycles,
        times=round(cycles / row.cycles, 4) if same and row.cycles else None,
        flash_octets=row.flash_octets,
        stack_octets=row.stack_octets,
        constant_time=row.constant_time,
        wardmote=row.wardmote,
        commit=row.commit,
    )
