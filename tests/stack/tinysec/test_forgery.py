# SPDX-License-Identifier: BSD-3-Clause
"""The program of `make forgery`, in a short form: fewer tags and fewer guesses."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

BITS, TRIES = 20, 200_000


def test_guessed_tags(root: Path) -> None:
    """One of all tags is accepted, and guesses of two octets at their rate."""
    subprocess.run(["make", "-s", "build/forgery"], cwd=root, check=True)
    done = subprocess.run(
        [root / "build/forgery", str(BITS), str(TRIES)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert re.match(rf"comparison: 1 of 2\^{BITS} tags accepted\nreceiver: \d", done.stdout)
