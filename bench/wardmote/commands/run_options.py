# SPDX-License-Identifier: BSD-3-Clause
"""What `wardmote run` may be told: which motes, what is said to them, what is kept of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from wardmote import options
from wardmote._motes import MoteError, Simulation
from wardmote.boards import BOARDS
from wardmote.boot.coverage import Executed, lcov, lines_of
from wardmote.boot.kept import Change, Kept, Setup, in_order, read_kept, state_of
from wardmote.boot.links import read_links
from wardmote.boot.motes import Identities, Mote, Order, numbers
from wardmote.boot.places import read_places
from wardmote.boot.ports import Ports
from wardmote.boot.rows import state_rows
from wardmote.boot.run import Run
from wardmote.boot.talk import Answer, Talk, octets
from wardmote.boot.waves import Waves, pin
from wardmote.choices import choice
from wardmote.commands.records import SEVERAL, File, Text, Texts, option
from wardmote.errors import ImageError, UsageError
from wardmote.paths import require_file, write_atomically
from wardmote.views import boot as view
from wardmote.views.data import to_csv
from wardmote.views.flame import flame_graph, folded

BAUD = 57_600
FIRST_ID = FIRST_SEED = 1
"""What these options are when nobody gives them."""
MOST_BAUD = 1_000_000
MOST_PACE = 1e6
FLAME, FOLDED = ".svg", ".folded"


def _number(what: str, text: str | None, bits: int, such_as: str) -> int | None:
    """A number of so many bits at most; raises UsageError."""
    if text is None:
        return None
    try:
        number = int(text, 0)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << bits:
        raise UsageError(f"no {what} {text!r}: write a number such as {such_as}")
    return number


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
            "path_loss_db (or none) or rssi_dbm, time_s, both (1: both ways)."
        ),
    ] = None
    places: Annotated[
        File, option("CSV file of places: mote (1 is the first), x_m, y_m, z_m, time_s.")
    ] = None
    first_id: Annotated[int, option("TinyOS's node ID of the first mote; the next has 1 more.")] = (
        FIRST_ID
    )
    id_address: Annotated[
        Text, option("Where the node ID is in images without symbols, such as 0x405C.")
    ] = None
    factory_id: Annotated[
        Text,
        option(
            "The number that the first mote's board carries from its factory, such as "
            "0x124B00000001: a TelosB's serial number (Contiki's address), a CC2538's IEEE address. "
            "The next has 1 more."
        ),
    ] = None
    number: Annotated[
        Texts,
        option(
            "PLACE=NUMBER: another number of the boards' records, such as "
            f"timing.cc2420.vreg_start=100. {SEVERAL}"
        ),
    ] = None
    resume: Annotated[
        File, option("Go on where --save ended a run: the same images, seed and inputs.")
    ] = None

    gdb: Annotated[
        Text,
        option(
            "Let gdb attach: PORT for the first mote, or MOTE:PORT. Time passes when gdb lets it; "
            "all motes stop together."
        ),
    ] = None

    def _identities(self) -> Identities:
        """Which identities the motes get; raises UsageError."""
        first = options.whole("node ID", self.first_id, 0, 0xFFFE)
        address = _number("address", self.id_address, 32, "0x405C")
        factory = _number("factory ID", self.factory_id, 64, "0x124B00000001")
        return Identities(first, address, factory)

    def setup(self, images: Sequence[str], seed: int) -> tuple[Setup, Kept | None]:
        """What decides what the motes do, and the run that goes on; raises UsageError."""
        if self.resume is not None:
            given = self.links, self.places, self.number, self.id_address, self.factory_id
            if images or any(given) or self.board or self.first_id != FIRST_ID:
                raise UsageError("--resume has its images, links, places and numbers already")
            kept = read_kept(self.resume)
            if seed not in (FIRST_SEED, kept.setup.seed):
                raise UsageError(f"--resume has its seed already: {kept.setup.seed}")
            return kept.setup, kept
        if not images:
            raise UsageError("no image: give [BOARD=]IMAGE[@ADDRESS][:N], or --resume FILE")
        board = None if self.board is None else choice("board", self.board, tuple(BOARDS))
        orders = tuple(Order.of(text, board) for text in images)
        changed = numbers(self.number or (), [order.board for order in orders])
        setup = Setup(seed, orders, self._identities(), changed)
        return setup, None

    def changes(self, motes: int) -> tuple[Change, ...]:
        """How the medium changes; raises MissingError or UsageError."""
        found: list[Change] = []
        if self.places:
            found += read_places(self.places, motes)
        if self.links:
            found += read_links(self.links, motes)
        return in_order(found)


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
    port: Annotated[
        Texts,
        option(
            "The other end of a serial line: MOTE[.LINE]=pty, =tcp:PORT (0: any) or =file:PATH. "
            f"{SEVERAL}"
        ),
    ] = None
    pace: Annotated[
        float | None,
        option(
            "Seconds of the motes in each second at most. Default: 1 with a pty or a TCP port, else "
            "as many as your computer can."
        ),
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

    def seconds_each(self, ports: Ports) -> float:
        """How many seconds of the motes pass in each second at most, 0: all that can."""
        if self.pace is None:
            return 1.0 if ports.live else 0.0
        if not (math.isfinite(self.pace) and 0 < self.pace <= MOST_PACE):
            raise UsageError(f"no pace {self.pace:g}: it is above 0 and at most {MOST_PACE:g}")
        return self.pace


@dataclass(frozen=True, slots=True)
class Files:
    """What is written, and what is shown of pins."""

    pcap: Annotated[File, option("Write the frames on the air, for Wireshark.")] = None
    asn: Annotated[
        Text,
        option(
            "SYMBOL or SYMBOL+OFFSET where a program has its ASN, 5 octets, most significant first: "
            "the frames of motes that have it are written with it."
        ),
    ] = None
    charge: Annotated[
        File, option("Write time and charge of each device in each state, as CSV.")
    ] = None
    vcd: Annotated[
        File, option("Write how pins moved, for GTKWave: those that the record names, and --pin.")
    ] = None
    pin: Annotated[Texts, option(f"A further pin, such as 5.4 (port and bit). {SEVERAL}")] = None
    pins: Annotated[bool, option("Show these pins as they move.", name="--pins")] = False
    profile: Annotated[
        File,
        option(
            "Write cycles by function and its callers: FILE.svg as a flame graph, any other as "
            "folded stacks, for speedscope."
        ),
    ] = None
    coverage: Annotated[
        File, option("Write which lines of the source were executed, for lcov and genhtml.")
    ] = None
    save: Annotated[File, option("Write the run, for --resume.")] = None

    @property
    def _paths(self) -> tuple[Path | None, ...]:
        return self.pcap, self.charge, self.vcd, self.profile, self.coverage, self.save

    def waves(self, simulation: Simulation, motes: list[Mote]) -> Waves | None:
        """What --vcd writes and --pins shows; raises UsageError."""
        further = [pin(text) for text in self.pin or ()]
        return Waves(simulation, motes, further) if self.vcd or self.pins else None

    def begin(self, simulation: Simulation, motes: list[Mote], gdb: bool) -> None:
        """Raises UsageError before time passes for what cannot be written; begins to count."""
        for path in self._paths:
            require_file(path)
        if self.save and gdb:
            raise UsageError("no --save with --gdb: what gdb changes is not kept")
        if self.asn is not None and not self.pcap:
            raise UsageError("--asn is about the frames of --pcap: give both")
        written = [path.resolve() for path in self._paths if path]
        if len(set(written)) < len(written):
            raise UsageError("two options name the same file: each writes one of its own")
        if self.pcap:
            self._capture(simulation, motes)
        if self.coverage:
            for mote in motes:
                try:
                    lines_of(mote.image.read_bytes())
                except UsageError as error:
                    raise ImageError(f"{mote.image}: {error}") from error
        if self.profile or self.coverage:
            for mote in motes:
                simulation.follow(mote.place)

    def _capture(self, simulation: Simulation, motes: list[Mote]) -> None:
        simulation.capture()
        try:
            simulation.pcap()
        except ValueError as error:
            raise UsageError(f"no --pcap: {error}") from error
        if self.asn is None:
            return
        symbol, _, offset = self.asn.partition("+")
        if offset and not offset.isdecimal():
            raise UsageError(f"--asn {self.asn}: no offset {offset!r}; write SYMBOL+NUMBER")
        found = [self._has_asn(simulation, mote, symbol, int(offset or 0)) for mote in motes]
        if not any(found):
            raise UsageError(f"--asn {self.asn}: no mote has this symbol in its memory")

    @staticmethod
    def _has_asn(simulation: Simulation, mote: Mote, symbol: str, offset: int) -> bool:
        try:
            simulation.capture(mote.place, symbol, offset)
        except (MoteError, ValueError):
            return False
        return True

    def write(self, run: Run, setup: Setup) -> None:
        """Writes what was asked for."""
        simulation, motes = run.simulation, run.motes
        if self.vcd and run.waves:
            write_atomically(self.vcd, run.waves.text().encode())
        if self.pcap:
            write_atomically(self.pcap, simulation.pcap())
        if self.charge:
            write_atomically(self.charge, to_csv(list(state_rows(run, setup.seed))).encode())
        if self.profile:
            stacks = {
                (mote.name, *functions): cycles
                for mote in motes
                for functions, cycles in simulation.stacks(mote.place)
            }
            flame = self.profile.suffix == FLAME
            title = f"{sum(stacks.values())} cycles of {len(motes)} motes"
            text = flame_graph(stacks, title) if flame else folded(stacks)
            write_atomically(self.profile, text.encode())
        if self.coverage:
            executed = [
                Executed(
                    mote.image.read_bytes(),
                    {address: times for address, times, _ in simulation.executed(mote.place)},
                    dict(simulation.calls(mote.place)),
                )
                for mote in motes
            ]
            write_atomically(self.coverage, lcov(executed).encode())
        if self.save:
            state = state_of(simulation, motes)
            kept = Kept(setup, tuple(run.inputs), simulation.now_ps, state)
            write_atomically(self.save, kept.text().encode())
