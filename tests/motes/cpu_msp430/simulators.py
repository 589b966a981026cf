# SPDX-License-Identifier: BSD-3-Clause
"""The two machines that are compared: our core in `bare-run`, and mspdebug's simulator."""

import re
import subprocess
from pathlib import Path

from tests.motes.bare_run import BareRun, numbers
from tests.motes.cpu_msp430.state import MEMORY_LENGTH, MEMORY_START, Registers, Step

# mspdebug prints four rows (PC R4 R8 R12 / SP R5 R9 R13 / …) of five digits.
_CELL = re.compile(r"\( *(?:PC|SP|SR|R\d+): 0([0-9a-f]{4})\)")
_CELL_OF_REGISTER = [4 * (register % 4) + register // 4 for register in range(16)]


class Core(BareRun):
    """Our core."""

    def __init__(self, program: Path) -> None:
        super().__init__(program, "msp430")

    def load_memory(self, file: Path) -> None:
        """Fills the memory above the peripheral space."""
        self.load(file, MEMORY_START)

    def save_memory(self, file: Path) -> bytes:
        """The memory above the peripheral space."""
        return self.save(MEMORY_START, MEMORY_LENGTH, file)

    def trace(self, count: int) -> list[Step]:
        """The states before each of the next instructions, without executing them; ends early at a
        fault."""
        self.send(f"trace {count}")
        steps = []
        while not (line := self.line()).startswith("end"):
            first, second, third, *registers = numbers(line.split())
            steps.append(Step((first, second, third), tuple(registers)))
        return steps


class Mspdebug:
    """A script for mspdebug's simulator. Commands are collected; `run` executes them in one
    process."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._lines: list[str] = []
        # For each display of registers that the script causes: whether the caller wants it.
        self._wanted: list[bool] = []

    def load(self, file: Path) -> None:
        """Fills the memory above the peripheral space."""
        self._lines.append(f"load_raw {file} {MEMORY_START}")

    def save(self, file: Path) -> None:
        """Saves the memory above the peripheral space."""
        self._lines.append(f"save_raw {MEMORY_START} {MEMORY_LENGTH} {file}")

    def set_registers(self, registers: Registers) -> None:
        """Sets all registers."""
        self._lines += [f"set {register} {value}" for register, value in enumerate(registers)]
        self._wanted += [False] * len(registers)

    def step(self, count: int = 1) -> None:
        """Executes instructions; the registers after them will be among the results of `run`."""
        self._lines.append(f"step {count}")
        self._wanted.append(True)

    def until(self, addr: int) -> None:
        """Runs to an address; the registers there will be among the results of `run`."""
        self._lines += [f"setbreak {addr}", "run", "delbreak"]
        self._wanted.append(True)

    def run(self, folder: Path) -> list[Registers]:
        """Executes the script; the registers after each `step` and `until`."""
        script = folder / "mspdebug.txt"
        script.write_text("\n".join(self._lines) + "\n")
        command = [self._program, "-q", "sim", f"read {script}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        cells = _CELL.findall(done.stdout)
        if done.returncode != 0 or "error" in done.stderr or len(cells) != 16 * len(self._wanted):
            raise RuntimeError(f"mspdebug: {done.stderr.strip()}")
        displays = (cells[16 * i : 16 * i + 16] for i in range(len(self._wanted)))
        return [
            tuple(int(display[cell], 16) for cell in _CELL_OF_REGISTER)
            for display, wanted in zip(displays, self._wanted, strict=True)
            if wanted
        ]


def mspdebug_version(program: str) -> str:
    """Such as "0.22"."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"version (\S+)", text)
    assert match is not None
    return match[1]
