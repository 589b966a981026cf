# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of measured functions share."""

from pathlib import Path

import pytest


@pytest.fixture
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The FILE of the test's module: its name, and the functions in it."""
    name, text = request.module.FILE
    path: Path = tmp_path / name
    path.write_text(text)
    return path
