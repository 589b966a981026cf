# SPDX-License-Identifier: BSD-3-Clause
"""The version of each class of rows. JSON and CSV carry it with every row, and a reader refuses
another one. A class has version 1 until its fields change; tests/bench/test_schemas.py fails if
they do and the version does not. If the same fields get cases that an answer cannot do without,
the version goes up too."""

from collections.abc import Mapping
from typing import Any

from wardmote.errors import OldRowsError, UsageError

CHANGED: dict[str, int] = {
    "SlotRow": 5,
    "ShortestRow": 2,
    "AccountRow": 2,
    "EnergyRow": 3,
    "ThroughputRow": 5,
    "TinysecEnergyRow": 2,
    "IpsecFootprintRow": 2,
    "ResponseRow": 4,
    "TinysecBoardsRow": 2,
    "MeasureRow": 3,
    "PrimitiveRow": 2,
    "ZigbeePictureRow": 2,
    "ZigbeeFootprintRow": 2,
    "ZigbeeThroughputRow": 2,
}
"""Class -> version, of those whose fields have changed, or the cases that an answer needs."""
NAME = "schema"
"""What the version is called in a row."""


def schema_of(kind: type) -> str:
    """Class and version, such as `SlotRow 1`."""
    return f"{kind.__name__} {CHANGED.get(kind.__name__, 1)}"


def read(values: Any, kind: type) -> dict[str, Any]:
    """The values of a row without its schema; raises OldRowsError if it has another one, and
    UsageError if it has none."""
    found = values.get(NAME) if isinstance(values, Mapping) else None
    if found != schema_of(kind):
        old = isinstance(found, str)
        what = f"rows of {found}" if old else "rows without a schema"
        fault = OldRowsError if old else UsageError
        raise fault(f"{what}, but this version reads {schema_of(kind)}: measure again")
    return {name: value for name, value in values.items() if name != NAME}
