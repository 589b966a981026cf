# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for an experiment: a verb, rows in every format, and a section of the report's page."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.recipes.recipe import Recipe, Tree, follow
from wardmote.boards import with_image

# One worker, so one copy of the tree.
pytestmark = pytest.mark.xdist_group("recipe-experiment")

RECIPE = Recipe("experiment")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The copy in which the recipe was followed."""
    return follow(RECIPE, tmp_path_factory.mktemp("experiment"), "build/firmware")


def test_it_is_a_verb(tree: Tree) -> None:
    """Its question is its help, its rows come in every format, and the answer stands last."""
    assert "first 10 ms" in tree.wardmote("startup", "--help")
    assert "startup" in tree.wardmote("--help")
    table = tree.wardmote("startup")
    assert table.rstrip().splitlines()[-1].startswith("The least is ")
    rows = json.loads(tree.wardmote("startup", "--format", "json"))
    assert {row["board"] for row in rows} == set(with_image("primitives"))
    assert all(row["charge_uc"] > 0 for row in rows)
    read = list(csv.DictReader(io.StringIO(tree.wardmote("startup", "--format", "csv"))))
    assert [row["board"] for row in read] == [row["board"] for row in rows]


def test_it_is_in_the_report(tree: Tree) -> None:
    """Measured into a report folder, it is a section of the page."""
    folder = tree.root / "build/report"
    words = ("--board", "telosb", "--strategy", "hardware", "--level", "5", "--exchanges", "10")
    tree.wardmote("slot", *words, "--report", str(folder))
    tree.wardmote("startup", "--report", str(folder))
    assert "How much charge does a board take in its first 10 ms?" in (
        folder / "index.html"
    ).read_text("utf-8")
    assert json.loads(Path(folder / "startup.json").read_bytes())


def test_it_keeps_the_rules(tree: Tree) -> None:
    """Formatter, linter, types and arrows have nothing to say about it."""
    new = RECIPE.new()
    tree.python("ruff", "format", "--check", *new)
    tree.python("ruff", "check", *new)
    tree.python("scripts.check_arrows")
    tree.python("scripts.check_files")
