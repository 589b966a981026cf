# SPDX-License-Identifier: BSD-3-Clause
"""Texts of the command line as values. Each refusal says what is wrong and what is possible."""

import math
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from wardmote.boards import SLOT_BOARDS, Board
from wardmote.choices import choice, choices, parts
from wardmote.errors import UsageError
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE, Definition, guard_needed
from wardmote.measurements.slot.setting import (
    ALL_STRATEGIES,
    ASH_FORMS,
    FRAME_OCTETS,
    STRATEGIES,
    AshForm,
)
from wardmote.units import TICKS_PER_S
from wardmote.views.show import FORMATS

Value = TypeVar("Value")
LEAST_FRAME_OCTETS = 53
"""Header of 21 octets, ASH of 14, MIC of 16, FCS of 2: a frame without payload."""
MOST_GUARD_TICKS = 1073
"""Half of what 16 bits of microseconds can say of TsRxWait."""
COUNTERS = ("carried", "elided")
KEY_ID_MODES = ("0", "1", "2", "3")
MOST_SEED = 2**32 - 1
MOST_SECONDS = 3600
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(us|ms|s)", re.ASCII)
VOLTAGE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*V", re.ASCII)
US_PER = {"us": 1.0, "ms": 1e3, "s": 1e6}


def boards(texts: Sequence[str]) -> tuple[Board, ...]:
    """Boards in the order of the report; all if none is named."""
    return tuple(SLOT_BOARDS[name] for name in choices("board", texts, tuple(SLOT_BOARDS)))


def strategies(texts: Sequence[str]) -> tuple[str, ...]:
    """Strategies in the order of the report; those of a report if none is named."""
    return choices("strategy", texts, ALL_STRATEGIES) if texts else STRATEGIES


def definitions(
    texts: Sequence[str], guard: str | None, default: Sequence[str]
) -> tuple[Definition, ...]:
    """Definitions of the shortest slot; those of `default` if none is named. A guard time is that
    of `deployable`."""
    names = choices("definition", texts, tuple(DEFINITIONS)) if texts else tuple(default)
    if guard is None:
        return tuple(DEFINITIONS[name] for name in names)
    if texts and DEPLOYABLE not in names:
        raise UsageError(f"--guard is the guard time of {DEPLOYABLE}: the others have their own")
    ticks = round(duration_us(guard) * TICKS_PER_S / US_PER["s"])
    whole("number of ticks in --guard", ticks, guard_needed(0), MOST_GUARD_TICKS)
    asked = Definition(DEPLOYABLE, ticks)
    return tuple(asked if name == DEPLOYABLE else DEFINITIONS[name] for name in names)


def levels(texts: Sequence[str]) -> tuple[int, ...]:
    """Security levels in ascending order, by number or name; all if none is named."""
    numbers = [str(number) for number in range(len(LEVEL_NAMES))]
    found = {
        int(part)
        if part in numbers
        else LEVEL_NAMES.index(choice("level", part, LEVEL_NAMES, more))
        for part in parts(texts)
        for more in [f"; or {numbers[0]} to {numbers[-1]}"]
    }
    return tuple(sorted(found)) if found else tuple(range(len(LEVEL_NAMES)))


def single(
    what: str, text: str, read: Callable[[Sequence[str]], tuple[Value, ...]]
) -> tuple[Value]:
    """The one value that `text` names."""
    found = read([text])
    if len(found) != 1:
        raise UsageError(f"{len(found)} values of --{what}: give one")
    return (found[0],)


def ash_form(ash: str | None, key_id_mode: int | None, counter: str | None) -> AshForm:
    """`--ash`, or `--key-id-mode` with `--counter`, but not both; `paper` if neither is given."""
    if key_id_mode is None and counter is None:
        return ASH_FORMS[choice("ash", "paper" if ash is None else ash, tuple(ASH_FORMS))]
    if ash is not None:
        raise UsageError(
            "--ash stands for a --key-id-mode and a --counter: give either the one or the two"
        )
    if key_id_mode is None or counter is None:
        raise UsageError("--key-id-mode (0 to 3) and --counter (carried, elided) go together")
    mode = choice("key-id-mode", str(key_id_mode), KEY_ID_MODES)
    return AshForm(int(mode), choice("counter", counter, COUNTERS) == "carried")


def ash_forms(modes: Sequence[str], counters: Sequence[str]) -> tuple[AshForm, ...]:
    """Every named KeyIdMode with every named counter, all if none is named: elided first."""
    return tuple(
        AshForm(int(mode), counter == "carried")
        for counter in reversed(choices("counter", counters, COUNTERS))
        for mode in choices("key-id-mode", modes, KEY_ID_MODES)
    )


