# SPDX-License-Identifier: BSD-3-Clause
"""Which mote hears which: a table of links in CSV, which may change over time."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import Simulation
from wardmote.errors import MissingError, UsageError
from wardmote.units import PS_PER_S

NEEDED = "sender", "receiver"
POSSIBLE = (*NEEDED, "prr", "path_loss_db", "time_s", "both")
NONE = "none"


@dataclass(frozen=True, slots=True)
class Link:
    """From `at_ps` on, what one mote sends reaches another one so."""

    at_ps: int
    sender: int
    """Index in the simulation; the file counts from 1."""
    receiver: int
    prr: float | None
    """Part of the frames that are received; None: as before."""
    path_loss_db: float | None
    """None: as before."""

    def set(self, simulation: Simulation) -> None:
        """Makes it so."""
        if self.prr is not None:
            simulation.set_loss(self.sender, self.receiver, 1 - self.prr)
        if self.path_loss_db is not None:
            simulation.set_path_loss(self.sender, self.receiver, self.path_loss_db)


class _Row:
    """One line of the file."""

    def __init__(self, where: str, cells: dict[str, str | None], motes: int) -> None:
        self._where, self._cells, self._motes = where, cells, motes

    def _refuse(self, why: str) -> UsageError:
        return UsageError(f"{self._where}: {why}")

    def _text(self, name: str) -> str:
        return (self._cells.get(name) or "").strip()

    def _real(self, name: str, most: float) -> float | None:
        text = self._text(name)
        if not text:
            return None
        if name == "path_loss_db" and text == NONE:
            return math.inf
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= most:
            raise self._refuse(f"{name} {text!r}; it is 0 to {most:g}")
        return value

    def _mote(self, name: str) -> int:
        text = self._text(name)
        if not text.isdecimal() or not 1 <= int(text) <= self._motes:
            raise self._refuse(f"{name} {text!r}; motes are 1 to {self._motes}")
        return int(text) - 1

    def links(self) -> list[Link]:
        """One, or the two directions."""
        sender, receiver = (self._mote(name) for name in NEEDED)
        if sender == receiver:
            raise self._refuse(f"mote {sender + 1} has no link to itself")
        both = self._text("both")
        if both not in ("", "0", "1"):
            raise self._refuse(f"both {both!r}; it is 0 or 1")
        at_ps = round((self._real("time_s", 1e6) or 0) * PS_PER_S)
        how = self._real("prr", 1), self._real("path_loss_db", 1000)
        if how == (None, None):
            raise self._refuse("neither prr nor path_loss_db")
        pairs = [(sender, receiver), (receiver, sender)][: 2 if both == "1" else 1]
        return [Link(at_ps, *pair, *how) for pair in pairs]


def read_links(path: Path, motes: int) -> list[Link]:
    """The links of a file, in the order of time; raises UsageError with the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8") from error
    rows = csv.DictReader(lines)
    names = [name.strip() for name in rows.fieldnames or ()]
    unknown = [name for name in names if name not in POSSIBLE]
    if unknown or any(name not in names for name in NEEDED):
        raise UsageError(
            f"{path}: the first line names columns: {' and '.join(NEEDED)}, and some of "
            f"{', '.join(POSSIBLE[len(NEEDED) :])}"
        )
    rows.fieldnames = names
    links: list[Link] = []
    for row in rows:
        links += _Row(f"{path}:{rows.line_num}", row, motes).links()
    return sorted(links, key=lambda link: link.at_ps)
