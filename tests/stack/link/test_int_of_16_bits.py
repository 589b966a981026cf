# SPDX-License-Identifier: BSD-3-Clause
"""Lengths near 65 536 on a CPU whose int has 16 bits, in a build for frames of 2 047 octets: there a
sum of two lengths wraps. The archives for that CPU are for frames of 127 octets, whose lengths have
8 bits, so the link layer is compiled here."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.stack.conftest import LONG_PSDU, prototypes
from tests.stack.link.frames import data
from tests.stack.link.pib import Pib
from tests.stack.link.securitylib import Node
from tests.stack.link.test_security_outgoing import header
from wardmote.call import EmulatedTarget
from wardmote.cpus import tools
from wardmote.linked import parts_of

CPU = "msp430"


@pytest.fixture(scope="module")
def long_frames(root: Path, tmp_path_factory: pytest.TempPathFactory) -> EmulatedTarget:
    """The security procedures for frames of 2 047 octets, and all else from the archives."""
    folder, words = tmp_path_factory.mktemp("long"), tools(CPU)
    sources = (*root.glob("stack/src/link/security_*.c"), *root.glob("stack/src/link/[eil]*.c"))

    def compiled(source: Path) -> str:
        path = str(folder / f"{source.stem}.o")
        command = (*words["CC"], *words["TARGET"], "-std=c11", "-ffreestanding", "-Os", "-g")
        own = ("-ffunction-sections", f"-I{root / 'stack/include'}", "-include", str(LONG_PSDU))
        subprocess.run([*command, *own, "-c", str(source), "-o", path], check=True)
        return path

    with ThreadPoolExecutor() as pool:
        objects = list(pool.map(compiled, sources))
    memory, *rest = map(str, parts_of(CPU, "fast"))
    program = folder / "long.elf"
    wanted = ("-u", "wm_outgoing_build", "-u", "wm_aes128_tab_init", "--gc-sections", "-e", "0")
    group = ("--start-group", *rest, "--end-group")
    subprocess.run(
        [*words["LINK"], "-T", memory, *wanted, *objects, *group, "-o", program], check=True
    )
    return EmulatedTarget(program, prototypes((LONG_PSDU,)), None)


@pytest.mark.parametrize("said", [280, 65535, 65536 - 21, 65536 - 30])
def test_a_body_that_does_not_fit(long_frames: EmulatedTarget, said: int) -> None:
    """It is refused, and the node stays as it was. A buffer's guards see what is written behind it."""
    long_frames.reset()
    node = Node(long_frames, Pib())
    before = node.memory()
    built = node.build(header(data(version=2, compression=False)), b"body", size=300, said=said)
    assert (built.status, node.memory()) == ("WM_ERR_FRAME_TOO_LONG", before)
