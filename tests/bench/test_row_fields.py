# SPDX-License-Identifier: BSD-3-Clause
"""Each field of each class of rows has an expectation: it is named in a test of that class. A field
that is new, and of which no test says what it must be, fails here."""

import re
import typing
from pathlib import Path

import pytest

from tests.bench.test_schemas import classes

MEASUREMENTS = "tests/bench/measurements"
PRIMITIVES = f"{MEASUREMENTS}/primitives/test_row_fields.py"
LIBRARIES = f"{MEASUREMENTS}/libraries/test_row_fields.py"
TABLES = f"{MEASUREMENTS}/footprint/test_tables.py"
STUDY = "tests/bench/study/test_made_up_rows.py"
DRIFT = f"{MEASUREMENTS}/slot/test_drift_fields.py"
CLASSES = classes()
WHERE: dict[str, tuple[str, ...]] = {
    "AnchorRow": (PRIMITIVES,),
    "AsconRow": (PRIMITIVES,),
    "BatteryRow": ("tests/bench/study/test_battery.py",),
    "ChoiceRow": (PRIMITIVES,),
    "CodeRow": (TABLES,),
    "ComparisonRow": (STUDY,),
    "CrossingRow": (PRIMITIVES,),
    "DriftRow": (DRIFT,),
    "EntryRow": (TABLES,),
    "FormRow": (PRIMITIVES,),
    "Host32Row": (PRIMITIVES,),
    "LibraryPrimitiveRow": (LIBRARIES,),
    "LibraryRow": (LIBRARIES,),
    "MeasureRow": (f"{MEASUREMENTS}/function/test_row_fields.py",),
    "NetworkRow": (TABLES,),
    "OperationRow": (PRIMITIVES,),
    "PaperRow": (PRIMITIVES,),
    "ParameterRow": (STUDY,),
    "PolicyRow": ("tests/bench/experiments/test_policy.py",),
    "PrimitiveRow": (PRIMITIVES,),
    "RecommendationRow": (PRIMITIVES,),
    "SlotRow": (f"{MEASUREMENTS}/slot/test_row_fields.py",),
    "SmallestRow": (PRIMITIVES,),
    "SparseRow": (DRIFT,),
    "SystemRow": (f"{MEASUREMENTS}/system/test_row_fields.py",),
    "ThroughputRow": (STUDY,),
}
"""Files with the expectations; of other classes those that name the class or its module."""


@pytest.fixture(scope="module")
def tests(root: Path) -> dict[str, str]:
    """Every test file but this one, by its path."""
    paths = (path for path in (root / "tests").rglob("*.py") if path != Path(__file__))
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def unexpected(kind: type, tests: dict[str, str]) -> list[str]:
    """Fields that no test of a class names."""
    names = kind.__name__, kind.__module__
    own = WHERE.get(names[0]) or [
        path for path, text in tests.items() if any(name in text for name in names)
    ]
    words = {word for path in own for word in re.findall(r"\w+", tests[path])}
    return [name for name in typing.get_type_hints(kind) if name not in words]


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_field_has_an_expectation(name: str, tests: dict[str, str]) -> None:
    """Of each class."""
    assert unexpected(CLASSES[name], tests) == []


def test_a_new_field_is_seen(tests: dict[str, str]) -> None:
    """A class with a field more, and one that no test names, have none."""
    more = type("AsconRow", (CLASSES["AsconRow"],), {"__annotations__": {"quite_new": int}})
    assert unexpected(more, tests) == ["quite_new"]
    unheard = type("Unheard" + "OfRow", (), {"__annotations__": {"quite_new": int}})
    assert unexpected(unheard, tests) == ["quite_new"]
    assert set(WHERE) <= set(CLASSES)
