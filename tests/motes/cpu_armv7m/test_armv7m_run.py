# SPDX-License-Identifier: BSD-3-Clause
"""The program `armv7m-run`: images, measurements, its complaints; and that the core is right on a
whole program."""

import subprocess
from pathlib import Path

import pytest

from tests.motes.cpu_armv7m import speed

BLOCKS = 200


@pytest.fixture(scope="module")
def program(root: Path, tmp_path_factory: pytest.TempPathFactory) -> speed.Program:
    """AES-128 of the stack, compiled for this test."""
    return speed.build(root, tmp_path_factory.mktemp("speed"), BLOCKS)


def test_aes_is_the_same_everywhere(program: speed.Program, armv7m_run: Path) -> None:
    """Our core, at both ends of the band and with wait states, and unicorn end with the same
    ciphertext."""
    low, high = (speed.run_core(armv7m_run, program, "--timing", end) for end in ("low", "high"))
    waited = speed.run_core(armv7m_run, program, "--fetch-wait", "1")
    judge = speed.run_unicorn(program)
    assert {low.result, high.result, waited.result} == {judge.result}
    assert low.cycles is not None
    assert high.cycles is not None
    assert waited.cycles is not None
    assert low.cycles < high.cycles < 2 * low.cycles
    assert low.cycles < waited.cycles < 2 * low.cycles


@pytest.mark.parametrize("variant", ["small", "tab"])
@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.parametrize("line_wait", [0, 1, 3])
def test_every_way_takes_the_same_cycles(
    variant: str, end: str, line_wait: int, root: Path, tmp_path: Path, armv7m_run: Path
) -> None:
    """Compiled AES and straight-line assembly: blocks, single decoded instructions and steps count
    the same."""
    program = speed.build(root, tmp_path, 20, variant)
    options = ("--timing", end, "--line-wait", str(line_wait))
    quick, sprint, step = (
        speed.run_core(armv7m_run, program, *options, "--way", way)
        for way in ("quick", "sprint", "step")
    )
    assert quick.cycles == sprint.cycles == step.cycles
    assert quick.result == sprint.result == step.result


def test_cycles_per_instruction(program: speed.Program, armv7m_run: Path) -> None:
    """A compiled program takes between one and two cycles per instruction at the low end."""
    instructions = speed.count_instructions(program)
    cycles = speed.run_core(armv7m_run, program).cycles
    assert cycles is not None
    assert instructions < cycles < 2 * instructions


def test_every_pattern_is_decoded(armv7m_run: Path) -> None:
    """All 16-bit patterns and all 402 653 184 that begin a 32-bit instruction: none panics."""
    done = subprocess.run([armv7m_run, "--decode-all"], capture_output=True, text=True, check=True)
    fields = dict(line.rsplit(maxsplit=1) for line in done.stdout.splitlines())
    assert int(fields["patterns"]) == 0xE800 + (0x1_0000 - 0xE800) * 0x1_0000
    assert 0 < int(fields["defined"]) < int(fields["patterns"])


def bench(program: Path, image: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`armv7m-run --bench`."""
    return subprocess.run(
        [program, "--bench", image, *options], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an ELF"),
        (b"\x7fELF\x01\x01" + bytes(20), "not an ELF"),
        (b"\x7fELF\x01\x01\x01", "truncated"),
    ],
)
def test_bad_images(content: bytes, message: str, armv7m_run: Path, tmp_path: Path) -> None:
    """A file that is no executable for ARM is refused in one line that names it."""
    image = tmp_path / "image"
    image.write_bytes(content)
    done = bench(armv7m_run, image, "--stop", "0x100")
    assert (done.returncode != 0, done.stdout) == (True, "")
    (line,) = done.stderr.splitlines()
    assert message in line
    assert str(image) in line


def test_stop_address_never_reached(program: speed.Program, armv7m_run: Path) -> None:
    """A run that ends elsewhere says so."""
    done = bench(armv7m_run, program.file, "--stop", "0x300000", "--limit", "1000")
    assert done.returncode != 0
    assert "0x00300000 was not reached" in done.stderr


def test_faults_name_the_instruction(program: speed.Program, armv7m_run: Path) -> None:
    """A reset into nothing is reported with its cause."""
    done = bench(armv7m_run, program.file, "--stop", "0", "--vectors", "0x20000000")
    assert done.returncode != 0
    assert "after 0 cycles: instruction at 0x00000000: the Thumb bit is clear" in done.stderr


def test_usage(armv7m_run: Path) -> None:
    """Unknown options are refused."""
    done = subprocess.run([armv7m_run, "--nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "usage: armv7m-run" in done.stderr
