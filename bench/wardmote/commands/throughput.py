# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote throughput`: how much an application can send, and how long the battery lasts."""

from typing import Annotated

import typer

from wardmote import options
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    DEFAULT_FOLDER,
    ColumnsOption,
    FolderArgument,
    FormatOption,
    LevelsOption,
)
from wardmote.errors import NothingError, UsageError
from wardmote.measurements.slot.cases import FRAME_OCTETS
from wardmote.study.payload import UPPER_OCTETS
from wardmote.study.throughput import BATTERY_MAH, Schedule, throughput_rows
from wardmote.views import throughput as view
from wardmote.views.folder import read_report
from wardmote.views.show import show

MOST_SLOTS = 65_535
MOST_MAH = 1e9


@verb("Show a report again", 70)
def throughput(
    folder: FolderArgument = DEFAULT_FOLDER,
    n_i: Annotated[
        int, typer.Option("--n-i", help="Slots of each slotframe in which the node may send.")
    ] = 1,
    n_ts: Annotated[int, typer.Option("--n-ts", help="Slots in a slotframe.")] = 101,
    duty: Annotated[
        float,
        typer.Option(help="Fraction of those slots in which the node has a frame to send: 0 to 1."),
    ] = 1.0,
    level: LevelsOption = None,
    slot: Annotated[
        str | None,
        typer.Option(
            help="TsSlotDuration of the network, such as 10ms. Default: the shortest of each case."
        ),
    ] = None,
    upper_octets: Annotated[
        int, typer.Option(help="Octets that headers of higher layers take in each frame.")
    ] = UPPER_OCTETS,
    battery_mah: Annotated[float, typer.Option(help="Charge of the battery in mAh.")] = BATTERY_MAH,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """How much can an application send, and how long does the battery last?"""
    form = options.output_format(form)
    n_ts = options.positive("number of slots", n_ts, MOST_SLOTS)
    n_i = options.positive("number of sending slots", n_i, n_ts)
    options.real("duty", duty, 0, 1)
    options.whole("upper-octets", upper_octets, 0, FRAME_OCTETS)
    options.real("battery-mah", battery_mah, 0, MOST_MAH, open_=True)
    slot_us = None if slot is None else options.duration_us(slot)
    schedule = Schedule(n_i, n_ts, duty, slot_us, upper_octets, battery_mah)
    levels = options.levels(level or ())
    rows = throughput_rows([row for row in read_report(folder) if row.level in levels], schedule)
    if not rows:
        raise UsageError(f"no row of {folder} has such a level")
    show(
        rows,
        view.COLUMNS,
        form,
        conditions=view.conditions(rows, schedule),
        answer=view.answer(rows),
        names=columns,
    )
    if not any(row.fits for row in rows):
        raise NothingError(f"no case fits into slots of {slot}: --slot is too short for all")
    return 0
