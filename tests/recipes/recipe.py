# SPDX-License-Identifier: BSD-3-Clause
"""A recipe: files to add, lines to insert, and a copy of the tree in which both are done.

A folder of tests/recipes is one recipe. `new/` mirrors the tree and holds the files that a person
who follows the recipe writes. `edits.toml` holds the lines that this person adds to files that
exist: `[[edit]]` with `file`, `line` (one that stands there once) and `becomes`.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
DOCUMENT = ROOT / "docs/how-do-i-add.md"
FILE_CELL = re.compile(r"^\| (new|edited) \| `([^`]+)` \|", re.MULTILINE)
"""A row of a recipe's table of files."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A line of a file, and the line or lines that take its place."""

    file: str
    line: str
    becomes: str

    def apply(self, root: Path) -> None:
        """Edits the file; the line must stand there exactly once."""
        path = root / self.file
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [n for n, line in enumerate(lines) if line.strip() == self.line.strip()]
        assert len(places) == 1, f"{self.file}: {len(places)} lines are {self.line!r}, not 1"
        lines[places[0]] = self.becomes.strip("\n") + "\n"
        path.write_text("".join(lines), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a person adds, by the name of its folder."""

    name: str

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return FOLDER / self.name

    def new(self) -> list[str]:
        """The files to add, below the root of the tree."""
        made = self.folder / "new"
        files = (path for path in made.rglob("*") if path.is_file())
        return sorted(
            path.relative_to(made).as_posix() for path in files if "__pycache__" not in path.parts
        )

    def edits(self) -> list[Edit]:
        """The lines to insert."""
        path = self.folder / "edits.toml"
        found = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return [Edit(**one) for one in found.get("edit", ())]

    def edited(self) -> list[str]:
        """The files that exist and are edited by hand."""
        return sorted({one.file for one in self.edits()})

    def documented(self) -> tuple[list[str], list[str]]:
        """New and edited files as the document's table of this recipe lists them."""
        text = DOCUMENT.read_text(encoding="utf-8")
        [section] = re.findall(
            rf"^## [^\n]*\b{self.name}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
        )
        rows = FILE_CELL.findall(section)
        return (
            sorted(file for kind, file in rows if kind == "new"),
            sorted(file for kind, file in rows if kind == "edited"),
        )


def tracked() -> Iterator[str]:
    """Every file of this tree that git does not ignore, below the root."""
    words = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    yield from (name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())


@dataclass(frozen=True, slots=True)
class Tree:
    """A copy of this tree in which a recipe was followed."""

    root: Path

    def run(self, *words: str, seconds: float = 600) -> str:
        """Runs a program at the root of the copy and returns its output. The exit code must be
        0."""
        environment = os.environ | {
            "PYTHONPATH": str(self.root / "bench"),
            "CARGO_TARGET_DIR": str(self.root / "build/cargo"),
        }
        done = subprocess.run(
            words,
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, (
            f"{' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        )
        return done.stdout

    def python(self, *words: str) -> str:
        """Runs a module of Python, with the bench of this copy."""
        return self.run(sys.executable, "-m", *words)

    def wardmote(self, *words: str) -> str:
        """Runs the command line of this copy."""
        return self.python("wardmote", *words)

    def pytest(self, *words: str) -> str:
        """Runs tests of this copy in one process."""
        return self.python("pytest", "-n", "0", "-p", "no:cacheprovider", *words)


def follow(recipe: Recipe, root: Path, *built: str) -> Tree:
    """Copies the tree to `root` with what is built in these folders, and does what the recipe says.
    Times of files are kept, so that make builds only what is new."""
    for name in tracked():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
    for name in built:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, symlinks=True)
    for extension in (ROOT / "bench/wardmote").glob("*.so"):
        shutil.copy2(extension, root / "bench/wardmote")
    for name in recipe.new():
        assert not (root / name).exists(), f"{name} is there already"
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(recipe.folder / "new" / name, root / name)
    for edit in recipe.edits():
        edit.apply(root)
    return Tree(root)
