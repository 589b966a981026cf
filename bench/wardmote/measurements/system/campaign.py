# SPDX-License-Identifier: BSD-3-Clause
"""The campaign of `wardmote system`: it measures operations in situations on boards."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from wardmote import __version__
from wardmote.boards import BOARDS, Board
from wardmote.call import HostTarget
from wardmote.campaign.cases import IMAGE, Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.errors import UsageError
from wardmote.measurements.slot.provenance import commit
from wardmote.measurements.system.lengths import AT_LENGTHS
from wardmote.measurements.system.node import Observed, Run, observe, slow_end
from wardmote.measurements.system.operations import NOTHING, OPERATIONS, WAIT, Operation
from wardmote.measurements.system.rows import Parts, Result, SystemRow
from wardmote.measurements.system.situation import Situation
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

ALL = {**OPERATIONS, **AT_LENGTHS}
BARE_RUNS = 4
"""They all take the same time, because nothing interrupts them."""
LEAST_RUNS = 16
PARTS_RUNS = 200
"""Runs of the delay loop in which interrupts are measured."""
PARTS_TICK_HZ = 1024
PARTS_FRAMES_PER_S = 40


@dataclass(frozen=True, slots=True)
class Selection:
    """The user's selection."""

    clocks_hz: Mapping[str, int]
    """Clock by board."""
    operations: tuple[str, ...]
    situations: tuple[Situation, ...]
    seconds: float
    """Time that the bare operation takes altogether in each situation."""
    seed: int


@dataclass(frozen=True, slots=True)
class PartsCase:
    """Measures the cost of each kind of interrupt on one board."""

    board: str
    clock_hz: int
    psdu_octets: int
    seed: int

    @property
    def label(self) -> str:
        """Names the case."""
        return f"{self.board} interrupts"


@dataclass(frozen=True, slots=True)
class OperationCase:
    """One operation on one board, in all situations."""

    board: str
    clock_hz: int
    operation: str
    result: str
    """Expected result, in hex."""
    situations: tuple[Situation, ...]
    parts: tuple[Parts, ...]
    seconds: float
    seed: int

    @property
    def label(self) -> str:
        """Names the case."""
        return f"{self.board} {self.operation}"


def image_path(board: str) -> str:
    """Path of the image below the root."""
    return f"build/firmware/{board}/events.elf"


def image_file(board: str) -> Path:
    """The image as `make firmware` builds it."""
    path = ROOT / image_path(board)
    if not path.is_file():
        raise UsageError(f"no image {image_path(board)}: build it with `make firmware`")
    return path


@cache
def expected(operation: str) -> bytes:
    """The operation's result on this machine."""
    library = HostTarget(BUILD / "stack" / "host" / "libwardmote.so", read_public(ROOT))
    return ALL[operation].result(library)


def measure(selection: Selection, runner: Runner) -> Result:
    """Measures first the interrupts, then the operations."""
    parts = _parts(selection, runner)
    cases = [
        OperationCase(
            board,
            clock_hz,
            operation,
            expected(operation).hex(),
            selection.situations,
            parts[board],
            selection.seconds,
            selection.seed,
        )
        for board, clock_hz in selection.clocks_hz.items()
        for operation in selection.operations
    ]
    answers = runner.run(Campaign(operation_figures, cases, _artefacts))
    source = {board: _source(board) for board in selection.clocks_hz}
    rows = [
        SystemRow(**{**figures, "parts": Parts(**figures["parts"])}, **source[case.board])
        for case, found in zip(cases, answers.figures, strict=True)
        for figures in found["situations"]
    ]
    return Result(tuple(rows), tuple(one for found in parts.values() for one in found))


def _parts(selection: Selection, runner: Runner) -> dict[str, tuple[Parts, ...]]:
    """Cost of interrupts by board, for each length of frame."""
    lengths = tuple(dict.fromkeys(one.psdu_octets for one in selection.situations))
    cases = [
        PartsCase(board, clock_hz, length, selection.seed)
        for board, clock_hz in selection.clocks_hz.items()
        for length in lengths
    ]
    found = [Parts(**one) for one in runner.run(Campaign(parts_figures, cases, _artefacts)).figures]
    return {
        board: tuple(one for one in found if one.board == board) for board in selection.clocks_hz
    }


