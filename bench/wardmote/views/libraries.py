# SPDX-License-Identifier: BSD-3-Clause
"""Formats the comparison of libraries: AES-128 with CCM*, and every other primitive."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from wardmote.measurements.libraries.rows import BLOCK_FIGURE, OURS, LibraryPrimitiveRow, LibraryRow
from wardmote.study.libraries import KEY_FIGURE, compared, first, ratio
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import bullets, by, facts

LEAKS = {
    (True, True): "nothing",
    (True, False): "addresses",
    (False, True): "branches",
    (False, False): "branches, addresses",
}

Row = TypeVar("Row", LibraryRow, LibraryPrimitiveRow)
_of, _primitive = Fields(LibraryRow), Fields(LibraryPrimitiveRow)


def _library(row: LibraryRow | LibraryPrimitiveRow) -> str:
    return f"{row.library} {row.version}"


def _whose(fields: Fields[Row]) -> tuple[Column[Row], ...]:
    """The columns that say whose code it is."""
    return Column("library", _library, text=True, rank=0), fields.word("variant", rank=0)


COLUMNS: tuple[Column[LibraryRow], ...] = (
    _of.word("cpu", rank=0),
    *_whose(_of),
    _of.number("key cycles", rank=2),
    *_of.numbers("block cycles", "frame cycles", rank=0),
    *_of.numbers("block ratio", "frame ratio", digits=2),
    _of.number("flash octets", rank=2),
    *_of.numbers("RAM octets", "stack octets", rank=3),
    Column(
        "depends on the key",
        lambda row: LEAKS[row.no_secret_branch, row.no_secret_address],
        text=True,
        rank=3,
    ),
)


def answer(rows: Sequence[LibraryRow]) -> str:
    """Whether ours is fastest on each CPU, and how many cycles the next library takes."""
    lines = []
    for cpu, here in by(rows, lambda row: row.cpu).items():
        others = [row for row in here if row.library != OURS]
        if others:
            block = min(others, key=lambda row: row.block_cycles)
            frame = min(others, key=lambda row: row.frame_cycles)
            lines.append(
                f"{cpu}: ours is {'first' if first(rows, cpu) else 'NOT first'}; next in a block "
                f"{block.library} {block.variant} with {block.block_ratio:.2f} times our cycles, "
                f"in a frame {frame.library} {frame.variant} with {frame.frame_ratio:.2f} times."
            )
    return "\n".join(lines)


def conditions(rows: Sequence[LibraryRow | LibraryPrimitiveRow]) -> list[tuple[str, str]]:
    """Sources and compilers."""
    sources = {row.library: row.source for row in rows if row.library != OURS}
    compilers = {row.cpu: row.compiler for row in rows if row.compiler}
    return [*sources.items(), *((f"{cpu} compiler", text) for cpu, text in compilers.items())]


def block(rows: Sequence[LibraryRow]) -> str:
    """The block of the page: answer, table and conditions."""
    said = bullets(answer(rows).splitlines())
    return f"{said}\n{to_markdown(rows, COLUMNS)}\n{facts(conditions(rows))}"


def _cycles(figure: str) -> Callable[[LibraryPrimitiveRow], str]:
    return lambda row: (
        str(row.cycles[row.of.index(figure)]) if row.cycles and figure in row.of else ""
    )


FIGURES = (KEY_FIGURE, BLOCK_FIGURE, "64 octets", "128 octets")
PRIMITIVE_COLUMNS: tuple[Column[LibraryPrimitiveRow], ...] = (
    _primitive.word("primitive", rank=0),
    *_whose(_primitive),
    *(Column(f"{figure} cycles", _cycles(figure)) for figure in FIGURES),
    _primitive.number("ratio", digits=2),
    _primitive.number("flash octets", rank=2),
    _primitive.number("stack octets", rank=3),
    Column("why", lambda row: row.why.replace("|", "/"), text=True, rank=3, wrap=True),
)


def primitives_answer(rows: Sequence[LibraryPrimitiveRow]) -> str:
    """For each CPU: where ours is first, where another library is, which one takes the least flash,
    and where there is no other library."""
    cpus = by(rows, lambda row: row.cpu)
    return "\n".join(f"{cpu}: {'; '.join(_said(here))}." for cpu, here in cpus.items())


def _said(rows: Sequence[LibraryPrimitiveRow]) -> list[str]:
    """The parts of the answer for one CPU."""
    first, behind, alone, larger = [], [], [], []
    for title, here in by(rows, lambda row: row.primitive).items():
        figures = compared(here)
        if not figures:
            alone.append(title)
            continue
        lost = [one for one in figures if ratio(*one) < 1]
        first += [] if lost else [f"{title} ({min(ratio(*one) for one in figures):.2f})"]
        behind += [
            f"{title}, {name} ({who.library} {who.variant}, {ratio(name, ours, who):.2f})"
            for name, ours, who in lost
        ]
        larger += _larger(title, here)
    flash = f"another's in {', '.join(larger)}" if larger else "ours in all"
    return [
        f"ours is first in {', '.join(first) or 'nothing'}",
        *([f"**NOT first** in {', '.join(behind)}"] if behind else []),
        f"least flash is {flash}",
        *([f"nothing to compare with in {', '.join(alone)}"] if alone else []),
    ]


def _larger(title: str, rows: Sequence[LibraryPrimitiveRow]) -> list[str]:
    """The library with less flash than our smallest, if there is one."""
    sized = [(row.flash_octets, row) for row in rows if row.flash_octets is not None]
    least, row = min(sized, key=lambda one: one[0])
    mine = min(octets for octets, row in sized if row.library == OURS)
    whose = f"{title} ({row.library} {row.variant}: {least}, ours: {mine})"
    return [] if least == mine else [whose]


def primitives_block(rows: Sequence[LibraryPrimitiveRow]) -> str:
    """The block of the page: the answer, a table for each CPU, the conditions."""
    text = bullets(primitives_answer(rows).splitlines())
    for cpu, here in by(rows, lambda row: row.cpu).items():
        text += f"\n### {cpu}\n\n{to_markdown(here, PRIMITIVE_COLUMNS)}"
    return f"{text}\n{facts(conditions(rows))}"
