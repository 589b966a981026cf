# SPDX-License-Identifier: BSD-3-Clause
"""Libraries side by side, in columns and in words."""

from collections.abc import Sequence

from wardmote.libraries.rows import OURS, LibraryRow
from wardmote.views.plain import Column, to_markdown

LEAKS = {
    (True, True): "nothing",
    (True, False): "addresses",
    (False, True): "branches",
    (False, False): "branches, addresses",
}

COLUMNS: tuple[Column[LibraryRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True),
    Column("library", lambda row: f"{row.library} {row.version}", text=True),
    Column("variant", lambda row: row.variant, text=True),
    Column("key cycles", lambda row: str(row.key_cycles)),
    Column("block cycles", lambda row: str(row.block_cycles)),
    Column("frame cycles", lambda row: str(row.frame_cycles)),
    Column("block ratio", lambda row: f"{row.block_ratio:.2f}"),
    Column("frame ratio", lambda row: f"{row.frame_ratio:.2f}"),
    Column("flash octets", lambda row: str(row.flash_octets)),
    Column("RAM octets", lambda row: str(row.ram_octets)),
    Column("stack octets", lambda row: str(row.stack_octets)),
    Column("depends on the key", lambda row: LEAKS[row.no_secret_branch, row.no_secret_address], text=True),
)


def first(rows: Sequence[LibraryRow], cpu: str) -> bool:
    """Whether one of ours is quickest on a CPU, in a block and in a frame."""
    here = [row for row in rows if row.cpu == cpu]
    ours = [row for row in here if row.library == OURS]
    return all(
        min(getattr(row, name) for row in ours) == min(getattr(row, name) for row in here)
        for name in ("block_cycles", "frame_cycles")
    )


def answer(rows: Sequence[LibraryRow]) -> str:
    """Who is quickest on each CPU, and how far the quickest of the others is behind."""
    lines = []
    for cpu in dict.fromkeys(row.cpu for row in rows):
        others = [row for row in rows if row.cpu == cpu and row.library != OURS]
        if not others:
            continue
        block, frame = min(others, key=lambda row: row.block_cycles), min(others, key=lambda row: row.frame_cycles)
        lines.append(
            f"{cpu}: ours is {'first' if first(rows, cpu) else 'NOT first'}; next in a block {block.library} "
            f"{block.variant} with {block.block_ratio:.2f} times our cycles, in a frame {frame.library} "
            f"{frame.variant} with {frame.frame_ratio:.2f} times."
        )
    return "\n".join(lines)


def conditions(rows: Sequence[LibraryRow]) -> list[tuple[str, str]]:
    """Sources and compilers."""
    sources = {row.library: row.source for row in rows if row.library != OURS}
    compilers = {row.cpu: row.compiler for row in rows}
    return [*sources.items(), *((f"{cpu} compiler", text) for cpu, text in compilers.items())]


def block(rows: Sequence[LibraryRow]) -> str:
    """What stands in the page."""
    said = "".join(f"* {line}\n" for line in answer(rows).splitlines())
    listed = "".join(f"* {name}: {value}\n" for name, value in conditions(rows))
    return f"{said}\n{to_markdown(rows, COLUMNS)}\n{listed}"
