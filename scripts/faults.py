# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all checkers: they look for faults in a tree and print one line for each."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

Check = Callable[[Path], Iterable[str]]
"""Yields the faults of the tree at a folder, one line each."""


def all_faults(root: Path, checks: Sequence[Check]) -> list[str]:
    """Every fault below `root`."""
    return [fault for check in checks for fault in check(root)]


def exit_with_faults(word: str, checks: Sequence[Check]) -> None:
    """Ends the process with one line for each fault of this repository, and exit code 1 if there is
    one."""
    found = all_faults(Path(__file__).resolve().parent.parent, checks)
    sys.exit("\n".join(f"{word}: {fault}" for fault in found) or 0)
