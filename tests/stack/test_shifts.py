# SPDX-License-Identifier: BSD-3-Clause
"""No shift moves a bit into the sign of an int of 16 bits: C does not define what comes of it.

clang for the MSP430 puts a check before each shift of a signed value, and takes it out again where
it can prove that the value fits. None may be left. A value of 8 bits that is moved by 8 has one: as
an operand it is an int, which has 16 bits there and 32 on the machines that run the sanitizers."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from wardmote.cpus import tools

CHECK = ("-fsanitize=shift-base", "-fsanitize-trap=shift-base", "-O2", "-S", "-emit-llvm")
TRAP = "call void @llvm.ubsantrap"
FOLDERS = (
    "stack/src/*",
    "stack/small",
    "firmware/chip/msp430f1611",
    "firmware/driver/cc2420",
)
INCLUDED = (
    "stack/include",
    "stack/src/link",
    "stack/src/util",
    "firmware",
    "firmware/chip/msp430f1611",
    "firmware/driver/cc2420",
    "firmware/node/msp430f1611-cc2420",
    "firmware/board",
    "firmware/board/telosb",
)


def checks_left(root: Path, source: Path, *more: str) -> int:
    """How many shifts of a file could move a bit into the sign."""
    words = (*tools("msp430")["CC"], *tools("msp430")["TARGET"], "-std=c11", "-ffreestanding")
    include = (f"-I{root / folder}" for folder in INCLUDED)
    command = [*words, *include, *CHECK, *more, str(source), "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.count(TRAP)


@pytest.mark.parametrize("form", ["", "-DWM_FORM_SMALL"], ids=["fast", "small"])
def test_no_shift_reaches_the_sign(root: Path, form: str) -> None:
    """The stack, and what of a TelosB needs no board."""
    sources = sorted(path for folder in FOLDERS for path in root.glob(f"{folder}/*.c"))
    assert len(sources) > 80
    more = (form,) if form else ()
    with ThreadPoolExecutor() as pool:
        left = dict(
            zip(sources, pool.map(lambda s: checks_left(root, s, *more), sources), strict=True)
        )
    assert not {path.name: count for path, count in left.items() if count}


@pytest.mark.parametrize(
    ("expression", "wrong"), [("a << 8", True), ("(unsigned)a << 8", False), ("a << 7", False)]
)
def test_the_compiler_sees_it(root: Path, tmp_path: Path, expression: str, wrong: bool) -> None:
    """A value of 8 bits that is moved by 8 is found, and only then."""
    source = tmp_path / "shift.c"
    source.write_text(
        "#include <stdint.h>\n"
        f"uint16_t shift(uint8_t a);\nuint16_t shift(uint8_t a) {{ return (uint16_t)({expression}); }}\n",
        encoding="utf-8",
    )
    assert (checks_left(root, source) != 0) == wrong
