# SPDX-License-Identifier: BSD-3-Clause
"""`bare-run`: its commands on every CPU, and that wrong input is an answer too."""

import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.motes.bare_run import BareRun
from tests.motes.cpu_avr.simulators import DATA_START, RECORD
from tests.motes.cpu_msp430.encoding import constant, immediate, jump, octets, register, two


@dataclass(frozen=True, slots=True)
class Program:
    """A program that ends in a jump to itself, and what `bare-run` counts up to there."""

    cpu: str
    machine: int
    """Number of the CPU in ELF files."""
    addr: int
    code: bytes
    instructions: int
    cycles: int
    result: tuple[int, int]
    """Number and value of a register at the end."""
    pc: int
    """Number of the PC."""
    ram: int

    @property
    def stop(self) -> int:
        """Address of the jump to itself."""
        return self.addr + len(self.code) - 2

    def elf(self) -> bytes:
        """An ELF executable; its virtual address differs from where a programmer writes it."""
        ident = b"\x7fELF\x01\x01\x01" + bytes(9)
        sizes = (52, 32, 1, 0, 0, 0)
        header = struct.pack("<HHIIIII6H", 2, self.machine, 1, self.addr, 52, 0, 0, *sizes)
        length = len(self.code)
        segment = struct.pack("<8I", 1, 84, 0x1100, self.addr, length, length, 5, 2)
        return ident + header + segment + self.code


# MOV #3,R5 (2 cycles); three turns of SUB #1,R5 (1) and JNE (2); JMP to itself.
MSP430 = Program(
    "msp430",
    105,
    0x4000,
    octets(
        [
            *two(0x4000, "MOV", immediate(3), register(5)),
            *two(0x4004, "SUB", constant(1), register(5)),
            jump("JNE", -2),
            jump("JMP", -1),
        ]
    ),
    1 + 3 * 2,
    2 + 3 * 3,
    (5, 0),
    0,
    0x200,
)
# LDI R16,0x42 (1 cycle); STS 0x0300,R16 (2); RJMP to itself.
AVR = Program(
    "avr", 83, 0, bytes.fromhex("02e4 0093 0003 ffcf"), 2, 3, (4 + 16, 0x42), 0, DATA_START + 0x100
)
# MOVS R0,#0x41 (1 cycle); ADDS R0,#1 (1); B to itself.
ARMV7M = Program(
    "armv7m", 40, 0x100, bytes.fromhex("4120 0130 fee7"), 2, 2, (0, 0x42), 15, 0x2000_0000
)
PROGRAMS = (MSP430, AVR, ARMV7M)


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.cpu)
def program(request: pytest.FixtureRequest) -> Program:
    """A program for each CPU."""
    chosen = request.param
    assert isinstance(chosen, Program)
    return chosen


@pytest.fixture
def core(bare_run: Path, program: Program) -> Iterator[BareRun]:
    """The CPU of the program."""
    with BareRun(bare_run, program.cpu) as core:
        yield core


@pytest.mark.parametrize("kind", ["elf", "raw"])
def test_runs_are_counted_exactly(
    kind: str, core: BareRun, program: Program, tmp_path: Path
) -> None:
    """An executable and raw octets run to the stop address; instructions, cycles and result."""
    file = tmp_path / "program"
    file.write_bytes(program.elf() if kind == "elf" else program.code)
    if kind == "elf":
        core.load_image(file)
    else:
        core.load(file, program.addr)
    core.ask(f"set {program.pc} {program.addr}")
    instructions, cycles, registers = core.until(program.stop, 100)
    assert (instructions, cycles) == (program.instructions, program.cycles)
    number, value = program.result
    assert (registers[number], registers[program.pc]) == (value, program.stop)
    assert core.registers() == registers


def test_steps_are_counted_from_the_last_command(
    core: BareRun, program: Program, tmp_path: Path
) -> None:
    """The cycles of single steps add up to the cycles of the whole run."""
    (tmp_path / "code").write_bytes(program.code)
    core.load(tmp_path / "code", program.addr)
    core.ask(f"set {program.pc} {program.addr}")
    steps = [core.step()[0] for _ in range(program.instructions)]
    assert sum(steps) == program.cycles


def test_memory_is_kept(core: BareRun, program: Program, tmp_path: Path) -> None:
    """Octets loaded into RAM are saved from RAM."""
    content = bytes(range(256))
    (tmp_path / "content").write_bytes(content)
    core.load(tmp_path / "content", program.ram)
    assert core.save(program.ram, 256, tmp_path / "saved") == content
    assert core.save(program.ram + 8, 4, tmp_path / "saved") == content[8:12]


def test_all_registers_are_set(core: BareRun, program: Program) -> None:
    """`all` sets what `regs` shows."""
    values = [2 * number for number in range(len(core.registers()))]
    # Bits of RAMPZ, SREG, R3 and xPSR that do not exist read 0: the rest is as it was set.
    core.set_registers(values)
    special = {"msp430": {2, 3}, "avr": {2, 3}, "armv7m": {16}}[program.cpu]
    shown = core.registers()
    assert {n for n, value in enumerate(values) if shown[n] != value} <= special


