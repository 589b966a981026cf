# SPDX-License-Identifier: BSD-3-Clause
"""The motes of a run, from words such as `telosb=app.elf:3`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import MoteError, Simulation
from wardmote.boards import BOARDS
from wardmote.errors import ImageError, MissingError, UsageError

MOST_MOTES = 1000
LAST_IDENTITY = 0xFFFE
"""0xFFFF is everybody."""


def _before_colon(text: str) -> str:
    return text.rpartition(":")[0] or text


@dataclass(frozen=True, slots=True)
class Order:
    """So many motes of one board with one image."""

    board: str
    image: Path
    motes: int

    @classmethod
    def of(cls, text: str, usual: str | None) -> Order:
        """`[BOARD=]IMAGE[:N]`; raises UsageError. A file whose own name ends like this is taken by
        its name."""
        board, equals, rest = text.partition("=")
        if not equals or board not in BOARDS:
            if equals and not any(Path(name).exists() for name in (text, _before_colon(text))):
                raise UsageError(f"no board {board!r}: possible are {', '.join(BOARDS)}")
            board, rest = usual or "", text
        if not board:
            raise UsageError(f"{text}: on which board? Give --board, or BOARD={text}")
        _, colon, number = rest.rpartition(":")
        if not colon or Path(rest).exists():
            return cls(board, Path(rest), 1)
        if not number.isdecimal() or not 1 <= int(number) <= MOST_MOTES:
            raise UsageError(f"{text}: {number!r} motes; possible are 1 to {MOST_MOTES}")
        return cls(board, Path(_before_colon(rest)), int(number))


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

    def give(self, simulation: Simulation, place: int) -> int | None:
        """Writes a mote's identity into its image; None if its image names no place for it."""
        identity = self.first + place
        if identity > LAST_IDENTITY:
            raise UsageError(f"node ID {identity}: possible are up to {LAST_IDENTITY}")
        try:
            simulation.set_node_id(place, identity, address=self.address)
        except (ValueError, MoteError) as error:
            if self.address is not None:
                raise UsageError(f"node ID at 0x{self.address:X}: {error}") from error
            return None
        return identity


def boot(simulation: Simulation, orders: Sequence[Order], identities: Identities) -> list[Mote]:
    """Adds the motes; raises MissingError or ImageError."""
    motes: list[Mote] = []
    if (wanted := sum(order.motes for order in orders)) > MOST_MOTES:
        raise UsageError(f"{wanted} motes: possible are 1 to {MOST_MOTES}")
    for order in orders:
        image = _octets(order.image)
        for _ in range(order.motes):
            number = str(len(motes) + 1)
            try:
                place = simulation.add_mote(order.board, image, number)
            except (ValueError, MoteError) as error:
                raise ImageError(f"{order.image}: {error}") from error
            identity = identities.give(simulation, place)
            motes.append(Mote(place, f"mote {number}", order.board, order.image, identity))
    return motes
