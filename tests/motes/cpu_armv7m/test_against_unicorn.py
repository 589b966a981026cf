# SPDX-License-Identifier: BSD-3-Clause
"""The ARMv7-M core against unicorn: registers, flags and memory after the same instructions.

unicorn is the judge of state only: it knows no cycles, and no NVIC (the Rust tests of the crate
check both).
"""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.motes.bare_run import Stream
from tests.motes.cpu_armv7m import streams
from tests.motes.cpu_armv7m.emulators import (
    CORES,
    PC,
    RAM_LENGTH,
    RAM_START,
    SINGLES,
    Core,
    State,
    Unicorn,
)
from tests.motes.cpu_armv7m.forms import lines
from tests.motes.cpu_armv7m.streams import Batch

BATCHES = range(52)
OTHER_BATCHES = range(1000, 1026)
OTHERS = tuple(core for core in CORES if core != "armv7m")
INSTRUCTIONS_PER_BATCH = 20_000

# Ends of the band and wait states of a line of code memory, one for each batch in turn.
TIMINGS = (("low", 0), ("high", 1), ("high", 0), ("low", 2))

# More instructions than any stream runs.
STREAM_LIMIT = 20_000


def show(state: State) -> str:
    """All registers in hexadecimal."""
    return " ".join(f"{value:08x}" for value in state)


def first_difference(batch: Batch, stream: Stream, ram: bytes, core: Core, folder: Path) -> str:
    """Runs a stream again on both, from the same memory, up to the first instruction after which
    the states differ."""
    before = folder / "ram.bin"
    before.write_bytes(ram)
    core.load(before, RAM_START)
    core.set_state(stream.registers)
    judge = Unicorn(core.name)
    judge.load(batch.image, 0)
    judge.load(ram, RAM_START)
    judge.set_state(stream.registers)
    state = stream.registers
    while state[PC] != stream.end:
        ours = core.step_to_state()
        while core.in_it_block():  # unicorn does not stop inside
            ours = core.step_to_state()
        theirs = judge.until(ours[PC])
        same = core.save(RAM_START, RAM_LENGTH, before) == judge.memory(RAM_START, RAM_LENGTH)
        if ours != theirs or not same:
            words = batch.image[state[PC] : state[PC] + 4]
            halves = [int.from_bytes(words[i : i + 2], "little") for i in (0, 2)]
            codes = " ".join(f"{half:04x}" for half in halves)
            states = f"before {show(state)}\nours   {show(ours)}\ntheirs {show(theirs)}"
            return (
                f"{codes} {core.decode(*halves)}; memory {'equal' if same else 'differs'}\n{states}"
            )
        state = ours
    return "no single step differs in registers"


def differing_octets(ours: bytes, theirs: bytes) -> str:
    """The first addresses where two memories differ."""
    places = (
        f"0x{RAM_START + i:08x}"
        for i, pair in enumerate(zip(ours, theirs, strict=True))
        if pair[0] != pair[1]
    )
    return ", ".join(place for _, place in zip(range(8), places, strict=False))


@pytest.mark.parametrize("seed", BATCHES)
def test_streams(seed: int, bare_run: Path, tmp_path: Path) -> None:
    """Random programs end with the same registers, flags and memory; together more than 1 000 000
    instructions."""
    assert compared(seed, "armv7m", bare_run, tmp_path) >= INSTRUCTIONS_PER_BATCH
    assert len(BATCHES) * INSTRUCTIONS_PER_BATCH >= 1_000_000


@pytest.mark.parametrize("seed", OTHER_BATCHES)
@pytest.mark.parametrize("name", OTHERS)
def test_streams_of_other_cores(name: str, seed: int, bare_run: Path, tmp_path: Path) -> None:
    """The same for the Cortex-M0+, and for the Cortex-M4 with DSP instructions and the registers of
    its FPU; 500 000 instructions each."""
    assert compared(seed, name, bare_run, tmp_path) >= INSTRUCTIONS_PER_BATCH
    assert len(OTHER_BATCHES) * INSTRUCTIONS_PER_BATCH >= 500_000


