# SPDX-License-Identifier: BSD-3-Clause
"""The file checker passes this repository and catches each kind of fault in a small one."""

from pathlib import Path

import pytest

from scripts import check_files as files
from scripts.faults import all_faults

LICENCE = "/* SPDX-License-Identifier: BSD-3-Clause */\n"


def write(tree: Path, name: str, text: str) -> None:
    """Writes one file of a small repository."""
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_this_repository_keeps_its_rules(root: Path) -> None:
    """The repository keeps its own rules."""
    assert all_faults(root, files.CHECKS) == []


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("stack/src/util/wipe.c", "int x;\n", "no `SPDX"),
        ("motes/crates/a/src/lib.rs", "fn f() {}\n", "does not open with a `//!` line"),
        ("stack/src/util/wipe.c", LICENCE + "int x;\n" * 600, "601 lines, at most 600"),
        ("stack/src/util/wipe.c", LICENCE + "/* TO" + "DO: more */\n", ":2: a loose end"),
        ("motes/crates/a/src/lib.rs", "//! a\nfn f() { to" + "do!() }\n", ":2: a loose end"),
        ("README.md", "word " * 20 + "x\n", "README.md:1: prose of 101 columns, at most 100"),
        ("docs/decisions/0001-a.md", "* item\n    " + "word " * 20, "prose of 104 columns"),
        ("examples/README.md", f"[a](b) {'word ' * 20}\n", "prose of 107 columns"),
        (
            "docs/a.md",
            "<!-- a: b -->\n<!-- a: end -->\n" + "word " * 21,
            ":3: prose of 105 columns",
        ),
        ("stack/src/cipher/rc5_tab.c", LICENCE, "primitive rc5 has no vector file in vectors/"),
    ],
)
def test_fault_is_caught(tmp_path: Path, name: str, text: str, says: str) -> None:
    """One broken rule gives one fault that says which."""
    write(tmp_path, name, text)
    faults = all_faults(tmp_path, files.CHECKS)
    assert len(faults) == 1
    assert says in faults[0]


@pytest.mark.parametrize("numbers", [(1, 1), (1, 3), (2,)])
def test_decisions_are_numbered_one_by_one(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    """No two decisions have one number, and none is left out."""
    for place, number in enumerate(numbers):
        write(tmp_path, f"docs/decisions/{number:04}-{'ab'[place]}.md", "# A\n")
    (fault,) = all_faults(tmp_path, files.CHECKS)
    assert fault.endswith(f"its number would be {len(numbers):04}")


def test_variants_share_a_vector_file(tmp_path: Path) -> None:
    """Variants of a primitive are served by one vector file, wherever under vectors/ it lies."""
    for variant in ("small", "tab"):
        write(tmp_path, f"stack/src/cipher/aes128_{variant}.c", LICENCE)
    write(tmp_path, "vectors/aes128/sp800-38a.json", "{}")
    assert all_faults(tmp_path, files.CHECKS) == []


@pytest.mark.parametrize(
    "text",
    [
        f"| a | b |\n| --- | --- |\n| {'word ' * 20} | b |\n",
        f"# {'word ' * 20}\n",
        f"One line:\n\n    {'word ' * 20}\n    {'word ' * 20}\n",
        f"```c\n{'word ' * 20}x\n```\n",
        f"* [{'word ' * 19}](https://example.org/page)\n",
        f"<!-- wardmote: answer -->\n> {'word ' * 20}\n<!-- wardmote: end -->\n",
        f"{'word ' * 19}tenxy\n",
    ],
)
def test_what_is_not_prose_may_be_long(tmp_path: Path, text: str) -> None:
    """Tables, headings, code, links alone on a line and generated blocks are not wrapped; a line of
    100 columns is."""
    write(tmp_path, "docs/a.md", text)
    assert all_faults(tmp_path, files.CHECKS) == []
