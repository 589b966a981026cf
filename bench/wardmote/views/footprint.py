# SPDX-License-Identifier: BSD-3-Clause
"""Formats footprints."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.measurements.footprint.rows import FootprintRow, ModuleOctets
from wardmote.views.table import Column, number

COLUMNS: tuple[Column[FootprintRow], ...] = (
    Column("board", lambda row: row.board, text=True, rank=0),
    Column("strategy", lambda row: row.strategy, text=True, rank=0),
    Column("flash octets", lambda row: str(row.flash_octets), rank=0),
    Column("RAM octets", lambda row: str(row.ram_octets), rank=0),
    Column("stack octets", lambda row: str(row.stack_octets), rank=0),
    Column("flash %", lambda row: number(row.flash_percent, 2), rank=1),
    Column("published %", lambda row: number(row.published_flash_percent, 1), rank=2),
    Column("RAM and stack %", lambda row: number(row.ram_percent, 2), rank=1),
    Column("published RAM %", lambda row: number(row.published_ram_percent, 1), rank=2),
    Column("image flash", lambda row: str(row.image_flash_octets), rank=3),
    Column("image RAM", lambda row: str(row.image_ram_octets), rank=3),
    Column("image stack", lambda row: str(row.image_stack_octets), rank=3),
)


def module_columns(rows: Sequence[FootprintRow]) -> tuple[Column[str], ...]:
    """Columns of the table whose rows are modules: flash and RAM of each board and strategy."""

    def cell(row: FootprintRow, memory: str) -> Column[str]:
        octets = {module.module: _of(module, memory) for module in row.modules}
        name = f"{row.board} {row.strategy} {memory}"
        return Column(name, lambda module: str(octets.get(module, 0)))

    columns = [cell(row, memory) for row in rows for memory in ("flash", "RAM")]
    return (Column("module", lambda module: module, text=True, rank=0), *columns)


def _of(module: ModuleOctets, memory: str) -> int:
    return module.flash_octets if memory == "flash" else module.ram_octets


def modules(rows: Sequence[FootprintRow]) -> list[str]:
    """Every module that security changes in any row."""
    return list(dict.fromkeys(module.module for row in rows for module in row.modules))


def answer(rows: Sequence[FootprintRow]) -> str:
    """One sentence for each board."""
    sentences = []
    for name in dict.fromkeys(row.board for row in rows):
        parts = ", ".join(
            f"{row.strategy} {row.flash_octets} + {row.ram_octets + row.stack_octets}"
            for row in rows
            if row.board == name
        )
        sentences.append(
            f"Link security on {BOARDS[name].named} takes, in octets of flash + RAM with "
            f"stack: {parts}."
        )
    return " ".join(sentences)


def conditions(rows: Sequence[FootprintRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    sources = [row.provenance for row in rows]
    memory = [BOARDS[name] for name in dict.fromkeys(row.board for row in rows)]
    return [
        ("counted", "image `slot` in a strategy, less the same image whose strategy is none"),
        ("stack", "deepest octet written in 120 exchanges at ENC-MIC-32, interrupts included"),
        (
            "memory",
            "; ".join(
                f"{p.title} {p.flash_octets >> 10} KiB flash, {p.ram_octets >> 10} KiB RAM"
                for p in memory
            ),
        ),
        ("compiler", "; ".join(dict.fromkeys(source.compiler for source in sources))),
        ("flags", "; ".join(dict.fromkeys(source.flags for source in sources))),
        ("commit", "; ".join(dict.fromkeys(source.commit for source in sources))),
    ]
