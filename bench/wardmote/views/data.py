# SPDX-License-Identifier: BSD-3-Clause
"""Writes JSON and CSV.

Modules are imported where they are needed, because `wardmote frame` must start fast.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wardmote.schemas import NAME, schema_of


def values(row: Any) -> dict[str, Any]:
    """All values of a row, by name, and last the schema of its class."""
    return _fields(row) | {NAME: schema_of(type(row))}


def _fields(row: Any) -> dict[str, Any]:
    if hasattr(row, "as_dict"):
        return dict(row.as_dict())
    if hasattr(row, "_asdict"):
        return {
            name: [_fields(one) for one in value] if isinstance(value, tuple) else value
            for name, value in row._asdict().items()
        }
    import dataclasses

    return dataclasses.asdict(row)


def scalars(row: Any) -> dict[str, Any]:
    """The scalars of a row. Those of a nested object carry its name; lists are left to JSON."""
    flat: dict[str, Any] = {}
    for name, value in values(row).items():
        if isinstance(value, Mapping):
            flat |= {
                f"{name}_{inner}": one
                for inner, one in value.items()
                if not isinstance(one, list | tuple | dict)
            }
        elif not isinstance(value, list | tuple):
            flat[name] = value
    return flat


def to_json(rows: Sequence[Any]) -> str:
    """A JSON list of rows with all their values."""
    import json

    return json.dumps([values(row) for row in rows], indent=2) + "\n"


def to_lines(rows: Sequence[Any]) -> str:
    """The same with a line for each row, for files that are kept in the repository."""
    import json

    return "[\n{}\n]\n".format(",\n".join(json.dumps(values(row)) for row in rows))


def to_csv(rows: Sequence[Any]) -> str:
    """Comma-separated scalars below a line of names; rows of several kinds share the names they
    have in common, and an absent value is empty."""
    flats = [scalars(row) for row in rows]
    names = list(dict.fromkeys(name for flat in flats for name in flat))
    return csv_text(names, [[flat.get(name, "") for name in names] for flat in flats])


def csv_text(names: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """Lines of values below a line of names."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(lines)
    return out.getvalue()
