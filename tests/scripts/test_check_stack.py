# SPDX-License-Identifier: BSD-3-Clause
"""The checker of `stack/` passes this repository and catches each kind of fault in a small one."""

from pathlib import Path

import pytest

from scripts import check_stack
from scripts.faults import all_faults
from tests.scripts.trees import written

HEADER = "stack/include/wardmote/wipe.h"
SOURCE = "stack/src/hash/sha1_compress.c"
SMALL = "stack/small/sha1_compress.c"
WHOLE = {
    "LICENSE": "BSD\n",
    "stack/LICENSE": "BSD\n",
    "pyproject.toml": '[project]\nversion = "1.2.3"\n',
    "Cargo.toml": '[workspace.package]\nversion = "1.2.3"\n',
    "bindings/rust/Cargo.toml": '[package]\nversion = "1.2.3"\n',
    "stack/include/wardmote/version.h": "".join(
        f"#define WARDMOTE_VERSION{name} {value}\n"
        for name, value in (("_MAJOR", 1), ("_MINOR", 2), ("_PATCH", 3), ("", '"1.2.3"'))
    ),
    HEADER: "#ifndef A\n#include <b.h>\n/* c\n */\nWM_C_BEGIN\nint f();\nWM_C_END\n\n#endif\n",
    SOURCE: '#include "a.h"\n#ifndef WM_FORM_SMALL\n#if A\nint x;\n#endif\nint y;\n#endif\n',
    SMALL: '#include "a.h"\n\n#ifdef WM_FORM_SMALL /* b */\nint x;\n#endif\n',
}


def tree(root: Path) -> Path:
    """A small repository without fault."""
    return written(root, WHOLE)


def test_this_repository_keeps_its_rules(root: Path) -> None:
    """The repository keeps the rules, and the small one has no fault to begin with."""
    assert all_faults(root, check_stack.CHECKS) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        (HEADER, "WM_C_BEGIN\n", "", "wipe.h: no WM_C_BEGIN"),
        (HEADER, "WM_C_BEGIN\nint f();\n", "int f();\nWM_C_BEGIN\n", "wipe.h: no WM_C_BEGIN"),
        (HEADER, "#include <b.h>\n", "", "wipe.h: no WM_C_BEGIN"),
        (HEADER, "WM_C_END\n", "", "wipe.h: no WM_C_END"),
        (SOURCE, "#ifndef WM_FORM", "#ifdef WM_FORM", "src/hash/sha1_compress.c: not one"),
        (SOURCE, "int y;\n#endif\n", "#endif\nint y;\n", "src/hash/sha1_compress.c: not one"),
        (SOURCE, "int y;\n", "#endif\nint y;\n#if A\n", "src/hash/sha1_compress.c: not one"),
        (SMALL, "#ifdef WM_FORM_SMALL /* b */\n", "", "small/sha1_compress.c: not one"),
        ("stack/LICENSE", "BSD", "MIT", "stack/LICENSE: differs"),
        ("pyproject.toml", "1.2.3", "1.2.4", "pyproject.toml: version 1.2.4"),
        ("Cargo.toml", "1.2.3", "0.2.3", "Cargo.toml: version 0.2.3"),
        ("bindings/rust/Cargo.toml", "1.2.3", "0.2.3", "rust/Cargo.toml: version 0.2.3"),
        ("stack/include/wardmote/version.h", '"1.2.3"', '"1.2.0"', "WARDMOTE_VERSION is not 1.2.3"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, name: str, old: str, new: str, says: str) -> None:
    """Each fault is found in a repository that had none."""
    path = tree(tmp_path) / name
    assert all_faults(tmp_path, check_stack.CHECKS) == []
    assert path.read_text().count(old) == 1
    path.write_text(path.read_text().replace(old, new))
    (fault,) = all_faults(tmp_path, check_stack.CHECKS)
    assert says in fault


def test_a_small_form_has_one_reference(tmp_path: Path) -> None:
    """A small form that replaces no source is reported."""
    (tree(tmp_path) / SMALL).rename(tmp_path / "stack/small/other.c")
    (fault,) = all_faults(tmp_path, check_stack.CHECKS)
    assert "small/other.c: takes the place of 0 files" in fault


def test_a_double_has_a_name_of_its_own(tmp_path: Path) -> None:
    """A second one of the same name is reported."""
    tree(tmp_path)
    written(tmp_path, {f"tests/stack/{room}/engine_double.h": "" for room in ("link", "mode")})
    (fault,) = all_faults(tmp_path, check_stack.CHECKS)
    assert fault.endswith(
        "mode/engine_double.h: tests/stack/link/engine_double.h has the same name"
    )
