# SPDX-License-Identifier: BSD-3-Clause
"""How many files each recipe touches, and that the document lists exactly these."""

import pytest

from tests.recipes.recipe import Recipe

MOST_PLACES = {"cipher": (5, 1), "board": (8, 1), "protocol": (15, 3), "experiment": (1, 1)}
"""New files, and files that are edited by hand."""


@pytest.mark.parametrize("name", MOST_PLACES)
def test_places_to_touch(name: str) -> None:
    """A recipe has at most so many new and edited files, and the document lists them."""
    recipe = Recipe(name)
    assert (recipe.new(), recipe.edited()) == recipe.documented()
    new, edited = MOST_PLACES[name]
    assert len(recipe.new()) <= new
    assert len(recipe.edited()) <= edited


def test_an_experiment_is_one_line() -> None:
    """The file that is edited gets one line more."""
    [edit] = Recipe("experiment").edits()
    assert len(edit.becomes.strip("\n").splitlines()) == len(edit.line.splitlines()) + 1
