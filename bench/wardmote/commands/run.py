# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote run`: boots anybody's firmware."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from wardmote import options
from wardmote.boot.debug import attach
from wardmote.boot.kept import Kept, state_of
from wardmote.boot.ports import Ports
from wardmote.boot.rows import mote_rows
from wardmote.boot.run import Run
from wardmote.boot.waves import Moved
from wardmote.choices import choice
from wardmote.commands.records import option
from wardmote.commands.register import verb
from wardmote.commands.run_options import MOST_BAUD, Files, Lines, Where
from wardmote.commands.shared import SeedOption
from wardmote.errors import DONE, FAILED, UsageError
from wardmote.units import PS_PER_S
from wardmote.views import boot as view
from wardmote.views.show import show_table, show_text

PS_PER_US = PS_PER_S // 1_000_000


@contextmanager
def _bar(begin: float, end: float) -> Iterator[Progress]:
    """How much time has passed for the motes; nothing where stderr is no terminal."""
    columns = (
        TextColumn("{task.completed:.1f} of {task.total:g} s"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        bar.add_task("", total=end)
        bar.update(bar.task_ids[0], completed=begin)
        yield bar


def _tell(run: Run, end_ps: int, form: str, pins: bool) -> None:
    """Runs, and prints each event when it happens."""
    with _bar(run.simulation.now_ps / PS_PER_S, end_ps / PS_PER_S) as bar:
        for event in run.events(end_ps):
            if isinstance(event, Moved) and not pins:
                continue
            _say(view.line(event, run.motes, form))
            bar.update(bar.task_ids[0], completed=run.simulation.now_ps / PS_PER_S)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _again(run: Run, kept: Kept) -> None:
    """Does what the run did that goes on; raises UsageError if that comes out otherwise."""
    run.again(kept)
    if state_of(run.simulation, run.motes) != kept.state:
        raise UsageError("the run that goes on does not come to where it was: its file is damaged")
    _say(view.goes_on(kept.now_ps))


@verb("Firmware", 98)
def run(
    image: Annotated[
        list[str] | None,
        typer.Argument(
            help=r"[BOARD=]IMAGE\[@ADDRESS][:N]: N motes with this ELF, Intel HEX or S-record file, or "
            "with octets alone from ADDRESS on."
        ),
    ] = None,
    *,
    where: Where,
    duration: Annotated[str, option("How long, such as 10s or 500ms.", name="--for")] = "10s",
    lines: Lines,
    files: Files,
    seed: SeedOption = 1,
) -> int:
    """Boot anybody's firmware, and see what it says."""
    setup, kept = where.setup(image or (), seed)
    duration_ps = round(options.duration_us(duration) * PS_PER_US)
    baud = options.whole("baud rate", lines.baud, 1, MOST_BAUD)
    form = choice("form", lines.serial, view.FORMS)
    talk = lines.talk()
    simulation, motes = setup.make()
    if kept is None:
        setup = replace(setup, changes=where.changes(len(motes)))
    files.begin(simulation, motes, where.gdb is not None)
    waves = files.waves(simulation, motes)
    ports = Ports.of(lines.port or (), motes)
    try:
        pace = lines.seconds_each(ports)
        one = Run(simulation, motes, setup.changes, talk, baud, ports, waves, pace)
        gdb = None if where.gdb is None else attach(simulation, where.gdb, motes)
        for mote in motes:
            _say(view.began(mote))
        for (place, line), end in ports.ends.items():
            _say(view.connected(motes[place], line, end.name))
        if kept is not None:
            _again(one, kept)
        if gdb is not None:
            mote, one.debugger = gdb
            _say(view.awaits(mote, one.debugger.port))
        _tell(one, simulation.now_ps + duration_ps, form, files.pins)
    finally:
        ports.close()
    files.write(one, setup)
    sys.stdout.write("\n")
    show_table(mote_rows(one, setup.seed, captured=files.pcap is not None), view.COLUMNS)
    show_text(view.answer(one))
    return FAILED if one.fault or talk.missing else DONE
