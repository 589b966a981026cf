# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for a cipher: vectors pass on every CPU, and its costs are measured on each."""

import json

import pytest

from tests.recipes.recipe import Recipe, Tree, follow
from wardmote.cpus import CPUS

# One worker, so one copy of the tree, built once.
pytestmark = pytest.mark.xdist_group("recipe-cipher")

RECIPE = Recipe("cipher")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The copy in which the recipe was followed, with its libraries built."""
    copy = follow(RECIPE, tmp_path_factory.mktemp("cipher"), "build/stack", "build/native")
    copy.run("make", "-s", "stack")
    return copy


def test_its_vectors_run_on_every_cpu(tree: Tree) -> None:
    """The new test passes in the copy."""
    assert " passed" in tree.pytest("tests/stack/cipher/test_xtea.py")


def test_its_costs_are_measured_on_every_cpu(tree: Tree) -> None:
    """`wardmote primitives` has rows of it on every CPU, with verdict, flash and stack."""
    rows = json.loads(tree.wardmote("primitives", "--only", "xtea", "--format", "json"))
    assert {row["cpu"] for row in rows} >= set(CPUS)
    encrypt = [row for row in rows if row["operation"] == "encrypt" and row["cpu"] in CPUS]
    assert all(row["cycles"] > 32 * 10 and row["flash_octets"] > 100 for row in encrypt)
    assert len(encrypt) == len(CPUS)
    assert all(row["constant_time"] for row in encrypt)


def test_it_keeps_the_rules(tree: Tree) -> None:
    """Arrows, licence lines and vectors are as they must be."""
    tree.python("scripts.check_arrows")
    tree.python("scripts.check_files")
