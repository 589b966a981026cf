# SPDX-License-Identifier: BSD-3-Clause
"""Motes for tests of firmware: an image runs until it says a text, sends a frame, moves a pin or
comes to a function.

    mote = Mote("app.elf", board="telosb")
    mote.until_text("ready")
    mote.send("led on\\n")
    mote.until_pin("5.4", level=False)

Time is that of the motes, in seconds. What does not come raises NotSeenError, which fails a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.boot import waves
from wardmote.boot.motes import Identities, Order, boot, numbers
from wardmote.choices import choice
from wardmote.errors import UsageError
from wardmote.units import PS_PER_S

if TYPE_CHECKING:
    from wardmote._motes import CpuState

WITHIN_S = 10.0
BAUD = 57_600
LOOK_PS = PS_PER_S // 1000
"""Serial lines, pins and frames are looked at so often: a mote stops so much later at most."""
TAIL = 200


class NotSeenError(AssertionError):
    """Something that was awaited has not come; the text says what has."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Something on the air."""

    seconds: float
    channel: int
    octets: bytes
    """As the medium gives them; with IEEE 802.15.4, the PSDU with its FCS."""
    whole: bool
    """False if its sender stopped before its end."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A pin from a moment on."""

    seconds: float
    pin: str
    level: bool


class Air:
    """Motes that hear each other. Same seed, same images, same calls: the same octets."""

    def __init__(self, seed: int = 1) -> None:
        self.simulation = Simulation(seed)
        self.motes: list[Mote] = []
        self.simulation.capture()

    def copy(self) -> Air:
        """Another air in which copies of all motes go on from here, in their order: for two tests
        that begin alike."""
        other = Air.__new__(Air)
        other.simulation = self.simulation.copy()
        other.motes = [mote.copied(other) for mote in self.motes]
        return other

    @property
    def seconds(self) -> float:
        """Time since power-on."""
        return self.simulation.now_ps / PS_PER_S

    def run(self, seconds: float) -> None:
        """Lets time pass."""
        self.simulation.run_for(round(seconds * PS_PER_S))
        self.collect()

    def until(self, done: Callable[[], bool], what: str, within: float = WITHIN_S) -> None:
        """Lets time pass until `done`, which is asked each millisecond; raises NotSeenError."""
        end_ps = self.simulation.now_ps + round(within * PS_PER_S)
        while not done():
            if self.simulation.now_ps >= end_ps:
                raise NotSeenError(f"not within {within:g} s: {what}")
            self.simulation.run_until(min(end_ps, self.simulation.now_ps + LOOK_PS))
            self.collect()

    def link(
        self, sender: Mote, receiver: Mote, *, prr: float = 1.0, path_loss_db: float | None = None
    ) -> None:
        """From now on this part of the frames arrives, this much weaker. Raises UsageError for a mote
        of another air, and for a link to itself."""
        if not (sender.air is receiver.air is self) or sender is receiver:
            raise UsageError("a link is between two motes of this air")
        self.simulation.set_loss(sender.place, receiver.place, 1 - prr)
        if path_loss_db is not None:
            self.simulation.set_path_loss(sender.place, receiver.place, path_loss_db)

    def frames_of(self, place: int) -> list[Frame]:
        """What a mote has sent."""
        return [
            Frame(at_ps / PS_PER_S, channel, octets, whole)
            for mote, at_ps, channel, octets, whole in self.simulation.frames()
            if mote == place
        ]

    def collect(self) -> None:
        """Lets each mote know what it has done."""
        for mote in self.motes:
            mote.collect()


@dataclass(slots=True)
class _Seen:
    """What a mote has done so far."""

    octets: bytearray = field(default_factory=bytearray)
    searched: int = 0
    """Octets up to the end of the last text that was awaited."""
    awaited: int = 0
    """Frames up to the last one that was awaited."""
    edges: list[Edge] = field(default_factory=list)
    pins: set[str] = field(default_factory=set)
    """That were awaited."""
    misuse: list[tuple[float, str]] = field(default_factory=list)


