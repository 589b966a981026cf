# SPDX-License-Identifier: BSD-3-Clause
"""The Arduino library of the stack alone: its sketch is compiled as the Arduino IDE does it, by
Debian's Arduino core, and runs in simavr."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.model.ieee802154_model import ccm_star
from tests.stack.anywhere.copies import FRAMES, sources

ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
CHIP = ("-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_ARCH_AVR")
FLAGS = ("-Os", "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra")
LANGUAGES = {
    # <float.h> of gcc 5 has DECIMAL_DIG for C alone, and the core wants it in C++.
    ".cpp": ("avr-g++", "-std=gnu++11", "-fno-threadsafe-statics", "-DDECIMAL_DIG=__DECIMAL_DIG__"),
    ".c": ("avr-gcc", "-std=gnu11"),
    ".S": ("avr-gcc", "-x", "assembler-with-cpp"),
}
FLASH, RAM = 32256, 2048
"""Octets that the Uno has for a sketch."""
KEY = bytes(range(0xC0, 0xD0))
SOURCE = bytes((0, 0, 0, 0, 0, 0, 0, 2))
LEVEL = 5


def compiled(source: Path, folder: Path, includes: list[str], *, ours: bool) -> Path:
    """One object file, in a folder that has no other; ours without a warning."""
    made = folder / f"{len(list(folder.iterdir()))}-{source.stem}.o"
    strict = ("-Werror",) if ours and source.suffix == ".c" else ("-w",)
    words = (*LANGUAGES[source.suffix], *CHIP, *FLAGS, *strict, *includes)
    subprocess.run([*words, "-c", source, "-o", made], check=True)
    return made


def read(paths: set[Path], includes: list[str]) -> None:
    """The compiler takes C files as the IDE gives them, without a warning. It makes nothing of
    them: that they become objects for the AVR is for the tests of toolchains."""
    words = (*LANGUAGES[".c"], *CHIP, *FLAGS, "-Werror", "-fsyntax-only", *includes)
    subprocess.run([*words, *paths], check=True)


def lines_of(program: Path, simavr: str, count: int) -> list[str]:
    """The first lines that a program sends through its serial port."""
    command = ("stdbuf", "-oL", simavr, "-m", "atmega328p", "-f", "16000000", program)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        found = []
        for line in running.stdout:
            found += re.findall(r"^(?:\x1b\[\d*m)*([0-9A-F]{20,})", line)
            if len(found) == count:
                break
        running.kill()
    return found


def test_sketch(alone: Path, tmp_path: Path, oracle: Callable[[str], str]) -> None:
    """`make arduino` makes a library, whose sources the compiler takes. With those of frames the
    sketch fits an Uno; on its emulated chip it sends the frames that the model makes, and opens
    them."""
    subprocess.run(["make", "-s", "-C", alone, f"BUILD={tmp_path}", "arduino"], check=True)
    library = tmp_path / "arduino/wardmote"
    properties = dict(
        line.split("=", 1) for line in (library / "library.properties").read_text().splitlines()
    )
    assert properties["name"] == "wardmote"
    assert properties["version"] == "0.1.0"
    (tmp_path / "objects").mkdir()
    sketch = tmp_path / "sketch.cpp"
    example = library / "examples/SecureFrame/SecureFrame.ino"
    sketch.write_text(f'#include <Arduino.h>\n#line 1 "{example}"\n{example.read_text()}')

    core = (ARDUINO / "cores/arduino", ARDUINO / "variants/standard")
    includes = [f"-I{folder}" for folder in core] + [f"-I{library}/src"]
    theirs = [path for path in core[0].iterdir() if path.suffix in LANGUAGES]
    linked = sources(library / "src", *FRAMES)
    read({*library.rglob("*.c")} - linked, includes)
    assert not [path for path in library.rglob("*") if path.suffix in (".S", ".cpp")]
    ours = [sketch, *linked]
    objects = [
        compiled(path, tmp_path / "objects", includes, ours=path in ours)
        for path in (*ours, *theirs)
    ]
    program = tmp_path / "sketch.elf"
    link = ("avr-gcc", *CHIP, "-Os", "-Wl,--gc-sections")
    subprocess.run([*link, *objects, "-lm", "-o", program], check=True)
    sizes = subprocess.run(["avr-size", program], check=True, capture_output=True, text=True)
    text, data, bss = map(int, sizes.stdout.splitlines()[1].split()[:3])
    assert text + data < FLASH
    assert data + bss < RAM - 512, "no room for the stack"

    lines = [bytes.fromhex(line) for line in lines_of(program, oracle("simavr"), 4)]
    for counter, (secured, opened) in enumerate((lines[:2], lines[2:])):
        header = opened[:-1]
        assert header[-5:-1] == bytes((counter, 0, 0, 0))
        nonce = SOURCE + bytes((0, 0, 0, counter, LEVEL))
        assert secured == header + b"".join(ccm_star(KEY, nonce, header, b"*", 4))
        assert opened == header + b"*"
