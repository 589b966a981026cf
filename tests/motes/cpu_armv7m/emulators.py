# SPDX-License-Identifier: BSD-3-Clause
"""The two machines that are compared: our core in `armv7m-run`, and unicorn, which nobody here
wrote."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import unicorn
from unicorn import arm_const as arm

# unicorn's functions have no types.
ENGINE: Any = unicorn

# R0 … R15, then the flags N Z C V Q in bits 31:27.
State = tuple[int, ...]

SP, LR, PC, FLAGS = 13, 14, 15, 16
CODE_START, CODE_LENGTH = 0, 0x40_0000
RAM_START, RAM_LENGTH = 0x2000_0000, 0x10_0000
FLAG_BITS = 0xF800_0000
THUMB = 1 << 24
IT_BITS = 0x0600_FC00


def find_armv7m_run(root: Path) -> Path:
    """The binary named by WARDMOTE_ARMV7M_RUN, or the one under build/cargo, which cargo brings up
    to date."""
    named = os.environ.get("WARDMOTE_ARMV7M_RUN")
    if named is not None:
        return Path(named)
    target = root / "build/cargo"
    command = ["cargo", "build", "--quiet", "--release", "-p", "cpu-armv7m"]
    subprocess.run(
        command, cwd=root, env=os.environ | {"CARGO_TARGET_DIR": str(target)}, check=True
    )
    return target / "release/armv7m-run"


class Core:
    """Our core, driven line by line; the commands are described in the source of `armv7m-run`."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> "Core":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, command: str) -> str:
        """One command and its answer; raises if the answer is an error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        answer = self._process.stdout.readline().rstrip("\n")
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{command}: {answer or 'armv7m-run ended'}")
        return answer

    def load(self, file: Path, addr: int) -> None:
        """Copies a file into memory."""
        self.ask(f"load_raw {file} {addr}")

    def save(self, addr: int, length: int, file: Path) -> bytes:
        """Memory, by way of a file."""
        self.ask(f"save_raw {addr} {length} {file}")
        return file.read_bytes()

    def set_state(self, state: State) -> None:
        """Sets all registers and flags."""
        self.ask("all " + " ".join(map(str, state[:FLAGS])) + f" {state[FLAGS] | THUMB}")

    def step(self, count: int = 1) -> State:
        """Executes instructions; the state after them."""
        return _state(self.ask(f"step {count}").split()[1:])

    def in_it_block(self) -> bool:
        """Whether the next instruction belongs to an IT block."""
        return int(self.ask("regs").split()[FLAGS], 16) & IT_BITS != 0

    def cycles(self, count: int = 1) -> int:
        """Executes instructions; the cycles they took."""
        return int(self.ask(f"step {count}").split()[0])

    def until(self, addr: int, limit: int) -> tuple[int, int, State]:
        """Runs to an address step by step; instructions, cycles, and the state."""
        instructions, cycles, *registers = self.ask(f"until {addr} {limit}").split()
        return int(instructions), int(cycles), _state(registers)

    def race(self, addr: int, limit: int) -> tuple[int, State]:
        """Runs to an address by the quick way, at most for so many cycles; cycles, and the
        state."""
        cycles, *registers = self.ask(f"race {addr} {limit}").split()
        return int(cycles), _state(registers)

    def timing(self, end: str, line_wait: int) -> None:
        """The end of the band, and what a line of code memory waits; forgets what was decoded."""
        self.ask(f"timing {end} {line_wait}")

    def decode(self, first: int, second: int = 0) -> str:
        """What the decoder makes of two halfwords."""
        return self.ask(f"decode {first} {second}")


def _state(fields: Sequence[str]) -> State:
    values = [int(field, 16) for field in fields]
    return (*values[:FLAGS], values[FLAGS] & FLAG_BITS)


def cortex_m3() -> Any:
    """An engine of unicorn with the memory of `armv7m-run`."""
    engine = ENGINE.Uc(ENGINE.UC_ARCH_ARM, ENGINE.UC_MODE_THUMB | ENGINE.UC_MODE_MCLASS)
    engine.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M3)
    engine.mem_map(CODE_START, CODE_LENGTH)
    engine.mem_map(RAM_START, RAM_LENGTH)
    return engine


_REGISTERS = [getattr(arm, f"UC_ARM_REG_R{number}") for number in range(16)]


class Unicorn:
    """A Cortex-M3 of unicorn with the memory of `armv7m-run`."""

    def __init__(self) -> None:
        self._uc = cortex_m3()

    def load(self, octets: bytes, addr: int) -> None:
        """Copies octets into memory."""
        self._uc.mem_write(addr, octets)
        self._uc.ctl_flush_tb()

    def memory(self, addr: int, length: int) -> bytes:
        """Memory."""
        return bytes(self._uc.mem_read(addr, length))

    def set_state(self, state: State) -> None:
        """Sets all registers and flags."""
        for register, value in zip(_REGISTERS, state[:FLAGS], strict=True):
            self._uc.reg_write(register, value | (register == arm.UC_ARM_REG_R15))
        self._uc.reg_write(arm.UC_ARM_REG_APSR_NZCVQ, state[FLAGS])

    def state(self) -> State:
        """All registers and flags."""
        values = [int(self._uc.reg_read(register)) for register in _REGISTERS]
        return (*values, int(self._uc.reg_read(arm.UC_ARM_REG_XPSR)) & FLAG_BITS)

    def until(self, addr: int) -> State:
        """Runs to an address; the state there."""
        self._uc.emu_start(int(self._uc.reg_read(arm.UC_ARM_REG_R15)) | 1, addr)
        return self.state()
