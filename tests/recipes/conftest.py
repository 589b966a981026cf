# SPDX-License-Identifier: BSD-3-Clause
"""The files that a recipe adds are tests of the copy, not of this tree. Each recipe builds a copy of
the tree: without `--long` one of them has its turn."""

import pytest

from tests.turn import of_this_commit

collect_ignore_glob = ["*/new/*"]
GROUP = "recipe-"


def _recipe(item: pytest.Item) -> str:
    """The group of a test that builds a copy; empty for others."""
    mark = item.get_closest_marker("xdist_group")
    name = str(mark.args[0]) if mark else ""
    return name if name.startswith(GROUP) else ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of one recipe, and those of none."""
    found = sorted({_recipe(item) for item in items} - {""})
    if config.getoption("long") or len(found) < 2:
        return
    chosen = found[of_this_commit() % len(found)]
    dropped = [item for item in items if _recipe(item) not in ("", chosen)]
    items[:] = [item for item in items if _recipe(item) in ("", chosen)]
    config.hook.pytest_deselected(items=dropped)
