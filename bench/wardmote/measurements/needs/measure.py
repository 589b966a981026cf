# SPDX-License-Identifier: BSD-3-Clause
"""Builds the stack by itself for other projects' CPUs, and links its parts from exactly their
files."""

import re
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import ImageError, MissingError
from wardmote.measurements.needs.parts import PARTS, Part
from wardmote.measurements.needs.stack_use import of_headers
from wardmote.measurements.needs.toolchains import PORT, TOOLCHAINS, Toolchain

FORMS = ("wardmote", "wardmote-small")
"""Libraries, and the folders of their objects: for speed, and for least flash."""
NM_LINE = re.compile(r"^(?P<file>.*?): *(?:[0-9a-f]+)? +(?P<kind>[A-Za-z]) (?P<name>\S+)$", re.M)


@dataclass(frozen=True, slots=True)
class Octets:
    """The octets that a part adds to a program that uses no other part, on one CPU, in one form."""

    part: str
    toolchain: str
    form: str
    flash_octets: int
    ram_octets: int
    """Variables and, on the AVR, constants; no contexts and no stack."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols that an object file defines and those that it needs."""

    defined: frozenset[str]
    wanted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Needs:
    """Everything that documents say about taking the stack."""

    files: Mapping[str, Sequence[str]]
    """Sources of a part below stack/, by its title."""
    octets: tuple[Octets, ...]
    foreign: Mapping[str, frozenset[str]]
    """Symbols that the libraries ask of others, by toolchain."""
    stack: Mapping[str, Mapping[str, Sequence[int]]]
    """Octets of stack at most, by header and CPU, in each form."""


def output(*command: str | Path) -> str:
    """Output of a program. If it fails, raises with the first line of its error output."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise MissingError(f"no program {command[0]}: `make setup` installs it") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        raise ImageError(f"{command[0]}: {(lines or done.stderr.splitlines() or ['failed'])[0]}")
    return done.stdout


def build(stack: Path, toolchain: Toolchain, folder: Path, *targets: str) -> None:
    """Runs `make` in a copy of stack/, as another project would. The results are in `folder`."""
    output("make", "-s", "-C", stack, f"BUILD={folder.resolve()}", *toolchain.words(), *targets)


def symbols(toolchain: Toolchain, objects: Iterable[Path]) -> dict[Path, Symbols]:
    """Global symbols of object files."""
    listed = output(toolchain.tool("nm"), "-A", "-g", *objects)
    found: dict[Path, tuple[set[str], set[str]]] = {path: (set(), set()) for path in objects}
    for line in NM_LINE.finditer(listed):
        found[Path(line["file"])][line["kind"] in "Uwv"].add(line["name"])
    return {
        path: Symbols(frozenset(defined), frozenset(wanted))
        for path, (defined, wanted) in found.items()
    }


def foreign(of: Mapping[Path, Symbols]) -> frozenset[str]:
    """Symbols that objects together ask of others."""
    wanted = frozenset[str]().union(*(one.wanted for one in of.values()))
    return wanted.difference(*(one.defined for one in of.values()))


def needed(of: Mapping[Path, Symbols], roots: Collection[str]) -> list[Path]:
    """The objects that define the roots and, step by step, what those ask for."""
    home = {name: path for path, one in of.items() for name in one.defined}
    if unknown := sorted(set(roots) - home.keys()):
        raise ImageError(f"the stack has no {unknown[0]}")
    found: set[Path] = set()
    names = set(roots)
    while names:
        path = home.get(names.pop())
        if path is not None and path not in found:
            found.add(path)
            names |= of[path].wanted
    return sorted(found)


def objects(folder: Path, form: str) -> tuple[Path, ...]:
    """The object files of a form that was built in `folder`."""
    found = tuple(sorted((folder / form).rglob("*.o")))
    if not found:
        raise MissingError(f"{folder / form}: nothing was built there")
    return found


def source(folder: Path, form: str, path: Path) -> str:
    """The source of an object file, below stack/."""
    return path.relative_to(folder / form).with_suffix(".c").as_posix()


def octets(
    toolchain: Toolchain, part: Part, files: Sequence[Path], form: str, program: Path
) -> Octets:
    """Links a part from exactly these objects. Symbols that it may take from elsewhere get address
    0 and add no octets. The linker fails if any other symbol is missing."""
    given = [f"--defsym={name}=0" for name in sorted(toolchain.helpers | PORT)]
    kept = [f"--undefined={name}" for name in part.symbols]
    output(*toolchain.link(*kept, *given), *files, "-o", program)
    text, data, bss = map(int, output(toolchain.tool("size"), program).splitlines()[1].split()[:3])
    return Octets(part.title, toolchain.name, form, text + data, data + bss)


def measure(toolchain: Toolchain, folder: Path) -> list[Octets]:
    """Every part in every form, from what `build` made in `folder`."""
    rows = []
    for form in FORMS:
        of = symbols(toolchain, objects(folder, form))
        for part in PARTS:
            found = needed(of, part.symbols)
            rows.append(octets(toolchain, part, found, form, folder / "part.elf"))
    return rows


def asked(toolchain: Toolchain, folder: Path) -> frozenset[str]:
    """Symbols that the libraries built in `folder` need from elsewhere."""
    forms = (foreign(symbols(toolchain, objects(folder, form))) for form in FORMS)
    return frozenset[str]().union(*forms)


def files(toolchain: Toolchain, folder: Path) -> dict[str, list[str]]:
    """The sources of each part below stack/, by its title; the same for every CPU."""
    of = symbols(toolchain, objects(folder, FORMS[0]))
    return {
        part.title: [source(folder, FORMS[0], path) for path in needed(of, part.symbols)]
        for part in PARTS
    }


def all_needs(stack: Path, build_folder: Path) -> Needs:
    """Builds the stack for every CPU whose octets are given, and measures it."""
    rows: list[Octets] = []
    lacks = {}
    for toolchain in TOOLCHAINS:
        folder = build_folder / toolchain.name
        build(stack, toolchain, folder)
        rows += measure(toolchain, folder)
        lacks[toolchain.name] = asked(toolchain, folder)
    first = TOOLCHAINS[0]
    return Needs(files(first, build_folder / first.name), tuple(rows), lacks, of_headers())
