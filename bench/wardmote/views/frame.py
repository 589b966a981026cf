# SPDX-License-Identifier: BSD-3-Clause
"""What became of frames, and frames taken apart, in words and columns.

Plain text: it begins at once, and a line a frame can be cut and searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wardmote.frame.rows import StatusRow
from wardmote.frame.run import Outcome

if TYPE_CHECKING:
    from wardmote.frame.frame_row import FrameRow

NAMES = {
    "frame_octets": "octets",
    "pan_id_compression": "PAN ID compression",
    "ie_present": "IE present",
    "destination_pan_id": "destination PAN ID",
    "source_pan_id": "source PAN ID",
    "asn": "ASN",
    "asn_in_nonce": "ASN in nonce",
    "header_ies": "header IEs",
    "mic": "MIC",
    "fcs": "FCS",
    "a_data_octets": "a-data",
    "m_data": "m-data",
}


def summary(outcome: Outcome, verb: str) -> str:
    """The table of statuses, the refused frames that are listed, and one line in words."""
    table = [["status", "value", "frames"]]
    table += [[row.status, _value(row.value), str(row.frames)] for row in outcome.rows]
    lines = _aligned(table, right=(2,))
    listed = [one for row in outcome.rows for one in row.refused]
    for one in sorted(listed, key=lambda refused: refused.frame):
        where = f" (octet {one.octet})" if one.octet is not None else ""
        lines.append(f"frame {one.frame}: {one.status}: {one.reason}{where}")
    if outcome.refused > len(listed):
        lines.append(f"and {outcome.refused - len(listed)} more: --limit lists them")
    return "\n".join([*lines, answer(outcome, verb)]) + "\n"


def answer(outcome: Outcome, verb: str) -> str:
    """One sentence: how many, by which key, how many were refused."""
    good = outcome.frames - outcome.refused
    used = [f"{count} with {name}" for name, count in outcome.by_key if count]
    clear = [f"{outcome.in_clear} came in clear"] if outcome.in_clear else []
    said = ", ".join(used + clear)
    text = f"{good} of {outcome.frames} frames {verb}" + (f": {said}" if said else "")
    return f"{text}; {outcome.refused} refused, {outcome.written} written."


def _value(value: int | None) -> str:
    return "" if value is None else f"0x{value:02x}"


def _aligned(table: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Columns as wide as their widest cell."""
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    lines = []
    for line in table:
        placed = enumerate(zip(line, widths, strict=True))
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in placed
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def status_rows(rows: Sequence[StatusRow], form: str) -> str:
    """The statuses as data; JSON also lists refused frames."""
    if form == "json":
        import json

        return (
            json.dumps(
                [{**r._asdict(), "refused": [one._asdict() for one in r.refused]} for r in rows],
                indent=2,
            )
            + "\n"
        )
    table = [[row.status, _value(row.value), str(row.frames)] for row in rows]
    if form == "csv":
        return "".join(",".join(line) + "\n" for line in [["status", "value", "frames"], *table])
    return "".join(
        f"| {' | '.join(line)} |\n"
        for line in [["status", "value", "frames"], ["---", "---", "---:"], *table]
    )


def one_frame(row: FrameRow) -> str:
    """A frame, a field a line; fields that it does not have are left out."""
    table = []
    for name in row.__dataclass_fields__:
        value = getattr(row, name)
        if value is None or name in ("frame", "security_level_name"):
            continue
        table.append([_field(name), _text(row, name, value)])
    return "\n".join(_aligned(table)) + "\n"


def _field(name: str) -> str:
    return NAMES.get(name, name.replace("_", " "))


def _text(row: FrameRow, name: str, value: Any) -> str:
    if name == "security_level":
        return f"{value} ({row.security_level_name})"
    if name == "a_data_octets":
        return f"octets 0 to {value - 1}, authenticated" if value else "none"
    if name == "m_data":
        return f"{value} (encrypted)" if value else "none"
    return {True: "1", False: "0"}[value] if isinstance(value, bool) else str(value)


def frame_lines(rows: Iterator[FrameRow]) -> Iterator[str]:
    """A line a frame, below a line of names."""
    head = (
        "frame",
        "type",
        "v",
        "seq",
        "from",
        "to",
        "level",
        "key",
        "counter/ASN",
        "MIC",
        "status",
    )
    widths = (6, 7, 1, 3, 21, 21, 11, 24, 12, 32, 0)
    yield (
        "  ".join(name.ljust(width) for name, width in zip(head, widths, strict=True)).rstrip()
        + "\n"
    )
    for row in rows:
        cells = (
            *(
                str(row.frame),
                row.frame_type or "",
                _or_nothing(row.frame_version),
                _or_nothing(row.sequence_number),
            ),
            *(
                _station(row.source_pan_id, row.source_address),
                _station(row.destination_pan_id, row.destination_address),
            ),
            *(row.security_level_name or "", _key(row), _moment(row), row.mic or "", _status(row)),
        )
        yield (
            "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
            + "\n"
        )


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
    if row.reason is None:
        return row.status
    return f"{row.status}: {row.reason}" + (
        f" (octet {row.octet})" if row.octet is not None else ""
    )


def frame_rows(rows: Sequence[FrameRow], form: str) -> str:
    """Frames as data."""
    from wardmote.views import plain

    if form == "json":
        return plain.to_json(rows)
    if form == "csv":
        return plain.to_csv(rows)
    names = list(rows[0].__dataclass_fields__) if rows else []
    return plain.to_markdown(
        rows, [plain.Column(_field(name), _cell(name), text=True) for name in names]
    )


def _cell(name: str) -> Any:
    return lambda row: _or_nothing(getattr(row, name))
