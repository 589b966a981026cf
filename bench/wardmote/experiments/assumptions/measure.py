# SPDX-License-Identifier: BSD-3-Clause
"""Measures the headline's slot with one number of the board's record changed."""

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any

from wardmote.batteries import DEFAULT_BATTERY, Battery
from wardmote.boards import BOARDS, Changes, changed
from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.errors import WardmoteError
from wardmote.experiments.assumptions.cases import BAND, BATTERY, Assumption, Case
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE
from wardmote.measurements.slot.experiment import measure as measure_slot
from wardmote.measurements.slot.setting import ASH_FORMS, Setting
from wardmote.rows import Provenance, SlotRow
from wardmote.study.battery import HOURS_A_DAY, sleep_currents
from wardmote.study.energy import NODES

LEVEL = 5
"""ENC-MIC-32."""
EXCHANGES = 100
SLOTS = 101
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
    """The headline's slot, its sender's energy, and battery life with one such slot in 101: as
    assumed, and with one number less and more. `None`: no such slot, or a clock that the supply does
    not allow."""

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
        row = _row(setting, changes, image, case.seed)
        if row is None:
            return {"slot_ms": None, "energy_uj": None, "battery_days": None}
    return {
        "slot_ms": row.ts_slot_duration_ms,
        "energy_uj": row.energy_uj,
        "battery_days": _days(row, battery),
    }


def _days(row: SlotRow, battery: Battery) -> float | None:
    """Battery life of a sender that does nothing but one exchange in 101 slots; the beacon is left
    out, because it takes the same in every case."""
    if not row.clock_allowed:
        return None
    length_us = row.ts_slot_duration_us
    spent_uc = sum(
        state.us_per_slot * state.current_ma / 1000
        for state in row.states
        if NODES[state.node] == "sender"
    )
    sleep_ma = sum(current.ma for current in sleep_currents(row.board, row.supply_v))
    mean_ma = (spent_uc * 1000 + (SLOTS - 1) * length_us * sleep_ma) / (SLOTS * length_us)
    fed_by = battery.feeds(BOARDS[row.board], row.clock_hz)
    current_ma = battery.current_ma(fed_by, row.supply_v, mean_ma)
    return round(battery.charge_mah / current_ma / HOURS_A_DAY, 1)


def _battery(battery: Battery, name: str, value: float) -> Battery:
    """The battery with another number. Its record has the efficiency in per cent."""
    field = BATTERY_FIELDS[name]
    value = value / 100 if field == "efficiency" else value
    changed_field: dict[str, Any] = {field: value}
    return dataclasses.replace(battery, **changed_field)


@cache
def _row(setting: Setting, changes: Changes, image: bytes, seed: int) -> SlotRow | None:
    """The slot of the setting with these changes, which hold already; None if there is none with
    them."""
    try:
        [found] = measure_slot(setting, [DEFINITIONS[DEPLOYABLE]], image, seed, EXCHANGES)
    except WardmoteError:
        if not changes:
            raise
        return None
    return SlotRow.of(found, NOWHERE)
