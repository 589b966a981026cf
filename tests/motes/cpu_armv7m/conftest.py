# SPDX-License-Identifier: BSD-3-Clause
"""Our core as a program. The other machine, unicorn, is a package: without it these tests fail to
import."""

from pathlib import Path

import pytest

from tests.motes.cpu_armv7m.emulators import find_armv7m_run


@pytest.fixture(scope="session")
def armv7m_run(root: Path) -> Path:
    """Our core as a program."""
    return find_armv7m_run(root)
