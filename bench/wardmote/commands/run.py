# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote run`: boots anybody's firmware."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from wardmote import options
from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.boot.debug import attach
from wardmote.boot.links import read_links
from wardmote.boot.motes import Identities, Mote, Order, boot, numbers
from wardmote.boot.rows import mote_rows, state_rows
from wardmote.boot.run import Run
from wardmote.boot.talk import Answer, Said, Talk, octets
from wardmote.boot.waves import Waves, pin
from wardmote.choices import choice
from wardmote.commands.records import SEVERAL, File, Text, Texts, option
from wardmote.commands.register import verb
from wardmote.commands.shared import SeedOption
from wardmote.errors import DONE, FAILED, UsageError
from wardmote.paths import require_file, write_atomically
from wardmote.units import PS_PER_S
from wardmote.views import boot as view
from wardmote.views.data import to_csv
from wardmote.views.show import show_table, show_text

PS_PER_US = PS_PER_S // 1_000_000
BAUD = 57_600
MOST_BAUD = 1_000_000


@dataclass(frozen=True, slots=True)
class Where:
    """Which motes there are, and who hears whom."""

    board: Annotated[
        Text, option(f"Board of images without one: {', '.join(BOARDS)}.", *BOARDS)
    ] = None
    links: Annotated[
        File,
        option(
            "CSV file of links: sender and receiver (1 is the first mote), prr (0 to 1), "
            "path_loss_db (or none), time_s, both (1: both ways)."
        ),
    ] = None
    first_id: Annotated[int, option("TinyOS's node ID of the first mote; the next has 1 more.")] = 1
    id_address: Annotated[
        Text, option("Where the node ID is in images without symbols, such as 0x405C.")
    ] = None
    number: Annotated[
        Texts,
        option(
            "PLACE=NUMBER: another number of the boards' records, such as "
            f"timing.cc2420.vreg_start=100. {SEVERAL}"
        ),
    ] = None

    gdb: Annotated[
        Text,
        option(
            "Let gdb attach: PORT for the first mote, or MOTE:PORT. Time passes when gdb lets it; "
            "all motes stop together."
        ),
    ] = None

    def identities(self) -> Identities:
        """Which identities the motes get; raises UsageError."""
        first = options.whole("node ID", self.first_id, 0, 0xFFFE)
        try:
            address = None if self.id_address is None else int(self.id_address, 0)
        except ValueError:
            address = -1
        if address is not None and not 0 <= address < 1 << 32:
            raise UsageError(f"no address {self.id_address!r}: write a number such as 0x405C")
        return Identities(first, address)


@dataclass(frozen=True, slots=True)
class Lines:
    """What is said on serial lines."""

    expect: Annotated[
        Texts,
        option(rf"Text that a mote must say. It ends the run; several come in order. {SEVERAL}"),
    ] = None
    send: Annotated[
        Texts,
        option(f"Text for all motes, or AFTER=>TEXT for the mote that says AFTER. {SEVERAL}"),
    ] = None
    baud: Annotated[int, option("Of what is sent.")] = BAUD
    serial: Annotated[
        str, option(f"How serial lines are shown: {' or '.join(view.FORMS)}.", *view.FORMS)
    ] = view.TEXT

    def talk(self) -> Talk:
        """Raises UsageError."""
        awaited = [octets(text) for text in self.expect or ()]
        if not all(awaited):
            raise UsageError("no text to expect: it has a character at least")
        return Talk(awaited, [Answer.of(text) for text in self.send or ()])


@dataclass(frozen=True, slots=True)
class Files:
    """What is written."""

    pcap: Annotated[File, option("Write the frames on the air, for Wireshark.")] = None
    charge: Annotated[
        File, option("Write time and charge of each device in each state, as CSV.")
    ] = None
    vcd: Annotated[
        File, option("Write how pins moved, for GTKWave: those that the record names, and --pin.")
    ] = None
    pin: Annotated[Texts, option(f"A further pin, such as 5.4 (port and bit). {SEVERAL}")] = None

    def waves(self, simulation: Simulation, motes: list[Mote]) -> Waves | None:
        """What --vcd writes; raises UsageError."""
        further = [pin(text) for text in self.pin or ()]
        return Waves(simulation, motes, further) if self.vcd else None

    def require(self, simulation: Simulation) -> None:
        """Raises UsageError before time passes for what cannot be written."""
        for path in (self.pcap, self.charge, self.vcd):
            require_file(path)
        if self.pcap:
            simulation.capture()
            try:
                simulation.pcap()
            except ValueError as error:
                raise UsageError(f"no --pcap: {error}") from error

    def write(self, run: Run, seed: int, waves: Waves | None) -> None:
        """Writes what was asked for."""
        if self.vcd and waves:
            write_atomically(self.vcd, waves.text().encode())
        if self.pcap:
            write_atomically(self.pcap, run.simulation.pcap())
        if self.charge:
            write_atomically(self.charge, to_csv(list(state_rows(run, seed))).encode())


@contextmanager
def _bar(seconds: float) -> Iterator[Progress]:
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
        bar.add_task("", total=seconds)
        yield bar


def _tell(run: Run, seconds: float, form: str) -> None:
    """Runs, and prints each event when it happens."""
    lines: set[int] = set()
    with _bar(seconds) as bar:
        for event in run.events(round(seconds * PS_PER_S)):
            if isinstance(event, Said):
                lines.add(event.line)
            sys.stdout.write(f"{view.line(event, run.motes, len(lines), form)}\n")
            sys.stdout.flush()
            bar.update(bar.task_ids[0], completed=run.simulation.now_ps / PS_PER_S)


@verb("Firmware", 98)
def run(
    image: Annotated[
        list[str],
        typer.Argument(
            help="[BOARD=]IMAGE[:N]: N motes with this ELF, Intel HEX or S-record file."
        ),
    ],
    *,
    where: Where,
    duration: Annotated[str, option("How long, such as 10s or 500ms.", name="--for")] = "10s",
    lines: Lines,
    files: Files,
    seed: SeedOption = 1,
) -> int:
    """Boot anybody's firmware, and see what it says."""
    board = None if where.board is None else choice("board", where.board, tuple(BOARDS))
    orders = [Order.of(text, board) for text in image]
    duration_ps = round(options.duration_us(duration) * PS_PER_US)
    baud = options.whole("baud rate", lines.baud, 1, MOST_BAUD)
    form = choice("form", lines.serial, view.FORMS)
    talk, simulation = lines.talk(), Simulation(seed)
    changes = numbers(where.number or (), [order.board for order in orders])
    motes = boot(simulation, orders, where.identities(), changes)
    links = read_links(where.links, len(motes)) if where.links else []
    files.require(simulation)
    waves = files.waves(simulation, motes)
    one = Run(simulation, motes, links, talk, baud)
    gdb = None if where.gdb is None else attach(simulation, where.gdb, motes)
    for mote in motes:
        sys.stdout.write(f"{view.began(mote)}\n")
    if gdb is not None:
        mote, one.debugger = gdb
        sys.stdout.write(f"{view.awaits(mote, one.debugger.port)}\n")
    sys.stdout.flush()
    _tell(one, duration_ps / PS_PER_S, form)
    files.write(one, seed, waves)
    sys.stdout.write("\n")
    show_table(mote_rows(one, seed, captured=files.pcap is not None), view.COLUMNS)
    show_text(view.answer(one))
    return FAILED if one.fault or talk.missing else DONE
