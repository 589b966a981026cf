# SPDX-License-Identifier: BSD-3-Clause
"""The programs that run for longer than one test."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interop.linux_peer import LinuxPeer


@pytest.fixture(scope="session")
def linux_built(root: Path) -> Path:
    """Folder of the Linux peer. Without `make peers` its tests are skipped, but fail where
    CI=true."""
    built = root / "build/peers/linux"
    if not all((built / name).is_file() for name in ("linux", "agent", "host")):
        missing = "no Linux to talk to: run `make peers`"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return built


@pytest.fixture(scope="module")
def peer(linux_built: Path) -> Iterator[LinuxPeer]:
    """A Linux guest for all tests of a file, each of which gives its interface fresh tables."""
    with LinuxPeer(linux_built) as guest:
        yield guest
