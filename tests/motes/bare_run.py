# SPDX-License-Identifier: BSD-3-Clause
"""Our CPUs as `bare-run` shows them: on plain memory, driven line by line.

The commands are listed in motes/crates/bare/src/main.rs and in the file of each CPU beside it.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self


def find_bare_run(root: Path) -> Path:
    """The binary named by WARDMOTE_BARE_RUN, or the one under build/cargo, which cargo brings up to
    date."""
    named = os.environ.get("WARDMOTE_BARE_RUN")
    if named is not None:
        return Path(named)
    target = root / "build/cargo"
    command = ["cargo", "build", "--quiet", "--release", "-p", "bare"]
    subprocess.run(
        command, cwd=root, env=os.environ | {"CARGO_TARGET_DIR": str(target)}, check=True
    )
    return target / "release/bare-run"


@dataclass(frozen=True, slots=True)
class Stream:
    """One program: from `start` to `end`, with these registers at the beginning."""

    start: int
    end: int
    registers: tuple[int, ...]


class BareRun:
    """One CPU in a process of its own."""

    def __init__(self, program: Path, cpu: str) -> None:
        self._process = subprocess.Popen(
            [program, cpu], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def send(self, command: str) -> None:
        """Gives a command without waiting for its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")

    def line(self) -> str:
        """The next line of an answer; raises RuntimeError if the process ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("bare-run ended")
        return line.rstrip("\n")

    def ask(self, command: str) -> str:
        """The answer to a command; raises RuntimeError if it is an error."""
        self.send(command)
        answer = self.line()
        if answer.startswith("error"):
            raise RuntimeError(f"{command}: {answer}")
        return answer

    def load_image(self, file: Path) -> None:
        """Loads an ELF executable."""
        self.ask(f"image {file}")

    def load(self, file: Path, addr: int) -> None:
        """Copies a file into memory."""
        self.ask(f"load {file} {addr}")

    def save(self, addr: int, length: int, file: Path) -> bytes:
        """Memory, by way of a file."""
        self.ask(f"save {addr} {length} {file}")
        return file.read_bytes()

    def set_registers(self, values: Sequence[int]) -> None:
        """Sets all registers."""
        self.ask("all " + " ".join(map(str, values)))

    def registers(self) -> tuple[int, ...]:
        """All registers."""
        return numbers(self.ask("regs").split())

    def step(self, count: int = 1) -> tuple[int, tuple[int, ...]]:
        """Executes instructions; the cycles they took, and the registers after them."""
        cycles, *registers = self.ask(f"step {count}").split()
        return int(cycles), numbers(registers)

    def until(self, addr: int, limit: int) -> tuple[int, int, tuple[int, ...]]:
        """Executes up to an address, at most `limit` instructions; instructions, cycles, registers.

        Raises RuntimeError if the address is not reached.
        """
        instructions, cycles, *registers = self.ask(f"until {addr} {limit}").split()
        return int(instructions), int(cycles), numbers(registers)


def numbers(fields: Sequence[str]) -> tuple[int, ...]:
    """The values of hexadecimal fields."""
    return tuple(int(field, 16) for field in fields)
