# SPDX-License-Identifier: BSD-3-Clause
"""Runs the libFuzzer targets of build/fuzz, several at a time. Sums up their results and keeps
their corpora. A long run is made of slices. If it is stopped and the targets stay the same, the
next run continues after the last slice.

A kept corpus is tests/fuzz/corpus/NAME.hex: one input a line. Exit code 1: a target found
something; 2: it cannot run.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests/fuzz/corpus"
BUILD = ROOT / "build/fuzz"
MOST_OCTETS = 320
SLICE = 250_000
"""Executions of a long run that are lost at most when it is stopped."""
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
STATUS = re.compile(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/")
WRONG = re.compile(r"does not hold|ERROR: |runtime error")


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one target."""

    target: str
    """NAME of fuzz_NAME.c."""
    executions: int
    """Inputs that it was run with."""
    executions_per_second: float
    edges: int
    """Edges of the stack that were reached."""
    corpus_inputs: int
    """Inputs that reach something no other does."""
    findings: int
    """Inputs that it stopped at."""
    first_finding: str
    """The first complaint; empty where there is none."""


def inputs(target: str) -> list[bytes]:
    """The kept corpus of a target, empty for a new one."""
    path = KEPT / f"{target}.hex"
    return (
        [bytes.fromhex(line) for line in path.read_text(encoding="ascii").splitlines()]
        if path.is_file()
        else []
    )


def unpack(target: str, folder: Path) -> Path:
    """Writes the kept corpus into a new folder, one file for each input, as libFuzzer wants it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for octets in inputs(target):
        (folder / sha256(octets).hexdigest()[:16]).write_bytes(octets)
    return folder


def pack(target: str, folder: Path) -> int:
    """Replaces the kept corpus by the inputs in a folder, shortest first. Returns their number."""
    found = sorted(
        {path.read_bytes() for path in folder.iterdir()} - {b""},
        key=lambda octets: (len(octets), octets),
    )
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{target}.hex").write_text(
        "".join(f"{octets.hex()}\n" for octets in found), encoding="ascii"
    )
    return len(found)


def findings_of(target: str) -> list[Path]:
    """The inputs at which this run or an earlier one stopped."""
    return sorted((BUILD / "findings").glob(f"{target}-*"))


def run(target: str, runs: int, seed: int | None, progress: Progress, task: TaskID) -> Row:
    """Runs one target to its end. With a seed it begins from the kept corpus alone, so that each
    run is the same."""
    mode = "corpus" if seed is None else "brief"
    kept = unpack(target, BUILD / "kept" / mode / target)
    work = BUILD / mode / target
    if seed is not None:
        shutil.rmtree(work, ignore_errors=True)
    for folder in (work, BUILD / "findings", BUILD / "log"):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(findings_of(target))
    command = [
        str(BUILD / f"fuzz_{target}"),
        f"-runs={runs}",
        f"-max_len={MOST_OCTETS}",
        "-timeout=10",
    ]
    command += [
        f"-artifact_prefix={BUILD}/findings/{target}-",
        *([f"-seed={seed}"] if seed is not None else []),
    ]
    begin = time.monotonic()
    executions = edges = corpus = 0
    first = ""
    with (
        (BUILD / "log" / f"{mode}-{target}.txt").open("w", encoding="utf-8", buffering=1) as log,
        subprocess.Popen(
            [*command, str(work), str(kept)],
            stdout=log,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=os.environ | OPTIONS,
        ) as process,
    ):
        assert process.stderr is not None
        for line in process.stderr:
            log.write(line)
            if found := STATUS.match(line):
                executions, edges, corpus = int(found[1]), int(found[3]), int(found[5])
                progress.update(task, completed=executions)
            elif not first and WRONG.search(line):
                first = line.strip()
    new = [path for path in findings_of(target) if path not in before]
    if process.returncode != 0 and not new:
        first = (
            first or f"ended with status {process.returncode}: see {BUILD}/log/{mode}-{target}.txt"
        )
    seconds = max(time.monotonic() - begin, 1e-3)
    findings = max(len(new), int(process.returncode != 0))
    progress.update(task, completed=executions)
    return Row(target, executions, executions / seconds, edges, corpus, findings, first)


def run_long(target: str, runs: int, progress: Progress, task: TaskID) -> Row:
    """Runs one target in slices until it was run `runs` times in all; each slice begins with what
    the ones before it found. The number of finished runs is kept with a digest of the target."""
    path = BUILD / "long" / f"{target}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    program = sha256((BUILD / f"fuzz_{target}").read_bytes()).hexdigest()
    kept = json.loads(path.read_text(encoding="ascii")) if path.is_file() else {}
    if kept.get("program") == program:
        row, seconds = Row(**kept["row"]), float(kept["seconds"])
    else:
        row, seconds = Row(target, 0, 0.0, 0, 0, 0, ""), 0.0
    while row.executions < runs and not row.findings:
        progress.update(task, completed=row.executions)
        slice_ = run(target, min(SLICE, runs - row.executions), None, progress, task)
        seconds += slice_.executions / slice_.executions_per_second
        done = row.executions + slice_.executions
        row = replace(slice_, executions=done, executions_per_second=done / seconds)
        text = json.dumps({"program": program, "row": asdict(row), "seconds": seconds})
        path.write_text(text, encoding="ascii")
    progress.update(task, completed=row.executions)
    return row


def run_all(
    targets: Sequence[str], runs: int, seed: int | None, jobs: int, *, long: bool = False
) -> list[Row]:
    """Runs all targets, `jobs` at a time. Each has a progress bar on stderr."""

    def one(target: str, task: TaskID) -> Row:
        if long:
            return run_long(target, runs, progress, task)
        return run(target, runs, seed, progress, task)

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with (
        Progress(*columns, console=Console(stderr=True)) as progress,
        ThreadPoolExecutor(jobs) as pool,
    ):
        tasks = [(target, progress.add_task(target, total=runs)) for target in targets]
        return list(pool.map(lambda pair: one(*pair), tasks))


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The rows as lines of text. Each finding has a line of its own below them."""
    yield f"{'target':<12}{'executions':>12}{'a second':>10}{'edges':>7}{'corpus':>8}{'findings':>10}"
    for row in rows:
        yield (
            f"{row.target:<12}{row.executions:>12}{row.executions_per_second:>10.0f}{row.edges:>7}"
            f"{row.corpus_inputs:>8}{row.findings:>10}"
        )
    for row in rows:
        if row.findings:
            yield f"{row.target}: {row.first_finding}"
            yield from (
                f"{row.target}: build/fuzz/fuzz_{row.target} {path}"
                for path in findings_of(row.target)
            )


