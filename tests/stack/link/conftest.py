# SPDX-License-Identifier: BSD-3-Clause
"""The link layer on each target."""

import pytest

from tests.stack.link.linklib import TARGETS, Link


@pytest.fixture(params=TARGETS)
def link(request: pytest.FixtureRequest) -> Link:
    """The link layer, once on each target."""
    return Link(request.param)


@pytest.fixture(scope="session")
def host_link() -> Link:
    """The link layer on the host, for tests with very many cases."""
    return Link("host")
