# SPDX-License-Identifier: BSD-3-Clause
"""`make isa`: random instructions on our cores and on other programs' simulators, as many as are
asked for, each core beside its judge. Prints what was compared; exit code 1 at the first
difference, which is told.

The tests of cpu_msp430, cpu_avr and cpu_armv7m run the same comparison on fewer seeds. What is left
out, and who is right there, is in their files exclusions.py and test_directed.py."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.motes.bare_run import find_bare_run
from tests.motes.cpu_armv7m import test_against_unicorn as unicorn
from tests.motes.cpu_avr import test_against_simavr as simavr
from tests.motes.cpu_avr.simulators import build_driver
from tests.motes.cpu_msp430 import test_against_mspdebug as mspdebug

ROOT = Path(__file__).parents[2]
INSTRUCTIONS = 10_000_000
FIRST_SEED = 10_000
"""Beyond those of the tests."""
Outcome = tuple[int, str]
"""Instructions, and the first difference."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A core and its judge."""

    core: str
    judge: str
    compared: Callable[[int, Path, Path], int]
    """Compares the programs of a seed: with bare-run, in a folder that has the judge's driver."""


def _msp430(seed: int, bare_run: Path, folder: Path) -> int:
    return mspdebug.compared(seed, bare_run, "mspdebug", folder)


def _avr(seed: int, bare_run: Path, folder: Path) -> int:
    _, trace = simavr.compared(seed, bare_run, folder.parent / "simavr_driver", folder)
    return len(trace)


def _armv7m(seed: int, bare_run: Path, folder: Path) -> int:
    return unicorn.compared(seed, "armv7m", bare_run, folder)


COMPARISONS = (
    Comparison("msp430", "mspdebug", _msp430),
    Comparison("avr", "simavr", _avr),
    Comparison("armv7m", "unicorn", _armv7m),
)


def one(number: int, seed: int, bare_run: Path, top: Path) -> Outcome:
    """The programs of one seed on a core, in a process of its own."""
    with TemporaryDirectory(dir=top) as folder:
        try:
            return COMPARISONS[number].compared(seed, bare_run, Path(folder)), ""
        except (AssertionError, RuntimeError, pytest.fail.Exception) as error:
            return 0, f"seed {seed}: {error}"


def outcomes(
    pool: ProcessPoolExecutor, jobs: int, number: int, place: tuple[Path, Path]
) -> Iterator[Outcome]:
    """One seed after the other, some at a time."""
    seeds = count(FIRST_SEED)
    while True:
        waiting = [pool.submit(one, number, seed, *place) for seed in islice(seeds, 4 * jobs)]
        for future in waiting:
            yield future.result()


def say(line: str) -> None:
    """A line, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    """Compares; the exit code."""
    parser = argparse.ArgumentParser(prog="make isa", description=__doc__.splitlines()[0])
    parser.add_argument("--instructions", type=int, default=INSTRUCTIONS, help="on each core")
    parser.add_argument("--jobs", type=int, default=2, help="seeds at a time")
    parser.add_argument("--core", choices=[one.core for one in COMPARISONS], action="append")
    asked = parser.parse_args(words)
    bare_run = find_bare_run(ROOT)
    bad = 0
    say(f"{'core':8} {'judge':9} {'instructions':>12} {'seeds':>6} {'differences':>11} {'s':>6}")
    with TemporaryDirectory() as top, ProcessPoolExecutor(asked.jobs) as pool:
        build_driver(lambda program: program, Path(top))
        for number, comparison in enumerate(COMPARISONS):
            if asked.core and comparison.core not in asked.core:
                continue
            begun, done, seeds, found = time.monotonic(), 0, 0, ""
            for executed, found in outcomes(pool, asked.jobs, number, (bare_run, Path(top))):
                done, seeds = done + executed, seeds + 1
                if found or done >= asked.instructions:
                    break
            bad += bool(found)
            seconds = time.monotonic() - begun
            cells = f"{comparison.core:8} {comparison.judge:9} {done:12} {seeds:6}"
            say(f"{cells} {bool(found):11} {seconds:6.0f}")
            if found:
                say(found)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
