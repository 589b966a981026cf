# SPDX-License-Identifier: BSD-3-Clause
"""Builds sources into an executable whose functions can be called.

Compilers, flags, memory map and runtime are those of the stack.
"""

import difflib
import hashlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from wardmote import cpus
from wardmote.errors import MissingError, UsageError, WardmoteError
from wardmote.measurements.function.files import Files
from wardmote.measurements.function.prototype import STACK_INCLUDE
from wardmote.paths import BUILD, ROOT, write_atomically
from wardmote.together import together

CHIPS = ROOT / "firmware" / "chip"
SHIMS = Path(__file__).resolve().parent / "include"
LANGUAGE = ("-std=c11", "-ffreestanding", "-O2")
CPP_LANGUAGE = ("-std=c++14", "-ffreestanding", "-O2", "-fno-exceptions", "-fno-rtti")
"""Of C++: without what needs a runtime of its own."""
MOST_LISTED = 5
"""Names of functions in a message."""
REASONS = ("error:", "undefined", "overflowed", "will not fit")
"""Words in the line with which a compiler or a linker gives its reason."""
PLACE_OF_LINKER = re.compile(r"^\S*/ld: |\S*/(?=program\.elf)")


class BuildError(WardmoteError):
    """A source does not compile or link; the text is one line."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Compiler, linker and runtime of one CPU."""

    cpu: str
    compiler: tuple[str, ...]
    linker: tuple[str, ...]
    chip: str | None = None
    libraries: tuple[str, ...] = ()
    runtime_flags: tuple[str, ...] = ("-fno-builtin",)
    runtime: Path | None = None
    """Folder of the functions that the compiler calls by itself."""

    @property
    def target(self) -> tuple[str, ...]:
        """Options of the compiler that choose the CPU."""
        return self.compiler[1:]

    def link_words(self, function: str, *others: str) -> list[str]:
        """Options that make the linker keep the function, the other symbols, and all that they
        need."""
        also = [word for name in others for word in ("-u", name)]
        if self.cpu == "host":
            return [f"-Wl,-u,{function}", *also]
        if self.cpu == "host32":
            return ["-u", function, *also, "-e", "_start"]
        keep = ["-e", function] if self.by_linker else [f"-Wl,-e,{function}"]
        return [*keep, *also, "-T", str(CHIPS / str(self.chip) / "link.ld")]

    @property
    def by_linker(self) -> bool:
        """The program that links is the linker itself, not a compiler, and takes its options."""
        return self.linker[0].startswith("ld")


# The host's shared library contains its own copies of the chip's C functions, so a step into them
# is the same on every machine. A Pentium has neither SSE nor AES instructions.
HOST_TOOLCHAINS = {
    "host": Toolchain(
        "host",
        ("clang-22", "-fPIC"),
        ("clang-22", "-shared", "-Wl,-z,defs,-z,now,-Bsymbolic"),
        runtime=CHIPS / "cc2538" / "runtime",
    ),
    "host32": Toolchain(
        "host32",
        ("clang-22", "--target=i686-linux-gnu", "-march=pentium", "-fno-pic"),
        ("ld.lld-22", "-m", "elf_i386", "-static", "--gc-sections"),
        libraries=(str(BUILD / "stack" / "host32" / "server.a"),),
    ),
}


@cache
def toolchain(cpu: str) -> Toolchain:
    """The toolchain of a CPU; that of an emulated CPU comes from its makefile."""
    if cpu in HOST_TOOLCHAINS:
        return HOST_TOOLCHAINS[cpu]
    words = cpus.tools(cpu)
    [chip] = words["CHIP"]
    bare = Toolchain(cpu, (*words["CC"], *words["TARGET"]), words["LINK"], chip)
    return replace(
        bare,
        linker=(*bare.linker, "--gc-sections" if bare.by_linker else "-Wl,--gc-sections"),
        libraries=words["LIBS"],
        runtime_flags=words["RUNTIME_FLAGS"],
        runtime=CHIPS / chip / "runtime",
    )


@dataclass(frozen=True, slots=True)
class Built:
    """An executable, or a shared library on the host."""

    cpu: str
    path: Path
    flags: str


@dataclass(frozen=True, slots=True)
class Order:
    """What to build: the files, the function to keep, and the options of the compiler."""

    files: Files
    function: str
    flags: tuple[str, ...]
    include: tuple[Path, ...]
    prototype: str
    """The C files must agree with it."""
    before: tuple[tuple[str, str], ...] = ()
    """Further functions to keep, with their prototypes."""
    symbols: tuple[str, ...] = ()
    """Objects and functions to keep, whatever their type."""

    @property
    def functions(self) -> tuple[str, ...]:
        """All functions that are called."""
        return (self.function, *(name for name, _ in self.before))


@dataclass(frozen=True, slots=True)
class Failed:
    """A CPU for which nothing came."""

    cpu: str
    reason: WardmoteError


