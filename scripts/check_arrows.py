# SPDX-License-Identifier: BSD-3-Clause
"""Refuses dependencies that the architecture does not allow: C includes, Cargo dependencies, Python
imports, units of VHDL.

The arrows are those of CONTRIBUTING.md. Exit code 1 and one line per forbidden arrow.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from scripts.faults import exit_with_faults

# Room of stack/src -> rooms it may include besides itself.
STACK_ARROWS: dict[str, frozenset[str]] = {
    "util": frozenset(),
    "cipher": frozenset({"util"}),
    "hash": frozenset({"util"}),
    "mode": frozenset({"cipher", "hash", "util"}),
    "store": frozenset({"util"}),
    "link": frozenset({"store", "mode", "cipher", "hash", "util"}),
    "tinysec": frozenset({"store", "mode", "cipher", "util"}),
    "zigbee": frozenset({"store", "mode", "cipher", "util"}),
    "net": frozenset({"store", "mode", "cipher", "hash", "util"}),
}
# Headers that the build makes: firmware/tinysec.mk.
MADE = {"firmware": frozenset({"tinysec_key.h"})}
# Headers a freestanding implementation must have (C11 §4 paragraph 6).
FREESTANDING = frozenset(
    (
        "float.h",
        "iso646.h",
        "limits.h",
        "stdalign.h",
        "stdarg.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdnoreturn.h",
    )
)
# Crate -> crates of ours it may name under [dependencies]; tests ([dev-dependencies]) may use
# anything.
CRATE_ARROWS: dict[str, frozenset[str]] = {
    "trace": frozenset(),
    "taint": frozenset(),
    "cpu-*": frozenset({"taint", "trace"}),
    "device": frozenset(),
    "air": frozenset({"device"}),
    "board": frozenset({"cpu-*", "device", "taint", "trace"}),
    "mote": frozenset({"board", "air"}),
    "python": frozenset({"mote"}),
    "bare": frozenset({"cpu-*", "board"}),
}
# Part of bench/wardmote -> parts of it that it must not import: a measurement never formats, a
# report never measures.
BENCH_FORBIDDEN: dict[str, frozenset[str]] = {
    "measurements": frozenset({"views", "cli", "commands"}),
    "campaign": frozenset({"views", "cli", "commands", "measurements", "study", "call"}),
    "frame": frozenset({"views", "cli", "commands", "_motes", "call"}),
    "boot": frozenset({"views", "cli", "commands", "measurements", "study", "call"}),
    "border": frozenset({"views", "cli", "commands", "measurements", "study", "call"}),
    "call": frozenset({"views", "cli", "commands", "measurements"}),
    "study": frozenset({"views", "cli", "commands", "_motes", "call"}),
    "views": frozenset({"cli", "commands", "_motes", "call"}),
}
MEASURING = "run"
"""Name of the modules that measure; a study computes from rows and imports none of them."""
NATIVE = "bench/native/"
"""C of the bench: the stack through its public headers, on this machine."""
HOST = "host/"
"""Drivers of a computer with an operating system: docs/decisions says why they are neither stack
nor firmware."""
BINDINGS = "bindings/"
"""The stack for other languages, through its public headers."""
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def crate_class(crate: str) -> str:
    """The name that the arrows use for a crate."""
    return "cpu-*" if crate.startswith("cpu-") else crate


def header_room(root: Path, header: str) -> str:
    """The room of a public header: the room of the sources that are named after it, or `util`
    without such a source. The sources `counter*` use the functions of `port/counter_port.h`."""
    stem = Path(header).stem.removesuffix("_port")
    for room in STACK_ARROWS:
        if any((root / "stack/src" / room).glob(f"{stem}*.c")):
            return room
    return "util"


def resolve(root: Path, source: Path, name: str) -> str | None:
    """The path below root of the header `name` as `source` includes it. None for a header of
    others."""
    for base in (
        source.parent,
        root / "stack/include",
        root / "stack/src",
        root / "firmware",
        root,
    ):
        path = base / name
        if path.is_file() and path.resolve().is_relative_to(root.resolve()):
            return path.resolve().relative_to(root.resolve()).as_posix()
    # The Makefile's choice of board and strategy decides which firmware folders a file sees, so the
    # name is enough here.
    for path in (
        sorted((root / "firmware").rglob(Path(name).name))
        if source.is_relative_to(root / "firmware")
        else ()
    ):
        return path.relative_to(root).as_posix()
    return None


def stack_room(root: Path, path: str) -> str | None:
    """The room of a file of the stack; a small form has the room of its reference. None for a
    header without a room."""
    parts = path.split("/")
    if parts[:2] == ["stack", "src"]:
        return parts[2]
    if parts[:2] == ["stack", "small"]:
        return next(
            (room for room in STACK_ARROWS if (root / "stack/src" / room / parts[-1]).is_file()),
            None,
        )
    if parts[:3] == ["stack", "include", "wardmote"]:
        return header_room(root, "/".join(parts[3:]))
    return None


def include_fault(root: Path, source: str, target: str) -> str | None:
    """Why `source` must not include `target`, both below root; None if it may."""
    if source.startswith("firmware/"):
        if target.startswith(("firmware/", "stack/include/")):
            return None
        return "firmware may include stack/include and itself only"
    for hosted in (NATIVE, HOST, BINDINGS):
        if source.startswith(hosted):
            if target.startswith((hosted, "stack/include/")):
                return None
            return f"{hosted[:-1]} may include stack/include, itself and the host's headers only"
    if not target.startswith("stack/"):
        return "stack never includes anything outside itself"
    if source.startswith("stack/include/") and not target.startswith("stack/include/"):
        return "a public header includes public headers only"
    have, want = stack_room(root, source), stack_room(root, target)
    if have is None or want is None or have == want or want in STACK_ARROWS.get(have, frozenset()):
        return None
    return f"{have} may not depend on {want}"


def c_faults(root: Path) -> Iterator[str]:
    """Forbidden includes of stack and firmware, and of bench/native and host/, which may use the
    host's library."""
    for top in ("stack", "firmware", NATIVE, HOST, BINDINGS):
        for source in sorted((*(root / top).rglob("*.[ch]"), *(root / top).rglob("*.S"))):
            here = source.relative_to(root).as_posix()
            for match in INCLUDE.finditer(source.read_text(encoding="utf-8")):
                target = resolve(root, source, match[2])
                if target is None:
                    hosted = top in (NATIVE, HOST) and match[1] == "<"
                    known = FREESTANDING | MADE.get(top, frozenset())
                    if not hosted and match[2] not in known:
                        yield f"{here}: includes {match[2]}, neither ours nor a freestanding header"
                elif fault := include_fault(root, here, target):
                    yield f"{here}: includes {target}: {fault}"


