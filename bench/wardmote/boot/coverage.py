# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of the source were executed, in the format of lcov, from the debug information of the
images and the instructions that motes have executed."""

from __future__ import annotations

import io
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from elftools.common.exceptions import DWARFError, ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from wardmote.errors import UsageError

ELF = b"\x7fELF"
THUMB = 1
OF_FIVE = 5
"""The version of DWARF from which on files are counted from 0."""


@dataclass(frozen=True, slots=True)
class Line:
    """An address at which a line of the source begins."""

    address: int
    file: str
    line: int


@dataclass(slots=True)
class Source:
    """What was executed of one file."""

    lines: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    functions: dict[tuple[int, str], int] = field(default_factory=lambda: defaultdict(int))


def _file(header: Mapping[str, Sequence[Mapping[str, object]]], number: int) -> str:
    """The path of a file of a line table."""
    five = int(str(header["version"])) >= OF_FIVE
    files, folders = header["file_entry"], header["include_directory"]
    place = number if five else number - 1
    if not 0 <= place < len(files):
        return ""
    entry = files[place]
    folder = int(str(entry["dir_index"])) - (0 if five else 1)
    name = _text(entry["name"])
    # The folder of the compilation itself.
    if not 0 <= folder < len(folders):
        return name
    return posixpath.join(_text(folders[folder]), name)


def _text(octets: object) -> str:
    return octets.decode(errors="replace") if isinstance(octets, bytes) else str(octets)


def _folder(unit: object) -> str:
    """Where the compiler ran, for paths that are relative to it."""
    attributes = unit.get_top_DIE().attributes  # type: ignore[attr-defined]
    found = attributes.get("DW_AT_comp_dir")
    return _text(found.value) if found else ""


def lines_of(image: bytes) -> list[Line]:
    """The lines of an image with debug information; raises UsageError."""
    if not image.startswith(ELF):
        raise UsageError("lines of the source need an ELF file with debug information")
    try:
        file = ELFFile(io.BytesIO(image))
        found: list[Line] = []
        dwarf = file.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            if program is None:
                continue
            folder = _folder(unit)
            for entry in program.get_entries():
                state = entry.state
                if state and state.is_stmt and not state.end_sequence and state.line:
                    path = posixpath.join(folder, _file(program.header, state.file))
                    found.append(Line(state.address, posixpath.normpath(path), state.line))
    except (DWARFError, ELFError, KeyError, IndexError) as error:
        raise UsageError(f"damaged debug information: {error}") from error
    if not found:
        raise UsageError("no lines of the source in this image: compile and link it with -gdwarf-4")
    return found


def functions_of(image: bytes) -> dict[int, str]:
    """Names of functions by their addresses."""
    if not image.startswith(ELF):
        return {}
    file = ELFFile(io.BytesIO(image))
    thumb = THUMB if file["e_machine"] == "EM_ARM" else 0
    names = {}
    for table in file.iter_sections():
        if isinstance(table, SymbolTableSection):
            for symbol in table.iter_symbols():
                if symbol["st_info"]["type"] == "STT_FUNC":
                    names[symbol["st_value"] & ~thumb] = symbol.name
    return names


@dataclass(frozen=True, slots=True)
class Executed:
    """What a mote did with an image."""

    image: bytes
    instructions: Mapping[int, int]
    """How often each one was executed, by address."""
    calls: Mapping[int, int]
    """How often each function was called, by its address."""


def lcov(runs: Iterable[Executed]) -> str:
    """A tracefile. A line counts as often as the most frequent instruction at which the compiler lets
    it begin; lines of several motes are added. Raises UsageError."""
    sources: dict[str, Source] = defaultdict(Source)
    for run in runs:
        names = functions_of(run.image)
        times: dict[tuple[str, int], int] = {}
        for line in lines_of(run.image):
            count = run.instructions.get(line.address, 0)
            place = line.file, line.line
            times[place] = max(count, times.get(place, 0))
            if name := names.pop(line.address, None):
                sources[line.file].functions[line.line, name] += run.calls.get(line.address, 0)
        for (path, number), count in times.items():
            sources[path].lines[number] += count
    return "".join(_record(path, sources[path]) for path in sorted(sources))


def _record(path: str, source: Source) -> str:
    functions = sorted(source.functions.items())
    lines = sorted(source.lines.items())
    rows = ["TN:", f"SF:{path}"]
    rows += [f"FN:{line},{name}" for (line, name), _ in functions]
    rows += [f"FNDA:{count},{name}" for (_, name), count in functions]
    rows += [f"FNF:{len(functions)}", f"FNH:{sum(count > 0 for _, count in functions)}"]
    rows += [f"DA:{line},{count}" for line, count in lines]
    rows += [f"LF:{len(lines)}", f"LH:{sum(count > 0 for _, count in lines)}", "end_of_record"]
    return "\n".join(rows) + "\n"
