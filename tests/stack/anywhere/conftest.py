# SPDX-License-Identifier: BSD-3-Clause
"""An empty folder that holds only a copy of `stack/`."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def alone(root: Path, tmp_path: Path) -> Path:
    """The copy."""
    unmade = shutil.ignore_patterns("build", "target")
    return Path(shutil.copytree(root / "stack", tmp_path / "empty/stack", ignore=unmade))
