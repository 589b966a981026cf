# SPDX-License-Identifier: BSD-3-Clause
"""The motes of a run, from words such as `telosb=app.elf:3`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import MoteError, Simulation, factory_bits
from wardmote.boards import BOARDS, number_places
from wardmote.errors import ImageError, MissingError, UsageError

MOST_MOTES = 1000
LAST_IDENTITY = 0xFFFE
"""0xFFFF is everybody."""


def _before_colon(text: str) -> str:
    return text.rpartition(":")[0] or text


def _octets_at(text: str, motes: int) -> tuple[Path, int, int | None]:
    """The image, how many, and where its octets belong: `IMAGE@0x4000`; raises UsageError."""
    path, at, address = text.rpartition("@")
    if not at or Path(text).exists():
        return Path(text), motes, None
    try:
        number = int(address, 0)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 32:
        raise UsageError(f"{text}: no address {address!r}: write a number such as 0x4000")
    return Path(path), motes, number


@dataclass(frozen=True, slots=True)
class Order:
    """So many motes of one board with one image."""

    board: str
    image: Path
    motes: int
    octets_at: int | None = None
    """Where the first octet of an image belongs that is octets alone."""

    @classmethod
    def of(cls, text: str, usual: str | None) -> Order:
        """`[BOARD=]IMAGE[@ADDRESS][:N]`; raises UsageError. A file whose own name ends like this is
        taken by its name."""
        board, equals, rest = text.partition("=")
        if not equals or board not in BOARDS:
            if equals and not any(Path(name).exists() for name in (text, _before_colon(text))):
                raise UsageError(f"no board {board!r}: possible are {', '.join(BOARDS)}")
            board, rest = usual or "", text
        if not board:
            raise UsageError(f"{text}: on which board? Give --board, or BOARD={text}")
        _, colon, number = rest.rpartition(":")
        if not colon or Path(rest).exists():
            return cls(board, *_octets_at(rest, 1))
        if not number.isdecimal() or not 1 <= int(number) <= MOST_MOTES:
            raise UsageError(f"{text}: {number!r} motes; possible are 1 to {MOST_MOTES}")
        return cls(board, *_octets_at(_before_colon(rest), int(number)))


@dataclass(frozen=True, slots=True)
class Mote:
    """A mote of a run."""

    place: int
    """Its index in the simulation."""
    name: str
    board: str
    image: Path
    identity: int | None
    """What TinyOS calls its node ID; None where the image has none."""
    carries: int | None = None
    """The number from its factory that was asked for."""


def _octets(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MissingError(f"{path}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Identities:
    """Node IDs: the first mote has `first`, the next one more."""

    first: int = 1
    address: int | None = None
    """Where they are, in images without symbols."""
    factory: int | None = None
    """What the first mote's board carries from its factory; the next one carries one more. Boards
    that carry none are left out."""

    def carried(self, place: int, board: str) -> int | None:
        """What the board of a mote carries; None: what follows from the seed, or nothing. Raises
        UsageError."""
        bits = factory_bits(board)
        if self.factory is None or not bits:
            return None
        number = self.factory + place
        if not 0 <= number < 1 << bits:
            raise UsageError(f"no number 0x{number:X} for {board}: it has {bits} bits")
        return number

    def check(self, boards: Sequence[str]) -> None:
        """Raises UsageError for a number that no board can carry."""
        if self.factory is not None and not any(factory_bits(board) for board in boards):
            names = ", ".join(dict.fromkeys(boards))
            raise UsageError(f"no board here carries a number from its factory: {names}")

    def give(self, simulation: Simulation, place: int) -> int | None:
        """Writes a mote's identity into its image; None if its image names no place for it."""
        identity = self.first + place
        if not 0 <= identity <= LAST_IDENTITY:
            raise UsageError(f"node ID {identity}: possible are 0 to {LAST_IDENTITY}")
        try:
            simulation.set_node_id(place, identity, address=self.address)
        except (ValueError, MoteError) as error:
            if self.address is not None:
                raise UsageError(f"node ID at 0x{self.address:X}: {error}") from error
            return None
        return identity


def numbers(texts: Sequence[str], boards: Sequence[str]) -> dict[str, float]:
    """Numbers of these boards' records by their places, from words such as
    `timing.cc2420.vreg_start=100`; raises UsageError for a place that none of them has."""
    found: dict[str, float] = {}
    for text in texts:
        place, equals, number = text.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not equals or not math.isfinite(value):
            raise UsageError(f"{text!r}: write a place and a number: timing.cc2420.vreg_start=100")
        if not any(place in number_places(board) for board in boards):
            records = " and ".join(f"boards/{board}.toml" for board in dict.fromkeys(boards))
            raise UsageError(f"no number {place!r} in {records}")
        found[place] = value
    return found


def boot(
    simulation: Simulation,
    orders: Sequence[Order],
    identities: Identities,
    changes: Mapping[str, float] | None = None,
) -> list[Mote]:
    """Adds the motes; `changes` are numbers for each board whose record has them. Raises MissingError
    or ImageError."""
    motes: list[Mote] = []
    identities.check([order.board for order in orders])
    if (wanted := sum(order.motes for order in orders)) > MOST_MOTES:
        raise UsageError(f"{wanted} motes: possible are 1 to {MOST_MOTES}")
    for order in orders:
        image = _octets(order.image)
        known = number_places(order.board)
        own = {place: value for place, value in (changes or {}).items() if place in known}
        for _ in range(order.motes):
            number = str(len(motes) + 1)
            carried = identities.carried(len(motes), order.board)
            try:
                place = simulation.add_mote(
                    order.board,
                    image,
                    number,
                    changes=own,
                    octets_at=order.octets_at,
                    identity=carried,
                )
            except (ValueError, MoteError) as error:
                raise ImageError(f"{order.image}: {error}") from error
            identity = identities.give(simulation, place)
            name = f"mote {number}"
            motes.append(Mote(place, name, order.board, order.image, identity, carried))
    return motes
