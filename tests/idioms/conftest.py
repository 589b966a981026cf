# SPDX-License-Identifier: BSD-3-Clause
"""Programs, each compiled once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.idioms.build import BUILDERS


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`program("telosb")`, or with a file in place of the right one: `program("telosb", "bus_rule.c")`."""

    @cache
    def built(board: str, defect: str | None = None) -> Path:
        return BUILDERS[board](tmp_path_factory.mktemp(board), defect)

    return built
