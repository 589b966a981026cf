# SPDX-License-Identifier: BSD-3-Clause
"""The two machines that are compared: our core in `bare-run`, and libsimavr behind a driver of
ours."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.motes.bare_run import BareRun
from tests.motes.cpu_avr.streams import DATA

# Where the data space begins in ELF files, and in `bare-run`.
DATA_START = 0x80_0000
HEADER = Path("/usr/include/simavr/sim_avr.h")
MCU = "atmega1281"
RECORD = 48
# Compiler, linker and format converter of `compile_program`.
TOOLS = ("clang-22", "ld.lld-22", "llvm-objcopy-22")


def build_driver(oracle: Callable[[str], str], folder: Path, name: str = "simavr_driver") -> Path:
    """Compiles a driver against libsimavr."""
    oracle("simavr")
    compiler = oracle("gcc")
    if not HEADER.is_file():
        message = "libsimavr-dev is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    program, source = folder / name, Path(__file__).with_name(f"{name}.c")
    # The library's headers include each other without its folder's name.
    command = [
        compiler,
        "-O2",
        "-isystem/usr/include/simavr",
        str(source),
        "-o",
        str(program),
        "-lsimavr",
    ]
    subprocess.run(command, check=True)
    return program


def compile_program(tools: list[str], folder: Path) -> tuple[Path, Path]:
    """Compiles `program.c`: an ELF executable, and its program memory alone."""
    clang, lld, objcopy = tools
    here, unlinked, elf, raw = (
        Path(__file__).parent,
        folder / "program.o",
        folder / "program.elf",
        folder / "program",
    )
    flags = (
        f"--target=avr -mmcu={MCU} -std=c11 -Wall -Wextra -Werror -O2 "
        "-ffreestanding "
        "-fno-builtin -DROUNDS=2000"
    )
    subprocess.run([clang, *flags.split(), "-c", here / "program.c", "-o", unlinked], check=True)
    subprocess.run([lld, "-T", here / "program.ld", unlinked, "-o", elf], check=True)
    subprocess.run([objcopy, "-O", "binary", "-j", ".text", elf, raw], check=True)
    return elf, raw


@dataclass(frozen=True, slots=True)
class Trace:
    """The state after every instruction, 48 octets each, and the data space at the end."""

    records: bytes
    data: bytes

    def __len__(self) -> int:
        """Number of instructions."""
        return len(self.records) // RECORD

    def at(self, index: int) -> bytes:
        """The state after one instruction."""
        return self.records[RECORD * index : RECORD * (index + 1)]

    def pc(self, index: int) -> int:
        """Word address of the instruction after the one with this index."""
        return int.from_bytes(self.at(index)[8:12], "little") // 2

    def describe(self, index: int) -> str:
        """The state after one instruction for people."""
        record = self.at(index)
        cycles, pc, sp = (
            int.from_bytes(record[a:b], "little") for a, b in ((0, 8), (8, 12), (12, 14))
        )
        return (
            f"cycles {cycles} pc {pc:05x} sp {sp:04x} sreg {record[14]:08b} "
            "rampz "
            f"{record[15]} r {record[16:].hex()}"
        )


def trace_ours(bare_run: Path, image: Path, data: Path, count: int, folder: Path) -> Trace:
    """Runs our core."""
    records = folder / "ours.records"
    with BareRun(bare_run, "avr") as core:
        core.load(image, 0)
        core.load(data, DATA_START)
        core.ask(f"records {count} {records}")
        return Trace(records.read_bytes(), core.save(DATA_START, DATA, folder / "ours.data"))


def trace_simavr(driver: Path, image: Path, data: Path, count: int, folder: Path) -> Trace:
    """Runs simavr."""
    records, saved = folder / "simavr.records", folder / "simavr.data"
    command = [str(part) for part in (driver, MCU, image, data, count, records, saved)]
    subprocess.run(command, check=True, timeout=120, capture_output=True)
    return Trace(records.read_bytes(), saved.read_bytes())
