# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote system`: what an event loop, a tick and a listening radio cost an operation that only
computes."""

import sys
from dataclasses import dataclass, replace
from typing import Annotated

from wardmote import options
from wardmote.boards import EVENT_BOARDS
from wardmote.choices import choices
from wardmote.commands.records import LIST, Text, Texts, option
from wardmote.commands.register import verb
from wardmote.commands.running import Running
from wardmote.commands.shared import DocumentOption, SeedOption, Shown
from wardmote.errors import UsageError
from wardmote.measurements.system.campaign import Selection, measure
from wardmote.measurements.system.operations import OPERATIONS
from wardmote.measurements.system.situation import (
    LEAST_PSDU,
    MOST_PSDU,
    READERS,
    TICKS_HZ,
    TO,
    USUAL,
    Situation,
    most_frames_per_s,
    product,
)
from wardmote.paths import write_atomically
from wardmote.views import system as view
from wardmote.views.document import opened

SECONDS = 2.0
MOST_SECONDS = 600.0
MOST_PERCENT = 1000.0
OFF = "off"


@dataclass(frozen=True, slots=True)
class Around:
    """What happens around an operation: ticks, and frames that arrive."""

    tick: Annotated[
        Text, option("Timer ticks a second: 0 or a power of 2, such as 0,128,1024.")
    ] = None
    frames: Annotated[
        Text, option("Frames that arrive in a second, such as off,0,10. off: the radio is off.")
    ] = None
    to: Annotated[
        Text,
        option(
            "Receiver of the frames: us, others, or filtered (for others, dropped by the radio).",
            *TO,
        ),
    ] = None
    read: Annotated[
        Text,
        option(
            "Where frames are read: handler (in the interrupt) or loop (in the event loop).",
            *READERS,
        ),
    ] = None
    stamped: Annotated[
        bool,
        option("Interrupts of their own note when each frame starts and ends.", name="--stamped"),
    ] = False
    frame_octets: Annotated[int, option("Length of each frame in octets.")] = MOST_PSDU


@dataclass(frozen=True, slots=True)
class Operations:
    """Which operations are measured, on what, and for how long."""

    board: Annotated[
        Texts,
        option(f"Board: {', '.join(EVENT_BOARDS)}. {LIST} Default: telosb.", *EVENT_BOARDS),
    ] = None
    clock: Annotated[
        Text,
        option(
            "CPU clock: 8MHz, 6.7MHz or 4.19MHz (telosb), 32MHz or 16MHz (openmote-cc2538). Default: the "
            "first."
        ),
    ] = None
    only: Annotated[
        Texts,
        option("Operations by name, such as aes128,sha256. Default: all.", *OPERATIONS),
    ] = None
    seconds: Annotated[float, option("How many seconds each operation runs in each situation.")] = (
        SECONDS
    )
    seed: SeedOption = 1

    def selection(self, around: Around) -> Selection:
        """All that is measured; raises UsageError where an option asks for what cannot be."""
        if not 0 < self.seconds <= MOST_SECONDS:
            raise UsageError(
                f"no duration of {self.seconds:g} s: possible are more than 0 and at most "
                f"{MOST_SECONDS:g}"
            )
        boards = choices("board", self.board or ("telosb",), tuple(EVENT_BOARDS))
        return Selection(
            clocks_hz=options.clock_hz(self.clock, [EVENT_BOARDS[name] for name in boards]),
            operations=choices("operation", self.only or (), tuple(OPERATIONS)),
            situations=situations(around),
            seconds=self.seconds,
            seed=self.seed,
        )


@verb("Measure code", 110)
def system(
    operations: Operations,
    around: Around,
    running: Running,
    document: DocumentOption = None,
    *,
    shown: Shown,
    max_overhead: Annotated[
        float | None,
        option("Highest mean overhead allowed, in per cent: exit code 1 if one is higher."),
    ] = None,
) -> int:
    """What does an event loop with tick and radio cost an operation that only computes?"""
    shown = shown.checked(view.COLUMNS)
    if max_overhead is not None and not 0 <= max_overhead <= MOST_PERCENT:
        raise UsageError(f"no overhead of {max_overhead:g} %: possible are 0 to {MOST_PERCENT:g}")
    selection, runner = operations.selection(around), running.runner()
    text = None if document is None else opened(document, view.BLOCKS)
    result = measure(selection, runner)
    if document is not None and text is not None:
        write_atomically(document, view.BLOCKS.filled(text, result).encode())
    shown.show(result.rows, view.COLUMNS, view.conditions(result), view.answer(result))
    too_high = [
        row
        for row in result.rows
        if max_overhead is not None and row.overhead_percent > max_overhead
    ]
    for row in too_high:
        sys.stderr.write(
            f"wardmote: {row.board} {row.operation}, {row.situation}: {row.overhead_percent:.2f} % of "
            f"overhead, more than --max-overhead {max_overhead:g}\n"
        )
    return 1 if too_high else 0


def situations(around: Around) -> tuple[Situation, ...]:
    """Every combination of the given values; the usual combinations if none are given."""
    octets, stamped = around.frame_octets, around.stamped
    tick, frames, to, read = around.tick, around.frames, around.to, around.read
    if not LEAST_PSDU <= octets <= MOST_PSDU:
        raise UsageError(f"no frame-octets {octets}: possible are {LEAST_PSDU} to {MOST_PSDU}")
    if not stamped and all(one is None for one in (tick, frames, to, read)):
        return tuple(replace(one, psdu_octets=octets) for one in USUAL)
    ticks = choices("tick", ("0",) if tick is None else (tick,), ("0", *map(str, TICKS_HZ)))
    rates = tuple(
        _rate(part.strip(), octets) for part in (OFF if frames is None else frames).split(",")
    )
    if not any(rates) and (stamped or to is not None or read is not None):
        raise UsageError(
            "--to, --read and --stamped are about frames that arrive: give --frames too"
        )
    whose = choices("receiver", ("us",) if to is None else (to,), TO)
    readers = choices("reader", ("handler",) if read is None else (read,), READERS)
    return product(tuple(map(int, ticks)), rates, whose, readers, octets, stamped)


def _rate(text: str, octets: int) -> int | None:
    """Frames a second, as many as the air has room for; None for `off`."""
    most = most_frames_per_s(octets)
    if text == OFF:
        return None
    if not text.isascii() or not text.isdigit() or int(text) > most:
        raise UsageError(
            f"no frames {text!r}: possible are {OFF} and 0 to {most} of {octets} octets a second"
        )
    return int(text)
