# SPDX-License-Identifier: BSD-3-Clause
"""Formats operations under a system, and fills the document that shows them."""

from collections.abc import Callable, Sequence
from functools import partial

from wardmote.boards import BOARDS, EVENT_BOARDS
from wardmote.measurements.system.rows import Parts, Result, SystemRow
from wardmote.views.columns import Fields
from wardmote.views.document import Blocks
from wardmote.views.table import Column, number, to_markdown
from wardmote.views.templates import conditions_of
from wardmote.views.text import bullets, by
from wardmote.views.words import clock_name

SMALL_PERCENT = 1.0
"""An overhead that the answer calls small."""

_of, _part = Fields(SystemRow), Fields(Parts)
COLUMNS: tuple[Column[SystemRow], ...] = (
    _of.word("board", rank=3),
    _of.word("operation", rank=0),
    _of.number("octets", rank=4),
    _of.word("situation", rank=0),
    _of.number("bare cycles"),
    _of.number("cycles", "cycles_mean", rank=4),
    _of.number("overhead %", "overhead_percent", 2, rank=0),
    _of.number("least %", "overhead_min_percent", 2, rank=4),
    _of.number("most %", "overhead_max_percent", 2),
    _of.number("predicted %", "predicted_percent", 2, rank=2),
    _of.number("system %", "system_percent", 2, rank=3),
    *_of.numbers("runs", "ticks in", rank=5),
    _of.number("frames in", "interrupts_in", rank=5),
    _of.number("frames sent", rank=4),
    _of.number("frames lost", rank=2),
    _of.number("frame latency µs", "frame_latency_us", rank=5),
    _of.number("at most µs", "frame_latency_max_us", rank=4),
    _of.number("tick late by µs", "tick_latency_max_us", rank=5),
)
PART_COLUMNS: tuple[Column[Parts], ...] = (
    _part.word("board"),
    Column("clock", lambda parts: clock_name(parts.clock_hz), text=True),
    _part.number("cycles of a tick", "cycles_per_tick"),
    _part.number("of a frame's interrupt", "cycles_per_interrupt"),
    _part.number("of reading it", "cycles_per_read"),
    _part.number("octets of the frame", "psdu_octets"),
    _part.number("of a stamp", "cycles_per_stamp"),
    _part.number("of a turn of the loop", "cycles_per_turn"),
)


def conditions(result: Result) -> list[tuple[str, str]]:
    """What the figures depend on."""
    rows = result.rows
    return conditions_of(
        "system",
        rows=rows,
        boards=[f"{one.board} at {clock_name(one.clock_hz)}" for one in result.parts],
        images=[f"{row.image} {row.image_sha256[:12]}" for row in rows],
    )


def lost_percent(row: SystemRow) -> float:
    """Share of lost frames, of those that the radio does not drop."""
    return 100 * row.frames_lost / row.frames_sent if row.frames_sent else 0.0


def of_board(rows: Sequence[SystemRow], board: str) -> list[SystemRow]:
    """Rows of one board."""
    return [row for row in rows if row.board == board]


def answer(result: Result) -> str:
    """Cost of interrupts, and how large the overhead is on average and at most."""
    return "\n".join(
        _board_answer(parts, of_board(result.rows, parts.board)) for parts in result.parts
    )