def build_all(chosen: Sequence[str], order: Order, folder: Path) -> list[Built | Failed]:
    """Builds for all CPUs at the same time; raises the first failure if no CPU has an
    executable."""
    if order.files.executable is not None:
        _, path = order.files.executable
        return [Built(cpu, path, "of the executable") for cpu in chosen]
    work: list[Callable[[], Built | Failed]] = []
    work += [partial(_tried, cpu, order, folder / cpu) for cpu in chosen]
    work += [partial(_agreed, chosen[0], order)]
    *done, agreed = together(lambda do: do(), work)
    failed = {one.cpu: one for one in done if isinstance(one, Failed)}
    if len(failed) == len(done):
        raise next(iter(failed.values())).reason
    if chosen[0] in failed:
        # What the compiler of that CPU says of the prototype may be about the file.
        check_prototype(next(one.cpu for one in done if one.cpu not in failed), order)
    elif isinstance(agreed, Failed):
        raise agreed.reason
    return done


def _agreed(cpu: str, order: Order) -> Built | Failed:
    """Whether the prototype agrees with the files."""
    try:
        check_prototype(cpu, order)
    except WardmoteError as error:
        return Failed(cpu, error)
    return Built(cpu, Path(), "")


def _tried(cpu: str, order: Order, folder: Path) -> Built | Failed:
    try:
        return build(cpu, order, folder)
    except WardmoteError as error:
        return Failed(cpu, error)


def build(cpu: str, order: Order, folder: Path) -> Built:
    """Compiles and links for one CPU; leaves out what the function does not need."""
    tools, files = toolchain(cpu), order.files
    folder.mkdir(parents=True, exist_ok=True)
    options = [
        *LANGUAGE,
        *order.flags,
        "-g",
        "-ffunction-sections",
        "-fdata-sections",
        *search_path(order.include),
    ]
    objects = [
        _compile(tools, file, options, folder / f"{n}-{file.stem}.o")
        for n, file in enumerate(files.sources)
    ]
    for file, made in zip(files.sources, objects, strict=True):
        if file.suffix == ".cpp":
            _unmangle(file, made, (*order.functions, *order.symbols))
    objects += files.linked_for(cpu)
    for function in order.functions:
        _require(cpu, objects, files.given, function)
    if gone := next(
        (p for p in tools.libraries if p.endswith(".a") and not Path(p).is_file()), None
    ):
        raise MissingError(f"{gone}: no such file; `make stack` builds it")
    output = folder / ("library.so" if cpu == "host" else "program.elf")
    group = [f"{'' if tools.by_linker else '-Wl,'}--{end}-group" for end in ("start", "end")]
    words = [*tools.linker, "-o", str(output), group[0], *map(str, objects), group[1]]
    others = (*order.functions[1:], *order.symbols, *(["memcpy"] if order.symbols else []))
    words += [*tools.link_words(order.function, *others), *map(str, _runtime(tools, folder))]
    _run([*words, *tools.libraries], f"{cpu}: linking")
    return Built(cpu, output, compiled_with(cpu, order))


def compiled_with(cpu: str, order: Order) -> str:
    """Options of the compiler, as rows name them."""
    options = [*toolchain(cpu).target, *LANGUAGE, *order.flags]
    return shlex.join(options) if order.files.sources else "of the archive"


def search_path(include: Sequence[Path]) -> list[str]:
    """Folders of headers: the user's, the stack's, and last those that a freestanding compiler
    lacks."""
    return [*(f"-I{path}" for path in (*include, STACK_INCLUDE)), "-idirafter", str(SHIMS)]


def check_prototype(cpu: str, order: Order) -> None:
    """Lets the compiler compare the prototype with the files; raises UsageError if they differ."""
    if not (types := order.files.types):
        return
    for prototype in (order.prototype, *(plain for _, plain in order.before)):
        _check_one(cpu, order, types, prototype)


def _check_one(cpu: str, order: Order, types: Sequence[Path], prototype: str) -> None:
    unit = "".join(f'#include "{path.resolve()}"\n' for path in types) + f"extern {prototype};\n"
    words = [*toolchain(cpu).compiler, *LANGUAGE, *order.flags, *search_path(order.include)]
    words += ["-w", "-fsyntax-only", "-x", "c", "-"]
    done = subprocess.run(words, input=unit, capture_output=True, text=True, check=False)
    if done.returncode:
        where, reason = (
            ", ".join(path.name for path in types),
            _reason(done.stderr).split("error: ")[-1],
        )
        raise UsageError(f"the prototype {prototype!r} does not match {where}: {reason}")


