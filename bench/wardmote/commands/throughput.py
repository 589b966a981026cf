# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote throughput`: how much an application can send, and how long the battery lasts."""

from typing import Annotated

import typer

from wardmote import options
from wardmote.commands.shared import DEFAULT_FOLDER, ColumnsOption, FolderArgument, FormatOption
from wardmote.errors import UsageError
from wardmote.study.payload import UPPER_OCTETS
from wardmote.study.throughput import BATTERY_MAH, Schedule, throughput_rows
from wardmote.views import throughput as view
from wardmote.views.folder import read_report
from wardmote.views.show import show

MOST_SLOTS = 65_535


def throughput(
    folder: FolderArgument = DEFAULT_FOLDER,
    n_i: Annotated[
        int, typer.Option("--n-i", help="Slots of a slotframe in which the node sends.")
    ] = 1,
    n_ts: Annotated[int, typer.Option("--n-ts", help="Slots of a slotframe.")] = 101,
    duty: Annotated[
        float, typer.Option(help="Fraction of those slots with a frame to send, 0 to 1.")
    ] = 1.0,
    level: Annotated[
        list[str] | None, typer.Option(help="Security level 0..7; may be repeated. Default: all.")
    ] = None,
    slot: Annotated[
        str | None, typer.Option(help="TsSlotDuration, e.g. 10ms. Default: the shortest.")
    ] = None,
    upper_octets: Annotated[
        int, typer.Option(help="Headers of higher layers in each frame.")
    ] = UPPER_OCTETS,
    battery_mah: Annotated[float, typer.Option(help="Charge of the battery.")] = BATTERY_MAH,
    form: FormatOption = "table",
    columns: ColumnsOption = "",
) -> int:
    """How much can an application send, and how long does the battery last?"""
    form = options.output_format(form)
    n_ts = options.positive("number of slots", n_ts, MOST_SLOTS)
    n_i = options.positive("number of sending slots", n_i, n_ts)
    if not 0 <= duty <= 1:
        raise UsageError(f"no duty {duty:g}: possible are 0 to 1")
    if not 0 <= upper_octets <= 127 or battery_mah <= 0:
        raise UsageError("headers have 0 to 127 octets, and a battery has more than 0 mAh")
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
    return 0
