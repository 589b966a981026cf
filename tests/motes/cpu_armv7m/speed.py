# SPDX-License-Identifier: BSD-3-Clause
"""How fast the core is on AES-128, against unicorn without hooks: `python -m
tests.motes.cpu_armv7m.speed`.

Both run the same executable from reset, in turn, and must end with the same result. Times are CPU
times of this host, the best of several runs, so that other work on it disturbs little.
"""

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unicorn import arm_const as arm

from tests.motes.cpu_armv7m.emulators import ENGINE, cortex_m3, find_armv7m_run

ROOT = Path(__file__).resolve().parents[3]
BLOCKS = 50_000
RUNS = 5

LINKER_SCRIPT = """
MEMORY { FLASH (rx) : ORIGIN = 0, LENGTH = 0x80000  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 0x8000 }
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
    "--target=armv7m-none-eabi",
    "-mcpu=cortex-m3",
    "-mthumb",
    "-std=c11",
    "-ffreestanding",
    "-fno-builtin",
)
SHARED = ("src/cipher/aes128_expand.c", "src/cipher/aes128_sbox.c")
SOURCES = {"small": "src/cipher/aes128_small.c", "tab": "arch/armv7m/aes128_tab.S"}


@dataclass(frozen=True, slots=True)
class Program:
    """An executable, its segments (address and octets) and the address it ends at."""

    file: Path
    segments: tuple[tuple[int, bytes], ...]
    stop: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run to the end: R0 there and what it took; cycles where the engine counts them."""

    result: int
    cpu_s: float
    cycles: int | None = None


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def _u32(octets: bytes, at: int) -> int:
    return int.from_bytes(octets[at : at + 4], "little")


def build(root: Path, folder: Path, blocks: int, variant: str = "small") -> Program:
    """Compiles `speed.c` with AES of the stack: `small` is compiled, `tab` is straight-line
    assembly with a table."""
    (folder / "link.ld").write_text(LINKER_SCRIPT)
    file = folder / "speed.elf"
    sources = [str(root / "stack" / name) for name in (SOURCES[variant], *SHARED)]
    defines = (
        f"-DBLOCKS={blocks}u",
        f"-DENCRYPT=wm_aes128_{variant}_encrypt",
        f"-I{root / 'stack/include'}",
    )
    link = ("-nostdlib", "-fuse-ld=lld-22", "-T", str(folder / "link.ld"))
    program = str(Path(__file__).with_name("speed.c"))
    _run(
        "clang-22",
        *FLAGS,
        "-Os",
        "-Wall",
        "-Wextra",
        "-Werror",
        *defines,
        *link,
        program,
        *sources,
        "-o",
        str(file),
    )
    names = (line.split() for line in _run("llvm-nm-22", str(file)).splitlines())
    (stop,) = [int(fields[0], 16) for fields in names if fields[-1] == "done"]
    octets = file.read_bytes()
    table, size, count = _u32(octets, 28), octets[42], octets[44]
    headers = [table + size * number for number in range(count)]
    loads = [at for at in headers if _u32(octets, at) == 1 and _u32(octets, at + 16)]
    segments = [
        (_u32(octets, at + 12), octets[(o := _u32(octets, at + 4)) : o + _u32(octets, at + 16)])
        for at in loads
    ]
    return Program(file, tuple(segments), stop)


def run_core(core: Path, program: Program, *options: str) -> Run:
    """Our core, as its own process: start and loading are in the time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = _run(str(core), "--bench", str(program.file), "--stop", str(program.stop), *options)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    fields = dict(line.split() for line in out.splitlines())
    return Run(int(fields["r0"], 16), seconds, int(fields["cycles"]))


def unicorn(program: Program) -> Any:
    """A Cortex-M3 of unicorn with the program, at its start."""
    uc = cortex_m3()
    for addr, octets in program.segments:
        uc.mem_write(addr, octets)
    stack, start = (_u32(bytes(uc.mem_read(addr, 4)), 0) for addr in (0, 4))
    uc.reg_write(arm.UC_ARM_REG_SP, stack)
    uc.reg_write(arm.UC_ARM_REG_PC, start)
    return uc


def run_unicorn(program: Program) -> Run:
    """unicorn without hooks; only the emulation is in the time."""
    uc = unicorn(program)
    start = int(uc.reg_read(arm.UC_ARM_REG_PC)) | 1
    before = time.process_time()
    uc.emu_start(start, program.stop)
    seconds = time.process_time() - before
    return Run(int(uc.reg_read(arm.UC_ARM_REG_R0)), seconds)


def count_instructions(program: Program) -> int:
    """Instructions to the end, counted by unicorn."""
    uc, count = unicorn(program), [0]

    def hook(*_: object) -> None:
        count[0] += 1

    uc.hook_add(ENGINE.UC_HOOK_CODE, hook)
    uc.emu_start(int(uc.reg_read(arm.UC_ARM_REG_PC)) | 1, program.stop)
    return count[0]


def main() -> int:
    """Builds, measures in turn, prints."""
    core = find_armv7m_run(ROOT)
    with tempfile.TemporaryDirectory() as name:
        few, more = (count_instructions(build(ROOT, Path(name), blocks)) for blocks in (10, 20))
        program = build(ROOT, Path(name), BLOCKS)
        instructions = few + (more - few) * (BLOCKS - 10) // 10
        ours, waited, theirs = [], [], []
        for _ in range(RUNS):
            ours.append(run_core(core, program))
            waited.append(run_core(core, program, "--fetch-wait", "1"))
            theirs.append(run_unicorn(program))
    if len({run.result for run in ours + waited + theirs}) != 1:
        raise RuntimeError("the engines disagree on the ciphertext")
    rows = (
        ("armv7m-run", ours),
        ("armv7m-run, one wait state per fetch", waited),
        ("unicorn, no hooks", theirs),
    )
    out = sys.stdout
    out.write(
        f"{BLOCKS} blocks of AES-128, {instructions} instructions; best of {RUNS} runs, CPU time\n"
    )
    for title, runs in rows:
        best = min(runs, key=lambda run: run.cpu_s)
        speed = f"{instructions / best.cpu_s / 1e6:.0f} MIPS"
        cycles = (
            ""
            if best.cycles is None
            else f", {best.cycles} cycles, {best.cycles / best.cpu_s / 1e6:.0f} Mcycle/s"
        )
        out.write(f"{title}: {best.cpu_s:.3f} s, {speed}{cycles}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
