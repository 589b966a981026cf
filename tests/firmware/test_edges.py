# SPDX-License-Identifier: BSD-3-Clause
"""Whenever edges of the radio's SFD come while the F1611's handler runs, each one that is told has
the tick and the level of one that there was, and one before it that was lost is told as missed."""

from __future__ import annotations

import re
import subprocess
from itertools import combinations
from pathlib import Path

import pytest

from tests.conftest import ROOT
from wardmote._motes import Simulation
from wardmote.units import PS_PER_S

CHIP = ROOT / "firmware/chip/msp430f1611"
FLAGS = ("--target=msp430", "-mmcu=msp430f1611", "-std=c11", "-O2", "-ffreestanding", f"-I{CHIP}")
HANDLER = "isr_timer_b1"
INSTRUCTION = re.compile(r"^(?P<label>\w+:)?\s+(?P<words>[a-z].*)$")
STEPPED = """
    .text
stepped:
    push    r2
    push    r12
    push    r13
    push    r14
    push    r15
    call    #step
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     r2
    ret
"""
"""Calls `step` and keeps all registers."""
TWICE = 36
"""Steps of a handler that runs twice, and a few."""
Edge = tuple[int, bool]
Told = tuple[int, bool, bool]


def with_steps(source: str) -> str:
    """The source with a call before each instruction of the handler."""
    lines, inside = [], False
    for line in source.splitlines():
        inside = (inside or line.startswith(f"{HANDLER}:")) and f".size {HANDLER}" not in line
        found = INSTRUCTION.match(line) if inside else None
        if found:
            lines += [found["label"] or "", "    call #stepped", f"    {found['words']}"]
        else:
            lines.append(line)
    return "\n".join(lines) + STEPPED


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """edges.c with the chip's tick counter and the handler in steps."""
    folder = tmp_path_factory.mktemp("edges")
    stepped = folder / "stepped.S"
    stepped.write_text(with_steps((CHIP / "tick_isr.S").read_text()))
    sources = [Path(__file__).with_name("edges.c"), stepped]
    sources += [CHIP / "tick.c", CHIP / "start.S", *sorted((CHIP / "runtime").glob("*.[cS]"))]
    objects = [folder / f"{path.stem}.o" for path in sources]
    for source, made in zip(sources, objects, strict=True):
        subprocess.run(["clang-22", *FLAGS, "-c", source, "-o", made], check=True)
    image = folder / "edges.elf"
    subprocess.run(["ld.lld-22", "-T", CHIP / "link.ld", *objects, "-o", image], check=True)
    return image.read_bytes()


def run(program: bytes, steps: tuple[int, ...]) -> tuple[list[Edge], list[Told]]:
    """Edges that came, with one before each of these steps, and those that were told."""
    simulation = Simulation(1)
    simulation.add_mote("telosb", program, "node")
    place = {name: simulation.symbol(0, name)[0] for name in ("when", "made", "told", "done")}
    octets = sum(1 << step for step in steps).to_bytes(8, "little")
    simulation.write(0, place["when"], octets)
    simulation.write(0, place["done"], bytes(2))
    assert simulation.run_while(0, place["done"], 2, 1, PS_PER_S // 10)

    def edges(name: str) -> list[Told]:
        count = simulation.read(0, simulation.symbol(0, f"{name}_count")[0], 2)[0]
        octets = simulation.read(0, place[name], 6 * count)
        words = [int.from_bytes(octets[at : at + 2], "little") for at in range(0, 6 * count, 2)]
        each = zip(words[::3], words[1::3], words[2::3], strict=True)
        return [(tick, bool(high), bool(missed)) for tick, high, missed in each]

    return [(tick, high) for tick, high, _ in edges("made")], edges("told")


def is_true(made: list[Edge], told: list[Told]) -> bool:
    """Whether the reported edges are a part of the made ones, in order and up to the last one, and
    report where edges are left out."""
    at = 0
    for tick, high, missed in told:
        if (tick, high) not in made[at:]:
            return False
        place = made.index((tick, high), at)
        if place > at and not missed:
            return False
        at = place + 1
    return at == len(made)


def test_an_edge_at_any_instruction(program: bytes) -> None:
    """One or two edges more, before any instruction of the handler, or before it runs."""
    steps = [(), *((one,) for one in range(TWICE)), *combinations(range(TWICE // 2), 2)]
    wrong = {}
    counts = set()
    for some in steps:
        made, told = run(program, some)
        counts.add(len(made))
        if not is_true(made, told):
            wrong[some] = (made, told)
    assert counts == {1, 2, 3}
    assert not wrong, str(list(wrong.items())[:6])
