# SPDX-License-Identifier: BSD-3-Clause
"""The link layer on each target."""

from collections.abc import Iterator

import pytest

from tests.stack.conftest import USUAL, fresh
from tests.stack.link.linklib import HEADERS, TARGETS, Link
from wardmote.call import Target


@pytest.fixture(params=(*USUAL, "host-long"))
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the link layer is tested, without buffers of an earlier test."""
    yield from fresh(request.param, HEADERS)


@pytest.fixture(params=TARGETS)
def link(request: pytest.FixtureRequest) -> Link:
    """The link layer, once on each target."""
    return Link(request.param)


@pytest.fixture(scope="session")
def host_link() -> Link:
    """The link layer on the host, for tests with very many cases."""
    return Link("host")
