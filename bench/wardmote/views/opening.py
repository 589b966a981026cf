# SPDX-License-Identifier: BSD-3-Clause
"""What the first screen of a report says: the shortest slot of each board and strategy beside the
published one, a picture, and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS
from wardmote.rows import SlotRow
from wardmote.study.composition import composition
from wardmote.study.definition import at_once, headline, of_the_paper
from wardmote.study.limit import limits
from wardmote.views.case_place import place
from wardmote.views.table import number
from wardmote.views.templates import rendered
from wardmote.views.text import by
from wardmote.views.words import USUAL_LEVEL, clock_at

STANDARD_MS = 10.0
"""TsSlotDuration of the standard's default template."""
NO_SECURITY = "none"
BAR_STEP, GROUP_STEP, TOP = 20, 24, 46
LEFT, RIGHT, WIDE = 112, 52, 500
LOOKS = {
    "sec1": "sec1",
    "to TsTxOffset": "rest",
    "TsMaxTx": "data",
    "sec2": "sec2",
    "sec3": "sec3",
    "to TsTxAckDelay": "rest",
    "TsMaxAck": "ack",
    "sec4": "sec4",
    "to the end": "rest",
}
"""Which colour of the page a phase has."""
LEGEND = (
    ("sec1", "sec1"),
    ("data", "frame"),
    ("sec2", "sec2"),
    ("sec3", "sec3"),
    ("ack", "ack"),
    ("sec4", "sec4"),
    ("rest", "guard, turnaround, rest"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table."""

    board: str
    strategy: str
    shortest: SlotRow
    paper: SlotRow | None
    """The same case by the paper's definition, which alone may stand beside a printed figure."""

    @property
    def place(self) -> str:
        """Where the explorer shows the case."""
        return place(self.shortest)

    @property
    def cells(self) -> tuple[str, ...]:
        """In ms: shortest, by the paper's definition, published; and published over ours."""
        paper = self.paper
        return (
            number(self.shortest.ts_slot_duration_ms, 2),
            number(paper.ts_slot_duration_ms if paper else None, 2),
            number(paper.published_ms if paper else None, 0),
            f"{paper.published_ratio:.1f} ×" if paper and paper.published_ratio else "",
        )


@dataclass(frozen=True, slots=True)
class Opening:
    """The first screen."""

    level_name: str
    definition: str
    example: SlotRow
    boards: dict[str, list[Line]]
    """By the title of the board and its clock."""
    sentence: str
    picture: str

    @property
    def with_none(self) -> bool:
        """Whether the table has slots without security beside secured ones."""
        names = {line.strategy == NO_SECURITY for own in self.boards.values() for line in own}
        return len(names) == 2


def opening(rows: Sequence[SlotRow]) -> Opening:
    """The first screen of these rows: each board at its first clock, at the usual level or at the
    highest that was measured. Strategies ahead of the slot are in the table of all cases: the first
    screen has no room for them."""
    shortest = at_once(headline(rows))
    clocks = {row.board: row.clock_hz for row in reversed(shortest)}
    first = [row for row in shortest if row.clock_hz == clocks[row.board]]
    levels = {row.level for row in first}
    level = USUAL_LEVEL if USUAL_LEVEL in levels else max(levels)
    papers = {_case(row): row for row in of_the_paper(rows)}
    lines = [
        Line(
            row.board, NO_SECURITY if row.level == 0 else row.strategy, row, papers.get(_case(row))
        )
        for row in [*_unsecured(first, level), *(row for row in first if row.level == level)]
    ]
    lines.sort(key=lambda one: list(clocks)[::-1].index(one.board))
    boards = by(lines, lambda one: f"{BOARDS[one.board].title}, {clock_at(one.shortest)}")
    example = next(line.shortest for line in lines if line.strategy != NO_SECURITY or level == 0)
    return Opening(
        level_name=example.level_name,
        definition=example.definition,
        example=example,
        boards=boards,
        sentence=_sentence(example, boards),
        picture=_picture(boards),
    )


def _case(row: SlotRow) -> tuple[object, ...]:
    return (
        *(row.board, row.strategy, row.level, row.clock_hz, row.supply_v),
        *(row.ash_octets, row.frame_octets),
    )


def _unsecured(rows: Sequence[SlotRow], level: int) -> list[SlotRow]:
    """A slot without security of each board, to which the others compare."""
    if level == 0:
        return []
    found = by((row for row in rows if row.level == 0), lambda row: row.board)
    return [min(own, key=lambda row: row.ts_slot_duration_us) for own in found.values()]


def _sentence(example: SlotRow, boards: dict[str, list[Line]]) -> str:
    """Which strategies of each board fit into the standard's slot."""
    kind = (
        f"{example.level_name}, {example.frame_octets} octets, {example.definition}"
        if example.level
        else f"no security, {example.definition}"
    )
    said = "; ".join(_fits(own) for own in boards.values())
    return f"Does a slot ({kind}) fit into {STANDARD_MS:.0f} ms? {said[0].upper()}{said[1:]}."


def _fits(lines: Sequence[Line]) -> str:
    own = [line for line in lines if line.strategy != NO_SECURITY] or list(lines)
    fit = [one for one in own if one.shortest.ts_slot_duration_ms <= STANDARD_MS]
    board = f"on {BOARDS[own[0].board].named} ({clock_at(own[0].shortest)})"
    if not fit:
        return f"{board} in no strategy, the shortest takes {_range(own[:])}"
    if len(fit) == len(own):
        return f"{board} in every strategy ({_range(own)})"
    longer = [one for one in own if one not in fit]
    names = " and ".join(one.strategy for one in fit)
    others = " and ".join(one.strategy for one in longer)
    takes = "takes" if len(longer) == 1 else "take"
    return f"{board} with {names} ({_range(fit)}), while {others} {takes} {_range(longer)}"


def _range(lines: Sequence[Line]) -> str:
    ends = sorted(line.shortest.ts_slot_duration_ms for line in lines)
    texts = dict.fromkeys(number(end, 2) for end in (ends[0], ends[-1]))
    return f"{' to '.join(texts)} ms"


def _picture(boards: dict[str, list[Line]]) -> str:
    """SVG: a bar for each line, in the colours of the page."""
    most = max(line.shortest.ts_slot_duration_ms for own in boards.values() for line in own)
    scale = (WIDE - LEFT - RIGHT) / max(most, STANDARD_MS)
    texts: list[tuple[str, int]] = []
    bars: list[dict[str, object]] = []
    marks: list[tuple[float, int, int]] = []
    y = TOP
    for title, own in boards.items():
        texts.append((title, y + 15))
        y += GROUP_STEP
        limit = _limit_ms(own[0].shortest)
        if limit is not None:
            marks.append((LEFT + scale * limit, y - 2, y + BAR_STEP * len(own) - 2))
        for line in own:
            bars.append(_bar(line, y, scale))
            y += BAR_STEP
    return rendered(
        "page/opening.svg.j2",
        width=WIDE,
        height=y + 22,
        bars=bars,
        texts=texts,
        marks=marks,
        left=LEFT,
        top=TOP,
        bottom=y,
        standard=LEFT + scale * STANDARD_MS,
        standard_ms=f"{STANDARD_MS:.0f}",
        ticks=[(LEFT + scale * ms, ms) for ms in range(0, int(most) + 1, 5)],
        legend=LEGEND,
    )


def _bar(line: Line, y: int, scale: float) -> dict[str, object]:
    parts, at = [], float(LEFT)
    for phase in composition(line.shortest):
        width = max(phase.us, 0) / 1000 * scale
        parts.append((round(at, 2), round(width, 2), LOOKS[phase.name], phase.name, phase.us))
        at += width
    return {
        "y": y,
        "parts": parts,
        "name": line.strategy,
        "value": line.cells[0],
        "place": line.place,
        "board": BOARDS[line.board].title,
    }


def _limit_ms(row: SlotRow) -> float | None:
    """The least slot that the radio allows by the definition of the row."""
    found = (
        one.slot_us / 1000
        for one in limits(row.tick_hz)
        if (one.board, one.definition, one.turnaround_us)
        == (row.board, row.definition, row.turnaround_us)
    )
    return next(found, None)
