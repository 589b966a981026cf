# SPDX-License-Identifier: BSD-3-Clause
"""Loads the files of vectors/ and checks that they have the format vectors/README.md describes.

A test that asks for vectors gets at least one, or an error: an empty file or folder is never a
passed test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "vectors"
STATUS_HEADER = FOLDER.parent / "stack/include/wardmote/status.h"

SOURCE_MEMBERS = frozenset({"name", "clause", "licence", "provenance"})
TEXTS = frozenset({"comment", "result", "status", "call", "direction"})
OCTETS = re.compile(r"(?:[0-9a-f]{2})*")
STATUS = re.compile(r"^\s*(WM_\w+) = (-?\d+)", re.MULTILINE)


class VectorError(Exception):
    """A vector file that is missing, empty or not of the format; the message is one line."""


@cache
def statuses() -> Mapping[str, int]:
    """Every status of the stack by name, read from its header."""
    found = {
        name: int(value)
        for name, value in STATUS.findall(STATUS_HEADER.read_text(encoding="utf-8"))
    }
    if found.get("WM_OK") != 0:
        raise VectorError(f"{STATUS_HEADER}: no statuses found")
    return found


@dataclass(frozen=True, slots=True)
class Vector:
    """One test of one file."""

    file: str
    """Path below vectors/, e.g. `ccm/rfc3610.json`."""
    type: str
    """Type of its group."""
    parameters: Mapping[str, Any]
    """What its group sets for all of its tests."""
    members: Mapping[str, Any]
    """Everything the test itself says."""

    @property
    def tc_id(self) -> int:
        """Number of the test, unique in its file."""
        return int(self.members["tcId"])

    @property
    def comment(self) -> str:
        """What the case is about."""
        return str(self.members["comment"])

    @property
    def valid(self) -> bool:
        """Whether the stack must accept it."""
        return bool(self.members["result"] == "valid")

    @property
    def status(self) -> int:
        """The status the stack must answer."""
        return statuses()[self.members["status"]]

    def octets(self, name: str) -> bytes:
        """A member given in hexadecimal."""
        return bytes.fromhex(self.members[name])

    def number(self, name: str) -> int:
        """A member that is a number."""
        return int(self.members[name])

    def __str__(self) -> str:
        return f"{self.file}-tcId{self.tc_id}"


def load(
    where: str, type_: str | None = None, *, valid: bool | None = None, folder: Path = FOLDER
) -> list[Vector]:
    """The vectors of a file (`ccm/rfc3610.json`) or of all files of a folder (`ccm`), optionally of
    one group type and of one result only.
    """
    path = folder / where
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    found = [vector for file in files for vector in _read(file, folder)]
    kept = [v for v in found if type_ in (None, v.type) and valid in (None, v.valid)]
    if not kept:
        raise VectorError(f"vectors/{where}: nothing of type {type_} with valid = {valid}")
    return kept


def of_each_file(vectors: list[Vector]) -> pytest.MarkDecorator:
    """Gives a test the vectors of one file at a time, as `vectors`: a case takes less than pytest
    needs to name it."""
    files = {vector.file: [v for v in vectors if v.file == vector.file] for vector in vectors}
    return pytest.mark.parametrize("vectors", files.values(), ids=files)


@contextmanager
def named(case: str) -> Iterator[None]:
    """Says which case of a test it was that failed."""
    try:
        yield
    except AssertionError as error:
        error.add_note(case)
        raise


def thinned(vectors: list[Vector], stride: int) -> list[Vector]:
    """Every vector of a standard, and of those that a generator made one in `stride`."""
    made = [vector for vector in vectors if vector.file.endswith("/generated.json")]
    return [v for v in vectors if not v.file.endswith("/generated.json")] + made[::stride]


@cache
def _read(path: Path, folder: Path) -> tuple[Vector, ...]:
    try:
        name = path.relative_to(folder).as_posix()
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise VectorError(f"{path}: {error}") from error
    _need(
        name,
        set(document) == {"algorithm", "source", "groups"},
        "members are algorithm, source, groups",
    )
    source = document["source"]
    _need(
        name,
        set(source) == SOURCE_MEMBERS and all(source.values()),
        f"source says {', '.join(sorted(SOURCE_MEMBERS))}",
    )
    vectors: list[Vector] = []
    for group in document["groups"]:
        _need(
            name,
            set(group) - {"parameters"} == {"type", "tests"},
            "a group has type, tests and perhaps parameters",
        )
        parameters = group.get("parameters", {})
        vectors += (
            Vector(name, group["type"], parameters, _checked(name, test)) for test in group["tests"]
        )
    ids = [vector.tc_id for vector in vectors]
    _need(
        name,
        bool(ids) and ids[0] > 0 and ids == sorted(set(ids)),
        "tcId is positive, unique and rising",
    )
    return tuple(vectors)


def _checked(name: str, test: Mapping[str, Any]) -> Mapping[str, Any]:
    here = f"{name} tcId {test.get('tcId')}"
    _need(
        here,
        {"tcId", "comment", "result", "status"} <= set(test),
        "needs tcId, comment, result and status",
    )
    _need(here, test["result"] in ("valid", "invalid"), "result is valid or invalid")
    _need(here, test["status"] in statuses(), f"unknown status {test['status']}")
    _need(here, (test["result"] == "valid") == (test["status"] == "WM_OK"), "valid means WM_OK")
    _check_members(here, test)
    return test


def _check_members(here: str, members: Mapping[str, Any]) -> None:
    """Every string is octets or one of the few texts, every number is a non-negative integer."""
    for member, value in members.items():
        if isinstance(value, str):
            _need(
                here,
                member in TEXTS or OCTETS.fullmatch(value) is not None,
                f"{member} is not lower-case hexadecimal",
            )
        elif isinstance(value, list):
            for entry in value:
                _check_members(here, entry)
        else:
            _need(
                here, type(value) is int and value >= 0, f"{member} is not a non-negative integer"
            )


def _need(here: str, truth: bool, rule: str) -> None:
    if not truth:
        raise VectorError(f"vectors/{here}: {rule}")