def clock_hz(text: str | None, named: Sequence[Board]) -> dict[str, int]:
    """The clock of each board: its own default, or the one asked for, which all of them must
    have."""
    if text is None:
        return {board.name: board.clock_hz for board in named}
    chosen = "; choose a board with --board" if len(named) > 1 else ""
    return {
        board.name: board.clocks_hz[
            choice("clock", text, tuple(board.clocks_hz), f" on {board.name}{chosen}")
        ]
        for board in named
    }


def turnarounds_us(text: str | None, named: Sequence[Board]) -> dict[str, int]:
    """The turnaround of each board's radio: its first, or the one asked for."""
    if text is None:
        return {board.name: board.turnarounds_us[0] for board in named}
    asked = duration_us(text)
    for board in named:
        if asked not in board.turnarounds_us:
            possible = " or ".join(f"{us}us" for us in board.turnarounds_us)
            raise UsageError(f"no turnaround {text!r} on {board.name}: possible is {possible}")
    return dict.fromkeys((board.name for board in named), round(asked))


def clocks_at(
    text: str | None, clock: str | None, named: Sequence[Board], *, beyond: bool
) -> dict[str, tuple[int, float | None]]:
    """Clock and supply of each board: `--clock` and `--supply`. The supply is None where it is the
    one that the clock has anyway. Without a clock, the first one that the supply allows. A pair
    that the data sheets do not allow is refused unless `beyond`."""
    clocks = clock_hz(clock, named)
    if text is None:
        return {name: (hz, None) for name, hz in clocks.items()}
    volts = voltage(text)
    found: dict[str, tuple[int, float | None]] = {}
    for board in named:
        supply, hz = board.supply, clocks[board.name]
        if not supply.least_v <= volts <= supply.most_v:
            raise UsageError(
                f"no supply {text!r} on {board.name}: possible are {supply.least_v:g} to "
                f"{supply.most_v:g} V"
            )
        allowed = {name: one for name, one in board.clocks_hz.items() if supply.allows(one, volts)}
        if clock is None and allowed and not beyond:
            hz = next(iter(allowed.values()))
        if not beyond and not supply.allows(hz, volts):
            raise UsageError(
                f"{board.name} at {volts:g} V runs at up to {supply.fastest_hz(volts) / 1e6:.3g} "
                f"MHz: give --clock {' or '.join(allowed) or '(none is slow enough)'}, --supply "
                f"{supply.for_clock(hz):g}V for {hz / 1e6:.3g} MHz, or --beyond to measure it all "
                "the same"
            )
        usual = supply.for_clock(hz) == volts
        found[board.name] = (hz, None if usual else volts)
    return found


def voltage(text: str) -> float:
    """A voltage such as 3V, 3.3V."""
    if not (match := VOLTAGE.fullmatch(text.strip())):
        raise UsageError(f"no supply {text!r}: write a number and V, such as 3.3V")
    return float(match[1])


def frame_octets(number: int) -> int:
    """Octets of a data frame, from header, longest ASH, MIC and FCS to the longest PSDU."""
    return whole("frame-octets", number, LEAST_FRAME_OCTETS, FRAME_OCTETS)


def frame_lengths(texts: Sequence[str]) -> tuple[int, ...]:
    """Lengths of data frames, shortest first; 127 if none is named."""
    found = {frame_octets(_digits("frame-octets", part)) for part in parts(texts)}
    return tuple(sorted(found)) or (FRAME_OCTETS,)


def _digits(what: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise UsageError(f"no {what} {text!r}: write whole numbers, such as 127")
    return int(text)


def output_format(text: str) -> str:
    """A format of the rows on stdout."""
    return choice("format", text, FORMATS)


def whole(what: str, number: int, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    if not least <= number <= most:
        raise UsageError(f"no {what} {number}: possible are {least} to {most}")
    return number


def positive(what: str, number: int, most: int) -> int:
    """A count from 1 to `most`."""
    return whole(what, number, 1, most)


def real(what: str, number: float, least: float, most: float, *, open_: bool = False) -> float:
    """A finite number from `least` to `most`, or above `least` if the range is `open_`."""
    if not math.isfinite(number) or not least <= number <= most or (open_ and number == least):
        above = f"more than {least:g}, up to {most:g}" if open_ else f"{least:g} to {most:g}"
        raise UsageError(f"no {what} {number:g}: possible are {above}")
    return number


def duration_us(text: str) -> float:
    """A duration such as 10ms, 9800us, 0.01s."""
    if not (match := DURATION.fullmatch(text.strip())):
        raise UsageError(
            f"no duration {text!r}: write a number and a unit, us, ms or s, such as 10ms"
        )
    us = float(match[1]) * US_PER[match[2]]
    if not 0 < us <= MOST_SECONDS * US_PER["s"]:
        raise UsageError(
            f"no duration {text!r}: possible are more than 0 s, up to {MOST_SECONDS} s"
        )
    return us
