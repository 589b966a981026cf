# SPDX-License-Identifier: BSD-3-Clause
"""Compares today's rows with rows of an earlier day."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote.changes import is_worse, percent_of
from wardmote.errors import UsageError
from wardmote.measurements.function.rows import MeasureRow
from wardmote.schemas import read

QUANTITIES = ("cycles_median", "cycles_max", "stack_octets", "flash_octets", "ram_octets")
KEY = ("cpu", "operation", "octets", "flags")
"""What two rows must have in common to be compared."""
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One quantity of one row, then and now."""

    cpu: str
    operation: str
    octets: int
    quantity: str
    """A column of the rows, `constant_time` among them: 1 if it holds."""
    old: int | None
    new: int | None
    percent: float | None
    """Change relative to the old value; None if the old value is 0 or one of the two is unknown."""
    worse: bool
    """The value grew by more than the tolerance; for `constant_time`: it held and no longer
    does."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows against a file."""

    baseline: str
    tolerance_percent: float
    changes: tuple[Change, ...]
    missing: tuple[str, ...]
    """Rows of the file that today's measurement does not have."""
    added: tuple[str, ...]
    """Rows that the file does not have."""
    compilers: tuple[str, ...]
    """CPUs whose compiler has changed, with the old and the new one."""

    @property
    def worse(self) -> tuple[Change, ...]:
        """What went beyond the tolerance."""
        return tuple(change for change in self.changes if change.worse)


def read_baseline(path: Path) -> list[dict[str, Any]]:
    """Reads rows that `wardmote measure --format json` wrote."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: no JSON: {error}") from error
    needed = {*KEY, *QUANTITIES, "constant_time"}
    if (
        not isinstance(rows, list)
        or not rows
        or not all(isinstance(row, dict) and needed <= set(row) for row in rows)
    ):
        raise UsageError(f"{path}: no rows that `wardmote measure --format json` wrote")
    try:
        return [read(row, MeasureRow) for row in rows]
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def compare(
    rows: Sequence[MeasureRow], path: Path, earlier: Sequence[Mapping[str, Any]], percent: float
) -> Comparison:
    """Compares rows with those of the file `path`."""
    old = _by_key(earlier, str(path))
    new = _by_key(
        [
            {name: getattr(row, name) for name in (*KEY, *QUANTITIES, "constant_time", "compiler")}
            for row in rows
        ],
        "now",
    )
    both = [key for key in new if key in old]
    if not both:
        raise UsageError(f"{path} has no row to compare: it has {'; '.join(map(_named, old))}")
    changes = [change for key in both for change in _changes(old[key], new[key], percent)]
    compilers = [
        f"{key[0]}: {old[key]['compiler']} then, {new[key]['compiler']} now"
        for key in both
        if "compiler" in old[key] and old[key]["compiler"] != new[key]["compiler"]
    ]
    return Comparison(
        path.name,
        percent,
        tuple(changes),
        tuple(_named(key) for key in old if key not in new),
        tuple(_named(key) for key in new if key not in old),
        tuple(dict.fromkeys(compilers)),
    )


def _by_key(rows: Sequence[Mapping[str, Any]], where: str) -> dict[Key, Mapping[str, Any]]:
    found: dict[Key, Mapping[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in KEY)
        if key in found:
            raise UsageError(f"two rows of {_named(key)} in {where}: they cannot be told apart")
        found[key] = row
    return found


def _named(key: Key) -> str:
    return f"{key[1]} of {key[2]} octets on {key[0]} ({key[3]})"


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], tolerance: float) -> list[Change]:
    found = [
        _change(old, new, name, tolerance)
        for name in QUANTITIES
        if old[name] is not None or new[name] is not None
    ]
    if old["constant_time"] is not None or new["constant_time"] is not None:
        ends = [
            None if row["constant_time"] is None else int(row["constant_time"])
            for row in (old, new)
        ]
        lost = ends[0] == 1 and ends[1] != 1
        found.append(
            Change(
                new["cpu"],
                new["operation"],
                new["octets"],
                "constant_time",
                ends[0],
                ends[1],
                None,
                lost,
            )
        )
    return found


def _change(old: Mapping[str, Any], new: Mapping[str, Any], name: str, tolerance: float) -> Change:
    before, now = old[name], new[name]
    percent, worse = percent_of(before, now), is_worse(before, now, tolerance)
    return Change(new["cpu"], new["operation"], new["octets"], name, before, now, percent, worse)
