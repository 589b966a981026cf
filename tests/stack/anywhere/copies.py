# SPDX-License-Identifier: BSD-3-Clause
"""Copies of `stack/`, whole or with few sources."""

import shutil
from pathlib import Path

FRAMES = (
    *("cipher/aes128_[est]*.c", "hash/sha256*.c", "link/ie*.c", "link/link_security.c"),
    *("mode/ccm.c", "util/*.c"),
)
"""Sources that the self-test and a frame under one key take, below `src/`."""


def copied(root: Path, folder: Path) -> Path:
    """A copy in an empty folder, without what was made."""
    unmade = shutil.ignore_patterns("build", "target")
    return Path(shutil.copytree(root / "stack", folder / "empty/stack", ignore=unmade))


def sources(stack: Path, *patterns: str) -> set[Path]:
    """What matches one of the patterns below `src/`."""
    return {path for pattern in patterns for path in (stack / "src").glob(pattern)}


def keep(stack: Path, *patterns: str) -> Path:
    """The copy with no sources but these."""
    for path in sources(stack, "*/*.c") - sources(stack, *patterns):
        path.unlink()
    return stack
