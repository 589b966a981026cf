# SPDX-License-Identifier: BSD-3-Clause
"""Operations in situations on boards, several at a time."""

import hashlib
import math
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache

from wardmote import __version__
from wardmote.boards import BOARDS, Board
from wardmote.call import HostTarget
from wardmote.errors import UsageError
from wardmote.measurements.slot.provenance import commit
from wardmote.measurements.system.node import Observed, Run, observe, slow_end
from wardmote.measurements.system.operations import NOTHING, OPERATIONS, WAIT, Operation
from wardmote.measurements.system.rows import Parts, Result, SystemRow
from wardmote.measurements.system.situation import Situation
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

BARE_RUNS = 4
"""All alike: nothing interrupts."""
LEAST_RUNS = 16
PARTS_RUNS = 200
"""Of the delay loop, in which ticks and frames are measured."""
PARTS_TICK_HZ = 1024
PARTS_FRAMES_PER_S = 40
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be measured."""

    clocks_hz: Mapping[str, int]
    """By board."""
    operations: tuple[str, ...]
    situations: tuple[Situation, ...]
    seconds: float
    """Of the bare operation in each situation."""
    seed: int
    jobs: int


@dataclass(frozen=True, slots=True)
class Task:
    """One operation on one board, in all situations."""

    board: str
    clock_hz: int
    operation: str
    situations: tuple[Situation, ...]
    parts: tuple[Parts, ...]
    seconds: float
    seed: int


def image_path(board: str) -> str:
    """Where the image lies, below the root."""
    return f"build/firmware/{board}/events.elf"


@cache
def image(board: str) -> bytes:
    """The image as `make firmware` builds it."""
    path = BUILD / "firmware" / board / "events.elf"
    if not path.is_file():
        raise UsageError(f"no image {image_path(board)}: build it with `make firmware`")
    return path.read_bytes()


@cache
def expected(operation: str) -> bytes:
    """The operation's result on this machine."""
    library = HostTarget(BUILD / "stack" / "host" / "libwardmote.so", read_public(ROOT))
    return OPERATIONS[operation].result(library)


def measure(plan: Plan, told: Told = lambda _: None) -> Result:
    """Measures all; `told` hears of each operation on each board that is done."""
    lengths = tuple(dict.fromkeys(one.psdu_octets for one in plan.situations))
    parts = {
        board: tuple(parts_of(BOARDS[board], clock_hz, length, plan.seed) for length in lengths)
        for board, clock_hz in plan.clocks_hz.items()
    }
    tasks = [
        Task(board, clock_hz, operation, plan.situations, parts[board], plan.seconds, plan.seed)
        for board, clock_hz in plan.clocks_hz.items()
        for operation in plan.operations
    ]
    found: dict[tuple[str, str], list[SystemRow]] = {}
    for task, rows in _rows_of(tasks, plan.jobs):
        found[task.board, task.operation] = rows
        told(f"{task.board} {task.operation}")
    rows = [row for task in tasks for row in found[task.board, task.operation]]
    return Result(tuple(rows), tuple(one for found_parts in parts.values() for one in found_parts))


