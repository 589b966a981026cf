# SPDX-License-Identifier: BSD-3-Clause
"""Sections of the report's page. A view that has one decorates the function that makes it:

    @section(60)
    def published(report: Report) -> list[Section]:

and the page has it, in that place. Nothing else names it."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.rows import SlotRow
from wardmote.study.battery import BatteryRow
from wardmote.study.trace import Trace
from wardmote.views.table import Column

LONG = 40
"""A column with a longer text than that breaks its lines."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the page: sentences, what they depend on, a picture and a table."""

    title: str
    rows: Sequence[Any] = ()
    columns: Sequence[Column[Any]] = ()
    text: str = ""
    notes: Sequence[tuple[str, str]] = ()
    figure: str = ""
    """SVG, or nothing."""
    files: Sequence[str] = ()
    """Files of the report's folder that hold its data."""

    @property
    def name(self) -> str:
        """The title in the form of an address."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    @property
    def looks(self) -> list[tuple[Column[Any], str]]:
        """The columns, and the classes of their cells. Short words take no more room than they
        need, so that the columns behind them are on the screen."""
        return [(column, self._looks(column)) for column in self.columns]

    def _looks(self, column: Column[Any]) -> str:
        if not column.text:
            return ""
        return "text wrap" if any(len(column.cell(row)) > LONG for row in self.rows) else "text"


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is made of."""

    rows: Sequence[SlotRow]
    footprints: Sequence[FootprintRow]
    """Empty, like `traces` and `batteries`, where the images were not built here."""
    traces: Sequence[tuple[str, Trace]]
    """Slots with their title."""
    batteries: Sequence[BatteryRow] = ()
    """Lives of the default battery at the usual level."""


@dataclass(frozen=True, slots=True)
class Capture:
    """The frames of one case."""

    name: str
    """File name, without a folder."""
    pcap: bytes
    decryption: str
    """The options with which tshark decrypts it."""


Maker = Callable[[Report], list[Section]]
_MAKERS: dict[str, tuple[int, Maker]] = {}


def section(order: int) -> Callable[[Maker], Maker]:
    """Registers what makes sections; those of a lower order come first."""

    def register(make: Maker) -> Maker:
        _MAKERS[make.__module__] = order, make
        return make

    return register


def sections(report: Report) -> list[Section]:
    """All sections of a report."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"wardmote.views.{module.name}")
    makers = sorted(_MAKERS.values(), key=lambda one: one[0])
    return [made for _, make in makers for made in make(report)]
