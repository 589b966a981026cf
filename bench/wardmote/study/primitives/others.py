# SPDX-License-Identifier: BSD-3-Clause
"""A measured function beside other libraries, CPU by CPU."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wardmote.measurements.function.rows import MeasureRow
from wardmote.measurements.libraries.kinds import CCM, PRIMITIVES
from wardmote.measurements.libraries.rows import (
    BLOCK_FIGURE,
    M_OCTETS,
    LibraryPrimitiveRow,
    LibraryRow,
)

AES_BLOCK_OCTETS = 16
MESSAGE = re.compile(r"(\d+) octets")
"""A figure of LibraryPrimitiveRow that is of a message."""
BLOCK_OCTETS = {one.title: one.octets.get("octets", 0) for one in PRIMITIVES}


@dataclass(frozen=True, slots=True)
class LibraryBesideRow:
    """One figure of one variant of another library beside the function, on one CPU."""

    cpu: str
    function: str
    octets: int
    """That the function works on."""
    function_cycles: int
    """The most; of a CPU whose timing is a band, at its slow end, as are the library's."""
    library: str
    version: str
    primitive: str
    variant: str
    operation: str
    """What is counted: a key, a block, a frame, or a message with its key."""
    library_octets: int
    """Of the message; 0 for a key."""
    cycles: int
    times: float | None
    """The function's cycles over the library's for as many octets: above 1, the library's are
    fewer. None where the lengths differ."""
    flash_octets: int
    """Of the adapter and everything that the primitive needs."""
    stack_octets: int
    source: str
    compiler: str


@dataclass(frozen=True, slots=True)
class _Figure:
    """What a library takes for one thing."""

    primitive: str
    operation: str
    octets: int
    cycles: int


def beside_libraries(
    measured: Sequence[MeasureRow],
    names: Sequence[str],
    frames: Sequence[LibraryRow],
    others: Sequence[LibraryPrimitiveRow],
) -> list[LibraryBesideRow]:
    """Every figure of the primitives that the stack calls by these names, on the CPU of each
    measured row."""
    all_: list[tuple[LibraryRow | LibraryPrimitiveRow, _Figure]] = []
    all_ += [(row, figure) for row in frames for figure in _of_frame(row, names)]
    all_ += [(row, figure) for row in others for figure in _of_primitive(row)]
    return [
        _row(mine, mine.cycles_max, row, figure)
        for mine in measured
        if mine.cycles_max is not None
        for row, figure in all_
        if row.cpu == mine.cpu
    ]


def _of_frame(row: LibraryRow, names: Sequence[str]) -> Iterator[_Figure]:
    """Key and block are AES-128's, the frame is that of CCM*."""
    if "aes128" in names:
        yield _Figure("AES-128", "key", 0, row.key_cycles)
        yield _Figure("AES-128", BLOCK_FIGURE, AES_BLOCK_OCTETS, row.block_cycles)
    if "ccm" in names:
        yield _Figure(CCM.title, "frame", M_OCTETS, row.frame_cycles)


def _of_primitive(row: LibraryPrimitiveRow) -> Iterator[_Figure]:
    """Messages of several lengths, or a key and a block."""
    for name, cycles in zip(row.of, row.cycles, strict=True):
        message = MESSAGE.fullmatch(name)
        block = BLOCK_OCTETS[row.primitive] if name == BLOCK_FIGURE else 0
        octets = int(message[1]) if message else block
        yield _Figure(row.primitive, "message" if message else name, octets, cycles)


def _row(
    mine: MeasureRow, cycles: int, row: LibraryRow | LibraryPrimitiveRow, figure: _Figure
) -> LibraryBesideRow:
    same = figure.octets == mine.octets and figure.cycles
    return LibraryBesideRow(
        cpu=mine.cpu,
        function=mine.operation,
        octets=mine.octets,
        function_cycles=cycles,
        library=row.library,
        version=row.version,
        primitive=figure.primitive,
        variant=row.variant,
        operation=figure.operation,
        library_octets=figure.octets,
        cycles=figure.cycles,
        times=round(cycles / figure.cycles, 4) if same else None,
        flash_octets=row.flash_octets or 0,
        stack_octets=row.stack_octets or 0,
        source=row.source,
        compiler=row.compiler,
    )
