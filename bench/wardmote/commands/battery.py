# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote battery`: how long a battery lasts, from a simulated slotframe."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from wardmote import options
from wardmote.batteries import BATTERIES, DEFAULT_BATTERY, Battery, read_battery
from wardmote.boards import BOARDS
from wardmote.choices import choice
from wardmote.commands.records import Text, option
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    DEFAULT_FOLDER,
    LEVELS,
    LEVELS_HELP,
    FolderArgument,
    SeedOption,
    Shown,
)
from wardmote.errors import NothingError, UsageError
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot import slotframe
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.block import SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.setting import AshForm, Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import slot_image
from wardmote.rows import SlotRow
from wardmote.study.battery import BatteryRow, Slotframe, battery_rows
from wardmote.study.definition import at_once, headline
from wardmote.study.payload import payload_octets
from wardmote.views import battery as view
from wardmote.views.folder import read_report
from wardmote.views.words import USUAL_LEVEL

MOST_SECONDS = 1e6
MOST_CELLS_BETWEEN = 65_535
MOST_BEACONS = 255
MOST_MAH = 1e9
MOST_UA = 1e9
MOST_DAYS = 36_525


@dataclass(frozen=True, slots=True)
class Power:
    """From which battery."""

    battery: Annotated[
        str, option(f"Battery: {', '.join(BATTERIES)}, or a file like its record.", *BATTERIES)
    ] = DEFAULT_BATTERY.name
    battery_mah: Annotated[
        float | None, option("Charge of the battery in mAh. Default: that of its record.")
    ] = None
    leakage: Annotated[
        float | None,
        option("Self-discharge of the battery in uA. Default: that of its record."),
    ] = None

    def chosen(self) -> Battery:
        """The battery of the options; raises UsageError where a number cannot be."""
        if self.battery.endswith(".toml"):
            battery = read_battery(Path(self.battery))
        else:
            battery = BATTERIES[choice("battery", self.battery, tuple(BATTERIES))]
        if self.battery_mah is not None:
            options.real("battery-mah", self.battery_mah, 0, MOST_MAH, open_=True)
            battery = replace(battery, charge_mah=self.battery_mah)
        if self.leakage is not None:
            options.real("leakage", self.leakage, 0, MOST_UA)
            battery = replace(battery, leakage_ua=self.leakage)
        return battery


