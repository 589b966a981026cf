# SPDX-License-Identifier: BSD-3-Clause
"""The two programs that are compared."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.cpu_msp430.simulators import find_msp430_run


@pytest.fixture(scope="session")
def msp430_run(root: Path) -> Path:
    """Our core as a program."""
    return find_msp430_run(root)


@pytest.fixture(scope="session")
def mspdebug(oracle: Callable[[str], str]) -> str:
    """mspdebug, a simulator nobody here wrote."""
    return oracle("mspdebug")
