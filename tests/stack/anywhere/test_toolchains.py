# SPDX-License-Identifier: BSD-3-Clause
"""The stack alone is built for every CPU, asks for what the document says, and each part links from
exactly the files that the document lists."""

import subprocess
from pathlib import Path

import pytest

from scripts.update_needs import DOCUMENT
from wardmote.cpus import CPU_NAMES
from wardmote.linked import ARCHIVES, archive
from wardmote.measurements.needs import measure as needs
from wardmote.measurements.needs.parts import PARTS
from wardmote.measurements.needs.toolchains import PORT, TOOLCHAINS, Toolchain
from wardmote.views import needs as view
from wardmote.views.document import texts

pytestmark = pytest.mark.turns(3)

STRICT = "CFLAGS=-Wall -Wextra -pedantic -Werror"
CHAIN = "aes128_tab_chain,"
"""A source that AVR and ARM leave out: there it is no faster than what asks for it."""
SLACK, TOLERANCE = 32, 0.05
"""Octets, and the part of them, by which another version of a compiler may differ."""
OWN_LIBRARY = """#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n)
{ char *t = to; const char *f = from; while (n--) *t++ = *f++; return to; }
void *memset(void *to, int c, size_t n)
{ char *t = to; while (n--) *t++ = (char)c; return to; }
"""


def near(have: int, want: int) -> bool:
    """Whether two counts of octets may come from two versions of a compiler."""
    return abs(have - want) <= max(SLACK, TOLERANCE * want)


def printed(block: str) -> dict[str, list[str]]:
    """Rows of a table of the document, by their first cell; the header is the row ``."""
    text = texts(DOCUMENT.read_text(encoding="utf-8"), view.BLOCKS.kind)[block]
    header, _, *body = [line.strip("| ").split(" | ") for line in text.splitlines()]
    return {"": header[1:], **{line[0]: line[1:] for line in body}}


def has_no_variables(nm: str, *objects: Path) -> None:
    """All state is in contexts: no object has a symbol in .data, .bss or common storage."""
    lines = map(str.split, needs.output(nm, *objects).splitlines())
    kinds = {words[-2] for words in lines if len(words) >= 2}
    assert kinds & {"T", "t"}
    assert not kinds & set("BbCDd"), objects


def parts_are_as_printed(toolchain: Toolchain, folder: Path, asked: frozenset[str]) -> None:
    """With other projects' toolchains, the stack needs the files, octets and symbols that the
    document prints."""
    table, rows = printed("octets"), needs.measure(toolchain, folder)
    column = table[""].index(toolchain.title)
    assert len(rows) == len(needs.FORMS) * len(PARTS)
    for row in rows:
        words = table[row.part][column].split(" / ")[needs.FORMS.index(row.form)]
        assert near(row.flash_octets, int(words)), f"{row}: run scripts/update_needs.py"
    paths = needs.files(toolchain, folder)
    alike = {part: view.braced([*paths[part]]) for part in paths}
    for part, cells in printed("files").items():
        if part:
            assert alike[part] in (cells[1], cells[1].replace(CHAIN, "")), part
    helpers = printed("helpers")[toolchain.title][0].replace("`", "").split()
    assert set(helpers) == asked - PORT


@pytest.mark.early
@pytest.mark.parametrize("toolchain", TOOLCHAINS, ids=lambda one: one.name)
def test_stack_is_built_alone(alone: Path, tmp_path: Path, toolchain: Toolchain) -> None:
    """`make` with a compiler builds both libraries without a warning. They ask for what is written
    down, have no variables, and their parts are what the document says."""
    folder = tmp_path / "made"
    needs.build(alone, toolchain, folder, STRICT)
    assert sorted(path.name for path in alone.parent.iterdir()) == ["stack"]
    assert not (alone / "build").exists()
    asked = needs.asked(toolchain, folder)
    assert asked <= toolchain.helpers | PORT
    for form in needs.FORMS:
        has_no_variables(toolchain.tool("nm"), *needs.objects(folder, form))
    parts_are_as_printed(toolchain, folder, asked)


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_archives_have_no_variables(cpu: str) -> None:
    """Nor have those with assembly. The doubles of the tests, which have some, are found."""
    has_no_variables("llvm-nm-22", *(archive(cpu, form) for form in ARCHIVES))
    with pytest.raises(AssertionError):
        has_no_variables("llvm-nm-22", archive(cpu).with_name("libdoubles.a"))


HARD = ("-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
PROGRAM = """#include <wardmote/sha256.h>
float scaled(float x);
float scaled(float x) { return x * 2.0f; }
int main(void) { uint8_t d[32]; wm_sha256_digest(d, 0, d); return (int)scaled(d[0]); }
"""


@pytest.mark.parametrize("form", ["", "-portable", "-small"])
def test_archives_link_into_hard_float_programs(root: Path, tmp_path: Path, form: str) -> None:
    """The archives of `make stack` for ARMv7-M, which are soft-float, fit a Cortex-M4 program that
    passes numbers in floating-point registers. An object without their attribute does not."""
    compiler = ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", f"-I{root}/stack/include")
    link = (*compiler, *HARD, "-nostdlib", "-e", "main")
    (tmp_path / "main.c").write_text(PROGRAM)
    (tmp_path / "own.c").write_text(OWN_LIBRARY)
    files = [tmp_path / "main.c", tmp_path / "own.c"]
    archive = root / f"build/stack/armv7m/libwardmote{form}.a"
    subprocess.run([*link, *files, archive, "-o", tmp_path / "a.elf"], check=True)

    sources = [*(root / "stack/src/util").glob("*.c"), *(root / "stack/src/hash").glob("sha256*.c")]
    soft = [tmp_path / f"{path.stem}.o" for path in sources]
    for path, made in zip(sources, soft, strict=True):
        subprocess.run([*compiler, "-mfloat-abi=soft", "-c", path, "-o", made], check=True)
    refused = subprocess.run(
        [*link, *files, *soft, "-o", tmp_path / "b.elf"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "uses VFP register arguments" in refused.stderr
