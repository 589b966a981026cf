# SPDX-License-Identifier: BSD-3-Clause
"""The simulator that judges."""

from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def mspdebug(oracle: Callable[[str], str]) -> str:
    """mspdebug, an independent simulator."""
    return oracle("mspdebug")
