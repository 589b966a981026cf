# SPDX-License-Identifier: BSD-3-Clause
"""Formats a sweep over header forms and lengths."""

from collections.abc import Sequence

from wardmote.rows import SlotRow
from wardmote.study.payload import payload_octets
from wardmote.views.columns import Fields
from wardmote.views.slot import CASE, CYCLES, DURATION, PROOF, SENDER
from wardmote.views.table import Column


def payload(row: SlotRow) -> int:
    """Octets of MAC payload in the row's data frame."""
    return payload_octets(row.level, row.ash_octets, row.frame_octets)


_of = Fields(SlotRow)
COLUMNS: tuple[Column[SlotRow], ...] = (
    *CASE,
    _of.number("KeyId Mode", "key_id_mode", rank=0),
    _of.word("counter", rank=0),
    _of.number("ASH octets", rank=2),
    _of.number("frame octets"),
    Column("payload octets", lambda row: str(payload(row))),
    *CYCLES,
    DURATION,
    SENDER,
    PROOF,
)


def answer(rows: Sequence[SlotRow]) -> str:
    """Shortest and longest slot of the sweep."""
    parts = []
    for word, row in (
        ("shortest", min(rows, key=lambda row: row.ts_slot_duration_us)),
        ("longest", max(rows, key=lambda row: row.ts_slot_duration_us)),
    ):
        form = f"{row.definition}, KeyIdMode {row.key_id_mode}, counter {row.counter}, {row.frame_octets} octets"
        parts.append(
            f"{word} slot {row.ts_slot_duration_ms:.2f} ms ({row.board}, {row.strategy}, {form})"
        )
    proven = sum(row.verified for row in rows)
    return f"Of {len(rows)} cases, {proven} proven: {'; '.join(parts)}."
