# SPDX-License-Identifier: BSD-3-Clause
"""Formats operations under a system, and fills the document that shows them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from wardmote.boards import BOARDS, EVENT_BOARDS
from wardmote.measurements.system.rows import Parts, Result, SystemRow
from wardmote.views import document
from wardmote.views.table import Column, number, to_markdown
from wardmote.views.words import clock_name

KIND = "system"
"""Kind of the blocks in the document."""
SMALL_PERCENT = 1.0
"""An overhead that the answer calls small."""

COLUMNS: tuple[Column[SystemRow], ...] = (
    Column("board", lambda row: row.board, text=True, rank=3),
    Column("operation", lambda row: row.operation, text=True, rank=0),
    Column("octets", lambda row: str(row.octets), rank=4),
    Column("situation", lambda row: row.situation, text=True, rank=0),
    Column("bare cycles", lambda row: str(row.bare_cycles), rank=1),
    Column("cycles", lambda row: number(row.cycles_mean), rank=4),
    Column("overhead %", lambda row: number(row.overhead_percent, 2), rank=0),
    Column("least %", lambda row: number(row.overhead_min_percent, 2), rank=4),
    Column("most %", lambda row: number(row.overhead_max_percent, 2), rank=1),
    Column("predicted %", lambda row: number(row.predicted_percent, 2), rank=2),
    Column("system %", lambda row: number(row.system_percent, 2), rank=3),
    Column("runs", lambda row: str(row.runs), rank=5),
    Column("ticks in", lambda row: str(row.ticks_in), rank=5),
    Column("frames in", lambda row: str(row.interrupts_in), rank=5),
    Column("frames sent", lambda row: str(row.frames_sent), rank=4),
    Column("frames lost", lambda row: str(row.frames_lost), rank=2),
    Column("frame latency µs", lambda row: number(row.frame_latency_us), rank=5),
    Column("at most µs", lambda row: number(row.frame_latency_max_us), rank=4),
    Column("tick late by µs", lambda row: number(row.tick_latency_max_us), rank=5),
)
PART_COLUMNS: tuple[Column[Parts], ...] = (
    Column("board", lambda parts: parts.board, text=True),
    Column("clock", lambda parts: clock_name(parts.clock_hz), text=True),
    Column("cycles of a tick", lambda parts: number(parts.cycles_per_tick)),
    Column("of a frame's interrupt", lambda parts: number(parts.cycles_per_interrupt)),
    Column("of reading it", lambda parts: number(parts.cycles_per_read)),
    Column("octets of the frame", lambda parts: str(parts.psdu_octets)),
    Column("of a stamp", lambda parts: number(parts.cycles_per_stamp)),
    Column("of a turn of the loop", lambda parts: number(parts.cycles_per_turn)),
)


def conditions(result: Result) -> list[tuple[str, str]]:
    """What the figures depend on."""
    rows = result.rows
    boards = ", ".join(f"{one.board} at {clock_name(one.clock_hz)}" for one in result.parts)
    return [
        ("boards", f"{boards}; {'; '.join(dict.fromkeys(row.timing_model for row in rows))}"),
        ("bare", "the same operation in the same image, interrupts disabled"),
        (
            "overhead",
            "cycles of the operation from its first to its last instruction, interrupts "
            "included, over bare",
        ),
        (
            "predicted",
            "from how many interrupts came in between, and what each costs in a delay loop",
        ),
        (
            "system",
            "share of the CPU's time that loop, ticks and frames take, during the operation and "
            "between",
        ),
        (
            "frames",
            "from the air, octet by octet; one at a random moment of each period; all of one "
            "length",
        ),
        ("results", "of every run are those of this machine"),
        ("image", "; ".join(dict.fromkeys(f"{row.image} {row.image_sha256[:12]}" for row in rows))),
        ("seed", f"{rows[0].seed}; commit {rows[0].commit}"),
    ]


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
        f"{BOARDS[parts.board].title} at {clock_name(parts.clock_hz)}: a tick costs"
        f" {parts.cycles_per_tick:.0f} cycles, a frame of {parts.psdu_octets} octets "
        f"{parts.cycles_per_frame:.0f}"
        f" ({parts.cycles_per_interrupt:.0f} if the handler does not read it), a turn of the loop"
        f" {parts.cycles_per_turn:.0f}.",
        f"In {small} of {len(rows)} rows the operation takes at most {SMALL_PERCENT:g} % longer "
        "on average;"
        f" the most is {mean.overhead_percent:.2f} % ({mean.operation}, {mean.situation}).",
        f"A single run takes up to {single.overhead_max_percent:.1f} % longer"
        f" ({single.operation}, {single.situation}).",
    ]
    if worst.frames_lost:
        sentences.append(
            "Frames are lost where an operation keeps the loop from them: up to "
            f"{lost_percent(worst):.0f} %"
            f" ({worst.operation}, {worst.situation})."
        )
    elif worst.frames_sent:
        sentences.append("No frame is lost.")
    return " ".join(sentences)


def _pivot(
    rows: Sequence[SystemRow],
    situations: Sequence[str],
    cell: Callable[[SystemRow], str],
    *,
    bare: bool = True,
) -> str:
    """One row for each operation, one column for each measured situation."""
    present = [name for name in situations if any(row.situation == name for row in rows)]
    table = {(row.operation, row.situation): row for row in rows}
    first = {row.operation: row for row in reversed(rows)}
    operations = dict.fromkeys(row.operation for row in rows)
    header = ["operation", "octets", *(["bare cycles"] if bare else []), *present]
    lines = [header, ["---", *("---:" for _ in header[1:])]]
    for name in operations:
        known = [str(first[name].octets), *([str(first[name].bare_cycles)] if bare else [])]
        lines.append([name, *known, *(cell(table[name, situation]) for situation in present)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _overhead(row: SystemRow) -> str:
    return f"{row.overhead_percent:.2f} ({row.overhead_max_percent:.1f})"


def _lost(row: SystemRow) -> str:
    latest = number(
        None if row.frame_latency_max_us is None else row.frame_latency_max_us / 1000, 1
    )
    return f"{lost_percent(row):.0f} % ({latest} ms)"


OVERHEAD = (
    *(
        "tick 128 Hz",
        "tick 1024 Hz",
        "10 frames/s",
        "50 frames/s",
        "50 frames/s, stamped",
        "200 frames/s",
    ),
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


def _blocks() -> dict[str, Callable[[Result], str]]:
    def rows_of(name: str, board: str) -> Callable[[Result], str]:
        return lambda result: OF_BOARD[name](of_board(result.rows, board))

    blocks: dict[str, Callable[[Result], str]] = {
        "answer": lambda result: "".join(f"> {line}\n>\n" for line in answer(result).splitlines())[
            : -len(">\n")
        ],
        "parts": lambda result: to_markdown(result.parts, PART_COLUMNS),
        "agreement": agreement,
    }
    return blocks | {
        f"{name}-{board}": rows_of(name, board) for name in OF_BOARD for board in EVENT_BOARDS
    }


def agreement(result: Result) -> str:
    """The largest difference between prediction and measurement, by board."""
    lines = []
    for parts in result.parts:
        rows = of_board(result.rows, parts.board)
        apart = max(abs(row.overhead_percent - row.predicted_percent) for row in rows)
        lines.append(
            f"* {BOARDS[parts.board].title}: {apart:.4f} percentage points at most, over "
            f"{len(rows)} rows\n"
        )
    return "".join(lines)


BLOCKS = _blocks()


def opened(path: Path) -> str:
    """The text of a document; raises UsageError if it has no block or an unknown one."""
    return document.opened(path, KIND, BLOCKS, "`wardmote system`")


def filled(text: str, result: Result) -> str:
    """The document with the figures of a result in its blocks."""
    return document.filled(text, KIND, BLOCKS, result)
