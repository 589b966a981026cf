# SPDX-License-Identifier: BSD-3-Clause
"""Texts of the command line as values. Each refusal says what is wrong and what is possible."""

import re
from collections.abc import Sequence

from wardmote.boards import BOARDS, Board, board_of
from wardmote.errors import UsageError
from wardmote.measurements.slot.cases import (
    ASH_FORMS,
    FRAME_OCTETS,
    LEVEL_NAMES,
    STRATEGIES,
    AshForm,
)

LEAST_FRAME_OCTETS = 53
"""Header of 21 octets, ASH of 14, MIC of 16, FCS of 2: a frame without payload."""
COUNTERS = ("carried", "elided")
FORMATS = ("table", "json", "csv", "markdown")
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(us|ms|s)")
US_PER = {"us": 1.0, "ms": 1e3, "s": 1e6}


def one_of(what: str, text: str, possible: Sequence[str]) -> str:
    """`text` if it is possible."""
    if text not in possible:
        raise UsageError(f"no {what} {text!r}: possible are {', '.join(possible)}")
    return text


def board(text: str) -> str:
    """A board."""
    return board_of(text).name


def boards(texts: Sequence[str]) -> tuple[Board, ...]:
    """Boards in the order of the report; all if none is named."""
    named = {board(part.strip()) for text in texts for part in text.split(",")}
    return tuple(board for board in BOARDS.values() if not named or board.name in named)


def strategies(texts: Sequence[str]) -> tuple[str, ...]:
    """Strategies in the order of the report; all if none is named."""
    named = {
        one_of("strategy", part.strip(), STRATEGIES) for text in texts for part in text.split(",")
    }
    return tuple(name for name in STRATEGIES if not named or name in named)


def levels(texts: Sequence[str]) -> tuple[int, ...]:
    """Security levels in ascending order, by number or name; all if none is named."""
    by_text = {str(number): number for number in range(len(LEVEL_NAMES))}
    by_text |= {name.lower(): number for number, name in enumerate(LEVEL_NAMES)}
    named: set[int] = set()
    for part in (part.strip() for text in texts for part in text.split(",")):
        if part.lower() not in by_text:
            possible = ", ".join(f"{number} ({name})" for number, name in enumerate(LEVEL_NAMES))
            raise UsageError(f"no level {part!r}: possible are {possible}")
        named.add(by_text[part.lower()])
    return tuple(sorted(named)) if named else tuple(range(len(LEVEL_NAMES)))


def ash_form(ash: str | None, key_id_mode: int | None, counter: str | None) -> AshForm:
    """`--ash`, or `--key-id-mode` with `--counter`, but not both; `paper` if neither is given."""
    if key_id_mode is None and counter is None:
        return ASH_FORMS[one_of("ash", ash or "paper", tuple(ASH_FORMS))]
    if ash is not None:
        raise UsageError(
            "--ash stands for a --key-id-mode and a --counter: give either the one or the two"
        )
    if key_id_mode is None or counter is None:
        raise UsageError("--key-id-mode (0 to 3) and --counter (carried, elided) go together")
    if key_id_mode not in range(4):
        raise UsageError(f"no key-id-mode {key_id_mode}: possible are 0, 1, 2, 3")
    return AshForm(key_id_mode, one_of("counter", counter, COUNTERS) == "carried")


def ash_forms(modes: Sequence[str], counters: Sequence[str]) -> tuple[AshForm, ...]:
    """Every named KeyIdMode with every named counter, all if none is named: elided first."""
    numbers = [
        one_of("key-id-mode", part.strip(), ("0", "1", "2", "3"))
        for text in modes
        for part in text.split(",")
    ]
    named = [
        one_of("counter", part.strip(), COUNTERS) for text in counters for part in text.split(",")
    ]
    return tuple(
        AshForm(int(number), counter == "carried")
        for counter in sorted(set(named or COUNTERS), reverse=True)
        for number in sorted(set(numbers or "0123"))
    )


def clock_hz(text: str | None, boards: Sequence[Board]) -> dict[str, int]:
    """The clock of each board: its own default, or the one asked for, which all of them must
    have."""
    if text is None:
        return {board.name: board.clock_hz for board in boards}
    return {
        board.name: board.clocks_hz[one_of("clock", text, tuple(board.clocks_hz))]
        for board in boards
    }


def frame_octets(number: int) -> int:
    """Octets of a data frame, from header, longest ASH, MIC and FCS to the longest PSDU."""
    if not LEAST_FRAME_OCTETS <= number <= FRAME_OCTETS:
        raise UsageError(
            f"no frame-octets {number}: possible are {LEAST_FRAME_OCTETS} to {FRAME_OCTETS}"
        )
    return number


def frame_lengths(texts: Sequence[str]) -> tuple[int, ...]:
    """Lengths of data frames, shortest first; 127 if none is named."""
    parts = [part.strip() for text in texts for part in text.split(",")]
    if wrong := [part for part in parts if not part.isdecimal()]:
        raise UsageError(
            f"no frame-octets {wrong[0]!r}: write numbers, {LEAST_FRAME_OCTETS} to {FRAME_OCTETS}"
        )
    return tuple(sorted({frame_octets(int(part)) for part in parts})) or (FRAME_OCTETS,)


def output_format(text: str) -> str:
    """A format of the rows on stdout."""
    return one_of("format", text, FORMATS)


def positive(what: str, number: int, most: int) -> int:
    """A count from 1 to `most`."""
    if not 1 <= number <= most:
        raise UsageError(f"no {what} {number}: possible are 1 to {most}")
    return number


def duration_us(text: str) -> float:
    """A duration such as 10ms, 9800us, 0.01s."""
    if not (match := DURATION.fullmatch(text.strip())):
        raise UsageError(
            f"no duration {text!r}: write a number and a unit, us, ms or s, such as 10ms"
        )
    return float(match[1]) * US_PER[match[2]]
