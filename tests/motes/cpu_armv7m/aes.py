# SPDX-License-Identifier: BSD-3-Clause
"""A whole program, AES-128 of the stack in a chain of blocks, on our core and on unicorn."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unicorn import arm_const as arm

from tests.motes.cpu_armv7m.emulators import ENGINE, Core, cortex_m

LINKER_SCRIPT = """
MEMORY {
    FLASH (rx) : ORIGIN = 0, LENGTH = 0x80000
    RAM (rw) : ORIGIN = 0x20000000, LENGTH = 0x8000
}
ENTRY(start)
SECTIONS {
    .vectors : { KEEP(*(.vectors)) } >FLASH
    .text : { *(.text .text.*) *(.rodata .rodata.*) } >FLASH
    .data : { *(.data .data.*) } >RAM AT>FLASH
    .bss (NOLOAD) : { *(.bss .bss.*) } >RAM
    /DISCARD/ : { *(.ARM.exidx*) }
    stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
"""
FLAGS = (
    "--target=armv7m-none-eabi -mcpu=cortex-m3 -mthumb -std=c11 -ffreestanding -fno-builtin -Os "
    "-Wall -Wextra -Werror -nostdlib -fuse-ld=lld-22"
)
SHARED = ("src/cipher/aes128_expand.c", "src/cipher/aes128_sbox.c", "src/util/ct.c")
SOURCES = {"small": "src/cipher/aes128_small.c", "tab": "arch/armv7m/aes128_tab.S"}
MOST_CYCLES = 10**9
"""More than any of these programs takes."""


@dataclass(frozen=True, slots=True)
class Program:
    """An executable, the content of its flash, and the address it ends at."""

    file: Path
    flash: bytes
    stop: int


def _output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def build(root: Path, folder: Path, blocks: int, variant: str = "small") -> Program:
    """Compiles `aes.c` with AES of the stack: `small` is compiled C, `tab` is straight-line
    assembly with a table."""
    script, file, raw = folder / "link.ld", folder / "aes.elf", folder / "aes.bin"
    script.write_text(LINKER_SCRIPT)
    sources = [Path(__file__).with_name("aes.c")]
    sources += [root / "stack" / name for name in (SOURCES[variant], *SHARED)]
    defines = (f"-DBLOCKS={blocks}u", f"-DENCRYPT=wm_aes128_{variant}_encrypt")
    include = f"-I{root / 'stack/include'}"
    command = ["clang-22", *FLAGS.split(), *defines, include, "-T", str(script)]
    _output(*command, *map(str, sources), "-o", str(file))
    _output("llvm-objcopy-22", "-O", "binary", str(file), str(raw))
    names = (line.split() for line in _output("llvm-nm-22", str(file)).splitlines())
    (stop,) = [int(fields[0], 16) for fields in names if fields[-1] == "done"]
    return Program(file, raw.read_bytes(), stop)


def start_core(core: Core, program: Program) -> None:
    """Loads the program into our core and resets it."""
    core.load_image(program.file)
    core.ask("reset")


def _start_unicorn(program: Program) -> tuple[Any, int]:
    """A Cortex-M3 of unicorn with the program, and the address to start at."""
    uc = cortex_m()
    uc.mem_write(0, program.flash)
    stack, start = (int.from_bytes(program.flash[at : at + 4], "little") for at in (0, 4))
    uc.reg_write(arm.UC_ARM_REG_SP, stack)
    return uc, start | 1


def result_in_unicorn(program: Program) -> int:
    """R0 at the end of the program, by unicorn."""
    uc, start = _start_unicorn(program)
    uc.emu_start(start, program.stop)
    return int(uc.reg_read(arm.UC_ARM_REG_R0))


def count_instructions(program: Program) -> int:
    """Instructions to the end of the program, counted by unicorn."""
    (uc, start), count = _start_unicorn(program), [0]

    def hook(*_: object) -> None:
        count[0] += 1

    uc.hook_add(ENGINE.UC_HOOK_CODE, hook)
    uc.emu_start(start, program.stop)
    return count[0]
