# SPDX-License-Identifier: BSD-3-Clause
"""Formats the comparison of libraries: AES-128 with CCM*, and every other primitive."""

from collections.abc import Callable, Sequence

from wardmote.measurements.libraries.rows import BLOCK_FIGURE, OURS, LibraryPrimitiveRow, LibraryRow
from wardmote.views.table import Column, number, to_markdown

LEAKS = {
    (True, True): "nothing",
    (True, False): "addresses",
    (False, True): "branches",
    (False, False): "branches, addresses",
}

COLUMNS: tuple[Column[LibraryRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True, rank=0),
    Column("library", lambda row: f"{row.library} {row.version}", text=True, rank=0),
    Column("variant", lambda row: row.variant, text=True, rank=0),
    Column("key cycles", lambda row: str(row.key_cycles), rank=2),
    Column("block cycles", lambda row: str(row.block_cycles), rank=0),
    Column("frame cycles", lambda row: str(row.frame_cycles), rank=0),
    Column("block ratio", lambda row: f"{row.block_ratio:.2f}", rank=1),
    Column("frame ratio", lambda row: f"{row.frame_ratio:.2f}", rank=1),
    Column("flash octets", lambda row: str(row.flash_octets), rank=2),
    Column("RAM octets", lambda row: str(row.ram_octets), rank=3),
    Column("stack octets", lambda row: str(row.stack_octets), rank=3),
    Column(
        "depends on the key",
        lambda row: LEAKS[row.no_secret_branch, row.no_secret_address],
        text=True,
        rank=3,
    ),
)


def first(rows: Sequence[LibraryRow], cpu: str) -> bool:
    """Whether our library is fastest on a CPU, for a block and for a frame."""
    here = [row for row in rows if row.cpu == cpu]
    ours = [row for row in here if row.library == OURS]
    return all(
        min(getattr(row, name) for row in ours) == min(getattr(row, name) for row in here)
        for name in ("block_cycles", "frame_cycles")
    )


def answer(rows: Sequence[LibraryRow]) -> str:
    """Whether ours is fastest on each CPU, and how many cycles the next library takes."""
    lines = []
    for cpu in dict.fromkeys(row.cpu for row in rows):
        others = [row for row in rows if row.cpu == cpu and row.library != OURS]
        if not others:
            continue
        block, frame = (
            min(others, key=lambda row: row.block_cycles),
            min(others, key=lambda row: row.frame_cycles),
        )
        lines.append(
            f"{cpu}: ours is {'first' if first(rows, cpu) else 'NOT first'}; next in a block "
            f"{block.library} "
            f"{block.variant} with {block.block_ratio:.2f} times our cycles, in a frame "
            f"{frame.library} "
            f"{frame.variant} with {frame.frame_ratio:.2f} times."
        )
    return "\n".join(lines)


def conditions(rows: Sequence[LibraryRow | LibraryPrimitiveRow]) -> list[tuple[str, str]]:
    """Sources and compilers."""
    sources = {row.library: row.source for row in rows if row.library != OURS}
    compilers = {row.cpu: row.compiler for row in rows if row.compiler}
    return [*sources.items(), *((f"{cpu} compiler", text) for cpu, text in compilers.items())]


def block(rows: Sequence[LibraryRow]) -> str:
    """The block of the page: answer, table and conditions."""
    said = "".join(f"* {line}\n" for line in answer(rows).splitlines())
    listed = "".join(f"* {name}: {value}\n" for name, value in conditions(rows))
    return f"{said}\n{to_markdown(rows, COLUMNS)}\n{listed}"


def _cycles(figure: str) -> Callable[[LibraryPrimitiveRow], str]:
    return lambda row: (
        str(row.cycles[row.of.index(figure)]) if row.cycles and figure in row.of else ""
    )


FIGURES = ("key", BLOCK_FIGURE, "64 octets", "128 octets")
PRIMITIVE_COLUMNS: tuple[Column[LibraryPrimitiveRow], ...] = (
    Column("primitive", lambda row: row.primitive, text=True, rank=0),
    Column("library", lambda row: f"{row.library} {row.version}", text=True, rank=0),
    Column("variant", lambda row: row.variant, text=True, rank=0),
    *(Column(f"{figure} cycles", _cycles(figure)) for figure in FIGURES),
    Column("ratio", lambda row: number(row.ratio, 2)),
    Column("flash octets", lambda row: number(row.flash_octets), rank=2),
    Column("stack octets", lambda row: number(row.stack_octets), rank=3),
    Column("why", lambda row: row.why.replace("|", "/"), text=True, rank=3, wrap=True),
)


