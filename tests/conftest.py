# SPDX-License-Identifier: BSD-3-Clause
"""What all tests share: the repository, what the Makefile has built, and programs nobody here
wrote."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tests.turn import of_this_commit, waits

ROOT = Path(__file__).resolve().parent.parent

# In CI the same examples every time; elsewhere new ones, and those that failed are kept.
settings.register_profile(
    "laptop", database=DirectoryBasedExampleDatabase(ROOT / "build/hypothesis"), deadline=None
)
settings.register_profile("ci", database=None, derandomize=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "laptop")


@pytest.fixture(scope="session", autouse=True)
def wide_screen() -> Iterator[None]:
    """Text of the bench has all the width it wants; tests of narrow screens say how narrow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "2000")
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long`: every case there is; `--turns`: those that this commit chooses, as `make test` does."""
    parser.addoption(
        "--long",
        action="store_true",
        help="take every case of the portable and small forms, and every recipe",
    )
    parser.addoption(
        "--turns",
        action="store_true",
        help="leave out tests marked `turns` that have their turn with another commit",
    )


def pytest_configure() -> None:
    """A shell that starts tests in the background has them ignore interrupts, and so would the
    programs that they interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--turns`, leaves out the tests that are marked `turns` and have theirs with another
    commit. Puts those that are marked `early` in front: one that takes half a minute and begins
    last would leave the other worker without work. pytest-xdist has groups of tests begin before
    these."""
    commit = of_this_commit()
    dropped = [item for item in items if config.getoption("turns") and waits(item, commit)]
    left_out = set(dropped)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=dropped)
    items.sort(key=lambda item: item.get_closest_marker("early") is None)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def oracle() -> Callable[[str], str]:
    """Finds a program to test against. If it is missing the test is skipped, but fails where
    CI=true."""

    def find(program: str) -> str:
        path = shutil.which(program)
        if path is None and os.environ.get("CI") == "true":
            pytest.fail(f"{program} is missing, and CI must have it")
        if path is None:
            pytest.skip(f"{program} is not installed")
        return path

    return find


@pytest.fixture(scope="session")
def slot_images(root: Path) -> Path:
    """Folder with the images `slot` of the TelosB; `make firmware` builds them."""
    folder = root / "build/firmware/telosb"
    missing = [
        name
        for name in ("software", "hybrid", "hardware")
        if not (folder / f"slot-{name}.elf").is_file()
    ]
    if missing:
        pytest.fail(f"no image for {', '.join(missing)}: run `make firmware`")
    return folder