def cargo_faults(root: Path) -> Iterator[str]:
    """Forbidden dependencies between crates of the workspace."""
    manifests = sorted((root / "motes/crates").glob("*/Cargo.toml"))
    ours = {path.parent.name for path in manifests}
    for path in manifests:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
        crate = path.parent.name
        allowed = CRATE_ARROWS.get(crate_class(crate))
        if allowed is None:
            yield (
                f"{path.relative_to(root)}: crate {crate} has no arrows in scripts/check_arrows.py"
            )
            continue
        for dependency in sorted(ours & set(manifest.get("dependencies", {}))):
            if crate_class(dependency) not in allowed:
                yield f"{path.relative_to(root)}: {crate} may not depend on {dependency}"


def imported_modules(tree: ast.Module, package: list[str]) -> Iterator[str]:
    """Absolute names of all modules a Python file imports; `package` holds the file's own
    package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield stem
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def python_faults(root: Path) -> Iterator[str]:
    """Forbidden imports of the bench: of tests and scripts, and of measuring by formatting parts or
    the reverse."""
    for source in sorted((root / "bench/wardmote").rglob("*.py")):
        inside = source.relative_to(root / "bench/wardmote").with_suffix("").parts
        package = ["wardmote", *inside[:-1]]
        tree = ast.parse(source.read_text(encoding="utf-8"))
        for module in sorted(set(imported_modules(tree, package))):
            parts = module.split(".")
            here = source.relative_to(root)
            if parts[0] in ("tests", "scripts"):
                yield f"{here}: imports {module}: bench may not depend on {parts[0]}"
            if (
                parts[0] == "wardmote"
                and len(parts) > 1
                and parts[1] in BENCH_FORBIDDEN.get(inside[0], frozenset())
            ):
                yield f"{here}: imports {module}: {inside[0]} may not depend on {parts[1]}"
            if inside[0] == "study" and parts[1:2] == ["measurements"] and MEASURING in parts:
                yield f"{here}: imports {module}: a study does not measure"


VHDL_USE = re.compile(r"^[^-\n]*?\b(?:use|entity|configuration)\s+(\w+)\.(\w+)", re.I | re.M)
VHDL_LIBRARIES = frozenset({"ieee", "std"})


def vhdl_faults(root: Path) -> Iterator[str]:
    """The coprocessor uses the standard's packages and itself, each unit in the file of its name:
    no test bench, no library of a vendor."""
    for source in sorted((root / "hdl/rtl").glob("*.vhd")):
        here = source.relative_to(root)
        for library, unit in VHDL_USE.findall(source.read_text(encoding="utf-8")):
            if library != "work" and library not in VHDL_LIBRARIES:
                yield f"{here}: uses library {library}, which is neither the standard's nor ours"
            elif library == "work" and not source.with_name(f"{unit}.vhd").is_file():
                yield f"{here}: uses {unit}, and hdl/rtl has no {unit}.vhd"


CHECKS = (c_faults, cargo_faults, python_faults, vhdl_faults)

if __name__ == "__main__":
    exit_with_faults("arrow", CHECKS)
