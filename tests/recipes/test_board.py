# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for a board of known chips: it boots, and costs what its chips cost elsewhere."""

import json
import shutil

import pytest

from tests.recipes.recipe import Recipe, Tree, follow

# One worker, so one copy of the tree, built once.
pytestmark = pytest.mark.xdist_group("recipe-board")

RECIPE = Recipe("board")
CASE = ("--strategy", "hardware", "--level", "5", "--exchanges", "200", "--format", "json")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The copy in which the recipe was followed, with its images `slot` and its extension built."""
    built = ("build/firmware", "build/stack/host", "build/cargo/release")
    copy = follow(RECIPE, tmp_path_factory.mktemp("board"), *built)
    copy.run("make", "-s", "-C", "firmware", "BOARD=toymote", "FOLDERS=slot")
    copy.run("cargo", "build", "--quiet", "--locked", "--release", "--package", "python")
    [extension] = (copy.root / "bench/wardmote").glob("*.so")
    [library] = (copy.root / "build/cargo/release").glob("lib*motes.so")
    shutil.copy(library, extension)
    return copy


def test_every_list_of_boards_has_it(tree: Tree) -> None:
    """Help texts and refusals name the new board, although no list was edited."""
    for verb in ("slot", "measure", "trace", "sweep", "footprint"):
        assert "toymote" in tree.wardmote(verb, "--help"), verb


def test_it_costs_what_its_chips_cost_elsewhere(tree: Tree) -> None:
    """Its slots are the TelosB's to the last figure, since only pins differ."""
    rows = [
        json.loads(tree.wardmote("slot", "--board", board, *CASE))
        for board in ("toymote", "telosb")
    ]
    assert {row["definition"] for row in rows[0]} == {"deployable", "needed", "paper"}
    for ours, theirs in zip(*rows, strict=True):
        different = {name for name in ours if ours[name] != theirs[name]}
        published = {name for name in different if name.startswith("published_")}
        assert different - published == {"board", "provenance"}
        assert (ours["exchanges"] >= 200, ours["lost"], ours["late"]) == (True, 0, 0)
