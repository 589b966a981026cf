# SPDX-License-Identifier: BSD-3-Clause
"""A sweep over header forms and lengths: columns and words."""

from collections.abc import Sequence

from wardmote.boards import SECURITY_MARKS
from wardmote.rows import SlotRow
from wardmote.study.payload import payload_octets
from wardmote.views.plain import Column
from wardmote.views.table import verdict
from wardmote.views.words import ends_text


def payload(row: SlotRow) -> int:
    """Octets of MAC payload in the row's data frame."""
    return payload_octets(row.level, row.ash_octets, row.frame_octets)


def _cycles(name: str) -> Column[SlotRow]:
    return Column(f"{name} cycles", lambda row: ends_text(row, f"{name}_cycles"))


COLUMNS: tuple[Column[SlotRow], ...] = (
    Column("board", lambda row: row.board, text=True),
    Column("strategy", lambda row: row.strategy, text=True),
    Column("level", lambda row: row.level_name, text=True),
    Column("KeyId Mode", lambda row: str(row.key_id_mode)),
    Column("counter", lambda row: row.counter, text=True),
    Column("ASH octets", lambda row: str(row.ash_octets)),
    Column("frame octets", lambda row: str(row.frame_octets)),
    Column("payload octets", lambda row: str(payload(row))),
    *(_cycles(name) for name in SECURITY_MARKS),
    Column("TsSlot Duration us", lambda row: ends_text(row, "ts_slot_duration_us")),
    Column("sender uJ", lambda row: ends_text(row, "energy_uj")),
    Column("proof", verdict, text=True),
)


def answer(rows: Sequence[SlotRow]) -> str:
    """Shortest and longest slot of the sweep."""
    parts = []
    for word, row in (
        ("shortest", min(rows, key=lambda row: row.ts_slot_duration_us)),
        ("longest", max(rows, key=lambda row: row.ts_slot_duration_us)),
    ):
        form = f"KeyIdMode {row.key_id_mode}, counter {row.counter}, {row.frame_octets} octets"
        parts.append(
            f"{word} slot {row.ts_slot_duration_ms:.2f} ms ({row.board}, {row.strategy}, {form})"
        )
    proven = sum(row.verified for row in rows)
    return f"Of {len(rows)} cases, {proven} proven: {'; '.join(parts)}."
