# SPDX-License-Identifier: BSD-3-Clause
"""Rules that hold for every file: licence line, length, loose ends, prose wrapped in documents, one
vector file per primitive, and one decision per number.

Exit code 1 and one line per fault.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.faults import exit_with_faults

ROOMS = (
    "stack",
    "firmware",
    "motes",
    "bench",
    "host",
    "bindings",
    "tests",
    "scripts",
    "mk",
    "examples",
    "hdl",
)
SOURCES = frozenset(
    {".c", ".h", ".S", ".ld", ".rs", ".py", ".pyi", ".sh", ".mk", ".vhd", ".js", ".css"}
)
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"
MOST_LINES = 600
# Spelled in pieces, so that this file does not hold them.
LOOSE_ENDS = re.compile(
    r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b|\b(todo|unimplemented)!\("
)
DOCUMENT_ROOMS = (*ROOMS, "docs", "vectors", "published")
MOST_COLUMNS = 100
GENERATED = re.compile(r"<!-- [\w-]+: (?P<name>[^>]*?) -->")
"""Opens a generated block, or closes it where the name is `end`."""
LONE_LINK = re.compile(r"\s*(?:[*-] )?!?\[[^\]]*\]\([^)]*\)[.,;:]?")
PRIMITIVE_ROOMS = ("cipher", "hash", "mode")


def sources(root: Path) -> Iterator[Path]:
    """Source files of all rooms, Makefiles included, in a fixed order."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            made = "__pycache__" in path.parts or "target" in path.parts
            if path.is_file() and not made and (path.suffix in SOURCES or path.name == "Makefile"):
                yield path


def file_faults(root: Path) -> Iterator[str]:
    """Missing licence line (Rust files open with `//!` instead), too many lines, loose ends."""
    for path in sources(root):
        here = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        if path.suffix == ".rs":
            if not text.startswith("//!"):
                yield f"{here}: does not open with a `//!` line saying what it is"
        elif not any(LICENCE in line for line in lines[:2]):
            yield f"{here}: no `{LICENCE}` in its first two lines"
        if len(lines) > MOST_LINES:
            yield f"{here}: {len(lines)} lines, at most {MOST_LINES}"
        for number, line in enumerate(lines, start=1):
            if LOOSE_ENDS.search(line):
                yield f"{here}:{number}: a loose end: {line.strip()}"


def documents(root: Path) -> Iterator[Path]:
    """Markdown files of the root and of all rooms, in a fixed order."""
    yield from sorted(root.glob("*.md"))
    for room in DOCUMENT_ROOMS:
        yield from sorted((root / room).rglob("*.md"))


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines of a document that are prose: no table, heading, code, generated block or link
    alone on its line."""
    fenced = generated = code = False
    before = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if mark := GENERATED.match(line):
            generated = mark["name"] != "end"
        elif line.startswith("```"):
            fenced = not fenced
        # Four columns begin code after an empty line; elsewhere they continue a list.
        code = line.startswith("    ") and (code or not before.strip())
        apart = line.startswith(("|", "#", "<")) or LONE_LINK.fullmatch(line)
        if not (generated or fenced or code or apart):
            yield number, line
        before = line


def document_faults(root: Path) -> Iterator[str]:
    """Prose that is not wrapped."""
    for path in documents(root):
        for number, line in prose(path.read_text(encoding="utf-8")):
            if len(line) > MOST_COLUMNS:
                here = path.relative_to(root)
                yield f"{here}:{number}: prose of {len(line)} columns, at most {MOST_COLUMNS}"


def primitive_of(source: Path) -> str:
    """Primitive a source implements: `aes128_tab.c` and `aes128_small.c` are two variants of
    `aes128`."""
    return source.stem.split("_")[0]


def vector_faults(root: Path) -> Iterator[str]:
    """A primitive without a vector file: vectors/NAME.json, vectors/NAME_*.json or any in
    vectors/NAME/."""
    files = [path.relative_to(root / "vectors") for path in (root / "vectors").rglob("*.json")]
    stems = {path.stem for path in files} | {path.parts[0] for path in files if len(path.parts) > 1}
    for room in PRIMITIVE_ROOMS:
        # A source whose header lies beside it is a part of other primitives, such as keccak_p200.c
        # with keccak_p.h.
        parts = tuple(header.stem for header in (root / "stack/src" / room).glob("*.h"))
        whole = [
            path
            for path in (root / "stack/src" / room).glob("*.c")
            if not path.stem.startswith(parts)
        ]
        for name in sorted({primitive_of(path) for path in whole}):
            if not any(stem == name or stem.startswith(f"{name}_") for stem in stems):
                yield f"stack/src/{room}: primitive {name} has no vector file in vectors/"


def decision_faults(root: Path) -> Iterator[str]:
    """A decision whose number is not the next one: two that have the same, or one left out."""
    for number, path in enumerate(sorted((root / "docs/decisions").glob("*.md")), start=1):
        if not path.name.startswith(f"{number:04}-"):
            yield f"{path.relative_to(root)}: its number would be {number:04}"
            return


CHECKS = (file_faults, document_faults, vector_faults, decision_faults)

if __name__ == "__main__":
    exit_with_faults("rule", CHECKS)