class Mote:
    """A board with anybody's firmware: ELF, Intel HEX or S-records. Raises UsageError, MissingError
    or ImageError."""

    def __init__(
        self,
        image: str | Path,
        board: str,
        *,
        air: Air | None = None,
        node_id: int | None = None,
        id_address: int | None = None,
        changes: Mapping[str, float] | None = None,
        identity: int | None = None,
    ) -> None:
        self.air = Air() if air is None else air
        self.board = choice("board", board, tuple(BOARDS))
        place = len(self.air.motes)
        first = 1 if node_id is None else node_id - place
        identities = Identities(first, id_address, identity)
        texts = [f"{name}={value}" for name, value in (changes or {}).items()]
        orders = [Order(self.board, Path(image), 1)]
        [self._mote] = boot(self.air.simulation, orders, identities, numbers(texts, [self.board]))
        self._seen = _Seen()
        self.air.motes.append(self)

    def copied(self, air: Air) -> Mote:
        """The same mote in a copy of its air."""
        other = Mote.__new__(Mote)
        other.air, other.board, other._mote = air, self.board, self._mote
        other._seen = deepcopy(self._seen)
        return other

    @property
    def place(self) -> int:
        """Its index in the simulation."""
        return self._mote.place

    @property
    def seconds(self) -> float:
        """Time since power-on."""
        return self.air.seconds

    @property
    def octets(self) -> bytes:
        """All that it has said on its serial lines."""
        return bytes(self._seen.octets)

    @property
    def text(self) -> str:
        """The same as text; what is none is replaced."""
        return self._seen.octets.decode(errors="replace")

    @property
    def frames(self) -> list[Frame]:
        """What it has sent."""
        return self.air.frames_of(self.place)

    @property
    def edges(self) -> list[Edge]:
        """How the pins moved that the record of its board names, and those that were awaited."""
        return list(self._seen.edges)

    @property
    def misuse(self) -> list[tuple[float, str]]:
        """What its program did against a data sheet, and when."""
        return list(self._seen.misuse)

    @property
    def cpu(self) -> CpuState:
        """Where its CPU is."""
        return self.air.simulation.cpu(self.place)

    @property
    def charge_mc(self) -> float:
        """Charge so far, of the whole board."""
        return sum(row["charge_uc"] for row in self.air.simulation.meter(self.place)) / 1000

    def run(self, seconds: float) -> None:
        """Lets time pass, for all motes in its air."""
        self.air.run(seconds)

    def send(self, text: str | bytes, *, baud: int = BAUD, line: int | None = None) -> None:
        """Sends to its serial line, that on which its board talks with a computer if no other is
        named."""
        octets = text.encode() if isinstance(text, str) else text
        line = BOARDS[self.board].console if line is None else line
        self.air.simulation.send_serial(self.place, octets, baud=baud, line=line)

    def variable(self, name: str) -> int:
        """An unsigned integer of its memory, by its symbol."""
        address, octets = self.air.simulation.symbol(self.place, name)
        return int.from_bytes(self.air.simulation.read(self.place, address, octets), "little")

    def set_variable(self, name: str, value: int) -> None:
        """Writes one."""
        address, octets = self.air.simulation.symbol(self.place, name)
        self.air.simulation.write(self.place, address, value.to_bytes(octets, "little"))

    def until_text(self, text: str | bytes, within: float = WITHIN_S) -> str:
        """Runs until it has said a text, behind the last one that was awaited. What it has said up to
        there since then."""
        wanted = text.encode() if isinstance(text, str) else text
        seen = self._seen

        def said() -> bool:
            return wanted in seen.octets[seen.searched :]

        try:
            self.air.until(said, f"the text {text!r}", within)
        except NotSeenError as error:
            last = bytes(seen.octets[-TAIL:])
            raise NotSeenError(f"{error}; the last it said is {last!r}") from None
        end = seen.octets.index(wanted, seen.searched) + len(wanted)
        found = bytes(seen.octets[seen.searched : end])
        seen.searched = end
        return found.decode(errors="replace")

    def until_frame(
        self,
        fits: Callable[[Frame], bool] = lambda frame: frame.whole,
        within: float = WITHIN_S,
    ) -> Frame:
        """Runs until it has sent a frame that fits, after the last one that was awaited: any whole
        one, if nothing else is asked for."""
        seen = self._seen
        found: list[Frame] = []

        def sent() -> bool:
            for frame in self.frames[seen.awaited :]:
                seen.awaited += 1
                if fits(frame):
                    found.append(frame)
                    return True
            return False

        self.air.until(sent, "a frame that fits", within)
        return found[0]

    def until_pin(self, pin: str, level: bool | None = None, within: float = WITHIN_S) -> Edge:
        """Runs until a pin such as `5.4` (port and bit) moves, to `level` if that is given."""
        port, bit = waves.pin(pin)
        seen = self._seen
        if pin not in seen.pins:
            seen.pins.add(pin)
            self.air.simulation.watch_pin(self.place, port, bit)
        first = len(seen.edges)

        def fitting() -> list[Edge]:
            return [
                edge
                for edge in seen.edges[first:]
                if edge.pin == f"{port}.{bit}" and level in (None, edge.level)
            ]

        wanted = {None: "an edge", True: "a high level", False: "a low level"}[level]
        self.air.until(lambda: bool(fitting()), f"{wanted} of pin {pin}", within)
        return fitting()[0]

    def until_symbol(self, name: str, within: float = WITHIN_S) -> float:
        """Runs until its program is at the first instruction of a function; the time. All motes stop
        in that instant."""
        address, _ = self.air.simulation.symbol(self.place, name)
        end_ps = self.air.simulation.now_ps + round(within * PS_PER_S)
        there = self.air.simulation.run_to(self.place, address, end_ps)
        self.air.collect()
        if not there:
            raise NotSeenError(f"not within {within:g} s: {name}; it is in {self.cpu['symbol']}")
        return self.seconds

    def collect(self) -> None:
        """Takes over what has happened."""
        simulation, seen = self.air.simulation, self._seen
        seen.octets += bytes(octet for _, _, octet in simulation.serial(self.place))
        seen.edges += [
            Edge(at_ps / PS_PER_S, f"{port}.{bit}", level)
            for port, bit, level, _, at_ps in simulation.marks(self.place)
        ]
        seen.misuse += [(at_ps / PS_PER_S, what) for at_ps, what in simulation.misuse(self.place)]
