# SPDX-License-Identifier: BSD-3-Clause
"""The ARMv7-M core on a whole program, and its decoder on every pattern."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.motes.cpu_armv7m import aes
from tests.motes.cpu_armv7m.emulators import Core

BLOCKS = 200
R0 = 0


@pytest.fixture(scope="module")
def program(root: Path, tmp_path_factory: pytest.TempPathFactory) -> aes.Program:
    """AES-128 of the stack, compiled for this test."""
    return aes.build(root, tmp_path_factory.mktemp("aes"), BLOCKS)


@pytest.fixture
def core(bare_run: Path) -> Iterator[Core]:
    """Our core."""
    with Core(bare_run) as core:
        yield core


def run(core: Core, program: aes.Program, *, blocks: bool = True) -> tuple[int, int]:
    """Cycles from reset to the end of the program, and the result in R0."""
    aes.start_core(core, program)
    cycles, state = core.run(program.stop, aes.MOST_CYCLES, blocks=blocks)
    return cycles, state[R0]


def test_aes_is_the_same_everywhere(program: aes.Program, core: Core) -> None:
    """Our core, at both ends of the band and with wait states, and unicorn end with the same
    ciphertext."""
    low, result = run(core, program)
    core.set_timing("high")
    high, at_high = run(core, program)
    core.set_timing("low", fetch_wait=1)
    waited, with_waits = run(core, program)
    assert result == at_high == with_waits == aes.result_in_unicorn(program)
    assert low < high < 2 * low
    assert low < waited < 2 * low


@pytest.mark.parametrize("variant", ["small", "tab"])
@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.parametrize("line_wait", [0, 1, 3])
def test_blocks_decoded_instructions_and_steps_take_the_same_cycles(
    variant: str, end: str, line_wait: int, root: Path, tmp_path: Path, bare_run: Path
) -> None:
    """Compiled AES and straight-line assembly: all three ways of execution agree on cycles and
    result."""
    program = aes.build(root, tmp_path, 20, variant)
    outcomes = []
    for blocks in (True, False):
        with Core(bare_run) as core:
            core.set_timing(end, line_wait=line_wait)
            outcomes.append(run(core, program, blocks=blocks))
    with Core(bare_run) as core:
        core.set_timing(end, line_wait=line_wait)
        aes.start_core(core, program)
        _, cycles, registers = core.until(program.stop, aes.MOST_CYCLES)
    assert outcomes == [(cycles, registers[R0])] * 2


def test_cycles_per_instruction(program: aes.Program, core: Core) -> None:
    """A compiled program takes between one and two cycles per instruction at the low end."""
    instructions = aes.count_instructions(program)
    cycles, _ = run(core, program)
    assert instructions < cycles < 2 * instructions


def test_every_pattern_is_decoded(core: Core) -> None:
    """All 16-bit patterns and all 402 653 184 that begin a 32-bit instruction: none panics."""
    patterns, defined, _cycles = map(int, core.ask("decode_all").split())
    assert patterns == 0xE800 + (0x1_0000 - 0xE800) * 0x1_0000
    assert 0 < defined < patterns


def test_faults_name_the_instruction(program: aes.Program, core: Core) -> None:
    """A reset to a vector table of zeros is reported with its cause."""
    core.load_image(program.file)
    core.ask("reset 0x20000000")
    with pytest.raises(RuntimeError, match="after 0 cycles: instruction at 0x00000000: the Thumb"):
        core.step()


def test_an_address_that_is_never_reached(program: aes.Program, core: Core) -> None:
    """A run in blocks that ends elsewhere says so."""
    aes.start_core(core, program)
    with pytest.raises(RuntimeError, match="3145728 was not reached in 1000 cycles"):
        core.run(0x30_0000, 1000)
