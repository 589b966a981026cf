# SPDX-License-Identifier: BSD-3-Clause
"""Targets of the network layer."""

from collections.abc import Iterator

import pytest

from tests.stack.conftest import fresh
from wardmote.call import Target
from wardmote.cpus import CPU_NAMES


@pytest.fixture(params=("host", *CPU_NAMES, "msp430-small", "powerpc"))
def few(request: pytest.FixtureRequest) -> Iterator[Target]:
    """One target of each kind, where forms differ in ciphers only, and the form that differs in more:
    it has assembly of its own."""
    yield from fresh(request.param, request.module.HEADERS)
