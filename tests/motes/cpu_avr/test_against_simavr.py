# SPDX-License-Identifier: BSD-3-Clause
"""Lock-step with simavr: PC, SP, SREG, RAMPZ, R0 to R31 and cycles after every instruction, memory
after every run."""

import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.motes.bare_run import BareRun
from tests.motes.cpu_avr import every_word
from tests.motes.cpu_avr.exclusions import taken_for_two_words
from tests.motes.cpu_avr.forms import FORMS, name_of
from tests.motes.cpu_avr.simulators import MCU, Trace, trace_ours, trace_simavr
from tests.motes.cpu_avr.streams import DATA, GPIOR, RAMPZ, SREG, WORDS, Program

SEEDS = range(8)
INSTRUCTIONS = 150_000
# Operands at which the flags change: every pair of them, with SREG all 0, all 1, and two mixed
# values.
CORNERS = (0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xF0, 0xFE, 0xFF)
SREGS = (0x00, 0x7F, 0x02, 0x7D)
TWO_REGISTERS = (
    "add", "adc", "sub", "sbc", "and", "or", "eor", "mov", "cp", "cpc", "mul", "muls", "mulsu", "fmul", "fmuls",
    "fmulsu",
)  # fmt: skip
ONE_REGISTER = (
    "com", "neg", "swap", "inc", "dec", "asr", "lsr", "ror",
)  # fmt: skip
IMMEDIATE = (
    "cpi", "sbci", "subi", "ori", "andi",
)  # fmt: skip
SRAM = 0x200
# More than the compiled program executes.
MOST_INSTRUCTIONS = 10**9


def compare(
    bare_run: Path, simavr: Path, folder: Path, image: bytes, data: bytes, count: int
) -> Trace:
    """Runs both and asserts that nothing differs; our trace."""
    image_file, data_file = folder / "image", folder / "data"
    image_file.write_bytes(image)
    data_file.write_bytes(data)
    ours = trace_ours(bare_run, image_file, data_file, count, folder)
    theirs = trace_simavr(simavr, image_file, data_file, count, folder)
    assert len(ours) == len(theirs) == count
    if ours.records != theirs.records:
        first = next(i for i in range(count) if ours.at(i) != theirs.at(i))
        pc = ours.pc(first - 1) if first else 0
        word = int.from_bytes(image[2 * pc : 2 * pc + 2], "little")
        pytest.fail(
            f"instruction {first} at 0x{2 * pc:05x}, 0x{word:04x} ({name_of(word)}):\n"
            f"simavr {theirs.describe(first)}\nours   {ours.describe(first)}\nbefore "
            f"{ours.describe(first - 1)}"
        )
    assert ours.data[SRAM:] == theirs.data[SRAM:]
    assert [ours.data[addr] for addr in GPIOR] == [theirs.data[addr] for addr in GPIOR]
    return ours


def _words(*words: int) -> bytes:
    return b"".join(word.to_bytes(2, "little") for word in words)


def compared(seed: int, bare_run: Path, simavr: Path, folder: Path) -> tuple[Program, Trace]:
    """Compares the random program of a seed; our trace of it."""
    program = Program(seed)
    image, data = program.image(), program.data()
    return program, compare(bare_run, simavr, folder, image, data, INSTRUCTIONS)


def test_random_programs_agree(bare_run: Path, simavr: Path, tmp_path: Path) -> None:
    """More than a million random instructions; all but SPM (see `exclusions.py`) executed a hundred
    times at least."""
    executed: Counter[str] = Counter()
    names = {word: name for word in range(WORDS) if (name := name_of(word))}
    for seed in SEEDS:
        program, trace = compared(seed, bare_run, simavr, tmp_path)
        pcs = [0] + [trace.pc(index) for index in range(INSTRUCTIONS - 1)]
        executed.update(names[program.words[pc]] for pc in pcs)
    assert executed.total() >= 1_000_000
    rare = {name: executed[name] for name in FORMS if name != "spm" and executed[name] < 100}
    assert not rare


def test_every_word_agrees(bare_run: Path, simavr: Path, tmp_path: Path) -> None:
    """Each instruction on data with each register, constant, bit and displacement: all words of the
    set but those that go elsewhere, SPM, and I/O registers with devices."""
    seen: set[int] = set()
    data = Program(0).data()
    for words in every_word.programs(0):
        trace = compare(bare_run, simavr, tmp_path, _words(*words), data, len(words))
        seen.update(words[pc] for pc in [0] + [trace.pc(at) for at in range(len(trace) - 1)])
    wanted = {word for word in range(WORDS) if every_word.piece(word, Random(0))}
    assert wanted <= seen
    assert len(wanted) > 45_000


