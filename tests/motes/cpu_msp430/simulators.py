# SPDX-License-Identifier: BSD-3-Clause
"""The two machines that are compared: our core in `msp430-run`, and mspdebug's simulator."""

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Registers = tuple[int, ...]

PC, SP, SR, R3 = range(4)
CPUOFF = 0x10

# Both machines are compared on all memory but the peripheral space.
MEMORY_START = 0x200
MEMORY_LENGTH = 0x1_0000 - MEMORY_START

# mspdebug prints four rows (PC R4 R8 R12 / SP R5 R9 R13 / …) of five digits.
_CELL = re.compile(r"\( *(?:PC|SP|SR|R\d+): 0([0-9a-f]{4})\)")
_CELL_OF_REGISTER = [4 * (register % 4) + register // 4 for register in range(16)]


def find_msp430_run(root: Path) -> Path:
    """The binary named by WARDMOTE_MSP430_RUN, or the one under build/cargo, which cargo brings up
    to date."""
    named = os.environ.get("WARDMOTE_MSP430_RUN")
    if named is not None:
        return Path(named)
    target = root / "build/cargo"
    command = ["cargo", "build", "--quiet", "--release", "-p", "cpu-msp430"]
    subprocess.run(
        command, cwd=root, env=os.environ | {"CARGO_TARGET_DIR": str(target)}, check=True
    )
    return target / "release/msp430-run"


@dataclass(frozen=True, slots=True)
class Step:
    """The state before one instruction: the three words at the PC and the registers."""

    words: tuple[int, int, int]
    registers: Registers


class Core:
    """Our core, driven line by line; the commands are described in the source of `msp430-run`."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> "Core":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("msp430-run ended")
        return line.rstrip("\n")

    def _send(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")

    def ask(self, command: str) -> str:
        """One command and its answer; raises if the answer is an error."""
        self._send(command)
        answer = self._line()
        if answer.startswith("error"):
            raise RuntimeError(f"{command}: {answer}")
        return answer

    def load(self, file: Path) -> None:
        """Fills the memory above the peripheral space."""
        self.ask(f"load_raw {file} {MEMORY_START}")

    def save(self, file: Path) -> bytes:
        """The memory above the peripheral space."""
        self.ask(f"save_raw {MEMORY_START} {MEMORY_LENGTH} {file}")
        return file.read_bytes()

    def set_registers(self, registers: Registers) -> None:
        """Sets all registers."""
        for register, value in enumerate(registers):
            self.ask(f"set {register} {value}")

    def step(self, count: int = 1) -> Registers:
        """Executes instructions; the registers after them."""
        return _registers(self.ask(f"step {count}").split()[1:])

    def until(self, addr: int, limit: int) -> tuple[int, Registers]:
        """Runs to an address; instructions executed, and the registers."""
        instructions, _cycles, *registers = self.ask(f"until {addr} {limit}").split()
        return int(instructions), _registers(registers)

    def trace(self, count: int) -> list[Step]:
        """The states before each of the next instructions, without executing them; ends early at a
        fault."""
        self._send(f"trace {count}")
        steps = []
        while not (line := self._line()).startswith("end"):
            first, second, third, *registers = [int(field, 16) for field in line.split()]
            steps.append(Step((first, second, third), tuple(registers)))
        return steps


def _registers(fields: Sequence[str]) -> Registers:
    return tuple(int(field, 16) for field in fields)


class Mspdebug:
    """A script for mspdebug's simulator. Commands are collected; `run` executes them in one
    process."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._lines: list[str] = []
        # For each register display that the script will cause: is it one that the caller wants?
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
