# SPDX-License-Identifier: BSD-3-Clause
"""`make help` on a terminal of 80 columns."""

import re
import subprocess
from pathlib import Path


def test_make_help_fits_a_terminal(root: Path) -> None:
    """Every verb has its line, in order; none is wider than the terminal, and no word is lost."""
    done = subprocess.run(
        ["make", "-s", "-C", root, "help"], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) < 80
    verbs = [line.split()[1] for line in lines if line.startswith("make ")]
    assert verbs == sorted(verbs)
    files = (root / "Makefile", *sorted((root / "mk").glob("*.mk")))
    said = dict(
        found
        for file in files
        for found in re.findall(r"^([a-z-]+):.*## (.*)$", file.read_text(), re.MULTILINE)
    )
    assert set(verbs) == set(said)
    shown = " ".join(done.stdout.split())
    assert all(" ".join(text.split()) in shown for text in said.values())