@pytest.mark.parametrize("name", CORES)
def test_each_register_in_each_place(name: str, bare_run: Path, tmp_path: Path) -> None:
    """Each form of an instruction with each register, and each corner of a constant, in each of its
    fields."""
    batch = streams.directed(0, core=name)
    done = compare(batch, 0, name, bare_run, tmp_path)
    assert done > (900 if name == "cortex-m0plus" else 5_000)


def compared(seed: int, name: str, bare_run: Path, tmp_path: Path) -> int:
    """Compares the random programs of a seed on a core; the number of instructions."""
    return compare(streams.batch(seed, core=name), seed, name, bare_run, tmp_path)


def compare(batch: Batch, seed: int, name: str, bare_run: Path, tmp_path: Path) -> int:
    """Compares programs on a core; the number of instructions."""
    image, memory = tmp_path / "image.bin", tmp_path / "memory.bin"
    image.write_bytes(batch.image)
    ram = random.Random(seed).randbytes(RAM_LENGTH)
    memory.write_bytes(ram)
    judge = Unicorn(name)
    judge.load(batch.image, 0)
    judge.load(ram, RAM_START)
    executed = 0
    numbers = random.Random(seed)
    end, line_wait = TIMINGS[seed % len(TIMINGS)]
    with Core(bare_run, name) as core:
        core.load(image, 0)
        core.load(memory, RAM_START)
        core.set_timing(end, line_wait=line_wait)
        for stream in batch.streams:
            singles = (*(numbers.getrandbits(32) for _ in range(SINGLES)), 0)
            core.singles(singles)
            core.set_state(stream.registers)
            instructions, cycles, ours = core.until_state(stream.end, STREAM_LIMIT)
            executed += instructions
            judge.set_singles(singles)
            judge.set_state(stream.registers)
            theirs = judge.until(stream.end)
            if ours != theirs:
                pytest.fail(first_difference(batch, stream, ram, core, tmp_path))
            assert ours[PC] == stream.end
            singles_after = core.singles()
            assert singles_after == (judge.singles() if name == "cortex-m4" else singles)
            after = core.save(RAM_START, RAM_LENGTH, memory)
            if after != judge.memory(RAM_START, RAM_LENGTH):
                places = differing_octets(after, judge.memory(RAM_START, RAM_LENGTH))
                pytest.fail(
                    f"memory differs at {places}; "
                    f"{first_difference(batch, stream, ram, core, tmp_path)}"
                )
            assert after != ram
            # The same program in blocks, now that its instructions are decoded: the same cycles,
            # registers and memory.
            memory.write_bytes(ram)
            core.load(memory, RAM_START)
            core.singles(singles)
            core.set_state(stream.registers)
            assert core.run(stream.end, 100 * STREAM_LIMIT) == (cycles, ours)
            assert core.singles() == singles_after
            assert core.save(RAM_START, RAM_LENGTH, memory) == after
            ram = after
    return executed


def test_streams_hold_every_form() -> None:
    """Each form and each structure occurs many times."""
    names: Counter[str] = Counter()
    for seed in BATCHES[:4]:
        names += streams.batch(seed).names
    expected = {line.split()[0] for line in lines()}
    expected |= {
        "B<c>",
        "B<c>.W",
        "B",
        "B.W",
        "BL",
        "CBZ",
        "BX",
        "BLX",
        "MOV-pc",
        "ADD-pc",
        "POP-pc",
        "LDR-pc",
        "IT",
    }
    expected |= {"TBB", "TBH", "LDREX", "LDREXB", "LDREXH", "STREX", "STREXB", "STREXH"}
    rare = {name: names[name] for name in expected if names[name] < 20}
    assert not rare
