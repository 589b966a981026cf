# SPDX-License-Identifier: BSD-3-Clause
"""Runs the test benches of hdl/tb, which `make hdl-benches` builds, with scripts made here."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCHES = ROOT / "build/hdl/benches"


class BenchError(AssertionError):
    """The bench found a difference; the text is what it said."""


def play(
    bench: str,
    script: Iterable[str],
    folder: Path,
    *,
    counts: Path | None = None,
    **generics: object,
) -> str:
    """Runs a bench with the lines of a script and returns what it says at the end. The script lies
    in `folder`; the counts of lines go to `counts`, or are thrown away."""
    steps = folder / "script"
    steps.write_text("".join(f"{line}\n" for line in script))
    done = subprocess.run(
        [
            str(BENCHES / bench),
            "--ieee-asserts=disable",  # before the reset there is nothing to compare
            f"-gSCRIPT={steps}",
            *(f"-g{name.upper()}={value}" for name, value in generics.items()),
        ],
        env={**os.environ, "GCOV_PREFIX": str(counts or folder / "counts")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BenchError(done.stdout + done.stderr)
    return done.stdout