def test_reset(core: BareRun, program: Program, tmp_path: Path) -> None:
    """The PC comes from the vector; the AVR begins at 0."""
    vectors = {
        "msp430": (0xFFFE, struct.pack("<H", program.addr)),
        "avr": (0, b""),
        "armv7m": (0, struct.pack("<II", 0x2000_1000, program.addr | 1)),
    }
    addr, content = vectors[program.cpu]
    (tmp_path / "vectors").write_bytes(content)
    core.load(tmp_path / "vectors", addr)
    core.ask("reset")
    assert core.registers()[program.pc] == program.addr


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("jump", "unknown command `jump`"),
        ("step many", "`many` is not a number"),
        ("set 0 0x100000000", "too large"),
        ("set 99 0", "registers are 0 to"),
        ("all 1 2", "unknown command `all 1 2`"),
        ("load /nowhere 0", "No such file"),
        ("load {file} 0x7fffffff", "there is no memory for 3 octets at 0x7fffffff"),
        ("save 0x7fffffff 4 {file}", "not all of the 4 octets at 0x7fffffff are memory"),
        ("image {file}", "not an ELF file"),
        ("until 0x3000 0", "0x3000 was not reached in 0 instructions"),
    ],
)
def test_wrong_commands_are_answered(
    command: str, says: str, core: BareRun, tmp_path: Path
) -> None:
    """A command that cannot be obeyed is answered by one line that says why, and the next one
    works."""
    file = tmp_path / "file"
    file.write_bytes(b"abc")
    before = core.registers()
    core.send(command.format(file=file))
    answer = core.line()
    assert answer.startswith("error ")
    assert says in answer
    assert core.registers() == before


def test_bad_executables(core: BareRun, program: Program, tmp_path: Path) -> None:
    """A truncated executable and one for another CPU are refused; the answer names the file."""
    file = tmp_path / "image"
    good = program.elf()
    other = good[:18] + (3).to_bytes(2, "little") + good[20:]
    for content, says in (
        (good[:60], "truncated ELF file"),
        (good[:-1], "truncated ELF file"),
        (other, "this is an ELF for x86; bare-run needs"),
    ):
        file.write_bytes(content)
        core.send(f"image {file}")
        answer = core.line()
        assert answer.startswith(f"error {file}: ")
        assert says in answer


def test_usage(bare_run: Path) -> None:
    """Without a CPU, or with one that does not exist, one line says which there are."""
    for arguments in ([], ["z80"], ["avr", "msp430"]):
        done = subprocess.run([bare_run, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "usage: bare-run CPU, where CPU is one of msp430, avr, armv7m\n"


@pytest.mark.parametrize(
    ("program", "code", "says"),
    [
        # A jump over memory that is zero, and 0x0000 is no instruction.
        (
            MSP430,
            octets([jump("JMP", 7)]),
            "after 2 cycles, coming from 0x4000: illegal instruction word 0x0000 at 0x4010",
        ),
        (AVR, bytes.fromhex("1994"), "illegal instruction word 0x9419 at 0x00000"),
        (
            AVR,
            bytes.fromhex("0091 0022"),
            "instruction at 0x00000: nothing is mapped at data address 0x2200",
        ),
        (
            AVR,
            bytes.fromhex("e895"),
            "instruction at 0x00000: the function at 0x0000 is not modelled",
        ),
        (ARMV7M, bytes.fromhex("00de"), "instruction at 0x00000100: undefined instruction"),
    ],
    ids=["JMP", "EIJMP", "LDS", "SPM", "UDF"],
    indirect=["program"],
)
def test_faults_are_answered(
    program: Program, code: bytes, says: str, core: BareRun, tmp_path: Path
) -> None:
    """A fault ends the run with the reason; the PC stays at the instruction."""
    (tmp_path / "code").write_bytes(code)
    core.load(tmp_path / "code", program.addr)
    core.ask(f"set {program.pc} {program.addr}")
    core.send("step 2")
    answer = core.line()
    assert answer.startswith("error after ")
    assert answer.endswith(says)
    at = 0x4010 if program is MSP430 else program.addr
    assert core.registers()[program.pc] == at


def test_code_of_the_avr_is_even_and_within_its_flash(bare_run: Path) -> None:
    """The PC refuses odd addresses and those behind 128 KiB."""
    with BareRun(bare_run, "avr") as core:
        for addr, says in ((3, "odd address"), (0x2_0000, "outside 128 KiB")):
            core.send(f"set 0 {addr}")
            assert says in core.line()


def test_registers_of_the_avr_are_data(bare_run: Path, tmp_path: Path) -> None:
    """The data space from address 0 holds R0 to R31, SP and SREG; records have a fixed length."""
    (tmp_path / "data").write_bytes(bytes(range(0x60)))
    (tmp_path / "code").write_bytes(AVR.code)
    with BareRun(bare_run, "avr") as core:
        core.load(tmp_path / "data", DATA_START)
        _pc, sp, sreg, rampz, *general = core.registers()
        assert (sp, sreg, rampz) == (0x5E5D, 0x5F, 0x01)
        assert general == list(range(32))
        core.load(tmp_path / "code", 0)
        core.ask(f"records 3 {tmp_path / 'records'}")
        assert len((tmp_path / "records").read_bytes()) == 3 * RECORD
        saved = core.save(DATA_START, 0x301, tmp_path / "saved")
        assert (saved[0x300], saved[16]) == (0x42, 0x42)
