# SPDX-License-Identifier: BSD-3-Clause
"""Which of many like tests have their turn: the commit chooses, so that `make test` takes some of them
and others with the next commit. `--long` takes all."""

import subprocess
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).resolve().parent.parent


def of_this_commit() -> int:
    """A number that follows from the commit of this tree; 0 where there is none."""
    words = ("git", "rev-parse", "HEAD")
    return crc32(subprocess.run(words, cwd=ROOT, capture_output=True, check=False).stdout)
