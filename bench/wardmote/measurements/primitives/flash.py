# SPDX-License-Identifier: BSD-3-Clause
"""Flash and static RAM of a primitive: what an image holds because it calls it, linked from the
archive."""

import subprocess
import tempfile
from pathlib import Path

from wardmote.elf import Memory, read
from wardmote.errors import ImageError, MissingError
from wardmote.measurements.function.build import CHIPS, toolchain
from wardmote.measurements.primitives.entry import Primitive
from wardmote.paths import BUILD


def octets(cpu: str, primitive: Primitive) -> tuple[int, int]:
    """Octets of flash and of RAM of every function and table it needs, under a mode also those of
    the cipher; what is not needed is left out, and so is what an image holds in any case."""
    library = library_of(primitive.executable)
    flash, ram = _linked(cpu, library, primitive.symbols)
    none, none_ram = _linked(cpu, library, ())
    return flash - none, ram - none_ram


def library_of(executable: str) -> str:
    """The archive that has what an executable of the instrument holds: `hashes-small` is of the
    small library."""
    return "libwardmote-small.a" if executable.endswith("-small") else "libwardmote.a"


def parts(cpu: str, library: str) -> list[Path]:
    """What is linked: the memory map, the archive, and what the compiler calls by itself."""
    stack, chip = BUILD / "stack", CHIPS / str(toolchain(cpu).chip)
    runtime = sorted((stack / "obj" / cpu / "chip" / "runtime").glob("*.o"))
    return [chip / "link.ld", stack / cpu / library, *runtime]


def _linked(cpu: str, library: str, symbols: tuple[str, ...]) -> tuple[int, int]:
    """Octets of flash and of RAM of a program with these symbols and what they need."""
    tools, (memory, *objects) = toolchain(cpu), parts(cpu, library)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "linked.elf"
        words = [*tools.linker, "-o", str(output), "-T", str(memory)]
        # An address is no symbol: nothing is kept for the sake of where a program begins.
        words += ["-e", "0"] if tools.by_linker else ["-Wl,-e,0"]
        words += [
            word
            for name in symbols
            for word in (("-u", name) if tools.by_linker else (f"-Wl,-u,{name}",))
        ]
        words += [*map(str, objects), *tools.libraries]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise MissingError(f"no program {words[0]}: `make setup` installs it") from error
        if done.returncode:
            lines = done.stderr.splitlines() or ["no reason"]
            raise ImageError(f"{cpu}: linking {', '.join(symbols) or 'nothing'} failed: {lines[0]}")
        executable = read(output.read_bytes(), output.name)
    return executable.octets(Memory.FLASH), executable.octets(Memory.RAM)
