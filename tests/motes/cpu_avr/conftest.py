# SPDX-License-Identifier: BSD-3-Clause
"""The simulator that judges, and a compiled program."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.cpu_avr.simulators import TOOLS, build_driver, compile_program


@pytest.fixture(scope="session")
def simavr(oracle: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A driver of libsimavr, an independent simulator, compiled now."""
    return build_driver(oracle, tmp_path_factory.mktemp("simavr"))


@pytest.fixture(scope="session")
def compiled(
    oracle: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """`program.c` as an ELF executable and as raw program memory."""
    return compile_program([oracle(tool) for tool in TOOLS], tmp_path_factory.mktemp("program"))
