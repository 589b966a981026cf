# SPDX-License-Identifier: BSD-3-Clause
"""Instructions by address: their function, their text, and their line in the source."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s*(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an instruction is."""

    function: str
    source: str
    """FILE:LINE, empty where the debug information does not say."""


def place_of(elf: Path, pc: int) -> Place:
    """What the debug information says about an address."""
    words = ["llvm-symbolizer-22", f"--obj={elf}", "--basenames", "--output-style=GNU", hex(pc)]
    lines = _ask(words).splitlines()
    if len(lines) < 2:
        return Place("", "")
    source = lines[1].split(" ")[0].rsplit("/", 1)[-1]  # --basenames keeps a path that the compiler recorded whole
    known = not source.startswith("??") and not source.endswith((":0", ":?"))
    return Place("" if lines[0] == "??" else lines[0], source if known else "")


def instruction_at(elf: Path, pc: int) -> str:
    """The instruction at an address, as a disassembler writes it."""
    words = ["llvm-objdump-22", "--disassemble", "--no-show-raw-insn", f"--start-address={pc}"]
    text = _ask([*words, f"--stop-address={pc + 4}", str(elf)])
    found = next((match[2] for match in INSTRUCTION.finditer(text) if int(match[1], 16) == pc), "")
    return " ".join(found.split())


def _ask(words: list[str]) -> str:
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""
