# SPDX-License-Identifier: BSD-3-Clause
"""Builds of the stack and of images with a defect that was put into their sources, so that a test can
show that what looks for such defects finds them. What the defect does not touch is not built again.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("stack", "firmware", "boards", "mk", "tests/stack")
NOT_BUILT = shutil.ignore_patterns("*.py", "*.pyc", "__pycache__", "*.md")

Change = tuple[str, str, str]
"""A file, a part of its text that is there once, and what is there instead."""


def _copy(folder: Path, built: Sequence[str], changes: Sequence[Change]) -> None:
    """A copy with its times, so that `make` knows what is up to date."""
    for name in (*SOURCES, *built):
        shutil.copytree(ROOT / name, folder / name, ignore=NOT_BUILT, dirs_exist_ok=True)
    for name, right, wrong in changes:
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(right) == 1, (name, right)
        (folder / name).write_text(text.replace(right, wrong), encoding="utf-8")


def _make(folder: Path, *words: str) -> None:
    done = subprocess.run(
        ("make", "-s", *words), cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def host_library(folder: Path, changes: Sequence[Change]) -> Path:
    """The library for this machine."""
    _copy(folder, ("build/stack/obj/host",), changes)
    shutil.copy2(ROOT / "build/stack/obj/ports.ld", folder / "build/stack/obj/ports.ld")
    wanted = "build/stack/host/libwardmote.so"
    _make(folder, "-C", "stack", "-f", "../mk/archives.mk", f"../{wanted}")
    return folder / wanted


def image(folder: Path, board: str, name: str, changes: Sequence[Change]) -> bytes:
    """An image of a board."""
    _copy(folder, (f"build/firmware/{board}/object",), changes)
    wanted = f"build/firmware/{board}/{name}.elf"
    _make(folder, "-C", "firmware", f"BOARD={board}", f"../{wanted}")
    return (folder / wanted).read_bytes()
