# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote system`: what an event loop, a tick and a listening radio cost an operation that only
computes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.boards import EVENT_BOARDS
from wardmote.campaign.choice import LOCAL
from wardmote.choices import choices
from wardmote.commands.register import verb
from wardmote.commands.running import EngineOption, FreshOption, JobsOption, runner_of
from wardmote.commands.shared import ColumnsOption, FormatOption, SeedOption
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
from wardmote.views.show import show
from wardmote.views.table import chosen

SECONDS = 2.0
MOST_SECONDS = 600.0
MOST_PERCENT = 1000.0
OFF = "off"


@verb("Measure code", 110)
def system(
    board: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Board: {', '.join(EVENT_BOARDS)}. Repeat the option for several. "
            "Default: telosb."
        ),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(
            help="CPU clock: 8MHz or 4.19MHz (telosb), 32MHz or 16MHz (openmote-cc2538)."
            " Default: the first."
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Operations by name, such as aes128,sha256. Default: all."),
    ] = None,
    tick: Annotated[
        str | None,
        typer.Option(help="Timer ticks a second: 0 or a power of 2, such as 0,128,1024."),
    ] = None,
    frames: Annotated[
        str | None,
        typer.Option(
            help="Frames that arrive in a second, such as off,0,10. off: the radio is off."
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="Receiver of the frames: us, others, or filtered (for others, dropped "
            "by the radio)."
        ),
    ] = None,
    read: Annotated[
        str | None,
        typer.Option(
            help="Where frames are read: handler (in the interrupt) or loop (in the event loop)."
        ),
    ] = None,
    stamped: Annotated[
        bool,
        typer.Option(
            "--stamped", help="Interrupts of their own note when each frame starts and ends."
        ),
    ] = False,
    frame_octets: Annotated[int, typer.Option(help="Length of each frame in octets.")] = MOST_PSDU,
    seconds: Annotated[
        float, typer.Option(help="How many seconds each operation runs in each situation.")
    ] = SECONDS,
    seed: SeedOption = 1,
    engine: EngineOption = LOCAL,
    jobs: JobsOption = None,
    fresh: FreshOption = False,
    document: Annotated[
        Path | None, typer.Option(help="Document to write the figures into, between its marks.")
    ] = None,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
    max_overhead: Annotated[
        float | None,
        typer.Option(
            help="Highest mean overhead allowed, in per cent: exit code 1 if one is higher."
        ),
    ] = None,
) -> int:
    """What does an event loop with tick and radio cost an operation that only computes?"""
    form = options.output_format(form)
    if not 0 < seconds <= MOST_SECONDS:
        raise UsageError(
            f"no duration of {seconds:g} s: possible are more than 0 and at most {MOST_SECONDS:g}"
        )
    if max_overhead is not None and not 0 <= max_overhead <= MOST_PERCENT:
        raise UsageError(f"no overhead of {max_overhead:g} %: possible are 0 to {MOST_PERCENT:g}")
    runner = runner_of(engine, jobs, fresh=fresh)
    boards = choices("board", board or ("telosb",), tuple(EVENT_BOARDS))
    selection = Selection(
        clocks_hz=options.clock_hz(clock, [EVENT_BOARDS[name] for name in boards]),
        operations=choices("operation", only or (), tuple(OPERATIONS)),
        situations=situations(tick, frames, to, read, frame_octets, stamped=stamped),
        seconds=seconds,
        seed=seed,
    )
    chosen(view.COLUMNS, columns)
    text = None if document is None else view.opened(document)
    result = measure(selection, runner)
    if document is not None and text is not None:
        write_atomically(document, view.filled(text, result).encode())
    show(
        result.rows,
        view.COLUMNS,
        form,
        conditions=view.conditions(result),
        answer=view.answer(result),
        names=columns,
    )
    return int(
        max_overhead is not None and any(row.overhead_percent > max_overhead for row in result.rows)
    )


def situations(
    tick: str | None,
    frames: str | None,
    to: str | None,
    read: str | None,
    octets: int,
    *,
    stamped: bool = False,
) -> tuple[Situation, ...]:
    """Every combination of what is asked for; the usual ones if nothing is."""
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
