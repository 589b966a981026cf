# SPDX-License-Identifier: BSD-3-Clause
"""The program `msp430-run`: images it reads, what it counts, and what it says of bad ones."""

import struct
import subprocess
from pathlib import Path

import pytest

from tests.motes.cpu_msp430.encoding import constant, immediate, jump, octets, register, two

CODE, STOP = 0x4000, 0x4008

# MOV #3,R5 (2 cycles); three turns of SUB #1,R5 (1) and JNE (2); then a jump to itself at STOP.
PROGRAM = octets(
    [
        *two(CODE, "MOV", immediate(3), register(5)),
        *two(CODE + 4, "SUB", constant(1), register(5)),
        jump("JNE", -2),
        jump("JMP", -1),
    ]
)
INSTRUCTIONS, CYCLES = 1 + 3 * 2, 2 + 3 * 3


def elf(machine: int = 105) -> bytes:
    """An ELF executable with the program, whose data lie elsewhere in memory than in flash, and the
    reset vector."""
    segments = [(CODE, PROGRAM), (0xFFFE, CODE.to_bytes(2, "little"))]
    content = 52 + 32 * len(segments)
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    header = ident + struct.pack(
        "<HHIIIIIHHHHHH", 2, machine, 1, CODE, 52, 0, 0, 52, 32, len(segments), 0, 0, 0
    )
    table, body = b"", b""
    for addr, part in segments:
        # The virtual address is of no matter: images are loaded where flash holds them.
        table += struct.pack(
            "<IIIIIIII", 1, content + len(body), 0x1100, addr, len(part), len(part), 5, 2
        )
        body += part
    return header + table + body


def intel_hex() -> str:
    """The same as Intel hex."""
    lines = []
    for addr, part in ((CODE, PROGRAM), (0xFFFE, CODE.to_bytes(2, "little"))):
        record = bytes([len(part), addr >> 8, addr & 0xFF, 0]) + part
        lines.append(":" + (record + bytes([-sum(record) & 0xFF])).hex().upper())
    return "\n".join([*lines, ":00000001FF", ""])


def bench(program: Path, image: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs an image to STOP."""
    command: list[str | Path] = [program, "--bench", image, "--stop", hex(STOP), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", ["elf", "ihex"])
def test_bench_counts(kind: str, msp430_run: Path, tmp_path: Path) -> None:
    """Both image formats run from the reset vector to the stop address, counted exactly."""
    image = tmp_path / "image"
    image.write_bytes(elf() if kind == "elf" else intel_hex().encode())
    done = bench(msp430_run, image)
    cycles, instructions, seconds = done.stdout.splitlines()
    assert (cycles, instructions) == (f"cycles {CYCLES}", f"instructions {INSTRUCTIONS}")
    assert float(seconds.removeprefix("seconds ")) >= 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (elf()[:60], "the file is truncated"),
        (elf()[:-1], "the file is truncated"),
        (elf(machine=40), "not an ELF executable for the MSP430"),
        (intel_hex().replace("FF\n", "FE\n").encode(), "wrong length or checksum"),
        (intel_hex().splitlines()[0].encode(), "no end record"),
        (b"hello", "neither ELF nor Intel hex"),
        (b"\xff\xfe", "neither ELF nor Intel hex"),
    ],
)
def test_bad_images(content: bytes, message: str, msp430_run: Path, tmp_path: Path) -> None:
    """A file that is no complete image for this CPU is refused in one line that names it."""
    image = tmp_path / "image"
    image.write_bytes(content)
    done = bench(msp430_run, image)
    assert done.returncode != 0
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert message in line
    assert str(image) in line


def test_stop_address_never_reached(msp430_run: Path, tmp_path: Path) -> None:
    """A run that ends elsewhere says so."""
    image = tmp_path / "image"
    image.write_bytes(elf())
    done = bench(msp430_run, image, "--limit", "3")
    assert done.returncode != 0
    assert "0x4008 was not reached in 3 instructions" in done.stderr


def test_fault_names_where_it_came_from(msp430_run: Path, tmp_path: Path) -> None:
    """A jump into nowhere is reported with the faulting address, the jump, and the cycles until
    then."""
    image = tmp_path / "image"
    # Memory is zero behind the program, and 0x0000 is no instruction.
    image.write_bytes(elf().replace(octets([jump("JMP", -1)]), octets([jump("JMP", 7)])))
    done = subprocess.run(
        [msp430_run, "--bench", image, "--stop", "0x5000"],
        capture_output=True,
        text=True,
        check=False,
    )
    cycles = CYCLES + 2
    expected = (
        f"after {cycles} cycles, coming from 0x4008: illegal instruction word 0x0000 at 0x4018"
    )
    assert expected in done.stderr