def _board_answer(parts: Parts, rows: Sequence[SystemRow]) -> str:
    mean = max(rows, key=lambda row: row.overhead_percent)
    single = max(rows, key=lambda row: row.overhead_max_percent)
    worst = max(rows, key=lost_percent)
    small = len([row for row in rows if row.overhead_percent <= SMALL_PERCENT])
    sentences = [
        f"{BOARDS[parts.board].title} at {clock_name(parts.clock_hz)}: a tick costs "
        f"{parts.cycles_per_tick:.0f} cycles, a frame of {parts.psdu_octets} octets "
        f"{parts.cycles_per_frame:.0f} ({parts.cycles_per_interrupt:.0f} if the handler does not "
        f"read it), a turn of the loop {parts.cycles_per_turn:.0f}.",
        f"In {small} of {len(rows)} rows the operation takes at most {SMALL_PERCENT:g} % longer on "
        f"average; the most is {mean.overhead_percent:.2f} % {_place(mean)}.",
        f"A single run takes up to {single.overhead_max_percent:.1f} % longer {_place(single)}.",
    ]
    if worst.frames_lost:
        sentences.append(
            "Frames are lost where an operation keeps the loop from them: up to "
            f"{lost_percent(worst):.0f} % {_place(worst)}."
        )
    elif worst.frames_sent:
        sentences.append("No frame is lost.")
    return " ".join(sentences)


def _place(row: SystemRow) -> str:
    return f"({row.operation}, {row.situation})"


def _pivot(
    rows: Sequence[SystemRow],
    situations: Sequence[str],
    cell: Callable[[SystemRow], str],
    *,
    bare: bool = True,
) -> str:
    """One row for each operation, one column for each measured situation."""
    table = {(row.operation, row.situation): row for row in rows}
    first = [own[0] for own in by(rows, lambda row: row.operation).values()]
    present = [name for name in situations if any(row.situation == name for row in rows)]

    def of(situation: str) -> Column[SystemRow]:
        return Column(situation, lambda row: cell(table[row.operation, situation]))

    known = [_of.word("operation"), *_of.numbers("octets", *(["bare cycles"] if bare else []))]
    return to_markdown(first, [*known, *map(of, present)])


def _overhead(row: SystemRow) -> str:
    return f"{row.overhead_percent:.2f} ({row.overhead_max_percent:.1f})"


def _lost(row: SystemRow) -> str:
    latest = row.frame_latency_max_us and row.frame_latency_max_us / 1000
    return f"{lost_percent(row):.0f} % ({number(latest, 1)} ms)"


TICKS = ("tick 128 Hz", "tick 1024 Hz")
OVERHEAD = (
    *(*TICKS, "10 frames/s", "50 frames/s", "50 frames/s, stamped", "200 frames/s"),
    *("50 frames/s for others, dropped", "tick 128 Hz, 10 frames/s", "tick 1024 Hz, 50 frames/s"),
)
BLOCKING = (
    *("10 frames/s", "50 frames/s", "50 frames/s, read in the loop"),
    *("200 frames/s", "200 frames/s, read in the loop"),
)
OF_BOARD: dict[str, Callable[[Sequence[SystemRow]], str]] = {
    "overhead": lambda rows: _pivot(rows, OVERHEAD, _overhead),
    "blocking": lambda rows: _pivot(rows, BLOCKING, _lost),
    "share": lambda rows: _pivot(
        rows, ("loop alone", *OVERHEAD), lambda row: number(row.system_percent, 2), bare=False
    ),
}


def _of_board(result: Result, *, name: str, board: str) -> str:
    return OF_BOARD[name](of_board(result.rows, board))


def agreement(result: Result) -> str:
    """The largest difference between prediction and measurement, by board."""
    lines = []
    for parts in result.parts:
        rows = of_board(result.rows, parts.board)
        apart = max(abs(row.overhead_percent - row.predicted_percent) for row in rows)
        lines.append(
            f"{BOARDS[parts.board].title}: {apart:.4f} percentage points at most, over "
            f"{len(rows)} rows"
        )
    return bullets(lines)


BLOCKS: Blocks[Result] = Blocks(
    "system",
    {
        "answer": lambda result: ">\n".join(f"> {line}\n" for line in answer(result).splitlines()),
        "parts": lambda result: to_markdown(result.parts, PART_COLUMNS),
        "agreement": agreement,
        **{
            f"{name}-{board}": partial(_of_board, name=name, board=board)
            for name in OF_BOARD
            for board in EVENT_BOARDS
        },
    },
)
