# SPDX-License-Identifier: BSD-3-Clause
"""Executables of the stack for an emulated CPU, linked when a function is called.

`make stack` builds archives. An executable holds the symbols that are asked for and what they need;
the linker drops the rest. It is kept in build/linked/ under a digest of everything it is made from.
"""

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from wardmote.cpus import tools
from wardmote.errors import ImageError, MissingError, UsageError
from wardmote.paths import BUILD, ROOT, write_atomically

Form = Literal["fast", "portable", "small"]
"""With assembly where there is some, portable C alone, or the least flash."""
ARCHIVES: dict[Form, str] = {
    "fast": "libwardmote.a",
    "portable": "libwardmote-portable.a",
    "small": "libwardmote-small.a",
}
KEPT = BUILD / "linked"
CHIPS = ROOT / "firmware" / "chip"
HEADERS = ("stack/include/wardmote/**/*.h", "stack/src/*/*.h", "tests/stack/*/*.h")
"""Where the header of a name is looked for; the first match counts."""
NAME = re.compile(r"\b\w+\b")


def linked(cpu: str, symbols: Collection[str], form: Form = "fast") -> Path:
    """An executable that holds the symbols, and of the archive only what they need.

    Several processes may ask for the same one: each writes it as a whole."""
    parts, wanted = parts_of(cpu, form), sorted(set(symbols))
    digest = hashlib.sha256(repr((cpu, wanted, _words(cpu, wanted, parts, "-"))).encode())
    for part in parts:
        digest.update(digest_of(part).encode())
    path = KEPT / cpu / f"{digest.hexdigest()[:32]}.elf"
    if not path.is_file():
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / path.name
            _link(cpu, wanted, _words(cpu, wanted, parts, str(output)))
            write_atomically(path, output.read_bytes())
    return path


def archive(cpu: str, form: Form = "fast") -> Path:
    """The archive that a form is linked from; raises MissingError where it was not built."""
    return _built(BUILD / "stack" / cpu / ARCHIVES[form])


@cache
def parts_of(cpu: str, form: Form) -> tuple[Path, ...]:
    """The parts to link: memory map, archive, doubles of a board's functions, addresses of the
    other symbols, and the runtime, which the compiler calls by itself."""
    stack = BUILD / "stack"
    runtime = sorted((stack / "obj" / cpu / "firmware" / "runtime").glob("*.o"))
    return (
        CHIPS / tools(cpu)["CHIP"][0] / "link.ld",
        archive(cpu, form),
        _built(stack / cpu / "libdoubles.a"),
        _built(stack / "obj" / "ports.ld"),
        *runtime,
    )


@cache
def defined(path: Path) -> frozenset[str]:
    """Every symbol that an archive defines, as its index says: a header of 60 octets behind the
    magic number, a count, an offset a symbol, then the names."""
    octets = path.read_bytes()
    if octets[:10] != b"!<arch>\n/ ":
        raise ImageError(f"{path} is no archive with an index")
    index = octets[68 : 68 + int(octets[56:66])]
    count = int.from_bytes(index[:4], "big")
    return frozenset(index[4 + 4 * count :].decode().split("\0")[:count])


@cache
def declared(cpu: str, headers: tuple[str, ...], form: Form = "fast") -> frozenset[str]:
    """Symbols that the archive or the doubles define and the headers declare. A header's name is
    without `.h`, and may have a folder before it. `!text` leaves out symbols whose name contains
    the text, for a memory that does not hold all."""
    wanted = [header for header in headers if not header.startswith("!")]
    refused = [header[1:] for header in headers if header.startswith("!")]
    named = {name for header in wanted for name in NAME.findall(_text(header))}
    found = (defined(archive(cpu, form)) | defined(parts_of(cpu, form)[2])) & named
    return frozenset(name for name in found if not any(text in name for text in refused))


@cache
def digest_of(path: Path) -> str:
    """SHA-256 of a file, read once in a process."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _text(header: str) -> str:
    found = (path for pattern in HEADERS for path in sorted(ROOT.glob(pattern)))
    for path in found:
        if path.with_suffix("").as_posix().endswith(f"/{header}"):
            return path.read_text(encoding="utf-8")
    raise UsageError(f"no header {header}.h in the stack")


def _built(path: Path) -> Path:
    if not path.is_file():
        raise MissingError(f"no {path.relative_to(ROOT)}: build it with `make stack`")
    return path


def _words(cpu: str, symbols: Iterable[str], parts: Sequence[Path], output: str) -> list[str]:
    program, *given = tools(cpu)["LINK"]
    memory, *objects = parts
    # An address is no symbol: nothing is kept for the sake of where a program begins.
    options = ["--gc-sections", "-e", "0", *(word for name in symbols for word in ("-u", name))]
    group = [["--start-group"], ["--end-group"]]
    if not program.startswith("ld"):
        options, *group = ([f"-Wl,{','.join(words)}"] for words in (options, *group))
    words = [program, *given, "-o", output, "-T", str(memory), *options]
    return [*words, *group[0], *map(str, objects), *group[1], *tools(cpu)["LIBS"]]


def _link(cpu: str, symbols: Sequence[str], words: Sequence[str]) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise MissingError(f"no program {words[0]}: `make setup` installs it") from error
    if done.returncode:
        lines = done.stderr.splitlines() or ["no reason"]
        raise ImageError(f"{cpu}: linking {', '.join(symbols) or 'nothing'} failed: {lines[0]}")
