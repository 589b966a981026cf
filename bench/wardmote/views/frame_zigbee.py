# SPDX-License-Identifier: BSD-3-Clause
"""What became of the frames of a ZigBee capture, in words and columns."""

from __future__ import annotations

from collections import Counter

from wardmote.frame.zigbee import Outcome
from wardmote.frame.zigbee_rows import ZigbeeFrameRow, ZigbeeKeyRow
from wardmote.views.data import to_csv, to_json
from wardmote.views.show import text_width
from wardmote.views.table import Column, table, to_markdown, wrapped

KEYS = (
    Column[ZigbeeKeyRow]("key", lambda row: row.name, text=True, rank=0),
    Column[ZigbeeKeyRow]("number", lambda row: _or_nothing(row.number), rank=1),
    Column[ZigbeeKeyRow]("frames", lambda row: str(row.frames), rank=0),
    Column[ZigbeeKeyRow]("carried under", lambda row: row.carried_under or "", text=True, rank=2),
)
FRAMES = (
    Column[ZigbeeFrameRow]("frame", lambda row: str(row.frame), rank=0),
    Column[ZigbeeFrameRow]("from", lambda row: row.source_address or "", text=True, rank=1),
    Column[ZigbeeFrameRow]("to", lambda row: row.destination_address or "", text=True, rank=1),
    Column[ZigbeeFrameRow]("status", lambda row: row.status, text=True, rank=0),
    Column[ZigbeeFrameRow]("what", lambda row: _what(row), text=True, rank=0),
)


def report(outcome: Outcome, limit: int, *, each: bool) -> str:
    """The keys and what they opened, the refused frames that are listed, and one line in words."""
    width = text_width()
    lines: list[str] = []
    if each:
        lines.append(f"{'frame':>8}  {'status':<23}  what")
        lines += (f"{row.frame:>8}  {row.status:<23}  {_what(row)}" for row in outcome.frames)
    lines += table(outcome.keys, KEYS, width)[0]
    lines += (f"{row.name}: {row.key}" for row in outcome.keys if row.found_in_frame is not None)
    refused = [row for row in outcome.frames if row.reason and not _is_other(row)]
    for row in refused[:limit]:
        text = f"frame {row.frame}: {row.layer}: {row.status}: {row.reason}"
        lines += wrapped(text, width, "  ")
    if len(refused) > limit:
        lines.append(f"and {len(refused) - limit} more: --limit lists them")
    lines += wrapped(answer(outcome), width, "  ")
    return "\n".join(lines) + "\n"


def answer(outcome: Outcome) -> str:
    """One sentence: how many were opened, which keys were found, how many were refused."""
    found = [row for row in outcome.keys if row.found_in_frame is not None]
    text = f"{outcome.opened} of {len(outcome.frames)} frames opened"
    if found:
        text += f"; {len(found)} {'key' if len(found) == 1 else 'keys'} found in it: "
        text += ", ".join(row.name for row in found)
    text += f"; {outcome.refused} refused"
    said = Counter(row.status for row in outcome.frames if row.reason and not _is_other(row))
    if said:
        text += f" ({', '.join(f'{count} {status}' for status, count in said.items())})"
    return f"{text}; {outcome.without} without a NWK frame of ZigBee PRO."


def rows(outcome: Outcome, form: str) -> str:
    """The frames as data."""
    if form == "json":
        return to_json(outcome.frames)
    if form == "csv":
        return to_csv(outcome.frames)
    return to_markdown(outcome.frames, FRAMES)


def _is_other(row: ZigbeeFrameRow) -> bool:
    return row.status in ("NOT_FOR_US", "NOT_SECURED")


def _or_nothing(value: int | None) -> str:
    return "" if value is None else str(value)


def _what(row: ZigbeeFrameRow) -> str:
    if row.reason:
        return row.reason
    parts = [f"NWK {row.nwk_type}"] if row.aps_type is None else [f"APS {row.aps_type}"]
    parts += [row.command] if row.command else []
    parts += [f"with {row.inner_command}"] if row.inner_command else []
    parts += [f"carries {row.found_key}"] if row.found_key else []
    keys = [key for key in (row.nwk_key, row.aps_key) if key]
    return ", ".join(parts) + (f"; {' and '.join(keys)}" if keys else "")
