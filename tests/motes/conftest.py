# SPDX-License-Identifier: BSD-3-Clause
"""Small MSP430 programs for tests of the instrument, compiled where they are needed."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

LINKER_SCRIPT = """
MEMORY {
    RAM (rw) : ORIGIN = 0x1100, LENGTH = 0x2800
    FLASH (rx) : ORIGIN = 0x4000, LENGTH = 0x4000
    VECTORS (r) : ORIGIN = 0xFFE0, LENGTH = 0x20
}
ENTRY(start)
SECTIONS {
    .text : { *(.text .text.*) } >FLASH
    .rodata : { *(.rodata .rodata.*) } >FLASH
    .data : ALIGN(2) { *(.data .data.*) } >RAM AT>FLASH
    .bss (NOLOAD) : ALIGN(2) { *(.bss .bss.*) } >RAM
    .vectors : { KEEP(*(.vectors)) } >VECTORS
}
"""

FLAGS = ("--target=msp430", "-mmcu=msp430f1611", "-std=c11", "-ffreestanding", "-O2", "-Wall", "-Wextra", "-Werror")


def run(*command: str) -> None:
    """Runs a program that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def msp430(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles and links C text for the F1611; the ELF file."""

    def build(text: str, flash_at: str = "0x4000") -> Path:
        folder = tmp_path_factory.mktemp("msp430")
        (folder / "program.c").write_text("#include <stdint.h>\n" + text)
        (folder / "link.ld").write_text(LINKER_SCRIPT.replace("0x4000", flash_at))
        run("clang-22", *FLAGS, "-c", str(folder / "program.c"), "-o", str(folder / "program.o"))
        run(
            "ld.lld-22",
            "-n",
            "-T",
            str(folder / "link.ld"),
            str(folder / "program.o"),
            "-o",
            str(folder / "program.elf"),
        )
        return folder / "program.elf"

    return build