def _runtime(tools: Toolchain, folder: Path) -> list[Path]:
    """Objects of the functions that the compiler calls by itself, such as copies and divisions.

    They are compiled once for each compiler and each state of the sources, and kept in build/. The
    linker keeps those that are needed.
    """
    if tools.runtime is None:
        return []
    everything = sorted(
        p for p in tools.runtime.iterdir() if p.suffix in (".c", ".S", ".h", ".inc")
    )
    sources = [path for path in everything if path.suffix in (".c", ".S")]
    options = [
        *LANGUAGE,
        *tools.runtime_flags,
        "-ffunction-sections",
        "-fdata-sections",
        "-g",
    ]
    digest = hashlib.sha256(repr((tools, options, identity_of(tools.compiler[0]))).encode())
    for path in everything:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    kept = BUILD / "measure" / f"{tools.cpu}-{digest.hexdigest()[:16]}"
    wanted = [kept / f"{source.stem}.o" for source in sources]
    if all(path.is_file() for path in wanted):
        return wanted
    made = [
        _compile(tools, source, options, folder / f"runtime-{source.stem}.o") for source in sources
    ]
    try:
        for object_, path in zip(made, wanted, strict=True):
            write_atomically(path, object_.read_bytes())
    except UsageError:  # Another user may own the folder: then compile each time.
        return made
    return wanted


def identity_of(compiler: str) -> tuple[int, int]:
    """Size and time of a compiler's file: they identify its version without running it."""
    found = shutil.which(compiler)
    if found is None:
        raise MissingError(f"no program {compiler}: `make setup` installs it")
    status = Path(found).resolve().stat()
    return status.st_size, status.st_mtime_ns


def _unmangle(source: Path, made: Path, names: Sequence[str]) -> None:
    """Gives functions of C++ the plain names by which they are called."""
    listing = ["llvm-nm-22", "--defined-only", "--extern-only", "--format=just-symbols"]
    mangled, plain = (
        subprocess.run(
            [*listing, *more, str(made)], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for more in ((), ("--demangle",))
    )
    for name in names:
        found = [
            (symbol, text)
            for symbol, text in zip(mangled, plain, strict=True)
            if text.split("(")[0].split("::")[-1] == name
        ]
        if len(found) > 1:
            overloads = "; ".join(text for _, text in found)
            raise UsageError(f"{source.name} has several functions {name}: {overloads}")
        if found and found[0][0] != name:
            _run(
                ["llvm-objcopy-22", f"--redefine-sym={found[0][0]}={name}", str(made)], source.name
            )


def _compile(tools: Toolchain, source: Path, options: Sequence[str], output: Path) -> Path:
    if source.suffix == ".cpp":
        options = [*CPP_LANGUAGE, *options[len(LANGUAGE) :]]
    _run(
        [*tools.compiler, *options, "-c", str(source), "-o", str(output)],
        f"{tools.cpu}: {source.name}",
    )
    return output


def _run(words: Sequence[str], what: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise MissingError(f"no program {words[0]}: `make setup` installs it") from error
    if done.returncode:
        raise BuildError(f"{what} failed: {_reason(done.stderr)}")


def _reason(text: str) -> str:
    """The first error line of a compiler."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [
        line
        for line in lines
        if any(word in line for word in REASONS) and "ld returned" not in line
    ]
    reason = said[0] if said else lines[0] if lines else "no reason"
    return PLACE_OF_LINKER.sub("", reason)


def _require(cpu: str, objects: Sequence[Path], files: Sequence[Path], function: str) -> None:
    """Raises UsageError if the objects lack the function or hide it."""
    words = ["llvm-nm-22", "--defined-only", "--format=posix", *map(str, objects)]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    symbols: dict[str, str] = {}
    for line in listed.splitlines():
        parts = line.split()
        if len(parts) >= 3 and symbols.get(parts[0]) not in ("T", "W"):
            symbols[parts[0]] = parts[1]  # a static one of the same name hides none that is public
    if symbols.get(function) in ("T", "W"):
        return
    where = ", ".join(file.name for file in files)
    if symbols.get(function) == "t" or _is_static(function, files):
        raise UsageError(f"{cpu}: {function} is static in {where}, and cannot be called")
    raise UsageError(
        missing(function, where, [name for name, kind in symbols.items() if kind in ("T", "W")])
    )


def _is_static(function: str, files: Sequence[Path]) -> bool:
    """A source declares the function static; the compiler may have dropped it since nothing calls
    it."""
    static = re.compile(rf"^[ \t]*static\b[^;{{}}()=]*\b{re.escape(function)}\s*\(", re.MULTILINE)
    return any(
        static.search(path.read_text(encoding="utf-8", errors="replace"))
        for path in files
        if path.suffix == ".c"
    )


def missing(function: str, where: str, present: Sequence[str]) -> str:
    """A message that the function is missing, with similar names."""
    if len(present) <= MOST_LISTED:
        return f"no function {function} in {where}: it has {', '.join(sorted(present)) or 'none'}"
    near = difflib.get_close_matches(function, present, MOST_LISTED, 0.4)
    has = f"similar are {', '.join(near)}" if near else f"it has {len(present)} others"
    return f"no function {function} in {where}: {has}"
