# SPDX-License-Identifier: BSD-3-Clause
"""Which of many like tests have their turn: the commit chooses, so that `make test` takes some of them
and others with the next commit. `make test LONG=1` takes all.

As a program it says, by its exit code, whether the real Linux has its turn: CI builds its kernel then."""

import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest

ROOT = Path(__file__).resolve().parent.parent
REAL_LINUX = (3, "linux")
"""Marks tests against a real Linux, whose kernel takes longer to build than most tests to run."""


def of_this_commit() -> int:
    """A number that follows from the commit of this tree; 0 where there is none."""
    words = ("git", "rev-parse", "HEAD")
    return crc32(subprocess.run(words, cwd=ROOT, capture_output=True, check=False).stdout)


def comes(often: int, name: str, commit: int) -> bool:
    """Whether what has its turn with one commit in `often` has it with this one."""
    return crc32(name.encode(), commit) % often == 0


def waits(item: pytest.Item, commit: int) -> bool:
    """Whether a test that is marked `turns(n)` has its turn with another commit. Those of one
    `xdist_group` have it together, for what takes the time is what they share; `turns(n, name)` has
    it with all of that name."""
    mark, group = item.get_closest_marker("turns"), item.get_closest_marker("xdist_group")
    if mark is None:
        return False
    often, *named = mark.args
    name = str((*named, *(group.args if group else ()), item.nodeid)[0])
    return not comes(int(often), name, commit)


if __name__ == "__main__":
    sys.exit(not comes(*REAL_LINUX, of_this_commit()))
