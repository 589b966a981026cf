# SPDX-License-Identifier: BSD-3-Clause
"""The form of a vector file, which vectors/README.md describes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
Test = dict[str, Any]


def source(name: str, clause: str, licence: str, provenance: str) -> dict[str, str]:
    """The source of a file."""
    return {"name": name, "clause": clause, "licence": licence, "provenance": provenance}


def printed(name: str, clause: str, by: str = " by the model") -> dict[str, str]:
    """The source of values that a publication prints, and who recomputed them."""
    return source(name, clause, "facts of a publication", f"values as printed; recomputed{by}")


def made_by(script: str, name: str, clause: str, licence: str = "BSD-3-Clause") -> dict[str, str]:
    """The source of values that `name` computed for a generator."""
    return source(name, clause, licence, f"made by vectors/{script}.py")


@dataclass(frozen=True)
class Group:
    """Tests of one type, with what they all have in common."""

    type: str
    tests: Iterable[Test]
    parameters: Mapping[str, str] = field(default_factory=dict)


def text(algorithm: str, source: Mapping[str, str], *groups: Group) -> str:
    """A whole file. Tests are numbered through; a group without tests is left out."""
    number, out = 1, []
    for group in groups:
        tests = [{"tcId": tc_id, **test} for tc_id, test in enumerate(group.tests, start=number)]
        number += len(tests)
        parameters: Test = {"parameters": group.parameters} if group.parameters else {}
        out += [{"type": group.type, **parameters, "tests": tests}] if tests else []
    document = {"algorithm": algorithm, "source": source, "groups": out}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write(files: Mapping[str, str]) -> None:
    """Writes every file; a path is below vectors/."""
    for path, content in files.items():
        (FOLDER / path).parent.mkdir(exist_ok=True)
        (FOLDER / path).write_text(content, encoding="utf-8")
