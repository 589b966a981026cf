# SPDX-License-Identifier: BSD-3-Clause
"""The programs of this folder, compiled as projects for their boards compile theirs. A file of the
same name in `defects` takes the place of one: a program that must not show what the right one
shows."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.conftest import ROOT

HERE = Path(__file__).parent
RUNTIME = ROOT / "firmware/chip/msp430f1611/runtime"
"""What mspgcc's libgcc would be."""
MCU = Path("/usr/msp430")
"""Headers and linker scripts of mspgcc: Debian's package msp430mcu."""


def call(*words: str | Path) -> None:
    """Runs a compiler; what it says is in the report of the test that fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def sources(folder: Path, defect: str | None) -> list[Path]:
    """Sources of a program, with one of them replaced."""
    own = [path for path in sorted(folder.iterdir()) if path.suffix in (".c", ".S")]
    if defect is None:
        return own
    assert defect in [path.name for path in own], defect
    return [folder / "defects" / defect if path.name == defect else path for path in own]


def objects(compiler: tuple[str | Path, ...], files: list[Path], made: Path) -> list[Path]:
    """Each source by itself, two at a time."""

    def compiled(path: Path) -> Path:
        to = made / f"{path.name}.o"
        call(*compiler, "-c", path, "-o", to)
        return to

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(compiled, files))


def tinyos(made: Path, defect: str | None) -> Path:
    """For the TelosB: mspgcc's headers, register symbols, vectors and start-up; by clang, because
    Debian has no mspgcc."""
    folder = HERE / "tinyos"
    flags = ("-Os", "-g", "-std=gnu11", "-ffreestanding", "-fno-builtin", "-ffunction-sections")
    folders = (folder, ROOT / "stack/include", RUNTIME.parent)
    seen: tuple[str | Path, ...] = ("-isystem", MCU / "include", *(f"-I{path}" for path in folders))
    compiler = ("clang-22", "--target=msp430", "-mmcu=msp430f1611", *flags, *seen, "-Wall")
    files = [*sources(folder, defect), RUNTIME / "memory.c", RUNTIME / "mspabi.S"]
    parts = objects((*compiler, "-Wextra", "-Werror"), files, made)
    scripts = MCU / "lib/ldscripts/msp430f1611"
    elf = made / "tinyos.elf"
    call("ld.lld-22", "--gc-sections", "-L", scripts, "-T", folder / "link.x", *parts, "-o", elf)
    return elf


def riot(made: Path, defect: str | None) -> Path:
    """For the MICAz: avr-gcc with all of avr-libc, its start-up, floating point in printf."""
    folder = HERE / "riot"
    flags = ("-mmcu=atmega128", "-DF_CPU=7372800UL", "-Os", "-g", "-gdwarf-4", "-std=gnu11")
    compiler = ("avr-gcc", *flags, "-ffunction-sections", f"-I{folder}", "-Wall", "-Wextra")
    parts = objects((*compiler, "-Werror"), sources(folder, defect), made)
    far = "-Wl,--gc-sections,-u,vfprintf,--section-start=.far=0xff00"
    elf = made / "riot.elf"
    call("avr-gcc", "-mmcu=atmega128", far, *parts, "-lprintf_flt", "-lm", "-o", elf)
    return elf


def contiki(made: Path, defect: str | None) -> Path:
    """For the OpenMote: arm-none-eabi-gcc with newlib's nano library and its start file."""
    folder = HERE / "contiki"
    cpu = ("-mcpu=cortex-m3", "-mthumb", "--specs=nano.specs")
    flags = (*cpu, "-Os", "-g", "-std=gnu11", "-ffunction-sections", "-fdata-sections")
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wno-implicit-fallthrough")
    compiler = ("arm-none-eabi-gcc", *flags, *warnings, f"-I{folder}")
    parts = objects(compiler, sources(folder, defect), made)
    options = "-Wl,--gc-sections,--no-warn-rwx-segments,-u,_printf_float"
    elf = made / "contiki.elf"
    script = ("-T", folder / "link.ld", options)
    call(compiler[0], *cpu, "--specs=nosys.specs", *script, *parts, "-lm", "-o", elf)
    return elf


BUILDERS: dict[str, Callable[[Path, str | None], Path]] = {
    "telosb": tinyos,
    "micaz": riot,
    "openmote-cc2538": contiki,
}
"""By board."""
