# SPDX-License-Identifier: BSD-3-Clause
"""Runs the link layer's tests on this machine's own CPU, and the kept fuzz corpora, on a library
that counts, and says which lines of stack/src/link, net, store and zigbee were run. Exit code 1 if they are
fewer than `--least` per cent, or if a test fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scripts import fuzz

ROOT = Path(__file__).resolve().parent.parent
COVERAGE = ROOT / "build/coverage"
LIBRARY = COVERAGE / "stack/host/libwardmote.so"
ROOMS = ("stack/src/link", "stack/src/net", "stack/src/store", "stack/src/zigbee")
TESTS = ("tests/stack/link", "tests/stack/net", "tests/stack/store", "tests/stack/zigbee")
HERE_ONLY = (
    "not msp430 and not avr and not armv7m and not tshark and not mutants and not memory"
    " and not long and not powerpc and not s390x and not int_of_16_bits and not host-small"
)
"""Tests that call the library on this machine in this process: no emulated CPU, no other program,
no other library."""
RUN_TESTS = """
import sys, pathlib, pytest, wardmote.paths
wardmote.paths.BUILD = pathlib.Path(sys.argv[1])
sys.exit(pytest.main(sys.argv[2:]))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One source file."""

    file: str
    """Its name."""
    lines: int
    """How many of its lines have code."""
    covered: int
    """How many of those were run."""
    missed: tuple[int, ...]
    """The numbers of those that were not."""

    @property
    def percent(self) -> float:
        """Of the lines with code."""
        return 100 * self.covered / self.lines if self.lines else 100.0


class RunError(RuntimeError):
    """A program to be counted failed. The text says which."""


def call(command: Sequence[str], name: str) -> str:
    """Runs a program whose counters go to a file of that name. Returns its standard output."""
    environment = os.environ | {"LLVM_PROFILE_FILE": str(COVERAGE / "raw" / f"{name}-%p.profraw")}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RunError(f"{name}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def run_tests(folder: str) -> str:
    """Runs the tests of a folder that need no emulated CPU in one process, which writes its counters
    when it ends. Returns pytest's last line."""
    options = [
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestConfigWarning",
        "-k",
        HERE_ONLY,
        folder,
    ]
    out = call([sys.executable, "-c", RUN_TESTS, str(COVERAGE), *options], Path(folder).name)
    return f"{folder}: {out.strip().splitlines()[-1].strip('= ')}"


def run_corpora() -> int:
    """Runs every kept input once and returns their number."""
    count = 0
    for target in sorted(path.name.removeprefix("fuzz_") for path in COVERAGE.glob("fuzz_*")):
        folder = fuzz.unpack(target, COVERAGE / "kept" / target)
        count += len(list(folder.iterdir()))
        artifacts = f"-artifact_prefix={COVERAGE}/{target}-"
        call([str(COVERAGE / f"fuzz_{target}"), "-runs=0", artifacts, str(folder)], target)
    return count


def rows() -> list[Row]:
    """The counters of each file of the room."""
    profile = COVERAGE / "all.profdata"
    raw = sorted(str(path) for path in (COVERAGE / "raw").glob("*.profraw"))
    call(["llvm-profdata-22", "merge", "-sparse", *raw, "-o", str(profile)], "merge")
    return [
        row
        for row in map(
            row_of, sorted(path for room in ROOMS for path in (ROOT / room).glob("*.[ch]"))
        )
        if row.lines
    ]


def row_of(path: Path) -> Row:
    """From llvm-cov's listing, `line|count|source`."""
    out = call(
        [
            "llvm-cov-22",
            "show",
            f"-instr-profile={COVERAGE / 'all.profdata'}",
            str(LIBRARY),
            str(path),
        ],
        "show",
    )
    counts: dict[int, str] = {}
    for line in out.splitlines():
        number, _, rest = line.partition("|")
        count, bar, _ = rest.partition("|")
        if number.strip().isdigit() and bar and count.strip():
            counts.setdefault(int(number), count.strip())
    missed = tuple(line for line, count in counts.items() if count == "0")
    return Row(path.name, len(counts), len(counts) - len(missed), missed)


def ranges(lines: Sequence[int]) -> str:
    """1, 2, 3, 7 as `1-3, 7`."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def table(found: Sequence[Row]) -> Iterator[str]:
    """The rows as lines of text, and their sum."""
    yield f"{'link, net, store, zigbee':<24}{'lines':>7}{'run':>7}{'%':>8}  not run"
    for row in found:
        yield (
            f"{row.file:<24}{row.lines:>7}{row.covered:>7}{row.percent:>8.1f}  "
            f"{ranges(row.missed)}".rstrip()
        )
    lines, covered = sum(row.lines for row in found), sum(row.covered for row in found)
    yield f"{'all':<24}{lines:>7}{covered:>7}{100 * covered / lines:>8.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--least", type=float, default=0.0, help="per cent of the lines that must be run"
    )
    least = parser.parse_args(arguments).least
    shutil.rmtree(COVERAGE / "raw", ignore_errors=True)
    try:
        sys.stderr.write("coverage: tests and fuzz corpora\n")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            tests = [pool.submit(run_tests, folder) for folder in TESTS]
            corpora = pool.submit(run_corpora)
            lines = [one.result() for one in tests]
            count = corpora.result()
        found = rows()
    except RunError as failed:
        sys.stderr.write(f"coverage: {failed}\n")
        return 1
    print("\n".join(table(found)))
    print(f"from {', '.join(lines)}, and {count} kept fuzz inputs")
    share = 100 * sum(row.covered for row in found) / max(1, sum(row.lines for row in found))
    if share < least:
        sys.stderr.write(f"coverage: {share:.1f} % of the lines were run, {least:g} % are wanted\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
