# SPDX-License-Identifier: BSD-3-Clause
"""Which of many like tests have their turn: the commit chooses, so that `make test` takes some of them
and others with the next commit. `--long` takes all."""

import subprocess
from pathlib import Path
from zlib import crc32

import pytest

ROOT = Path(__file__).resolve().parent.parent


def of_this_commit() -> int:
    """A number that follows from the commit of this tree; 0 where there is none."""
    words = ("git", "rev-parse", "HEAD")
    return crc32(subprocess.run(words, cwd=ROOT, capture_output=True, check=False).stdout)


def waits(item: pytest.Item, commit: int) -> bool:
    """Whether a test that is marked `turns(n)` has its turn with another commit. Those of one
    `xdist_group` have it together, for what takes the time is what they share; `turns(n, name)` has
    it with all of that name."""
    mark, group = item.get_closest_marker("turns"), item.get_closest_marker("xdist_group")
    if mark is None:
        return False
    often, *named = mark.args
    name = str((*named, *(group.args if group else ()), item.nodeid)[0])
    return crc32(name.encode(), commit) % int(often) != 0
