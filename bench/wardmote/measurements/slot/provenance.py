# SPDX-License-Identifier: BSD-3-Clause
"""Provenance of a measurement: commit, compiler and flags of the image, source of the timing."""

import hashlib
import re
import subprocess
from functools import cache
from pathlib import Path

from wardmote import __version__
from wardmote.boards import BOARDS
from wardmote.paths import ROOT
from wardmote.rows import Provenance

COMMIT = "commit.txt"
"""A wheel has the commit in this file, because it has no repository."""
PRODUCER = re.compile(rb"[ -~]*(?:clang version|GNU C[0-9]*) [ -~]+")


@cache
def commit(root: Path = ROOT) -> str:
    """Commit of the repository, with `+changes` if the tree differs from it; `unknown` outside git.
    A wheel has the commit that it was built from."""
    if (built_from := root / COMMIT).is_file():
        return built_from.read_text(encoding="utf-8").strip()
    try:
        head = _git(root, "rev-parse", "--short=12", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}+changes" if changed else head


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def compiler_of(elf: bytes) -> str:
    """Name and version of the compiler, from the debug information."""
    # GCC adds its options after the version; the row has them in `flags`.
    found = {match[0].decode().split(" -")[0] for match in PRODUCER.finditer(elf)}
    return "; ".join(sorted(found)) or "unknown"


def flags_of(path: Path) -> str:
    """Flags of the image, from the file that its Makefile writes beside it."""
    beside = path.with_suffix(".flags")
    return beside.read_text(encoding="utf-8").strip() if beside.is_file() else "unknown"


def provenance_of(path: Path, seed: int, board: str) -> Provenance:
    """Provenance of a measurement with the image at `path`."""
    elf = path.read_bytes()
    return Provenance(
        wardmote=__version__,
        commit=commit(),
        compiler=compiler_of(elf),
        flags=flags_of(path),
        image=path.name,
        image_sha256=hashlib.sha256(elf).hexdigest(),
        seed=seed,
        timing_model=BOARDS[board].timing_model,
    )
