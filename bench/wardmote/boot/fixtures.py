# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of pytest for tests of firmware. In conftest.py:

pytest_plugins = ["wardmote.boot.fixtures"]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from wardmote.boot.air import Air, Mote


@pytest.fixture
def air() -> Air:
    """An air of its own for each test."""
    return Air()


@pytest.fixture
def mote(air: Air) -> Callable[..., Mote]:
    """Makes motes in that air: `mote("app.elf", board="telosb")`."""
    return partial(Mote, air=air)
