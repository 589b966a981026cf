# SPDX-License-Identifier: BSD-3-Clause
"""Measures the headline's slot with one number of the board's record changed."""

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any

from wardmote.batteries import DEFAULT_BATTERY, Battery
from wardmote.boards import BOARDS, Changes, changed
from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.errors import ImageError, WardmoteError
from wardmote.experiments.assumptions.cases import BAND, BATTERY, Assumption, Case
from wardmote.measurements.slot import slotframe
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.block import SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE
from wardmote.measurements.slot.figures import measure as measure_slot
from wardmote.measurements.slot.setting import ASH_FORMS, Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.rows import Provenance, SlotKind, SlotRow
from wardmote.study.battery import Slotframe, battery_rows
from wardmote.study.payload import payload_octets

LEVEL = 5
"""ENC-MIC-32."""
EXCHANGES = 100
NOWHERE = Provenance("", "", "", "", "", "", 0, "")
BATTERY_FIELDS = {
    "charge": "charge_mah",
    "full": "full_v",
    "mean": "mean_v",
    "empty": "empty_v",
    "leakage": "leakage_ua",
    "regulator": "efficiency",
}


@dataclass(frozen=True, slots=True)
class AssumptionRow(Assumption):
    """The headline's slot, its sender's energy, and battery life with one such slot in a slotframe of
    101, beacons and empty slots included: as assumed, and with one number less and more. `None`: no
    such slot, or a clock that the supply does not allow."""

    slot_ms: float
    slot_ms_low: float | None
    slot_ms_high: float | None
    energy_uj: float
    energy_uj_low: float | None
    energy_uj_high: float | None
    battery_days: float
    battery_days_low: float | None
    battery_days_high: float | None
    wardmote: str
    commit: str


def measure(case: Case, artefacts: Artefacts) -> Figures:
    """The three figures at the number as assumed and at both others."""
    values = {"": case.assumed, "_low": case.low, "_high": case.high}
    found: Figures = {}
    for end, value in values.items():
        for name, figure in _headline(case, value, artefacts[IMAGE]).items():
            found[name + end] = figure
    return found


def _headline(case: Case, value: float, image: bytes) -> dict[str, float | None]:
    board, battery = BOARDS[case.board], DEFAULT_BATTERY
    changes: Changes = ()
    band = board.bands[-1] if board.bands else None
    if case.parameter == BAND:
        band = board.bands[0] if value < case.assumed else band
    elif case.parameter.startswith(BATTERY):
        battery = _battery(battery, case.parameter.removeprefix(BATTERY), value)
    elif value != case.assumed:
        changes = ((case.parameter, value),)
    with changed(case.board, changes):
        setting = Setting(
            case.board, case.strategy, LEVEL, ASH_FORMS["paper"], board.clock_hz, band=band
        )
        row = slot_row(setting, changes, image, case.seed)
        if row is None:
            return {"slot_ms": None, "energy_uj": None, "battery_days": None}
        return {
            "slot_ms": row.ts_slot_duration_ms,
            "energy_uj": row.energy_uj,
            "battery_days": _days(setting, row, changes, image, battery, case.seed),
        }


def _days(
    setting: Setting, row: SlotRow, changes: Changes, image: bytes, battery: Battery, seed: int
) -> float | None:
    """Battery life of a sender in the slotframe that `wardmote battery` simulates when it is told
    nothing; None where the slotframe does not hold with these changes."""
    timing = template_of(row)
    plan = Plan(1, 1, 1, slotframe.keep_alive_ticks(timing))
    try:
        kinds = _kinds(setting, timing, plan, changes, image, seed)
    except ImageError:
        if not changes:
            raise
        return None
    frame = Slotframe(
        slot_us=row.ts_slot_duration_us,
        slots=SLOTFRAME_LENGTH,
        cells=plan.data_cells,
        frame_octets=row.frame_octets,
        payload_octets=payload_octets(row.level, row.ash_octets, row.frame_octets),
        every_s=slotframe.slotframe_s(timing),
        same_rate=False,
        same_slot=False,
        kinds=kinds,
    )
    sender, _ = battery_rows(row, frame, battery)
    return sender.battery_days


@cache
def _kinds(
    setting: Setting, timing: Timing, plan: Plan, _changes: Changes, image: bytes, seed: int
) -> tuple[SlotKind, ...]:
    """The slots of the slotframe with these changes, which hold already."""
    return slotframe.measure(setting, image, timing, plan, seed)


def _battery(battery: Battery, name: str, value: float) -> Battery:
    """The battery with another number. Its record has the efficiency in per cent."""
    field = BATTERY_FIELDS[name]
    value = value / 100 if field == "efficiency" else value
    changed_field: dict[str, Any] = {field: value}
    return dataclasses.replace(battery, **changed_field)


@cache
def slot_row(setting: Setting, changes: Changes, image: bytes, seed: int) -> SlotRow | None:
    """The slot of the setting with these changes, which hold already; None if there is none with
    them."""
    try:
        [found] = measure_slot(setting, [DEFINITIONS[DEPLOYABLE]], image, seed, EXCHANGES)
    except WardmoteError:
        if not changes:
            raise
        return None
    return SlotRow.of(found, NOWHERE)
