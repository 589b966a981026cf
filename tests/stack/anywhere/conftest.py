# SPDX-License-Identifier: BSD-3-Clause
"""An empty folder that holds only a copy of `stack/`."""

import shutil
from pathlib import Path

import pytest

FRAMES = ("cipher/aes128*", "cipher/cipher*", "hash/sha256*", "link/*", "mode/ccm*", "util/*")
"""Sources that the self-test and a frame under one key take."""


@pytest.fixture
def alone(root: Path, tmp_path: Path) -> Path:
    """The copy."""
    unmade = shutil.ignore_patterns("build", "target")
    return Path(shutil.copytree(root / "stack", tmp_path / "empty/stack", ignore=unmade))


@pytest.fixture
def few(alone: Path) -> Path:
    """The copy with no sources but these: for tests of how a library is made, not of what is in
    it."""
    kept = {path for pattern in FRAMES for path in (alone / "src").glob(pattern)}
    for path in set((alone / "src").glob("*/*.c")) - kept:
        path.unlink()
    return alone
