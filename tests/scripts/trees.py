# SPDX-License-Identifier: BSD-3-Clause
"""Small repositories for the tests of the checkers."""

from collections.abc import Mapping
from pathlib import Path


def written(root: Path, files: Mapping[str, str]) -> Path:
    """The folder with these files in it, by path below it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