def compared(
    rows: Sequence[LibraryPrimitiveRow],
) -> list[tuple[str, LibraryPrimitiveRow, LibraryPrimitiveRow]]:
    """Each figure of one primitive on one CPU, with our fastest row and the fastest of the others."""
    had = [row for row in rows if row.cycles]
    ours, others = (
        [row for row in had if row.library == OURS],
        [row for row in had if row.library != OURS],
    )
    if not ours or not others:
        return []
    figures = [(n, name) for n, name in enumerate(ours[0].of) if name not in FIGURES[:1]]
    return [
        (name, min(ours, key=lambda row: row.cycles[n]), min(others, key=lambda row: row.cycles[n]))
        for n, name in figures
    ]


def _ratio(figure: str, ours: LibraryPrimitiveRow, other: LibraryPrimitiveRow) -> float:
    n = ours.of.index(figure)
    return other.cycles[n] / ours.cycles[n]


def all_first(rows: Sequence[LibraryPrimitiveRow]) -> bool:
    """Whether ours is fastest in every figure of every primitive on every CPU."""
    return all(_ratio(*one) >= 1 for here in _groups(rows).values() for one in compared(here))


def _groups(
    rows: Sequence[LibraryPrimitiveRow],
) -> dict[tuple[str, str], list[LibraryPrimitiveRow]]:
    """Rows by CPU and primitive."""
    groups: dict[tuple[str, str], list[LibraryPrimitiveRow]] = {}
    for row in rows:
        groups.setdefault((row.cpu, row.primitive), []).append(row)
    return groups


def primitives_answer(rows: Sequence[LibraryPrimitiveRow]) -> str:
    """For each CPU: where ours is first, where another library is, who takes the least flash, and where
    there is no other library."""
    groups, lines = _groups(rows), []
    for cpu in dict.fromkeys(row.cpu for row in rows):
        first, behind, alone, larger = [], [], [], []
        for title, here in ((title, here) for (on, title), here in groups.items() if on == cpu):
            figures = compared(here)
            if not figures:
                alone.append(title)
                continue
            lost = [one for one in figures if _ratio(*one) < 1]
            first += [] if lost else [f"{title} ({min(_ratio(*one) for one in figures):.2f})"]
            behind += [
                f"{title}, {name} ({who.library} {who.variant}, {_ratio(name, o, who):.2f})"
                for name, o, who in lost
            ]
            larger += _larger(title, here)
        said = [f"ours is first in {', '.join(first) or 'nothing'}"]
        said += [f"**NOT first** in {', '.join(behind)}"] if behind else []
        said.append(
            f"least flash is another's in {', '.join(larger)}"
            if larger
            else "least flash is ours in all"
        )
        said += [f"nothing to compare with in {', '.join(alone)}"] if alone else []
        lines.append(f"{cpu}: {'; '.join(said)}.")
    return "\n".join(lines)


def _larger(title: str, rows: Sequence[LibraryPrimitiveRow]) -> list[str]:
    """The library with less flash than our smallest, if there is one."""
    sized = [(row.flash_octets, row) for row in rows if row.flash_octets is not None]
    least, row = min(sized, key=lambda one: one[0])
    mine = min(octets for octets, row in sized if row.library == OURS)
    return (
        [] if least == mine else [f"{title} ({row.library} {row.variant}: {least}, ours: {mine})"]
    )


def primitives_block(rows: Sequence[LibraryPrimitiveRow]) -> str:
    """The block of the page: the answer, a table for each CPU, the conditions."""
    text = "".join(f"* {line}\n" for line in primitives_answer(rows).splitlines())
    for cpu in dict.fromkeys(row.cpu for row in rows):
        text += f"\n### {cpu}\n\n{to_markdown([row for row in rows if row.cpu == cpu], PRIMITIVE_COLUMNS)}"
    return text + "\n" + "".join(f"* {name}: {value}\n" for name, value in conditions(rows))
