# SPDX-License-Identifier: BSD-3-Clause
"""docs/how-was-it-tested.md names, for each defect that once was, a test and a commit that there
are; and for each defect of others a test."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

TEST = r"^\| (?P<defect>[^|]+) \| `(?P<path>[^`:]+)::(?P<function>\w+)` \|"
MENDED = re.compile(TEST + r" `(?P<commit>[0-9a-f]{7})` \|$")
# The tables by their headings: what a row looks like, and how many there are at least.
TABLES = {
    "## Defects that once were": (MENDED, 16),
    "## Defects of others": (re.compile(TEST + "$"), 9),
}


def rows(root: Path, heading: str) -> list[re.Match[str]]:
    """The rows of the table; fails if a line of the table is no such row."""
    text = (root / "docs/how-was-it-tested.md").read_text(encoding="utf-8")
    section = text.split(f"\n{heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    row, least = TABLES[heading]
    found = [row.match(line) for line in lines]
    assert len(found) >= least
    assert all(found), [line for line, row in zip(lines, found, strict=True) if row is None]
    return [row for row in found if row is not None]


def functions(path: Path) -> set[str]:
    """The functions of a Python file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("heading", TABLES)
def test_each_defect_has_its_test(root: Path, heading: str) -> None:
    """Every row names a function of tests/ that pytest runs, and no two rows the same."""
    named = [(row["path"], row["function"]) for row in rows(root, heading)]
    assert len(set(named)) == len(named)
    for path, function in named:
        assert Path(path).name.startswith("test_")
        assert function.startswith("test_")
        if function not in functions(root / path):
            pytest.fail(f"{path} has no {function}")


def git(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """An answer of git about this checkout."""
    command = ("git", "-C", str(root), *words)
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_each_defect_has_its_commit(root: Path) -> None:
    """Every row names a commit of the history. A copy without the history knows none of them."""
    commits = [row["commit"] for row in rows(root, "## Defects that once were")]
    found = [
        commit
        for commit in commits
        if git(root, "merge-base", "--is-ancestor", commit, "HEAD").returncode == 0
    ]
    assert found in ([], commits)
