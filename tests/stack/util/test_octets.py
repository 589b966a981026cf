# SPDX-License-Identifier: BSD-3-Clause
"""Loads and stores of integers: inline functions, so a small program is compiled around them."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
@pytest.mark.parametrize("optimisation", ["-O0", "-O2"])
def test_every_order_and_alignment(
    tmp_path: Path, root: Path, oracle: Callable[[str], str], compiler: str, optimisation: str
) -> None:
    """Loads and stores of 16 and 32 bits in both orders are right at every alignment, without
    undefined behaviour."""
    program = tmp_path / "octets_check"
    flags = [
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Werror",
        optimisation,
        f"-I{root / 'stack/include'}",
    ]
    trap = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    source = root / "tests/stack/util/octets_check.c"
    subprocess.run([oracle(compiler), *flags, *trap, str(source), "-o", str(program)], check=True)
    assert subprocess.run([program], check=False).returncode == 0
