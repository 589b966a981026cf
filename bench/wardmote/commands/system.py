# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote system`: what an event loop, a tick and a listening radio cost an operation that only
computes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.boards import BOARDS
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

SECONDS = 2.0
MOST_SECONDS = 600.0
MOST_PERCENT = 1000.0
OFF = "off"


@verb("Measure code", 110)
def system(
    board: Annotated[
        list[str] | None, typer.Option(help="telosb, openmote-cc2538; may be repeated.")
    ] = None,
    clock: Annotated[
        str | None, typer.Option(help="8MHz, 4.19MHz, 32MHz, 16MHz. Default: the board's first.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Names of operations, e.g. aes128,sha256; may be repeated. Default: all."
        ),
    ] = None,
    tick: Annotated[
        str | None, typer.Option(help="Ticks a second, e.g. 0,128,1024; powers of 2.")
    ] = None,
    frames: Annotated[
        str | None, typer.Option(help="Frames a second that arrive, e.g. off,0,10; off: no radio.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(help="Whose they are: us, others, filtered (others, dropped by the radio)."),
    ] = None,
    read: Annotated[
        str | None,
        typer.Option(help="Who reads them: handler (of the interrupt), loop (an event)."),
    ] = None,
    stamped: Annotated[
        bool, typer.Option("--stamped", help="Each frame's time is noted by interrupts of its own.")
    ] = False,
    frame_octets: Annotated[int, typer.Option(help="Octets of each frame's PSDU.")] = MOST_PSDU,
    seconds: Annotated[
        float, typer.Option(help="How long the operation runs in each situation.")
    ] = SECONDS,
    seed: SeedOption = 1,
    engine: EngineOption = LOCAL,
    jobs: JobsOption = None,
    fresh: FreshOption = False,
    document: Annotated[
        Path | None, typer.Option(help="Write the figures into this document, between its marks.")
    ] = None,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
    max_overhead: Annotated[
        float | None,
        typer.Option(help="Exit code 1 if an operation takes longer on average, in per cent."),
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
    boards = choices("board", board or ("telosb",), tuple(BOARDS))
    selection = Selection(
        clocks_hz=options.clock_hz(clock, [BOARDS[name] for name in boards]),
        operations=choices("operation", only or (), tuple(OPERATIONS)),
        situations=situations(tick, frames, to, read, frame_octets, stamped=stamped),
        seconds=seconds,
        seed=seed,
    )
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
