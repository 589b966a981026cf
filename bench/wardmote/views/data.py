# SPDX-License-Identifier: BSD-3-Clause
"""Rows as JSON and CSV, and back from JSON."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from wardmote.errors import UsageError
from wardmote.rows import SlotRow


def to_json(rows: Sequence[SlotRow]) -> str:
    """A JSON list of rows, with everything they hold."""
    return json.dumps([row.as_dict() for row in rows], indent=2) + "\n"


def from_json(text: str) -> list[SlotRow]:
    """The rows of `to_json`; raises UsageError if the text holds something else."""
    try:
        values = json.loads(text)
        rows = [SlotRow.from_dict(one) for one in values] if isinstance(values, list) else []
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"no rows of `wardmote slot` of this version: {error}") from error
    if not rows:
        raise UsageError("no rows of `wardmote slot`: an empty list, or none at all")
    return rows


def flat(row: SlotRow) -> dict[str, Any]:
    """The scalars of a row, those of its provenance too; the energy by device state is left to
    JSON."""
    values = row.as_dict()
    del values["states"]
    provenance = values.pop("provenance")
    return {**values, **{f"provenance_{name}": value for name, value in provenance.items()}}


def to_csv(rows: Sequence[SlotRow]) -> str:
    """Comma-separated scalars with a line of names; an absent value is empty."""
    out = io.StringIO()
    flats = [flat(row) for row in rows]
    writer = csv.DictWriter(out, fieldnames=list(flats[0]) if flats else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(flats)
    return out.getvalue()
