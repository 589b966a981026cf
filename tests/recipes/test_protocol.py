# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for a protocol: vectors, fuzz target, image on every board, and an experiment."""

import json

import pytest

from tests.recipes.recipe import Recipe, Tree, follow

# One worker, so one copy of the tree, built once.
pytestmark = pytest.mark.xdist_group("recipe-protocol")

RECIPE = Recipe("protocol")
FUZZ_RUNS = "2000"
IMAGE_BOARDS = ("telosb", "openmote-cc2538")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The copy in which the recipe was followed, with libraries, its images and fuzz target built."""
    built = ("build/stack", "build/native", "build/firmware", "build/fuzz")
    copy = follow(RECIPE, tmp_path_factory.mktemp("protocol"), *built)
    copy.run("make", "-s", "stack", "build/fuzz/fuzz_tinylink")
    for board in IMAGE_BOARDS:
        copy.run("make", "-s", "-C", "firmware", f"BOARD={board}", "FOLDERS=tinylink")
    return copy


def test_its_vectors_run_on_every_cpu(tree: Tree) -> None:
    """The new test passes in the copy."""
    assert " passed" in tree.pytest("tests/stack/tinylink/test_tinylink.py")


def test_its_fuzz_target_runs(tree: Tree) -> None:
    """The driver finds the target by its name, and the target finds nothing."""
    said = tree.python("scripts.fuzz", "run", "--runs", FUZZ_RUNS, "tinylink")
    assert "tinylink" in said


def test_its_image_answers_on_every_board(tree: Tree) -> None:
    """Every board whose record names the image has it, and the experiment counts its frames."""
    rows = json.loads(tree.wardmote("tinylink", "--format", "json"))
    assert {row["board"] for row in rows} == set(IMAGE_BOARDS)
    assert all(row["frames"] > 10 for row in rows)


def test_it_keeps_the_rules(tree: Tree) -> None:
    """Arrows, licence lines and vectors are as they must be."""
    tree.python("scripts.check_arrows")
    tree.python("scripts.check_files")
