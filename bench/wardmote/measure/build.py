# SPDX-License-Identifier: BSD-3-Clause
"""Sources as an executable whose functions can be called: the compilers, flags, memory map and runtime of the stack."""

import difflib
import shlex
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import UsageError, WardmoteError
from wardmote.measure.prototype import STACK_INCLUDE
from wardmote.paths import ROOT

CHIPS = ROOT / "firmware" / "chip"
SHIMS = Path(__file__).resolve().parent / "include"
LANGUAGE = ("-std=c11", "-ffreestanding", "-O2")
RUNTIME_FLAGS = ("-fno-builtin",)
MACHINES = {105: "msp430", 40: "armv7m"}
"""e_machine of the ELF format -> CPU."""


class BuildError(WardmoteError):
    """A source that does not compile or link; the text is one line."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How sources become something that can be called on one CPU."""

    cpu: str
    compiler: tuple[str, ...]
    linker: tuple[str, ...]
    chip: str | None = None
    libraries: tuple[str, ...] = ()
    runtime_flags: tuple[str, ...] = ()

    @property
    def target(self) -> tuple[str, ...]:
        """The compiler's words that choose the CPU."""
        return self.compiler[1:]


# The same words as in stack/Makefile.
TOOLCHAINS = {
    "msp430": Toolchain(
        "msp430",
        ("clang-22", "--target=msp430", "-mmcu=msp430f1611"),
        ("ld.lld-22", "--gc-sections"),
        "msp430f1611",
    ),
    "armv7m": Toolchain(
        "armv7m",
        ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"),
        ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-nostdlib", "-static", "-Wl,--gc-sections,--no-warn-rwx-segments"),
        "cc2538",
        ("-lgcc",),
        ("-fno-tree-loop-distribute-patterns",),
    ),
    "host": Toolchain("host", ("clang-22", "-fPIC"), ("clang-22", "-shared", "-Wl,-z,defs")),
}
CPUS = tuple(TOOLCHAINS)


@dataclass(frozen=True, slots=True)
class Built:
    """An executable, or a shared library on the host."""

    cpu: str
    path: Path
    flags: str


def cpu_of(elf: Path) -> str:
    """The CPU an executable is for."""
    head = _read(elf)[:20]
    if head[:4] != b"\x7fELF" or len(head) < 20:
        raise UsageError(f"{elf}: no ELF file")
    machine = struct.unpack_from("<H", head, 18)[0]
    if machine not in MACHINES or head[4] != 1:
        raise UsageError(f"{elf} is for CPU number {machine} of the ELF format: possible are {', '.join(CPUS[:2])}")
    return MACHINES[machine]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def build(
    cpu: str, files: Sequence[Path], function: str, flags: Sequence[str], include: Sequence[Path], folder: Path
) -> Built:
    """Compiles and links `files` for one CPU; what `function` does not need is left out."""
    tools = TOOLCHAINS[cpu]
    folder.mkdir(parents=True, exist_ok=True)
    options = [*LANGUAGE, *flags, "-g", "-ffunction-sections", "-fdata-sections", *search_path(include)]
    objects = [_compile(tools, file, options, folder / f"{n}-{file.stem}.o") for n, file in enumerate(files)]
    _require(cpu, objects, files, function)
    output = folder / ("library.so" if tools.chip is None else "program.elf")
    words = [*tools.linker, "-o", str(output), *map(str, objects)]
    if tools.chip is not None:
        keep = ["-e", function] if tools.linker[0].startswith("ld") else [f"-Wl,-e,{function}"]
        words += [*keep, "-T", str(CHIPS / tools.chip / "link.ld"), *map(str, _runtime(tools, folder))]
    _run([*words, *tools.libraries], f"{cpu}: linking")
    return Built(cpu, output, shlex.join([*tools.target, *LANGUAGE, *flags]))


def search_path(include: Sequence[Path]) -> list[str]:
    """Where headers are: the user's folders, the stack's, and last what a freestanding compiler lacks."""
    return [*(f"-I{path}" for path in (*include, STACK_INCLUDE)), "-idirafter", str(SHIMS)]


def check_prototype(cpu: str, source: Path, text: str, flags: Sequence[str], include: Sequence[Path]) -> None:
    """The prototype must be what the source says too: the compiler compares them."""
    unit = f'#include "{source.resolve()}"\nextern {text};\n'
    words = [*TOOLCHAINS[cpu].compiler, *LANGUAGE, *flags, *search_path(include), "-w", "-fsyntax-only", "-x", "c", "-"]
    done = subprocess.run(words, input=unit, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UsageError(
            f"the prototype {text!r} does not match {source.name}: {_reason(done.stderr).split('error: ')[-1]}"
        )


def _runtime(tools: Toolchain, folder: Path) -> list[Path]:
    """What the compiler calls by itself: copies, divisions; only what is needed stays in the executable."""
    sources = sorted(p for p in (CHIPS / str(tools.chip) / "runtime").iterdir() if p.suffix in (".c", ".S"))
    options = [*LANGUAGE, *RUNTIME_FLAGS, *tools.runtime_flags, "-ffunction-sections", "-fdata-sections", "-g"]
    return [_compile(tools, source, options, folder / f"runtime-{source.stem}.o") for source in sources]


def _compile(tools: Toolchain, source: Path, options: Sequence[str], output: Path) -> Path:
    if source.suffix not in (".c", ".S"):
        raise UsageError(f"{source}: no .c, .S or .elf file")
    if not source.is_file():
        raise UsageError(f"{source}: no such file")
    _run([*tools.compiler, *options, "-c", str(source), "-o", str(output)], f"{tools.cpu}: {source.name}")
    return output


def _run(words: Sequence[str], what: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise UsageError(f"no program {words[0]}: `make setup` installs it") from error
    if done.returncode:
        raise BuildError(f"{what} failed: {_reason(done.stderr)}")


def _reason(text: str) -> str:
    """The first error line of a compiler."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error:" in line or "undefined" in line), lines[0] if lines else "no reason")


def _require(cpu: str, objects: Sequence[Path], files: Sequence[Path], function: str) -> None:
    """The function must be there and be visible."""
    words = ["llvm-nm-22", "--defined-only", "--format=posix", *map(str, objects)]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    symbols = {parts[0]: parts[1] for line in listed.splitlines() if len(parts := line.split()) >= 3}
    if symbols.get(function) in ("T", "W"):
        return
    where = ", ".join(file.name for file in files)
    if symbols.get(function) == "t":
        raise UsageError(f"{cpu}: {function} is static in {where}, and cannot be called")
    raise UsageError(missing(function, where, [name for name, kind in symbols.items() if kind in ("T", "W")]))


def missing(function: str, where: str, present: Sequence[str]) -> str:
    """Says that there is no such function, and which ones come near."""
    near = difflib.get_close_matches(function, present, 5, 0.4) or sorted(present)[:5]
    return f"no function {function} in {where}: it has {', '.join(near) or 'none'}"
