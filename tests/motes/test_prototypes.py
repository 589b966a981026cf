# SPDX-License-Identifier: BSD-3-Clause
"""Layouts, constants and paths that are read from headers are those of the compilers."""

import subprocess
from pathlib import Path

import pytest

from wardmote.call import (
    EmulatedTarget,
    HostTarget,
)
from wardmote.cpus import CPUS
from wardmote.errors import MissingError
from wardmote.prototypes import (
    HOST,
    DataModel,
    PrototypeError,
    Prototypes,
    read_headers,
    read_public,
)


@pytest.mark.parametrize(
    "model", [*(cpu.model for cpu in CPUS.values()), HOST], ids=lambda m: m.name
)
def test_layouts_are_the_compilers(tmp_path: Path, root: Path, model: DataModel) -> None:
    """Sizes and offsets of every public struct are what the target's compiler computes."""
    prototypes = read_public(root, root / "firmware/image/slot/slot_block.h")
    lines = ["#include <stddef.h>", '#include "image/slot/slot_block.h"']
    lines += [f'#include "{h}"' for h in sorted((root / "stack/include").rglob("*.h"))]
    checked = 0
    for record in (
        name for name in prototypes.records if "." not in name
    ):  # C cannot name the others
        layout = prototypes.layout(record, model)
        lines.append(f'_Static_assert(sizeof({record}) == {layout.size}, "{record}");')
        for name, placed in layout.members.items():
            lines.append(
                f'_Static_assert(offsetof({record}, {name}) == {placed.offset}, "{record}.{name}");'
            )
            checked += 1
    assert checked > 100
    (tmp_path / "check.c").write_text("\n".join(lines))
    compilers = {
        "msp430": ["clang-22", "--target=msp430"],
        "avr": ["avr-gcc", "-mmcu=avr51", "-std=c11"],
        "armv7m": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"],
        "host": ["clang-22"],
    }
    include = [f"-I{root / 'stack/include'}", f"-I{root / 'firmware'}"]
    command = [
        *compilers[model.name],
        "-ffreestanding",
        "-fsyntax-only",
        *include,
        str(tmp_path / "check.c"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_constants_come_from_the_headers(root: Path) -> None:
    """Enumerators and number macros have their values."""
    constants = read_public(root).constants
    assert (constants["WM_OK"], constants["WM_ERR_SECURITY"], constants["WM_PSDU_MAX"]) == (
        0,
        -10,
        127,
    )


def test_paths_into_structures(root: Path) -> None:
    """Offsets of nested members add up; a member that does not exist is refused."""
    layout = read_public(root).layout("wm_tsch", CPUS["msp430"].model)
    last = layout.offset("stats.needs.rx_ack_delay")
    assert last == layout.offset("stats") + layout.sizeof("stats") - 2
    assert layout.offset("rx_counter[1]") == layout.offset("rx_counter") + 4
    with pytest.raises(PrototypeError, match="no element 2"):
        layout.offset("rx_counter[2]")
    with pytest.raises(PrototypeError, match="no member nothing"):
        layout.offset("stats.nothing")


def test_what_is_as_wide_as_a_pointer(tmp_path: Path) -> None:
    """Two of these names have a sign, wherever they stand: the same octets are -1 or the most."""
    header = tmp_path / "wide.h"
    members = "uintptr_t u; intptr_t i; size_t s; ptrdiff_t p;"
    header.write_text(f"#include <stdint.h>\n#include <stddef.h>\nstruct wide {{ {members} }};\n")
    wide = read_headers((header,), ())
    for model in (CPUS["msp430"].model, CPUS["armv7m"].model, HOST):
        layout = wide.layout("wide", model)
        octets = layout.size // 4
        most = (1 << 8 * octets) - 1
        assert layout.unpack(b"\xff" * layout.size) == {"u": most, "i": -1, "s": most, "p": -1}
        assert octets == {"msp430": 2, "armv7m": 4, "host": 8}[model.name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int f(int a, ...);", "variable number of arguments"),
        ("struct s { int a : 3; };", "bit-fields"),
        ("int f(;", "do not parse"),
        ("#include <absent.h>", "do not preprocess"),
    ],
)
def test_headers_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    """A header that is not understood is refused with one line."""
    header = tmp_path / "h.h"
    header.write_text(text)
    with pytest.raises(PrototypeError, match=message):
        read_headers((header,), ())


def test_missing_files_are_named(tmp_path: Path) -> None:
    """A target without its file says which and how to build it."""
    empty = Prototypes({}, {}, {}, {})
    with pytest.raises(MissingError, match=r"absent\.elf.*make stack"):
        EmulatedTarget(tmp_path / "absent.elf", empty)
    with pytest.raises(MissingError, match=r"absent\.so.*make stack"):
        HostTarget(tmp_path / "absent.so", empty)
