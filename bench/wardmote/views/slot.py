# SPDX-License-Identifier: BSD-3-Clause
"""Columns of slot rows."""

from wardmote.boards import SECURITY_MARKS
from wardmote.rows import SlotRow
from wardmote.views.case import case_columns
from wardmote.views.columns import Fields
from wardmote.views.table import Column
from wardmote.views.words import clock_at, ends_text, published_text


def verdict(row: SlotRow) -> str:
    """The proof in a word or two."""
    if row.verified:
        return f"{row.exchanges} ok"
    if row.lost:
        return f"{row.lost} lost"
    if row.low is not None and not row.low.holds:
        return "low end fails"
    return f"{row.late} late" if row.late else "not tight"


def case(row: SlotRow) -> tuple[str, str, str]:
    """Board, clock and strategy; a table keeps their rows together."""
    return row.board, clock_at(row), row.strategy


def ends(name: str, field: str, rank: int) -> Column[SlotRow]:
    """A column with both ends of a timing band."""
    return Column(name, lambda row: ends_text(row, field), rank=rank)


_of = Fields(SlotRow)
CASE = case_columns(_of, definition=0)
CYCLES = tuple(ends(f"{name} cycles", f"{name}_cycles", 4) for name in SECURITY_MARKS)
PARTS = tuple(
    _of.number(f"{part} cycles", f"sec1_{part}_cycles", 0, rank=5)
    for part in ("lookup", "header", "payload")
)
DURATION = ends("TsSlotDuration us", "ts_slot_duration_us", 0)
SENDER = ends("sender uJ", "energy_uj", 3)
PROOF = Column[SlotRow]("proof", verdict, text=True, rank=0)

COLUMNS: tuple[Column[SlotRow], ...] = (
    *CASE,
    _of.number("turnaround us", "turnaround_us", 0, rank=3),
    *CYCLES,
    *PARTS,
    _of.number("guard us", "ts_rx_guard_us", 0, rank=2),
    ends("TsTxOffset us", "ts_tx_offset_us", 2),
    ends("TsTxAckDelay us", "ts_tx_ack_delay_us", 2),
    DURATION,
    Column("published ms", published_text),
    _of.number("ratio x", "published_ratio", 1, rank=3),
    SENDER,
    ends("receiver uJ", "energy_receiver_uj", 3),
    PROOF,
)
