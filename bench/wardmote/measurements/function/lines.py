# SPDX-License-Identifier: BSD-3-Clause
"""Instructions by address: their function, their text, and their line in the source."""

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST_OCTETS = 16
"""Of an instruction on any CPU."""
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s*(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an instruction is."""

    function: str
    source: str
    """FILE:LINE, empty where the debug information does not say."""


def place_of(elf: Path, pc: int) -> Place:
    """Looks up one address in the debug information."""
    return places_of(elf, [pc])[pc][0]


def places_of(elf: Path, pcs: Sequence[int]) -> dict[int, tuple[Place, ...]]:
    """Looks up many addresses. Inlined functions give several places, innermost first."""
    words = ["llvm-symbolizer-22", f"--obj={elf}", "--basenames", "--output-style=JSON"]
    lines = _ask(words, "".join(f"{pc:#x}\n" for pc in pcs)).splitlines()
    found = (
        [json.loads(line).get("Symbol", []) for line in lines]
        if len(lines) == len(pcs)
        else [[] for _ in pcs]
    )
    return {
        pc: tuple(map(_place, names)) or (Place("", ""),)
        for pc, names in zip(pcs, found, strict=True)
    }


def _place(symbol: dict[str, Any]) -> Place:
    """One frame of what the symbolizer says; --basenames keeps a path that the compiler recorded
    whole."""
    file, line = symbol["FileName"].rsplit("/", 1)[-1], symbol["Line"]
    return Place(symbol["FunctionName"], f"{file}:{line}" if file and line else "")


def instruction_at(elf: Path, pc: int) -> str:
    """The instruction at an address, as a disassembler writes it."""
    return _listed(elf, pc, pc).get(pc, "")


def instructions_at(elf: Path, pcs: Sequence[int]) -> dict[int, str]:
    """Those at many addresses. One listing has nearly all; where data among the code puts it out of
    step, an instruction is asked for alone."""
    found = _listed(elf, min(pcs), max(pcs)) if pcs else {}
    return {pc: found.get(pc) or instruction_at(elf, pc) for pc in pcs}


def _listed(elf: Path, first: int, last: int) -> dict[int, str]:
    """The instructions from one address to another."""
    words = ["llvm-objdump-22", "--disassemble", "--no-show-raw-insn", f"--start-address={first}"]
    text = _ask([*words, f"--stop-address={last + MOST_OCTETS}", str(elf)])
    lines = ((int(match[1], 16), match[2]) for match in INSTRUCTION.finditer(text))
    return {pc: " ".join(words.split()) for pc, words in lines}


def _ask(words: list[str], question: str = "") -> str:
    try:
        return subprocess.run(
            words, input=question, capture_output=True, text=True, check=False
        ).stdout
    except FileNotFoundError:
        return ""
