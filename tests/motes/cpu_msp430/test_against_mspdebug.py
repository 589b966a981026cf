# SPDX-License-Identifier: BSD-3-Clause
"""The MSP430 core against mspdebug's simulator: registers, flags and memory after the same
instructions.

mspdebug is the judge of state only: it miscounts cycles (the Rust tests of the crate check those
against TI's table). What is not compared is listed in exclusions.py; R3 is not either, for mspdebug
stores what is written to it, though an instruction can never read it back.
"""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

import pytest

from tests.motes.bare_run import Stream
from tests.motes.cpu_msp430 import streams, wild
from tests.motes.cpu_msp430.encoding import FORMAT_I, FORMAT_II, MODIFIERS, Kind
from tests.motes.cpu_msp430.simulators import Core, Mspdebug
from tests.motes.cpu_msp430.state import PC, R3, Registers, Step
from tests.motes.cpu_msp430.streams import Batch, Row

BATCHES = range(20)
INSTRUCTIONS_PER_BATCH = 11_000
WILD_BATCHES = range(4)
EXCURSIONS_PER_BATCH = 1500

# More instructions than any stream runs.
STREAM_LIMIT = 5000


def comparable(registers: Registers) -> Registers:
    """The registers without R3."""
    return registers[:R3] + registers[R3 + 1 :]


def show(registers: Registers) -> str:
    """All registers in hexadecimal."""
    return " ".join(f"{value:04x}" for value in registers)


def differing_octets(ours: bytes, theirs: bytes, start: int) -> str:
    """The first addresses where two memories differ."""
    places = [
        f"0x{start + i:04x}"
        for i, pair in enumerate(zip(ours, theirs, strict=True))
        if pair[0] != pair[1]
    ]
    return ", ".join(places[:8])


def assert_same_memory(core: Core, theirs: Path, folder: Path, what: str) -> None:
    """The memories are equal above the peripheral space."""
    ours, other = core.save_memory(folder / "ours.bin"), theirs.read_bytes()
    assert ours == other, f"{what}: memory differs at {differing_octets(ours, other, 0x200)}"


def steps_of(stream: Stream, core: Core) -> list[Step]:
    """Sets the registers of a stream and looks ahead to its end."""
    core.set_registers(stream.registers)
    return list(takewhile(lambda step: step.registers[PC] != stream.end, core.trace(STREAM_LIMIT)))


def first_difference(batch: Batch, failed: Stream, core: Core, mspdebug: str, folder: Path) -> str:
    """Runs a batch again up to a stream, then that one step by step; says which instruction
    differs."""
    script, image = Mspdebug(mspdebug), folder / "image.bin"
    core.load_memory(image)
    script.load(image)
    before = batch.streams[: batch.streams.index(failed)]
    for stream in before:
        core.set_registers(stream.registers)
        core.until(stream.end, STREAM_LIMIT)
        script.set_registers(stream.registers)
        script.until(stream.end)
    steps = steps_of(failed, core)
    script.set_registers(failed.registers)
    for _ in steps:
        script.step()
    theirs = script.run(folder)[len(before) :]
    for step, their_registers in zip(steps, theirs, strict=True):
        our_registers = core.step()[1]
        if comparable(our_registers) != comparable(their_registers):
            words = " ".join(f"{word:04x}" for word in step.words)
            return (
                f"words {words}\nbefore   {show(step.registers)}\n"
                f"ours     {show(our_registers)}\nmspdebug {show(their_registers)}"
            )
    return "no single step differs in registers"


@pytest.mark.parametrize("seed", BATCHES)
def test_streams(seed: int, bare_run: Path, mspdebug: str, tmp_path: Path) -> None:
    """Random programs end with the same registers and memory on both; together more than 200 000
    instructions."""
    assert compared(seed, bare_run, mspdebug, tmp_path) >= INSTRUCTIONS_PER_BATCH
    assert len(BATCHES) * INSTRUCTIONS_PER_BATCH >= 200_000


def compared(seed: int, bare_run: Path, mspdebug: str, folder: Path) -> int:
    """Compares the random programs of a seed; the number of instructions."""
    batch = streams.batch(seed)
    image, saved = folder / "image.bin", folder / "theirs.bin"
    image.write_bytes(batch.image)
    script = Mspdebug(mspdebug)
    script.load(image)
    for stream in batch.streams:
        script.set_registers(stream.registers)
        script.until(stream.end)
    script.save(saved)
    theirs = script.run(folder)
    with Core(bare_run) as core:
        core.load_memory(image)
        executed = 0
        for stream, their_registers in zip(batch.streams, theirs, strict=True):
            core.set_registers(stream.registers)
            instructions, _, our_registers = core.until(stream.end, STREAM_LIMIT)
            executed += instructions
            if comparable(our_registers) != comparable(their_registers):
                pytest.fail(first_difference(batch, stream, core, mspdebug, folder))
            assert our_registers[PC] == stream.end
        assert_same_memory(core, saved, folder, f"seed {seed}")
    return executed


