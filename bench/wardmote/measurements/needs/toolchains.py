# SPDX-License-Identifier: BSD-3-Clause
"""Compilers of other projects that the stack is built with, from portable C alone."""

import re
from dataclasses import dataclass, field

from wardmote.paths import ROOT

PORT = frozenset(
    name
    for header in (ROOT / "stack/include/wardmote/port").glob("*.h")
    for name in re.findall(r"\b(wm_port_\w+)[(;]", header.read_text(encoding="utf-8"))
)
"""What the stack asks of a board: the functions of the headers of include/wardmote/port."""
MEMORY = frozenset(("memcpy", "memset"))
"""Functions of the C library that a compiler calls by itself, also where the program has none."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler for one CPU."""

    name: str
    title: str
    """As documents call the CPU."""
    compiler: tuple[str, ...]
    """With the words that choose the CPU."""
    tools: str
    """Names of the other programs, `{}` in place of their own: `arm-none-eabi-{}`."""
    helpers: frozenset[str] = field(default=MEMORY)
    """Functions that the compiler may call by itself: those of its own library, and MEMORY."""
    linker: tuple[str, ...] = ()
    """Instead of the compiler."""

    def tool(self, name: str) -> str:
        """The program `ar`, `nm` or `size`."""
        return self.tools.format(name)

    def words(self) -> tuple[str, ...]:
        """What `make` is told in stack/."""
        return (f"CC={' '.join(self.compiler)}", f"AR={self.tool('ar')}")

    def link(self, *options: str) -> tuple[str, ...]:
        """A linker's command that leaves out what nobody uses, with options for the linker."""
        plain = ("--gc-sections", "-e", "0", *options)
        if self.linker:
            return (*self.linker, *plain)
        return (*self.compiler, "-nostdlib", "-static", *(f"-Wl,{word}" for word in plain))


def _arm(cpu: str, title: str, *words: str, helpers: frozenset[str] = MEMORY) -> Toolchain:
    compiler = ("arm-none-eabi-gcc", f"-mcpu={cpu}", "-mthumb", *words)
    return Toolchain(cpu, title, compiler, "arm-none-eabi-{}", helpers)


THUMB1 = frozenset(("__aeabi_idivmod", "__aeabi_uidivmod")) | frozenset(
    f"__gnu_thumb1_case_{kind}" for kind in ("shi", "sqi", "uhi", "uqi", "si")
)
"""Division and jump tables of a Cortex-M0, which has instructions for neither."""
AVR = frozenset(
    f"__{name}"
    for name in (
        *("bswapsi2", "divmodhi4", "udivmodhi4", "mulhisi3", "muluhisi3", "umulhisi3", "mulsi3"),
        *("tablejump2__", "do_copy_data", "do_clear_bss"),
    )
)
MSP430 = frozenset(
    f"__mspabi_{name}" for name in ("divu", "remu", "mpyi_hw", "mpyl_hw", "slll", "srll")
)

TOOLCHAINS = (
    Toolchain(
        *("msp430", "MSP430", ("clang-22", "--target=msp430", "-mmcu=msp430f1611")),
        *("llvm-{}-22", MEMORY | MSP430, ("ld.lld-22", "-N", "--image-base=0x1000")),
    ),
    Toolchain("avr", "AVR", ("avr-gcc", "-mmcu=atmega128"), "avr-{}", MEMORY | AVR),
    _arm("cortex-m0", "Cortex-M0", helpers=MEMORY | THUMB1),
    _arm("cortex-m3", "Cortex-M3"),
    _arm("cortex-m4", "Cortex-M4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
    Toolchain(
        *("rv32imac", "RISC-V rv32imac"),
        ("riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"),
        "riscv64-unknown-elf-{}",
    ),
)
