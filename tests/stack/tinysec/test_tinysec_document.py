# SPDX-License-Identifier: BSD-3-Clause
"""The document on what TinySec protects names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

NAMED = re.compile(r"`(test_\w+)`")


def test_every_test_that_is_named_is_there(root: Path) -> None:
    """Each row of its tables is played by a test."""
    document = (root / "docs/what-does-tinysec-protect.md").read_text(encoding="utf-8")
    sources = (root / "tests/stack/tinysec").glob("test_*.py")
    there = set(
        re.findall(r"^def (test_\w+)", "\n".join(path.read_text() for path in sources), re.M)
    )
    named = set(NAMED.findall(document))
    assert len(named) > 15
    assert named <= there, named - there
