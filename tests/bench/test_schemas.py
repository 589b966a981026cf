# SPDX-License-Identifier: BSD-3-Clause
"""A class of rows whose fields change needs a new version, which the readers refuse.

`WARDMOTE_SCHEMAS=write` writes the digests of today's fields."""

import dataclasses
import hashlib
import importlib
import json
import os
import pkgutil
import typing
from pathlib import Path
from typing import Any

import pytest

import wardmote
from wardmote import schemas
from wardmote.errors import UsageError
from wardmote.measurements.function.baseline import read_baseline
from wardmote.measurements.function.rows import MeasureRow
from wardmote.rows import SlotRow
from wardmote.schemas import schema_of
from wardmote.views.data import to_csv, to_json
from wardmote.views.folder import from_json

KEPT = Path(__file__).with_name("schemas.json")
ROWS = Path(__file__).with_name("screens") / "rows.json"


def slot_row() -> SlotRow:
    """A row that was measured once."""
    return SlotRow.from_dict(json.loads(ROWS.read_text(encoding="utf-8"))["sweep"][0])


def classes() -> dict[str, type]:
    """Every class of rows of the bench, by its name, which no two share."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(wardmote.__path__, "wardmote."):
        if module.name.endswith("__main__"):
            continue
        for name, kind in vars(importlib.import_module(module.name)).items():
            if name.endswith("Row") and isinstance(kind, type) and hasattr(kind, "__annotations__"):
                assert found.setdefault(name, kind) is kind, name
    return found


def fields(kind: type) -> list[tuple[str, str]]:
    """Names and types of the fields, those of nested records included."""
    listed = []
    for name, hint in typing.get_type_hints(kind).items():
        listed.append((name, str(hint)))
        for part in (hint, *typing.get_args(hint)):
            if isinstance(part, type) and (
                dataclasses.is_dataclass(part) or hasattr(part, "_fields")
            ):
                listed += [(f"{name}.{inner}", text) for inner, text in fields(part)]
    return listed


def digest(kind: type) -> str:
    """Digest of the fields."""
    return hashlib.sha256(repr(fields(kind)).encode()).hexdigest()[:16]


def test_changed_fields_have_a_new_version() -> None:
    """Digests of fields are those that were kept for the version."""
    now = {schema_of(kind): digest(kind) for _, kind in sorted(classes().items())}
    if os.environ.get("WARDMOTE_SCHEMAS") == "write":
        KEPT.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
    assert now == json.loads(KEPT.read_text(encoding="utf-8"))
    assert set(schemas.CHANGED) <= set(classes())


def test_a_changed_field_is_seen() -> None:
    """Another name, another type and a nested field each give another digest."""

    def made(name: str, hint: Any) -> str:
        return digest(dataclasses.make_dataclass("Row", [(name, hint)]))

    inner = [dataclasses.make_dataclass("Inner", [("n", kind)]) for kind in (int, float)]
    kinds: list[Any] = [int, int | None, *inner]
    assert len({made("octets", kind) for kind in kinds} | {made("bytes", int)}) == 5


def test_rows_carry_their_schema() -> None:
    """In JSON and in CSV."""
    text = to_json([slot_row()])
    assert json.loads(text)[0]["schema"] == schema_of(SlotRow) == "SlotRow 5"
    head, line = to_csv([slot_row()]).splitlines()
    assert (head.split(",")[-1], line.split(",")[-1]) == ("schema", "SlotRow 5")
    assert from_json(text) == [slot_row()]


@pytest.mark.parametrize("schema", ["SlotRow 1", "MeasureRow 1", None, 7])
def test_another_schema_is_refused(schema: object, tmp_path: Path) -> None:
    """One line says which schema the rows have, and which is read."""
    row = {**json.loads(to_json([slot_row()]))[0], "schema": schema}
    with pytest.raises(UsageError, match="but this version reads SlotRow 5: measure again"):
        from_json(json.dumps([row]))
    path = tmp_path / "rows.json"
    names = [field.name for field in dataclasses.fields(MeasureRow)]
    path.write_text(json.dumps([dict.fromkeys(names, 1) | {"schema": "MeasureRow 0"}]))
    with pytest.raises(UsageError, match=r"rows\.json: rows of MeasureRow 0, but this version"):
        read_baseline(path)
