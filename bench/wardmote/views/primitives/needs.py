# SPDX-License-Identifier: BSD-3-Clause
"""What the page needs to answer "I need … on … with … octets": every candidate for every need, CPU and
length that can be chosen, as `wardmote recommend` judges it."""

from collections.abc import Sequence
from typing import Any

from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.study.primitives.recommend import (
    ADDRESSES,
    ANYTHING,
    ENTRIES,
    NEEDS,
    SHOWS,
    Need,
    RecommendedRow,
    recommended,
)
from wardmote.views.primitives.recommend import NEED_WORDS, SHOWS_WORDS
from wardmote.views.text import label
from wardmote.views.words import clock_name

OCTETS = (4, 8, 12, 16, 24, 32, 48, 64, 80, 96, 112, 128)
"""Lengths that can be chosen."""
START = {"need": "aead", "cpu": "msp430", "octets": 64, "secrets": ADDRESSES}
"""What the page shows first."""
FIELDS = (
    *("need", "cpu", "octets", "name", "cycles", "time_us", "energy_uj"),
    *("flash_octets", "ram_octets", "stack_octets", "shows", "against"),
)
"""Of a row in the page, in this order."""


def rows_of(rows: Sequence[PrimitiveRow | Host32Row], octets: Sequence[int] = OCTETS) -> list[Any]:
    """Candidates of every need. `against` has no limit that the page sets itself."""
    found: list[RecommendedRow] = []
    emulated = [row for row in rows if isinstance(row, PrimitiveRow)]
    for cpu in dict.fromkeys(row.cpu for row in emulated):
        for n in octets:
            near = [
                row for row in emulated if row.cpu == cpu and row.octets in (0, _padded(row, n))
            ]
            for kind in NEEDS:
                found += recommended(near, Need(kind, cpu, n, shows=ANYTHING))
    return [values(row) for row in found]


def _padded(row: PrimitiveRow, octets: int) -> int:
    """The length that a primitive makes of a message's."""
    entry = ENTRIES[row.primitive, row.variant]
    return -(-max(octets, entry.least) // entry.granule) * entry.granule


def values(row: RecommendedRow) -> list[Any]:
    """What the page has of a row."""
    return [label(row) if name == "name" else getattr(row, name) for name in FIELDS]


def data_of(rows: Sequence[PrimitiveRow | Host32Row]) -> dict[str, Any]:
    """Rows and choices, for the script of the page."""
    boards = {row.cpu: row for row in rows if isinstance(row, PrimitiveRow)}
    return {
        "fields": FIELDS,
        "rows": rows_of(rows),
        "start": START,
        "needs": NEED_WORDS,
        "secrets": {name: SHOWS_WORDS[name] for name in SHOWS},
        "octets": OCTETS,
        "boards": {
            cpu: f"{row.board} at {clock_name(row.clock_hz)}" for cpu, row in boards.items()
        },
    }