def test_corner_operands_agree(bare_run: Path, simavr: Path, tmp_path: Path) -> None:
    """Every arithmetic instruction on every pair of corner operands, with SREG of four kinds."""
    words: list[int] = []

    def case(a: int, b: int, sreg: int, word: int) -> None:
        for register, value in ((20, sreg), (16, a), (17, b)):
            words.append(FORMS["ldi"].word(d=register - 16, k=value))
        words.append(FORMS["out"].word(a=SREG - 0x20, d=20))
        words.append(word)

    total, data = 0, Program(0).data()
    for sreg in SREGS:
        for a in CORNERS:
            words.clear()
            for b in CORNERS:
                for name in TWO_REGISTERS:
                    width = FORMS[name].width("d")
                    case(
                        a,
                        b,
                        sreg,
                        FORMS[name].word(d=16 if width == 5 else 0, r=17 if width == 5 else 1),
                    )
                for name in IMMEDIATE:
                    case(a, b, sreg, FORMS[name].word(d=0, k=b))
                for name in ("adiw", "sbiw"):
                    # R25:R24 = b:a, so that both octets are corners.
                    words += [FORMS["ldi"].word(d=8, k=a), FORMS["ldi"].word(d=9, k=b)]
                    case(a, b, sreg, FORMS[name].word(d=0, k=a & 0x3F))
            for name in ONE_REGISTER:
                case(a, 0, sreg, FORMS[name].word(d=16))
            compare(bare_run, simavr, tmp_path, _words(*words), data, len(words))
            total += len(words)
    assert total > 10_000


def test_a_compiled_program_agrees(
    bare_run: Path, simavr: Path, compiled: tuple[Path, Path], tmp_path: Path
) -> None:
    """What clang makes of ordinary C, instruction by instruction from reset, and the cycles of the
    whole run."""
    _elf, raw = compiled
    trace = compare(bare_run, simavr, tmp_path, raw.read_bytes(), bytes(DATA), 300_000)
    # It went into every function: the last of them ends near the end of the image.
    assert max(trace.pc(index) for index in range(len(trace))) > raw.stat().st_size * 0.4


def test_whole_program_takes_the_same_cycles(
    bare_run: Path, simavr: Path, compiled: tuple[Path, Path]
) -> None:
    """The program to its end: both count the same cycles."""
    elf, raw = compiled
    sleep = raw.read_bytes().index(_words(FORMS["sleep"].value))
    with BareRun(bare_run, "avr") as core:
        core.load_image(elf)
        _, cycles, _ = core.until(sleep, MOST_INSTRUCTIONS)
    command = [str(simavr), MCU, str(raw)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    # simavr executes the SLEEP at which our run stops.
    assert done.stdout.split() == ["cycles", str(cycles + 1)]


def test_a_skip_over_adiw_skips_one_word(bare_run: Path, tmp_path: Path) -> None:
    """The one instruction whose length simavr 1.6 gets wrong: ADIW is one word, so skipping it
    takes 2 cycles."""
    adiw = FORMS["adiw"].word(d=0, k=12)
    assert taken_for_two_words(adiw)
    (tmp_path / "image").write_bytes(_words(FORMS["sbrc"].word(d=0, b=0), adiw, 0, 0))
    with BareRun(bare_run, "avr") as core:
        core.load(tmp_path / "image", 0)
        cycles, (pc, *_) = core.step()
    assert (cycles, pc) == (2, 4)


def test_reserved_bits_of_rampz_read_0(bare_run: Path, tmp_path: Path) -> None:
    """Of RAMPZ only bit 0 exists with 128 KiB of flash; simavr keeps all bits."""
    load, out = FORMS["ldi"].word(d=0, k=0xFF), FORMS["out"].word(a=RAMPZ - 0x20, d=16)
    (tmp_path / "image").write_bytes(_words(load, out, FORMS["in"].word(a=RAMPZ - 0x20, d=17)))
    with BareRun(bare_run, "avr") as core:
        core.load(tmp_path / "image", 0)
        _, registers = core.step(3)
    assert (registers[3], registers[4 + 17]) == (1, 1)
