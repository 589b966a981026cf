# SPDX-License-Identifier: BSD-3-Clause
"""Formats footprints."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.views.columns import Fields
from wardmote.views.footprint_figure import footprint_figure
from wardmote.views.sections import Report, Section, section
from wardmote.views.table import Column
from wardmote.views.templates import conditions_of
from wardmote.views.text import by

_fields = Fields(FootprintRow)
COLUMNS: tuple[Column[FootprintRow], ...] = (
    *_fields.words("board", "strategy", rank=0),
    *_fields.numbers("flash octets", "RAM octets", "stack octets", rank=0),
    _fields.number("flash %", "flash_percent", 2),
    _fields.number("published %", "published_flash_percent", 1, rank=2),
    _fields.number("RAM and stack %", "ram_percent", 2),
    _fields.number("published RAM %", "published_ram_percent", 1, rank=2),
    _fields.number("image flash", "image_flash_octets", rank=3),
    _fields.number("image RAM", "image_ram_octets", rank=3),
    _fields.number("image stack", "image_stack_octets", rank=3),
)


def module_columns(rows: Sequence[FootprintRow]) -> tuple[Column[str], ...]:
    """Columns of the table whose rows are modules: flash and RAM of each board and strategy."""

    def cell(row: FootprintRow, memory: str) -> Column[str]:
        octets = {one.module: getattr(one, f"{memory.lower()}_octets") for one in row.modules}
        name = f"{row.board} {row.strategy} {memory}"
        return Column(name, lambda module: str(octets.get(module, 0)))

    columns = [cell(row, memory) for row in rows for memory in ("flash", "RAM")]
    return (Column("module", lambda module: module, text=True, rank=0), *columns)


def modules(rows: Sequence[FootprintRow]) -> list[str]:
    """Every module that security changes in any row."""
    return list(dict.fromkeys(module.module for row in rows for module in row.modules))


def answer(rows: Sequence[FootprintRow]) -> str:
    """One sentence for each board."""
    sentences = []
    for name, own in by(rows, lambda row: row.board).items():
        parts = ", ".join(
            f"{row.strategy} {row.flash_octets} + {row.ram_octets + row.stack_octets}"
            for row in own
        )
        sentences.append(
            f"Link security on {BOARDS[name].named} takes, in octets of flash + RAM with "
            f"stack: {parts}."
        )
    return " ".join(sentences)


def conditions(rows: Sequence[FootprintRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    memory = [
        f"{one.title} {one.flash_octets >> 10} KiB flash, {one.ram_octets >> 10} KiB RAM"
        for one in (BOARDS[row.board] for row in rows)
    ]
    return conditions_of("footprint", rows=rows, memory=memory)


@section(40)
def footprints(report: Report) -> list[Section]:
    """Flash, RAM and stack, of the whole and by module."""
    rows = report.footprints
    if not rows:
        return []
    return [
        Section(
            "Footprint of link security",
            rows,
            COLUMNS,
            answer(rows),
            conditions(rows),
            footprint_figure(rows),
        ),
        Section("Footprint by module", modules(rows), module_columns(rows)),
    ]
