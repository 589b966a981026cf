# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote throughput`: how much an application can send."""

from dataclasses import dataclass
from typing import Annotated

from wardmote import options
from wardmote.commands.records import Text, option
from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, FolderArgument, LevelsOption, Shown
from wardmote.errors import NothingError, UsageError
from wardmote.measurements.slot.setting import FRAME_OCTETS
from wardmote.study.definition import headline
from wardmote.study.payload import UPPER_OCTETS
from wardmote.study.throughput import Schedule, throughput_rows
from wardmote.views import throughput as view
from wardmote.views.folder import read_report

MOST_SLOTS = 65_535


@dataclass(frozen=True, slots=True)
class Traffic:
    """When a node sends, and how much."""

    n_i: Annotated[
        int, option("Slots of each slotframe in which the node may send.", name="--n-i")
    ] = 1
    n_ts: Annotated[int, option("Slots in a slotframe.", name="--n-ts")] = 101
    level: LevelsOption = None
    slot: Annotated[
        Text,
        option("TsSlotDuration of the network, such as 10ms. Default: the shortest of each case."),
    ] = None
    upper_octets: Annotated[
        int, option("Octets that headers of higher layers take in each frame.")
    ] = UPPER_OCTETS

    def schedule(self) -> Schedule:
        """The schedule; raises UsageError where a number cannot be."""
        n_ts = options.positive("number of slots", self.n_ts, MOST_SLOTS)
        n_i = options.positive("number of sending slots", self.n_i, n_ts)
        options.whole("upper-octets", self.upper_octets, 0, FRAME_OCTETS)
        slot_us = None if self.slot is None else options.duration_us(self.slot)
        return Schedule(n_i, n_ts, slot_us, self.upper_octets)


@verb("Show a report again", 70)
def throughput(folder: FolderArgument = DEFAULT_FOLDER, *, traffic: Traffic, shown: Shown) -> int:
    """How much can an application send?"""
    shown = shown.checked(view.COLUMNS)
    schedule, levels = traffic.schedule(), options.levels(traffic.level or ())
    shortest = headline(read_report(folder))
    rows = throughput_rows([row for row in shortest if row.level in levels], schedule)
    if not rows:
        raise UsageError(f"no row of {folder} has such a level")
    shown.show(rows, view.COLUMNS, view.conditions(rows, schedule), view.answer(rows))
    if not any(row.fits for row in rows):
        raise NothingError(
            f"no case fits into slots of {traffic.slot}: --slot is too short for all"
        )
    return 0
