# SPDX-License-Identifier: BSD-3-Clause
"""Lengths near 65 536 on a CPU whose int has 16 bits, in a build for frames of 2 047 octets: there a
sum of two lengths wraps, and so does a length times a factor. The archives for that CPU are for
frames of 127 octets, whose lengths have 8 bits, so the link layer is compiled here."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
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
    """The link layer for frames of 2 047 octets, and all else from the archives."""
    folder, words = tmp_path_factory.mktemp("long"), tools(CPU)
    sources = tuple(root.glob("stack/src/link/*.c"))

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
    called = ("wm_outgoing_build", "wm_aes128_tab_init", "wm_tsch_template_valid")
    wanted = (*(word for name in called for word in ("-u", name)), "--gc-sections", "-e", "0")
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


@pytest.mark.parametrize(
    ("octets", "ticks"),
    [(127, 140), (302, 323), (303, 325), (1000, 1055), (2047, 2153)],
)
def test_a_frame_must_fit_into_ts_max_tx(
    long_frames: EmulatedTarget, octets: int, ticks: int
) -> None:
    """6 octets of PHY header and the frame, 32 us each, in whole ticks of 1/32 768 s: 2 053 octets
    are 65 696 us, 2 152.7 ticks. One tick less is refused."""
    air = Fraction((octets + 6) * 32 * 32768, 1_000_000)
    assert ticks - 1 < air <= ticks
    valid = [_template_valid(long_frames, octets, most) for most in (ticks - 1, ticks)]
    assert valid == [0, 1]


def _template_valid(target: EmulatedTarget, frame_len: int, ts_max_tx: int) -> int:
    template = target.pack(
        "wm_tsch_template",
        ts_tx_offset=80,
        ts_max_tx=ts_max_tx,
        ts_tx_ack_delay=80,
        ts_max_ack=79,
        ts_slot_duration=4000,
        ts_rx_guard=36,
        ts_ack_guard=36,
    )
    return target.call("wm_tsch_template_valid", template, frame_len).value & 1
