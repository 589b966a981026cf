# SPDX-License-Identifier: BSD-3-Clause
"""The two machines that are compared: our core in `bare-run`, and unicorn, an independent
emulator."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import unicorn
from unicorn import arm_const as arm

from tests.motes.bare_run import BareRun, numbers

# unicorn's functions have no types.
ENGINE: Any = unicorn

# R0 … R15, then the flags: N Z C V Q in bits 31:27, GE in bits 19:16.
State = tuple[int, ...]

SP, LR, PC, FLAGS = 13, 14, 15, 16
CODE_START, CODE_LENGTH = 0, 0x40_0000
RAM_START, RAM_LENGTH = 0x2000_0000, 0x10_0000
NZCVQ = 0xF800_0000
FLAG_BITS = NZCVQ | 0x000F_0000
THUMB = 1 << 24
IT_BITS = 0x0600_FC00
SINGLES = 32

CORES = {
    "cortex-m0plus": arm.UC_CPU_ARM_CORTEX_M0,
    "armv7m": arm.UC_CPU_ARM_CORTEX_M3,
    "cortex-m4": arm.UC_CPU_ARM_CORTEX_M4,
}
"""Our names of the cores, and unicorn's."""


class Core(BareRun):
    """Our core; its state has the flags but no other bit of xPSR."""

    def __init__(self, program: Path, core: str = "armv7m") -> None:
        super().__init__(program, "armv7m")
        self.name = core
        self.ask(f"core {core}")

    def set_state(self, state: State) -> None:
        """Sets all registers and flags, in Thumb state."""
        self.set_registers((*state[:FLAGS], state[FLAGS] | THUMB))

    def step_to_state(self) -> State:
        """Executes one instruction; the state after it."""
        return _state(self.step()[1])

    def in_it_block(self) -> bool:
        """Whether the next instruction belongs to an IT block."""
        return self.registers()[FLAGS] & IT_BITS != 0

    def until_state(self, addr: int, limit: int) -> tuple[int, int, State]:
        """Steps to an address; instructions, cycles, and the state."""
        instructions, cycles, registers = self.until(addr, limit)
        return instructions, cycles, _state(registers)

    def run(self, addr: int, limit: int, *, blocks: bool = True) -> tuple[int, State]:
        """Runs to an address as fast as the core can, at most for `limit` cycles; cycles, and the
        state. Without blocks the core executes one decoded instruction after the other."""
        command = "run" if blocks else "run_decoded"
        cycles, *registers = self.ask(f"{command} {addr} {limit}").split()
        return int(cycles), _state(numbers(registers))

    def set_timing(self, end: str, fetch_wait: int = 0, line_wait: int = 0) -> None:
        """Sets the end of the band and the wait states; decoded instructions are forgotten."""
        self.ask(f"timing {end} {fetch_wait} {line_wait}")

    def singles(self, values: Sequence[int] = ()) -> tuple[int, ...]:
        """Sets S0 … S31 and FPSCR if they are given; all of them."""
        return tuple(numbers(self.ask(f"singles {' '.join(map(str, values))}".strip()).split()))

    def decode(self, first: int, second: int = 0) -> str:
        """What the decoder makes of two halfwords."""
        return self.ask(f"decode {first} {second}")


def _state(registers: Sequence[int]) -> State:
    return (*registers[:FLAGS], registers[FLAGS] & FLAG_BITS)


def cortex_m(core: str = "armv7m") -> Any:
    """An engine of unicorn with the memory of `bare-run`."""
    engine = ENGINE.Uc(ENGINE.UC_ARCH_ARM, ENGINE.UC_MODE_THUMB | ENGINE.UC_MODE_MCLASS)
    engine.ctl_set_cpu_model(CORES[core])
    engine.mem_map(CODE_START, CODE_LENGTH)
    engine.mem_map(RAM_START, RAM_LENGTH)
    return engine


_REGISTERS = [getattr(arm, f"UC_ARM_REG_R{number}") for number in range(16)]
_SINGLES = [getattr(arm, f"UC_ARM_REG_S{number}") for number in range(SINGLES)]
_SINGLES.append(arm.UC_ARM_REG_FPSCR)


class Unicorn:
    """A Cortex-M of unicorn with the memory of `bare-run`."""

    def __init__(self, core: str = "armv7m") -> None:
        self._uc = cortex_m(core)

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

    def set_singles(self, values: Sequence[int]) -> None:
        """Sets S0 … S31 and FPSCR."""
        for register, value in zip(_SINGLES, values, strict=True):
            self._uc.reg_write(register, value)

    def singles(self) -> tuple[int, ...]:
        """S0 … S31 and FPSCR."""
        return tuple(int(self._uc.reg_read(register)) for register in _SINGLES)

    def state(self) -> State:
        """All registers and flags."""
        values = [int(self._uc.reg_read(register)) for register in _REGISTERS]
        return (*values, int(self._uc.reg_read(arm.UC_ARM_REG_XPSR)) & FLAG_BITS)

    def until(self, addr: int) -> State:
        """Runs to an address; the state there."""
        self._uc.emu_start(int(self._uc.reg_read(arm.UC_ARM_REG_R15)) | 1, addr)
        return self.state()
