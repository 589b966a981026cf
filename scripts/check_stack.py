# SPDX-License-Identifier: BSD-3-Clause
"""Rules that keep `stack/` whole when it is copied alone: C++ may include every header, all C files
link together, tests name a double by its file alone, and the licence and the version are the
repository's.

Exit code 1 and one line per fault.
"""

import re
import tomllib
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from scripts.faults import exit_with_faults

FORM = "WM_FORM_SMALL"
WITHOUT_DECLARATIONS = frozenset(("linkage.h", "psdu_names.h", "version.h"))
NUMBERED = re.compile(r"^#define WARDMOTE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)
NAMED = re.compile(r'^#define WARDMOTE_VERSION "(.*)"$', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def words(path: Path) -> list[str]:
    """The lines of a C file that hold code."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return [line.strip() for line in text.splitlines() if line.strip()]


def header_faults(root: Path) -> Iterator[str]:
    """Public headers whose declarations C++ would take for its own. WM_C_BEGIN follows the last
    include, WM_C_END precedes the last #endif."""
    for path in sorted((root / "stack/include").rglob("*.h")):
        if path.name in WITHOUT_DECLARATIONS:
            continue
        lines, here = words(path), path.relative_to(root)
        last = max((at for at, line in enumerate(lines) if line.startswith("#include")), default=-1)
        if last < 0 or lines[last + 1 : last + 2] != ["WM_C_BEGIN"]:
            yield f"{here}: no WM_C_BEGIN after its includes"
        if lines[-2:] != ["WM_C_END", "#endif"]:
            yield f"{here}: no WM_C_END before its last #endif"


def is_one_block(lines: list[str], opening: str) -> bool:
    """Whether the lines are includes, then one conditional block to the end."""
    while lines and lines[0].startswith("#include"):
        lines = lines[1:]
    depths = accumulate(line.startswith("#if") - line.startswith("#endif") for line in lines)
    return lines[:1] == [opening] and 0 not in list(depths)[:-1] and lines[-1] == "#endif"


def form_faults(root: Path) -> Iterator[str]:
    """Finds two sources of the same functions that one compilation would take both, or neither."""
    for small in sorted((root / "stack/small").glob("*.c")):
        references = sorted((root / "stack/src").glob(f"*/{small.name}"))
        if len(references) != 1:
            yield f"{small.relative_to(root)}: takes the place of {len(references)} files of src/"
        for path, word in ((small, "#ifdef"), *((path, "#ifndef") for path in references)):
            if not is_one_block(words(path), f"{word} {FORM}"):
                yield f"{path.relative_to(root)}: not one `{word} {FORM}` behind its includes"


def double_faults(root: Path) -> Iterator[str]:
    """Doubles of tests that have one name: calls would find the header of the first alone."""
    seen: dict[str, Path] = {}
    for path in sorted((root / "tests/stack").glob("*/*_double.h")):
        if path.name in seen:
            first = seen[path.name].relative_to(root)
            yield f"{path.relative_to(root)}: {first} has the same name"
        seen.setdefault(path.name, path)


def fact_faults(root: Path) -> Iterator[str]:
    """Copies of the licence and of the version that differ."""
    if (root / "LICENSE").read_bytes() != (root / "stack/LICENSE").read_bytes():
        yield "stack/LICENSE: differs from LICENSE"
    header = (root / "stack/include/wardmote/version.h").read_text(encoding="utf-8")
    version = ".".join(NUMBERED.findall(header))
    if NAMED.findall(header) != [version]:
        yield f"stack/include/wardmote/version.h: WARDMOTE_VERSION is not {version}"
    python = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    cargo = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))
    rust = tomllib.loads((root / "bindings/rust/Cargo.toml").read_text(encoding="utf-8"))
    for name, other in (
        ("pyproject.toml", python["project"]["version"]),
        ("Cargo.toml", cargo["workspace"]["package"]["version"]),
        ("bindings/rust/Cargo.toml", rust["package"]["version"]),
    ):
        if other != version:
            yield f"{name}: version {other}, but stack/include/wardmote/version.h has {version}"


CHECKS = (header_faults, form_faults, double_faults, fact_faults)

if __name__ == "__main__":
    exit_with_faults("stack", CHECKS)