def keep(target: str) -> int:
    """Merges found and kept inputs into the fewest that reach the same edges. Returns their
    number."""
    kept = unpack(target, BUILD / "kept" / "merge" / target)
    work = BUILD / "corpus" / target
    work.mkdir(parents=True, exist_ok=True)
    merged = BUILD / "merged" / target
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    command = [
        str(BUILD / f"fuzz_{target}"),
        "-set_cover_merge=1",
        str(merged),
        str(kept),
        str(work),
    ]
    done = subprocess.run(
        command, env=os.environ | OPTIONS, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(
            f"{target}: merging the corpus failed: {done.stderr.strip().splitlines()[-1]}"
        )
    return pack(target, merged)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=("run", "long", "keep"))
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--runs", type=int, default=10_000_000, help="executions of each target")
    parser.add_argument("--seed", type=int, help="do the same every time, from the kept corpus")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="targets at a time")
    given = parser.parse_args(arguments)
    missing = [target for target in given.targets if not (BUILD / f"fuzz_{target}").is_file()]
    if missing or given.runs < 1 or given.jobs < 1:
        wrong = f"no target {', '.join(missing)}" if missing else "--runs and --jobs are 1 or more"
        there = ", ".join(path.name.removeprefix("fuzz_") for path in sorted(BUILD.glob("fuzz_*")))
        sys.stderr.write(
            f"fuzz: {wrong}; targets built: {there or 'none, run `make fuzz-targets`'}\n"
        )
        return 2
    if given.verb == "keep":
        for target in given.targets:
            print(f"{target}: {keep(target)} inputs kept")
        return 0
    rows = run_all(given.targets, given.runs, given.seed, given.jobs, long=given.verb == "long")
    print("\n".join(table(rows)))
    return int(any(row.findings for row in rows))


if __name__ == "__main__":
    sys.exit(main())
