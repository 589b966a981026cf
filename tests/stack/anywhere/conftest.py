# SPDX-License-Identifier: BSD-3-Clause
"""An empty folder that holds only a copy of `stack/`."""

from pathlib import Path

import pytest

from tests.stack.anywhere.copies import FRAMES, copied, keep


@pytest.fixture(scope="session")
def alone(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy, for tests that put nothing into it or beside it."""
    return copied(root, tmp_path_factory.mktemp("alone"))


@pytest.fixture
def own(root: Path, tmp_path: Path) -> Path:
    """A copy for one test, in a folder that it may change."""
    return copied(root, tmp_path)


@pytest.fixture
def few(own: Path) -> Path:
    """The copy with the sources of frames: for tests of how a library is made, not of what is in
    it."""
    return keep(own, *FRAMES)
