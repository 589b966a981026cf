# SPDX-License-Identifier: BSD-3-Clause
"""The wheel, installed once for the tests of a process."""

from pathlib import Path

import pytest

from tests.bench.campaign.installed import Installed, install


@pytest.fixture(scope="session")
def installed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An environment that holds only the wheel."""
    return install(root, tmp_path_factory.mktemp("installed"))