@pytest.mark.parametrize("seed", range(1000, 1004))
def test_short_streams_step_by_step(
    seed: int, bare_run: Path, mspdebug: str, tmp_path: Path
) -> None:
    """Short random programs agree in registers and memory after every single instruction."""
    batch = streams.batch(seed, items=20, streams=5)
    image = tmp_path / "image.bin"
    image.write_bytes(batch.image)
    with Core(bare_run) as core:
        core.load_memory(image)
        for stream in batch.streams:
            start = tmp_path / "start.bin"
            memory = core.save_memory(start)
            steps = steps_of(stream, core)
            script = Mspdebug(mspdebug)
            script.load(start)
            for i, step in enumerate(steps):
                # Saving memory resets mspdebug's registers; until they differ from ours, ours will
                # do.
                script.set_registers(step.registers)
                script.step()
                script.save(tmp_path / f"theirs{i}.bin")
            theirs = script.run(tmp_path)
            assert len(steps) >= 20
            for i, (step, their_registers) in enumerate(zip(steps, theirs, strict=True)):
                what = (
                    f"step {i} of the stream at 0x{stream.start:04x}: {step.words[0]:04x} "
                    "at "
                    f"{step.registers[PC]:04x}"
                )
                assert show(comparable(core.step()[1])) == show(comparable(their_registers)), what
                assert_same_memory(core, tmp_path / f"theirs{i}.bin", tmp_path, what)
            assert memory != core.save_memory(start), "a stream writes memory"


@pytest.mark.parametrize("seed", WILD_BATCHES)
def test_wild_excursions(seed: int, bare_run: Path, mspdebug: str, tmp_path: Path) -> None:
    """Random memory executed from random addresses gives the same registers and memory,
    self-modification included."""
    rng = random.Random(f"wild {seed}")
    image, saved = tmp_path / "image.bin", tmp_path / "theirs.bin"
    image.write_bytes(wild.image(rng))
    script = Mspdebug(mspdebug)
    script.load(image)
    ours: list[tuple[wild.Excursion, Registers]] = []
    with Core(bare_run) as core:
        core.load_memory(image)
        while len(ours) < EXCURSIONS_PER_BATCH:
            excursion = wild.next_excursion(core, rng)
            if excursion.steps == 0:
                continue
            ours.append((excursion, core.step(excursion.steps)[1]))
            script.set_registers(excursion.registers)
            script.step(excursion.steps)
        script.save(saved)
        for (excursion, our_registers), their_registers in zip(
            ours, script.run(tmp_path), strict=True
        ):
            what = f"{excursion.steps} steps from {show(excursion.registers)}"
            assert show(comparable(our_registers)) == show(comparable(their_registers)), what
        assert_same_memory(core, saved, tmp_path, f"seed {seed}")
    assert sum(excursion.steps for excursion, _ in ours) >= 2 * EXCURSIONS_PER_BATCH


def expected_rows() -> Iterable[Row]:
    """Opcode, width, source and destination of everything the streams are to contain."""
    memory = (Kind.INDEXED, Kind.SYMBOLIC, Kind.ABSOLUTE)
    for name in FORMAT_I:
        for byte in (False, True):
            sources = (Kind.REGISTER, Kind.CONSTANT, Kind.IMMEDIATE) if name == "DADD" else Kind
            yield from (
                (name, byte, src, dst) for src in sources for dst in (Kind.REGISTER, *memory)
            )
    for name in FORMAT_II:
        if name in MODIFIERS:
            kinds: Iterable[Kind] = (Kind.REGISTER, *memory, Kind.INDIRECT, Kind.AUTOINCREMENT)
        else:
            kinds = set(Kind) - {Kind.CONSTANT} if name == "CALL" else Kind
        widths = (False, True) if name in ("RRC", "RRA") else (False,)
        yield from ((name, byte, kind, None) for kind in kinds for byte in widths)


def test_streams_hold_every_form() -> None:
    """Each operation occurs in each width with each pair of addressing modes, several times."""
    rows: Counter[Row] = Counter()
    for seed in BATCHES:
        rows += streams.batch(seed).rows
    rare = {row: rows[row] for row in expected_rows() if rows[row] < 5}
    assert not rare
