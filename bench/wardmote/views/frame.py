# SPDX-License-Identifier: BSD-3-Clause
"""What became of frames, and frames taken apart, in words and columns.

Plain text: it begins at once, and a line a frame can be cut and searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from wardmote.frame.rows import FrameFate, StatusRow
from wardmote.frame.run import Outcome
from wardmote.schemas import NAME, schema_of
from wardmote.views.data import csv_text, to_csv, to_json
from wardmote.views.show import text_width
from wardmote.views.table import (
    Column,
    chosen,
    fitting,
    note,
    on_its_side,
    table,
    to_markdown,
    wrapped,
)

if TYPE_CHECKING:
    from wardmote.frame.frame_row import FrameRow

NAMES = {"frame_octets": "octets", "a_data_octets": "a-data", "m_data": "m-data"}
CAPITALS = {
    one.lower(): one for one in ("PAN", "ID", "IE", "IEs", "ASN", "MIC", "FCS", "RSS", "LQI")
}
"""Words that a name keeps in capitals."""
STATUSES = (
    Column[StatusRow]("status", lambda row: row.status, text=True, rank=0),
    Column[StatusRow]("value", lambda row: _value(row.value), text=True, rank=0),
    Column[StatusRow]("frames", lambda row: str(row.frames), rank=0),
)


def summary(outcome: Outcome, verb: str) -> str:
    """The table of statuses, the refused frames that are listed, and one line in words."""
    lines, _ = table(outcome.rows, STATUSES, text_width())
    listed = [one for row in outcome.rows for one in row.refused]
    for one in sorted(listed, key=lambda refused: refused.frame):
        where = f" (octet {one.octet})" if one.octet is not None else ""
        lines.append(f"frame {one.frame}: {one.status}: {one.reason}{where}")
    if outcome.refused > len(listed):
        lines.append(f"and {outcome.refused - len(listed)} more: --limit lists them")
    lines += wrapped(answer(outcome, verb), text_width(), "  ")
    return "\n".join(lines) + "\n"


def answer(outcome: Outcome, verb: str) -> str:
    """One sentence: how many, by which key, how many were refused."""
    good = outcome.frames - outcome.refused
    used = [f"{count} with {name}" for name, count in outcome.by_key if count]
    clear = [f"{outcome.in_clear} came in clear"] if outcome.in_clear else []
    said = ", ".join(used + clear)
    text = f"{good} of {outcome.frames} frames {verb}" + (f": {said}" if said else "")
    faults = ", ".join(f"{count} {fault}" for fault, count in outcome.refused_for if count)
    text += f"; {outcome.refused} refused" + (f" ({faults})" if faults else "")
    text += f", {outcome.written} written."
    if outcome.foreign:
        text += f" {outcome.foreign} packets without a frame are left out."
    if outcome.unwatched:
        text += (
            f" {outcome.unwatched} frames of further senders were not watched for replays of their "
            "ASN."
        )
    return text


FATES = (
    Column[FrameFate]("frame", lambda fate: str(fate.frame), rank=0),
    Column[FrameFate]("status", lambda fate: fate.status, text=True, rank=0),
    Column[FrameFate]("key", lambda fate: fate.key or "", text=True, rank=0),
    Column[FrameFate]("reason", lambda fate: fate.reason or "", text=True, rank=0),
    Column[FrameFate]("octet", lambda fate: _or_nothing(fate.octet), rank=0),
)


def fates(outcome: Outcome, form: str) -> str:
    """What became of each frame, and which key opened it."""
    if form == "json":
        return to_json(list(outcome.fates()))
    if form == "csv":
        names = [column.name for column in FATES]
        return csv_text(names, [[c.cell(fate) for c in FATES] for fate in outcome.fates()])
    if form == "markdown":
        return to_markdown(list(outcome.fates()), FATES)
    lines = [f"{'frame':>8}  {'status':<23}  key or reason"]
    for fate in outcome.fates():
        where = f" (octet {fate.octet})" if fate.octet is not None else ""
        about = f"{fate.reason}{where}" if fate.reason else fate.key or "in clear"
        lines.append(f"{fate.frame:>8}  {fate.status:<23}  {about}")
    return "\n".join(lines) + "\n"


def _value(value: int | None) -> str:
    return "" if value is None else f"0x{value:02x}"


def status_rows(rows: Sequence[StatusRow], form: str) -> str:
    """The statuses as data; JSON also lists refused frames."""
    if form == "json":
        return to_json(rows)
    if form == "csv":
        names, schema = [column.name for column in STATUSES], schema_of(StatusRow)
        cells = ([column.cell(row) for column in STATUSES] for row in rows)
        return csv_text([*names, NAME], ([*line, schema] for line in cells))
    return to_markdown(rows, STATUSES)


def one_frame(row: FrameRow, width: int) -> str:
    """A frame, a field a line; fields that it does not have are left out."""
    fields: list[Column[FrameRow]] = [
        Column(_field(name), partial(_text, name=name))
        for name in row.__dataclass_fields__
        if name not in ("frame", "security_level_name") and getattr(row, name) is not None
    ]
    return "\n".join(on_its_side([row], fields, width)) + "\n"


def _field(name: str) -> str:
    words = (CAPITALS.get(word, word) for word in name.split("_"))
    return NAMES.get(name) or " ".join(words)


def _text(row: FrameRow, name: str) -> str:
    value: Any = getattr(row, name)
    if name == "security_level":
        return f"{value} ({row.security_level_name})"
    if name == "a_data_octets":
        return f"octets 0 to {value - 1}, authenticated" if value else "none"
    if name == "m_data":
        return f"{value} (encrypted)" if value else "none"
    return {True: "1", False: "0"}[value] if isinstance(value, bool) else str(value)


class Lines:
    """A line for each frame. Widths are fixed, so that the first line need not wait for the
    last."""

    def __init__(self, width: int, names: str = "") -> None:
        """Chooses the columns that fit, or those in `names`."""
        every = [column for column, _ in LINE]
        widths = {column.name: wide for column, wide in LINE}
        kept = None if names else fitting(every, widths, width)
        self.columns = chosen(every, names) if kept is None else kept
        self._widths = [widths[column.name] for column in self.columns[:-1]] + [0]
        left = [column for column in every if column not in self.columns]
        self.note = "" if names or not left else "\n".join(wrapped(note(left, width), width))

    def of(self, rows: Iterable[FrameRow]) -> Iterator[str]:
        """The line of names, then the frames."""
        yield self._line([column.name for column in self.columns])
        for row in rows:
            yield self._line([column.cell(row) for column in self.columns])

    def _line(self, cells: Sequence[str]) -> str:
        placed = (cell.ljust(width) for cell, width in zip(cells, self._widths, strict=True))
        return "  ".join(placed).rstrip() + "\n"


def _or_nothing(value: Any) -> str:
    return "" if value is None else str(value)


def _station(pan: str | None, address: str | None) -> str:
    """PAN and address, as far as the frame says them."""
    return "/".join(part for part in (pan, address) if part) or "-"


def _key(row: FrameRow) -> str:
    if row.key_identifier_mode is None:
        return ""
    if row.key_identifier_mode == 0:
        return "implicit"
    return f"{row.key_source + ':' if row.key_source else ''}{row.key_index}"


def _moment(row: FrameRow) -> str:
    if row.frame_counter is not None:
        return str(row.frame_counter)
    return f"ASN {row.asn}" if row.asn is not None else ""


def _status(row: FrameRow) -> str:
    where = f" (octet {row.octet})" if row.octet is not None else ""
    return row.status if row.reason is None else f"{row.status}: {row.reason}{where}"


LINE: tuple[tuple[Column[FrameRow], int], ...] = (
    (Column("frame", lambda row: str(row.frame), rank=0), 6),
    (Column("type", lambda row: row.frame_type or "", rank=1), 7),
    (Column("v", lambda row: _or_nothing(row.frame_version), rank=5), 1),
    (Column("seq", lambda row: _or_nothing(row.sequence_number), rank=3), 3),
    (Column("from", lambda row: _station(row.source_pan_id, row.source_address), rank=0), 21),
    (
        Column("to", lambda row: _station(row.destination_pan_id, row.destination_address), rank=0),
        21,
    ),
    (Column("level", lambda row: row.security_level_name or "", rank=0), 11),
    (Column("key", lambda row: _key(row), rank=3), 24),
    (Column("counter/ASN", lambda row: _moment(row), rank=2), 12),
    (Column("MIC", lambda row: row.mic or "", rank=4), 32),
    (Column("status", lambda row: _status(row), rank=0), 13),
)
"""Columns of a line, and how wide each is."""


def frame_rows(rows: Sequence[FrameRow], form: str) -> str:
    """Frames as data."""
    if form == "json":
        return to_json(rows)
    if form == "csv":
        return to_csv(rows)
    names = list(rows[0].__dataclass_fields__) if rows else []
    return to_markdown(rows, [Column(_field(name), _cell(name), text=True) for name in names])


def _cell(name: str) -> Any:
    return lambda row: _or_nothing(getattr(row, name))
