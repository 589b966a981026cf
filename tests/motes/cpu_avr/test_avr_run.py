# SPDX-License-Identifier: BSD-3-Clause
"""The line protocol of `avr-run`: what it answers, and that wrong input is an answer too."""

import subprocess
from pathlib import Path

import pytest

from tests.motes.cpu_avr.simulators import RECORD, ask

# LDI R16, 0x42; STS 0x0300, R16; RJMP -1.
PROGRAM = bytes.fromhex("02e4 0093 0003 ffcf")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A raw image of three instructions."""
    file = tmp_path / "image"
    file.write_bytes(PROGRAM)
    return file


def test_steps_and_memory(avr_run: Path, image: Path, tmp_path: Path) -> None:
    """Two instructions: cycles, PC, the register and the octet in memory."""
    saved, records = tmp_path / "saved", tmp_path / "records"
    _load, state, _save, dump, wrote = ask(
        avr_run, f"load {image}", "step 2", f"save {saved}", "dump", f"records 3 {records}"
    )
    assert state == dump
    assert state.split()[:5] == ["3", "00006", "0000", "00", "00"]
    assert state.split()[5 + 16] == "42"
    assert (saved.read_bytes()[0x300], saved.read_bytes()[16], wrote) == (0x42, 0x42, "ok")
    assert len(records.read_bytes()) == 3 * RECORD


def test_data_reaches_the_registers(avr_run: Path, tmp_path: Path) -> None:
    """The data space from address 0 holds R0 to R31, SP and SREG."""
    octets = bytearray(range(0x60))
    (tmp_path / "data").write_bytes(octets)
    _data, state = ask(avr_run, f"data {tmp_path / 'data'}", "dump")
    assert state.split()[2:5] == ["5e5d", "5f", "01"]
    assert bytes.fromhex("".join(state.split()[5:])) == bytes(range(32))


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("jump", "unknown command"),
        ("step many", "is not a number"),
        ("pc 3", "odd address"),
        ("pc 0x20000", "outside 128 KiB"),
        ("load /nowhere", "No such file"),
        ("data /nowhere", "No such file"),
    ],
)
def test_wrong_commands_are_answered(avr_run: Path, command: str, says: str) -> None:
    """A command that cannot be obeyed is answered by one line that says why, and the next one
    works."""
    answer, dump = ask(avr_run, command, "dump")
    assert answer.startswith("error ")
    assert says in answer
    assert dump.startswith("0 00000 ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("1994", "illegal instruction word 0x9419 at 0x00000"),
        ("0091 0022", "instruction at 0x00000: nothing is mapped at data address 0x2200"),
        ("e895", "instruction at 0x00000: the function at 0x0000 is not modelled"),
    ],
)
def test_faults_are_answered(avr_run: Path, tmp_path: Path, words: str, says: str) -> None:
    """EIJMP, an address above SRAM and SPM end the run with the reason; the PC stays."""
    (tmp_path / "image").write_bytes(bytes.fromhex(words))
    _load, answer, dump = ask(avr_run, f"load {tmp_path / 'image'}", "step 1", "dump")
    assert answer == f"error {says}"
    assert dump.split()[1] == "00000"


def test_a_run_that_does_not_end_is_an_error(avr_run: Path, image: Path) -> None:
    """`--bench` with a limit says that the end was not reached; an ELF of another machine is
    refused."""
    command = [str(avr_run), "--bench", str(image), "--stop", "0x100", "--limit", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "not reached in 1000 instructions" in done.stderr
    image.write_bytes(b"\x7fELF\x01\x01" + bytes(60))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "not an ELF executable for the AVR" in done.stderr
