# SPDX-License-Identifier: BSD-3-Clause
"""`bare-run`, and small MSP430, AVR and ARMv7-M programs that tests compile where they need
them."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.bare_run import find_bare_run
from tests.motes.debugging import programs_of


def linker_script(memory: str, word: int, last: str, first: str = "") -> str:
    """The script of a program that begins at `start`. Code and data are laid out alike on the
    MSP430 and on ARMv7-M; only the size of a register differs."""
    return f"""
MEMORY {{
    {memory}
}}
ENTRY(start)
SECTIONS {{
    {first}
    .text : {{ *(.text .text.*) }} >FLASH
    .rodata : {{ *(.rodata .rodata.*) }} >FLASH
    .data : ALIGN({word}) {{ *(.ram .data .data.*) }} >RAM AT>FLASH
    .bss (NOLOAD) : ALIGN({word}) {{ *(.bss .bss.*) }} >RAM
    {last}
}}
"""


LINKER_SCRIPT = linker_script(
    """RAM (rw) : ORIGIN = 0x1100, LENGTH = 0x2800
    FLASH (rx) : ORIGIN = 0x4000, LENGTH = 0x4000
    VECTORS (r) : ORIGIN = 0xFFE0, LENGTH = 0x20""",
    2,
    """.vectors : { KEEP(*(.vectors)) } >VECTORS""",
)

STRICT = ("-std=c11", "-ffreestanding", "-O2", "-Wall", "-Wextra", "-Werror")
FLAGS = ("--target=msp430", "-mmcu=msp430f1611", *STRICT)


def run(*command: str) -> None:
    """Runs a program that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def bare_run(root: Path) -> Path:
    """`bare-run`, which shows our CPUs on plain memory."""
    return find_bare_run(root)


@pytest.fixture(scope="session")
def msp430(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles and links C text for the F1611; the ELF file."""

    def build(text: str, flash_at: str = "0x4000", flags: tuple[str, ...] = ()) -> Path:
        folder = tmp_path_factory.mktemp("msp430")
        (folder / "program.c").write_text("#include <stdint.h>\n" + text)
        (folder / "link.ld").write_text(LINKER_SCRIPT.replace("0x4000", flash_at))
        compiled = ("-c", str(folder / "program.c"), "-o", str(folder / "program.o"))
        run("clang-22", *FLAGS, *flags, *compiled)
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


ARM_LINKER_SCRIPT = linker_script(
    """FLASH (rx) : ORIGIN = 0x00200000, LENGTH = 0x10000
    CCA (r) : ORIGIN = 0x0027FFD4, LENGTH = 0x2C
    RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 0x8000""",
    4,
    """.cca : { KEEP(*(.cca)) } >CCA
    /DISCARD/ : { *(.ARM.*) *(.comment) }""",
    first=".vectors : { KEEP(*(.vectors)) } >FLASH",
)

# min-pagesize: there is memory at address 0.
ARM_FLAGS = ("-mcpu=cortex-m3", "-mthumb", *STRICT, "--param=min-pagesize=0")


@pytest.fixture(scope="session")
def armv7m(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles and links C text for the CC2538; the ELF file."""

    def build(text: str, flash_at: str = "0x00200000", flags: tuple[str, ...] = ()) -> Path:
        folder = tmp_path_factory.mktemp("armv7m")
        (folder / "program.c").write_text("#include <stdint.h>\n" + text)
        (folder / "link.ld").write_text(ARM_LINKER_SCRIPT.replace("0x00200000", flash_at))
        link = ("-nostdlib", "-Wl,-T," + str(folder / "link.ld"), "-Wl,-n", "-lgcc")
        program = str(folder / "program.elf")
        run(
            "arm-none-eabi-gcc", *ARM_FLAGS, *flags, str(folder / "program.c"), "-o", program, *link
        )
        return folder / "program.elf"

    return build


AVR_LINKER_SCRIPT = """
OUTPUT_ARCH(avr:51)
MEMORY {
    FLASH (rx) : ORIGIN = 0, LENGTH = 0x20000
    RAM (rw) : ORIGIN = 0x800100, LENGTH = 0x1000
}
ENTRY(start)
SECTIONS {
    .text : { *(.vectors) *(.progmem .progmem.*) *(.text .text.*) } >FLASH
    .data : { *(.data .data.* .rodata .rodata.*) } >RAM AT>FLASH
    .bss (NOLOAD) : { *(.bss .bss.*) } >RAM
    /DISCARD/ : { *(.comment) }
}
"""

AVR_FLAGS = ("-mmcu=avr51", *STRICT)
# Of the ATmega1281.
AVR_RAM = ("-Wl,--defsym=__ram_start=0x800200,--defsym=__ram_octets=0x2000",)


@pytest.fixture(scope="session")
def atmega128(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles and links C text, and files beside it, with the start-up code and the linker script
    of a chip's images; the ELF file."""
    chips = root / "firmware/chip"
    chip = chips / "avr"

    def build(
        text: str, *sources: Path, flags: tuple[str, ...] = (), of: str = "atmega128"
    ) -> Path:
        folder = tmp_path_factory.mktemp("atmega128")
        (folder / "program.c").write_text(text)
        elf = folder / "program.elf"
        files = map(str, (folder / "program.c", *sources, *chip.glob("runtime/*.S")))
        link = ("-nostdlib", "-static", f"-T{chip / 'link.ld'}", "-o", str(elf))
        ram = AVR_RAM if of == "atmega1281" else ()
        folders = (f"-I{chips / of}", f"-I{chip}")
        run("avr-gcc", *AVR_FLAGS, *flags, *ram, *folders, str(chip / "start.S"), *files, *link)
        return elf

    return build


@pytest.fixture(scope="session")
def avr(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles and links C text for the ATmega128; the ELF file."""

    def build(text: str, flags: tuple[str, ...] = (), script: str = AVR_LINKER_SCRIPT) -> Path:
        folder = tmp_path_factory.mktemp("avr")
        (folder / "program.c").write_text("#include <stdint.h>\n" + text)
        (folder / "link.ld").write_text(script)
        # The compiler asks for start-up code by these names; the instrument does what it would do.
        no_start = "-Wl,--defsym=__do_copy_data=0,--defsym=__do_clear_bss=0"
        link = ("-nostdlib", "-Wl,-T," + str(folder / "link.ld"), no_start, "-lgcc")
        program = str(folder / "program.elf")
        run("avr-gcc", *AVR_FLAGS, *flags, str(folder / "program.c"), "-o", program, *link)
        return folder / "program.elf"

    return build


@pytest.fixture(scope="module")
def programs(
    msp430: Callable[..., Path], atmega128: Callable[..., Path], armv7m: Callable[..., Path]
) -> dict[str, tuple[str, Path]]:
    """Board and executable by CPU, for debuggers."""
    return programs_of(msp430, atmega128, armv7m)
