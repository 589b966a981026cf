# SPDX-License-Identifier: BSD-3-Clause
"""Rows as a table: on a terminal, and as Markdown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console, JustifyMethod
from rich.table import Table

from wardmote.rows import SlotRow
from wardmote.views.words import conditions, ends_text, published_text


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name (broken over lines where it is long), its unit, and how a row fills
    it."""

    name: str
    unit: str
    cell: Callable[[SlotRow], str]
    text: bool = False
    brief: bool = True
    """Shown on a narrow terminal too."""

    @property
    def title(self) -> str:
        """The name in one piece."""
        return self.name.replace("\n", "")


def verdict(row: SlotRow) -> str:
    """The proof in a word or two."""
    if row.verified:
        return f"{row.exchanges} ok"
    if row.lost:
        return f"{row.lost} lost"
    if row.low is not None and not row.low.holds:
        return "low end fails"
    return f"{row.late} late" if row.late else "not tight"


COLUMNS = (
    Column("board", "", lambda row: row.board, text=True, brief=False),
    Column("strategy", "", lambda row: row.strategy, text=True),
    Column("level", "", lambda row: row.level_name, text=True),
    Column("sec1", "cycles", lambda row: ends_text(row, "sec1_cycles"), brief=False),
    Column("sec2", "cycles", lambda row: ends_text(row, "sec2_cycles"), brief=False),
    Column("sec3", "cycles", lambda row: ends_text(row, "sec3_cycles"), brief=False),
    Column("sec4", "cycles", lambda row: ends_text(row, "sec4_cycles"), brief=False),
    Column("TsTx\nOffset", "us", lambda row: ends_text(row, "ts_tx_offset_us")),
    Column("TsTx\nAckDelay", "us", lambda row: ends_text(row, "ts_tx_ack_delay_us")),
    Column("TsSlot\nDuration", "us", lambda row: ends_text(row, "ts_slot_duration_us")),
    Column("published", "ms", published_text),
    Column(
        "ratio",
        "x",
        lambda row: "" if row.published_ratio is None else f"{row.published_ratio:.1f}",
        brief=False,
    ),
    Column("sender", "uJ", lambda row: ends_text(row, "energy_uj"), brief=False),
    Column("receiver", "uJ", lambda row: ends_text(row, "energy_receiver_uj"), brief=False),
    Column("proof", "", verdict, text=True),
)
FULL_WIDTH = 170
"""Columns of text that the whole table takes."""


def print_table(rows: Sequence[SlotRow], console: Console) -> None:
    """Prints conditions and rows; a rule between strategies. A narrow terminal gets fewer
    columns."""
    for name, value in conditions(rows):
        console.print(f"{name}: {value}", style="dim", highlight=False, soft_wrap=True)
    shown = [column for column in COLUMNS if column.brief or console.width >= FULL_WIDTH]
    table = Table(header_style="bold")
    for column in shown:
        justify: JustifyMethod = "left" if column.text else "right"
        table.add_column(f"{column.name}\n{column.unit}".strip(), justify=justify, no_wrap=True)
    for index, row in enumerate(rows):
        last = index + 1 == len(rows) or (rows[index + 1].board, rows[index + 1].strategy) != (
            row.board,
            row.strategy,
        )
        table.add_row(*(column.cell(row) for column in shown), end_section=last)
    console.print(table)


def to_markdown(rows: Sequence[SlotRow]) -> str:
    """Conditions as a list, rows as a Markdown table."""
    lines = [f"* {name}: {value}" for name, value in conditions(rows)]
    lines += ["", *markdown_table(rows)]
    return "\n".join(lines) + "\n"


def markdown_table(rows: Sequence[SlotRow]) -> list[str]:
    """The lines of the Markdown table alone."""
    header = [f"{column.title} {column.unit}".strip() for column in COLUMNS]
    rule = ["---" if column.text else "---:" for column in COLUMNS]
    body = [[column.cell(row) for column in COLUMNS] for row in rows]
    return [f"| {' | '.join(line)} |" for line in (header, rule, *body)]