def _artefacts(case: PartsCase | OperationCase) -> dict[str, Path]:
    return {IMAGE: image_file(case.board)}


def _source(board: str) -> dict[str, Any]:
    """Provenance of the rows of a board."""
    return {
        "timing_model": BOARDS[board].timing_model,
        "image": image_path(board),
        "image_sha256": hashlib.sha256(image_file(board).read_bytes()).hexdigest(),
        "wardmote": __version__,
        "commit": commit(),
    }


def parts_figures(case: PartsCase, artefacts: Artefacts) -> Figures:
    """Measures the cost of interrupts."""
    board = BOARDS[case.board]
    return asdict(parts_of(board, case.clock_hz, case.psdu_octets, case.seed, artefacts[IMAGE]))


def parts_of(board: Board, clock_hz: int, psdu_octets: int, seed: int, elf: bytes) -> Parts:
    """Measures each kind of interrupt in its own run of the delay loop, and a turn of the event
    loop."""

    def wait(situation: Situation | None) -> Observed:
        return observe(Run(board, clock_hz, WAIT, situation, b"", PARTS_RUNS, seed), elf)

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


def operation_figures(case: OperationCase, artefacts: Artefacts) -> Figures:
    """Measures one operation on one board and returns the figures of one row for each situation."""
    board, operation = BOARDS[case.board], ALL[case.operation]
    elf, result = artefacts[IMAGE], bytes.fromhex(case.result)

    def run(what: Operation, situation: Situation | None, runs: int) -> Observed:
        output = result if what is operation else b""
        return observe(Run(board, case.clock_hz, what, situation, output, runs, case.seed), elf)

    marks = run(NOTHING, None, BARE_RUNS).windows[0]
    bare = run(operation, None, BARE_RUNS)
    turn = bare.span / (BARE_RUNS - 1)
    runs = max(LEAST_RUNS, math.ceil(case.seconds * case.clock_hz / turn))
    parts = {one.psdu_octets: one for one in case.parts}
    return {
        "situations": [
            _figures(
                case,
                situation,
                parts[situation.psdu_octets],
                marks,
                bare,
                run(operation, situation, runs),
            )
            for situation in case.situations
        ]
    }


def _figures(
    case: OperationCase,
    situation: Situation,
    parts: Parts,
    marks: int,
    bare: Observed,
    seen: Observed,
) -> Figures:
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
    return {
        "board": case.board,
        "clock_hz": case.clock_hz,
        "band": slow_end(BOARDS[case.board]),
        "operation": case.operation,
        "octets": ALL[case.operation].octets,
        "situation": situation.words,
        "tick_hz": situation.tick_hz,
        "frames_per_s": situation.frames_per_s,
        "to": situation.to,
        "reader": situation.reader,
        "psdu_octets": situation.psdu_octets,
        "stamped": situation.stamped,
        "runs": runs,
        "bare_cycles": cycles,
        "cycles_mean": round(seen.cycles / runs - marks, 2),
        "cycles_min": min(seen.windows) - marks,
        "cycles_max": max(seen.windows) - marks,
        "overhead_percent": percent(seen.cycles / runs),
        "overhead_min_percent": percent(min(seen.windows)),
        "overhead_max_percent": percent(max(seen.windows)),
        "predicted_percent": round(100 * predicted / (runs * cycles), 4),
        "system_percent": round(100 * (seen.span - alone) / seen.span, 4),
        "ticks_in": counts["ticks_in"],
        "interrupts_in": counts["interrupts_in"],
        "reads_in": counts["reads_in"],
        "stamps_in": counts["stamps_in"],
        "frames_sent": seen.sent,
        "frames_handled": counts["frames"],
        "frames_lost": expected_frames - counts["frames"],
        "overflows": counts["overflows"],
        "frame_latency_us": round(sum(frames_us) / len(frames_us), 1) if frames_us else None,
        "frame_latency_max_us": round(max(frames_us), 1) if frames_us else None,
        "tick_latency_max_us": round(max(ticks_us), 1) if ticks_us else None,
        "parts": asdict(parts),
        "seed": case.seed,
    }