@dataclass(frozen=True, slots=True)
class Use:
    """What a node sends, and when."""

    payload: Annotated[
        int | None,
        option("Octets of payload in each data frame. Default: those of a frame of 127 octets."),
    ] = None
    every: Annotated[
        float | None,
        option("Seconds from one data frame to the next. Default: a frame in each cell."),
    ] = None
    cells: Annotated[
        int, option(f"Cells from sender to receiver in a slotframe of {SLOTFRAME_LENGTH} slots.")
    ] = 1
    beacons: Annotated[int, option("The receiver sends a beacon in one of so many slotframes.")] = 1
    slot: Annotated[
        Text,
        option("TsSlotDuration of the network, such as 20ms. Default: the shortest of each case."),
    ] = None
    level: Annotated[str, option(f"Security level, {LEVELS_HELP}.", *LEVELS, *LEVEL_NAMES)] = str(
        USUAL_LEVEL
    )

    def checked(self) -> "Use":
        """Raises UsageError where a number cannot be."""
        options.positive("number of cells", self.cells, SLOTFRAME_LENGTH - 1)
        options.positive("number of beacons", self.beacons, MOST_BEACONS)
        if self.payload is not None:
            options.positive("payload", self.payload, payload_octets(0, 0))
        if self.every is not None:
            options.real("every", self.every, 0, MOST_SECONDS, open_=True)
        if self.beacons % 2 == 0:
            raise UsageError(
                f"no number of beacons {self.beacons}: give an odd one, so that they pass through "
                "all 16 channels"
            )
        return self

    def timing(self, row: SlotRow) -> Timing | None:
        """The template of a row, in the slot that was asked for; None if that is too short."""
        timing = template_of(row)
        if self.slot is None:
            return timing
        longer = round(options.duration_us(self.slot) * timing.tick_hz / 1e6) - timing.slot_duration
        return replace(timing, tail=timing.tail + longer) if longer >= 0 else None

    def plan(self, timing: Timing) -> Plan:
        """The plan of both nodes; raises UsageError for an interval that the cells cannot have."""
        apart = 1
        if self.every is not None:
            cell_s = slotframe.slotframe_s(timing) / self.cells
            apart = round(self.every / cell_s)
            if not 1 <= apart <= MOST_CELLS_BETWEEN:
                raise UsageError(
                    f"no interval of {self.every:g} s: with {self.cells} cells in a slotframe of "
                    f"{slotframe.slotframe_s(timing):.2f} s possible are {cell_s:.2g} to "
                    f"{MOST_CELLS_BETWEEN * cell_s:.3g} s"
                )
        return Plan(self.cells, apart, self.beacons, slotframe.keep_alive_ticks(timing))

    def setting(self, row: SlotRow) -> Setting:
        """The setting of a row, with the frame that the payload makes."""
        most = payload_octets(row.level, row.ash_octets, row.frame_octets)
        octets = most if self.payload is None else self.payload
        if octets > most:
            raise UsageError(
                f"no payload {octets} at {row.level_name} with an ASH of {row.ash_octets} octets: "
                f"possible are 1 to {most}"
            )
        bands = BOARDS[row.board].bands
        return Setting(
            row.board,
            row.strategy,
            row.level,
            AshForm(row.key_id_mode, row.counter == "carried"),
            row.clock_hz,
            row.frame_octets - most + octets,
            bands[-1] if bands else None,
            row.supply_v,
        )


@verb("Measure slots", 40)
def battery(
    folder: FolderArgument = DEFAULT_FOLDER,
    *,
    use: Use,
    power: Power,
    days: Annotated[
        float | None,
        option("Say what charge a battery must have to last so many days."),
    ] = None,
    seed: SeedOption = 1,
    shown: Shown,
) -> int:
    """How long does a battery last?

    Simulates slotframes with the slots of a report: beacons, data, empty cells, empty slots.
    """
    shown = shown.checked(view.COLUMNS)
    use, cell = use.checked(), power.chosen()
    if days is not None:
        options.real("days", days, 0, MOST_DAYS, open_=True)
    [level] = options.single("level", use.level, options.levels)
    cases = [row for row in at_once(headline(read_report(folder))) if row.level == level]
    if not cases:
        raise UsageError(f"no row of {folder} has such a level")
    rows = [made for row in cases for made in measured(row, use, cell, seed)]
    if not rows:
        raise NothingError(f"no case fits into slots of {use.slot}: --slot is too short for all")
    said = "\n".join([view.answer(rows), *view.charges(rows, days)])
    shown.show(rows, view.COLUMNS, view.conditions(rows, cell, use.beacons), said)
    return 0


def measured(row: SlotRow, use: Use, cell: Battery, seed: int) -> list[BatteryRow]:
    """The rows of one case; none if the slot is too short for it."""
    timing = use.timing(row)
    if timing is None:
        return []
    setting, plan = use.setting(row), use.plan(timing)
    image = slot_image(setting.board, setting.strategy).read_bytes()
    kinds = slotframe.measure(setting, image, timing, plan, seed)
    frame = Slotframe(
        slot_us=timing.us(timing.slot_duration),
        slots=SLOTFRAME_LENGTH,
        cells=use.cells,
        frame_octets=setting.frame_octets,
        payload_octets=payload_octets(row.level, row.ash_octets, setting.frame_octets),
        every_s=plan.data_every * slotframe.slotframe_s(timing) / use.cells,
        same_rate=use.every is not None,
        same_slot=use.slot is not None,
        kinds=kinds,
    )
    return battery_rows(row, frame, cell)
