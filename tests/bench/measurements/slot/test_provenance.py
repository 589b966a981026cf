# SPDX-License-Identifier: BSD-3-Clause
"""A row says from which commit its figures are."""

import subprocess
from pathlib import Path

from wardmote.measurements.slot import provenance


def git(folder: Path, *words: str) -> str:
    """What git says in a folder."""
    own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", folder, *own, *words], check=True, capture_output=True)
    return done.stdout.decode().strip()


def test_commit_of_a_tree(tmp_path: Path) -> None:
    """Unknown outside git and before the first commit; then its first 12 digits, and `+changes` if a
    file of it differs; in a wheel what its file says. Files that git does not know do not count."""
    commit = provenance.commit.__wrapped__
    assert commit(tmp_path) == "unknown"
    git(tmp_path, "init", "-q")
    assert commit(tmp_path) == "unknown"
    file = tmp_path / "file"
    file.write_text("a")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-qm", "a")
    head = git(tmp_path, "rev-parse", "HEAD")[:12]
    (tmp_path / "other").write_text("a")
    assert commit(tmp_path) == head
    file.write_text("b")
    assert commit(tmp_path) == f"{head}+changes"
    (tmp_path / "commit.txt").write_text("0123456789ab\n")
    assert commit(tmp_path) == "0123456789ab"


def test_flags_stand_beside_an_image(tmp_path: Path) -> None:
    """In a file of the same name; unknown without it."""
    image = tmp_path / "slot.elf"
    assert provenance.flags_of(image) == "unknown"
    (tmp_path / "slot.flags").write_text("-O2 -g\n")
    assert provenance.flags_of(image) == "-O2 -g"


def test_compilers_of_an_image() -> None:
    """Each that names itself in the debug information, once, without its options."""
    said = b"\0clang version 22.1 (x)\0GNU C17 12.2.0 -mmcu=avr51 -O2\0clang version 22.1 (x)\0"
    assert provenance.compiler_of(said) == "GNU C17 12.2.0; clang version 22.1 (x)"
    assert provenance.compiler_of(b"nothing") == "unknown"
