# SPDX-License-Identifier: BSD-3-Clause
"""Reads rows that a report keeps: from its folder, from one of its files, or from a git revision in
which the folder was."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wardmote.errors import UsageError
from wardmote.schemas import NAME
from wardmote.study.baseline import RowSets

SUFFIX = ".json"


def row_sets(place: Path) -> RowSets:
    """The rows of a folder or file, by their schema; raises UsageError if there are none."""
    files = [place]
    if place.is_dir():
        files = sorted([*place.glob(f"*{SUFFIX}"), *place.glob(f"*/*{SUFFIX}")])
    try:
        texts = [(str(file), file.read_bytes()) for file in files]
    except OSError as error:
        raise UsageError(f"{place}: cannot be read: {error.strerror}") from error
    return _sets(texts, str(place))


def row_sets_at(revision: str, folder: Path) -> RowSets:
    """The rows that a folder held at a revision of the repository that it lies in. Raises
    UsageError if there is no such revision, or no such folder in it."""
    where = folder.resolve()
    if not where.is_dir():
        raise UsageError(f"no baseline {revision!r}, and no folder {folder} that may have had one")
    try:
        place = _git(where, "rev-parse", "--show-prefix").decode().strip().rstrip("/")
        found = _git(where, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(
            f"no baseline {revision!r}: give a report folder, a file of rows, a git revision in "
            "which the report is kept, or `published`"
        ) from error
    tree = f"{found.decode().strip()}:{place}"
    try:
        words = ("ls-tree", "-r", "-z", "--full-tree", "--name-only", tree)
        listed = _git(where, *words).decode().split("\0")
        files = [name for name in listed if name.endswith(SUFFIX)]
        head = f"{tree}/" if place else tree
        texts = [(name, _git(where, "show", f"{head}{name}")) for name in files]
    except subprocess.CalledProcessError as error:
        raise UsageError(
            f"{revision} has no {place or folder}: keep the report in git, or measure that "
            "revision in a folder of its own"
        ) from error
    return _sets(texts, f"{revision}:{place}")


def _git(folder: Path, *words: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(folder), *words], check=True, capture_output=True
    ).stdout


def _sets(texts: list[tuple[str, bytes]], where: str) -> RowSets:
    found: dict[str, list[dict[str, Any]]] = {}
    for name, text in texts:
        for row in _rows(name, text):
            found.setdefault(row[NAME], []).append(row)
    if not found:
        raise UsageError(f"{where}: no rows of wardmote")
    return found


def _rows(name: str, text: bytes) -> Iterator[dict[str, Any]]:
    """The rows in a file; a file of something else has none."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: no JSON: {str(error)[:80]}") from error
    for one in values if isinstance(values, list) else ():
        if isinstance(one, dict) and isinstance(one.get(NAME), str):
            yield one
