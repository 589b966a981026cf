# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the stack that another project needs, as blocks of a document."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from wardmote.measurements.needs.measure import FORMS, Needs, Octets
from wardmote.measurements.needs.parts import PARTS
from wardmote.measurements.needs.toolchains import PORT, TOOLCHAINS
from wardmote.views.document import Blocks
from wardmote.views.table import markdown

AVR = "avr"
"""Where constants take RAM too."""
ASSEMBLED = {"msp430": "MSP430", "avr": "AVR", "armv7m": "Cortex-M3"}
"""Emulated CPUs, as documents call them."""


def braced(sources: Sequence[str]) -> str:
    """Files below src/ as a shell takes them: one word a folder, and a word an AES."""
    words = []
    for place, paths in groupby(map(PurePosixPath, sources), lambda path: path.parent.name):
        stems = [path.stem for path in paths]
        words.append(
            f"{place}/{{{','.join(stems)}}}.c" if len(stems) > 1 else f"{place}/{stems[0]}.c"
        )
    return " ".join(f"`{word}`" for word in words)


def files(needs: Needs) -> str:
    """Headers and files of each part."""
    body = [
        [
            part.title,
            " ".join(f"`{name}.h`" for name in part.headers),
            braced(needs.files[part.title]),
        ]
        for part in PARTS
    ]
    return markdown(["you want", "you include, of `wardmote/`", "you compile, of `src/`"], body)


def octets(needs: Needs) -> str:
    """Flash of each part on each CPU for speed and in the small form; RAM where constants are."""
    found: Mapping[tuple[str, str, str], Octets] = {
        (row.part, row.toolchain, row.form): row for row in needs.octets
    }
    body = []
    for part in PARTS:
        line = [part.title]
        for one in TOOLCHAINS:
            rows = [found[part.title, one.name, form] for form in FORMS]
            line.append(" / ".join(str(row.flash_octets) for row in rows))
        line.append(" / ".join(str(found[part.title, AVR, form].ram_octets) for form in FORMS))
        body.append(line)
    header = ["octets, for speed / small", *(one.title for one in TOOLCHAINS), "AVR, of it in RAM"]
    return markdown(header, body, numbers=True)


def helpers(needs: Needs) -> str:
    """What compilers call by themselves, by CPU."""
    body = [
        [one.title, " ".join(f"`{name}`" for name in sorted(needs.foreign[one.name] - PORT))]
        for one in TOOLCHAINS
    ]
    return markdown(["CPU", "the objects ask for"], body)


def stack(needs: Needs) -> str:
    """Octets of stack of the deepest function of each header, with assembly, in C alone and in the
    small form."""
    body = [
        [f"`{name}`", *(" / ".join(map(str, octets)) for octets in cpus.values())]
        for name, cpus in needs.stack.items()
    ]
    header = ["octets of stack: assembly / C / small", *ASSEMBLED.values()]
    return markdown(header, body, numbers=True)


BLOCKS: Blocks[Needs] = Blocks(
    "needs", {"files": files, "octets": octets, "helpers": helpers, "stack": stack}
)
