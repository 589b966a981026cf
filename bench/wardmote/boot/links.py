# SPDX-License-Identifier: BSD-3-Clause
"""Which mote hears which: a table of links in CSV, which may change over time."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import Simulation
from wardmote.errors import MissingError, UsageError
from wardmote.units import PS_PER_S

NEEDED = "sender", "receiver"
OPTIONAL = "prr", "path_loss_db", "rssi_dbm", "time_s", "both"
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


class Row:
    """One line of a table in CSV."""

    def __init__(self, where: str, cells: dict[str, str | None], motes: int) -> None:
        self._where, self._cells, self._motes = where, cells, motes

    def refuse(self, why: str) -> UsageError:
        """The error that says where and why."""
        return UsageError(f"{self._where}: {why}")

    def text(self, name: str) -> str:
        """A cell; empty where the table does not have it."""
        return (self._cells.get(name) or "").strip()

    def real(self, name: str, least: float, most: float) -> float | None:
        """A number; None where there is none. Raises UsageError."""
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise self.refuse(f"{name} {text!r}; it is {least:g} to {most:g}")
        return value

    def mote(self, name: str) -> int:
        """A mote, as an index; raises UsageError."""
        text = self.text(name)
        if not text.isdecimal() or not 1 <= int(text) <= self._motes:
            raise self.refuse(f"{name} {text!r}; motes are 1 to {self._motes}")
        return int(text) - 1


def rows_of(
    path: Path, motes: int, needed: tuple[str, ...], optional: tuple[str, ...]
) -> Iterator[Row]:
    """The lines of a table; raises MissingError or UsageError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8") from error
    rows = csv.DictReader(lines)
    names = [name.strip() for name in rows.fieldnames or ()]
    unknown = [name for name in names if name not in (*needed, *optional)]
    if unknown or any(name not in names for name in needed):
        raise UsageError(
            f"{path}: the first line names columns: {', '.join(needed[:-1])} and {needed[-1]}, and "
            f"some of {', '.join(optional)}"
        )
    rows.fieldnames = names
    for row in rows:
        yield Row(f"{path}:{rows.line_num}", row, motes)


def _path_loss_db(row: Row) -> float | None:
    """As the table says it, or as the level says that arrives of 0 dBm; raises UsageError."""
    if row.text("path_loss_db") == NONE:
        loss: float | None = math.inf
    else:
        loss = row.real("path_loss_db", 0, 1000)
    level = row.real("rssi_dbm", -1000, 0)
    if loss is not None and level is not None:
        raise row.refuse("both path_loss_db and rssi_dbm")
    return loss if level is None else -level


def _links(row: Row) -> list[Link]:
    """One, or the two directions; raises UsageError."""
    sender, receiver = (row.mote(name) for name in NEEDED)
    if sender == receiver:
        raise row.refuse(f"mote {sender + 1} has no link to itself")
    both = row.text("both")
    if both not in ("", "0", "1"):
        raise row.refuse(f"both {both!r}; it is 0 or 1")
    at_ps = round((row.real("time_s", 0, 1e6) or 0) * PS_PER_S)
    how = row.real("prr", 0, 1), _path_loss_db(row)
    if how == (None, None):
        raise row.refuse("neither prr nor path_loss_db nor rssi_dbm")
    pairs = [(sender, receiver), (receiver, sender)][: 2 if both == "1" else 1]
    return [Link(at_ps, *pair, *how) for pair in pairs]


def read_links(path: Path, motes: int) -> list[Link]:
    """The links of a file, in the order of time; raises UsageError with the line that is wrong."""
    rows = rows_of(path, motes, NEEDED, OPTIONAL)
    links = [link for row in rows for link in _links(row)]
    return sorted(links, key=lambda link: link.at_ps)