def _rows_of(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, list[SystemRow]]]:
    """Tasks as they are done; the first failure ends it."""
    if min(jobs, len(tasks)) <= 1:
        for task in tasks:
            yield task, rows_of(task)
        return
    # Processes that begin anew: this one may have threads, such as that of a bar.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=context) as pool:
        futures = {pool.submit(rows_of, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()


def parts_of(board: Board, clock_hz: int, psdu_octets: int, seed: int) -> Parts:
    """What each kind of interrupt costs, each in a delay loop of its own, and what a turn of the
    loop does."""

    def wait(situation: Situation | None) -> Observed:
        return observe(
            Run(board, clock_hz, WAIT, situation, b"", PARTS_RUNS, seed), image(board.name)
        )

    bare, loop = wait(None), wait(Situation())
    ticks = wait(Situation(tick_hz=PARTS_TICK_HZ))
    arriving = Situation(frames_per_s=PARTS_FRAMES_PER_S, psdu_octets=psdu_octets)
    noted, read = wait(replace(arriving, reader="loop")), wait(arriving)
    per_interrupt = (noted.cycles - bare.cycles) / noted.counts["interrupts_in"]
    stamped = wait(replace(arriving, reader="loop", stamped=True))
    stamping = stamped.cycles - bare.cycles - per_interrupt * stamped.counts["interrupts_in"]
    reading = read.cycles - bare.cycles - per_interrupt * read.counts["interrupts_in"]
    return Parts(
        board=board.name,
        clock_hz=clock_hz,
        psdu_octets=psdu_octets,
        cycles_per_tick=round((ticks.cycles - bare.cycles) / ticks.counts["ticks_in"], 2),
        cycles_per_interrupt=round(per_interrupt, 2),
        cycles_per_read=round(reading / read.counts["reads_in"], 2),
        cycles_per_stamp=round(stamping / stamped.counts["stamps_in"], 2),
        cycles_per_turn=round((loop.span - bare.span) / (PARTS_RUNS - 1), 2),
    )


def rows_of(task: Task) -> list[SystemRow]:
    """Rows of one operation on one board."""
    board, operation = BOARDS[task.board], OPERATIONS[task.operation]
    elf, result = image(task.board), expected(task.operation)

    def run(what: Operation, situation: Situation | None, runs: int) -> Observed:
        output = result if what is operation else b""
        return observe(Run(board, task.clock_hz, what, situation, output, runs, task.seed), elf)

    marks = run(NOTHING, None, BARE_RUNS).windows[0]
    bare = run(operation, None, BARE_RUNS)
    turn = bare.span / (BARE_RUNS - 1)
    runs = max(LEAST_RUNS, math.ceil(task.seconds * task.clock_hz / turn))
    parts = {one.psdu_octets: one for one in task.parts}
    return [
        _row(
            task,
            situation,
            parts[situation.psdu_octets],
            marks,
            bare,
            run(operation, situation, runs),
        )
        for situation in task.situations
    ]


def _row(
    task: Task, situation: Situation, parts: Parts, marks: int, bare: Observed, seen: Observed
) -> SystemRow:
    cycles, runs = bare.windows[0] - marks, len(seen.windows)
    counts = seen.counts
    predicted = (
        counts["ticks_in"] * parts.cycles_per_tick
        + counts["interrupts_in"] * parts.cycles_per_interrupt
        + counts["reads_in"] * parts.cycles_per_read
        + counts["stamps_in"] * parts.cycles_per_stamp
    )

    def percent(window: float) -> float:
        return round(100 * (window - marks - cycles) / cycles, 4)

    alone = (runs - 1) * bare.span / (len(bare.windows) - 1)
    frames_us, ticks_us = seen.frame_us, seen.tick_us
    expected_frames = 0 if situation.to == "filtered" else seen.sent
    return SystemRow(
        board=task.board,
        clock_hz=task.clock_hz,
        band=slow_end(BOARDS[task.board]),
        operation=task.operation,
        octets=OPERATIONS[task.operation].octets,
        situation=situation.words,
        tick_hz=situation.tick_hz,
        frames_per_s=situation.frames_per_s,
        to=situation.to,
        reader=situation.reader,
        psdu_octets=situation.psdu_octets,
        stamped=situation.stamped,
        runs=runs,
        bare_cycles=cycles,
        cycles_mean=round(seen.cycles / runs - marks, 2),
        cycles_min=min(seen.windows) - marks,
        cycles_max=max(seen.windows) - marks,
        overhead_percent=percent(seen.cycles / runs),
        overhead_min_percent=percent(min(seen.windows)),
        overhead_max_percent=percent(max(seen.windows)),
        predicted_percent=round(100 * predicted / (runs * cycles), 4),
        system_percent=round(100 * (seen.span - alone) / seen.span, 4),
        ticks_in=counts["ticks_in"],
        interrupts_in=counts["interrupts_in"],
        reads_in=counts["reads_in"],
        stamps_in=counts["stamps_in"],
        frames_sent=seen.sent,
        frames_handled=counts["frames"],
        frames_lost=expected_frames - counts["frames"],
        overflows=counts["overflows"],
        frame_latency_us=round(sum(frames_us) / len(frames_us), 1) if frames_us else None,
        frame_latency_max_us=round(max(frames_us), 1) if frames_us else None,
        tick_latency_max_us=round(max(ticks_us), 1) if ticks_us else None,
        parts=parts,
        seed=task.seed,
        timing_model=BOARDS[task.board].timing_model,
        image=image_path(task.board),
        image_sha256=hashlib.sha256(image(task.board)).hexdigest(),
        wardmote=__version__,
        commit=commit(),
    )
