# SPDX-License-Identifier: BSD-3-Clause
"""A program that nobody here wrote sees the same on this machine: memcheck, with secrets as undefined
memory, of the sixty functions and of every primitive of the stack."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.measure.taint.memcheck import Program, call_lines, workload_lines
from tests.bench.measure.taint.test_set import FILES, head
from wardmote.linked import linked
from wardmote.measurements.primitives.entry import Primitive, Workload, lengths_of, workloads
from wardmote.measurements.primitives.run import measure, opened
from wardmote.measurements.primitives.table import PRIMITIVES

pytestmark = pytest.mark.early
OF_THEIR_TIME = {"divide_secret", "divide_software"}
"""They leak by what an instruction takes. Memcheck knows values and no times."""
VERDICT = """
uint8_t wm_ct_diff(const uint8_t *a, const uint8_t *b, size_t len)
{
    union { void *found; uint8_t (*call)(const uint8_t *, const uint8_t *, size_t); } own;
    own.found = dlsym(RTLD_NEXT, "wm_ct_diff");
    uint8_t answer = own.call(a, b, len);
    (void)VALGRIND_MAKE_MEM_DEFINED(&answer, 1);
    return answer;
}"""
"""In front of the library's own comparison of tags: callers may know what it answers."""
SIZES = (16, 24)
"""Octets of messages; 16 where 24 is no multiple of a block."""
LIBRARIES = {"fast": "libwardmote.so", "small": "libwardmote-small.so"}


def workload(primitive: Primitive) -> Workload:
    """The longest of two lengths, with associated data where there are some."""
    return [w for n in SIZES for w in workloads(primitive, lengths_of(primitive, (n,)))][-1]


def no_dependence(cpu: str, primitive: Primitive) -> bool:
    """What the shadow says."""
    ends = opened(linked(cpu, primitive.symbols, primitive.form).read_bytes())
    return not any(cost.dependences for cost in measure(ends, workload(primitive), 1, 1))


def test_the_sixty_functions(tmp_path: Path, oracle: Callable[[str], str]) -> None:
    """It finds those that leak on every CPU, but for those whose instructions alone do, and nothing
    in the others."""
    oracle("valgrind")
    program, objects = Program(), list[Path]()
    for file in FILES:
        lines = head(file)
        [prototype] = lines["call"]
        program.declarations.append(f"{prototype};")
        secrets = [name.strip() for name in lines["secret"][0].split(",")]
        numbers = dict(one.split("=") for one in lines["arg"])
        program.add(file.stem, call_lines(prototype, secrets, numbers))
        objects.append(tmp_path / f"{file.stem}.o")
        words: list[str | Path] = [
            "clang-22",
            "-fPIC",
            "-std=c11",
            "-ffreestanding",
            "-O2",
            "-c",
            file,
        ]
        subprocess.run([*words, "-o", objects[-1]], check=True)
    found = program.errors(tmp_path, objects)
    leaky = {file.stem for file in FILES if "leaky" in head(file) and not head(file)["on"]}
    assert len(found) == len(FILES)
    assert {name for name, count in found.items() if count} == leaky - OF_THEIR_TIME


@pytest.mark.parametrize("form", sorted(LIBRARIES))
def test_every_primitive(
    tmp_path: Path, root: Path, oracle: Callable[[str], str], form: str
) -> None:
    """It finds nothing in those of which the shadow of a Cortex-M3 finds nothing, and something in
    all others. Both have barrel shifters; other compilers than here make no branches of their
    own."""
    oracle("valgrind")
    own = [one for one in PRIMITIVES if one.form == form]
    headers = sorted({one.name for one in (root / "stack/include/wardmote").glob("*.h")})
    program = Program([*(f"#include <wardmote/{name}>" for name in headers), VERDICT])
    for one in own:
        program.add(one.label, workload_lines(workload(one), one.label))
    library = tmp_path / LIBRARIES[form]
    # Valgrind does not read the debug information of today's compilers.
    stripped: list[str | Path] = [
        "llvm-objcopy-22",
        "--strip-debug",
        root / "build/stack/host" / library.name,
    ]
    subprocess.run([*stripped, library], check=True)
    include, path = f"-I{root}/stack/include", f"-Wl,-rpath,{tmp_path}"
    found = program.errors(tmp_path, [include, "-rdynamic", library, path])
    assert set(found) == {one.label for one in own}
    clean = {one.label for one in own if no_dependence("armv7m", one)}
    assert {name for name, count in found.items() if not count} == clean
    assert len(clean) > 8
