# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a setting, by the names of SlotRow's fields."""

import dataclasses
import statistics
from collections.abc import Sequence
from typing import Any

from wardmote import published
from wardmote.boards import METER_CPU
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.definition import (
    PAPER,
    Definition,
    Needs,
    guard_needed,
    sync_limit_s,
)
from wardmote.measurements.slot.experiment import Energy, SettingRuns, Survey, tuned_by
from wardmote.measurements.slot.parts import BEGIN
from wardmote.measurements.slot.setting import TURNAROUND_US, Setting
from wardmote.measurements.slot.timing import Timing, Value
from wardmote.measurements.slot.tuning import Tuned

SEC1, SEC23, GUARD = "sec1", "sec2 + sec3", "guard time"
"""What sets TsTxOffset and TsTxAckDelay: security at one end, or the guard time at the other."""


def measure(
    setting: Setting, definitions: Sequence[Definition], image: bytes, seed: int, exchanges: int
) -> list[dict[str, Any]]:
    """Figures of a setting in each definition, by the names of SlotRow's fields."""
    runs = SettingRuns(setting, image, seed, exchanges)
    survey = runs.survey()
    found: list[dict[str, Any]] = []
    for definition in definitions:
        tuned = tuned_by(definition, runs, survey)
        runs.prove(tuned.timing)
        found.append(figures_of(setting, definition, survey, tuned, runs.energy))
    return found


def figures_of(
    setting: Setting, definition: Definition, survey: Survey, tuned: Tuned, energy: Energy
) -> dict[str, Any]:
    """Combines the measurements of a setting."""
    timing, outcome = tuned.timing, tuned.outcome
    return dict(
        board=setting.board,
        strategy=setting.strategy,
        level=setting.level,
        level_name=LEVEL_NAMES[setting.level],
        definition=definition.name,
        ash_octets=setting.ash.octets(setting.level),
        mic_octets=setting.mic_octets,
        key_id_mode=setting.ash.key_id_mode,
        counter=setting.ash.counter,
        nonce=setting.ash.nonce,
        profile=setting.profile,
        frame_octets=setting.frame_octets,
        turnaround_us=setting.turnaround_us,
        tick_hz=setting.tick_hz,
        clock_hz=setting.clock_hz,
        clock_measured_hz=survey.clock_hz,
        supply_v=setting.supply_v,
        clock_allowed=setting.clock_allowed,
        **_operations(survey),
        ts_tx_offset_ticks=timing.tx_offset,
        ts_tx_ack_delay_ticks=timing.tx_ack_delay,
        ts_slot_duration_ticks=timing.slot_duration,
        ts_max_tx_ticks=timing.max_tx,
        ts_max_ack_ticks=timing.max_ack,
        tail_ticks=timing.tail,
        ts_tx_offset_us=timing.us(timing.tx_offset),
        ts_tx_ack_delay_us=timing.us(timing.tx_ack_delay),
        ts_slot_duration_us=timing.us(timing.slot_duration),
        **_guards(timing, tuned.needs),
        survey_exchanges=survey.exchanges,
        exchanges=outcome.exchanges,
        lost=outcome.lost,
        late=outcome.late_total,
        tx_offset_minus_1_fails=tuned.one_less_fails[Value.TX_OFFSET],
        tx_ack_delay_minus_1_fails=tuned.one_less_fails[Value.TX_ACK_DELAY],
        slot_duration_minus_1_fails=tuned.one_less_fails[Value.SLOT_DURATION],
        raised_ticks=tuned.raised_ticks,
        lowered_ticks=tuned.lowered_ticks,
        **_energies(setting, energy),
        **_printed(setting, definition, timing.us(timing.slot_duration)),
    )


def _guards(timing: Timing, needs: Needs) -> dict[str, Any]:
    """Guard times, what they are for, and which of the two ends of the link sets the values."""
    return {
        "ts_rx_guard_ticks": timing.rx_guard,
        "ts_ack_guard_ticks": timing.ack_guard,
        "ts_rx_guard_us": timing.us(timing.rx_guard),
        "ts_ack_guard_us": timing.us(timing.ack_guard),
        "ts_rx_offset_us": timing.us(timing.tx_offset - timing.rx_guard),
        "sec1_offset_us": timing.us(needs.tx_offset),
        "rx_ready_us": timing.us(needs.rx_offset),
        "guard_needed_us": timing.us(guard_needed(timing.slot_duration)),
        "sync_limit_s": round(sync_limit_s(timing.rx_guard, timing.tick_hz), 6),
        "offset_set_by": SEC1 if needs.tx_offset == timing.tx_offset else GUARD,
        "ack_delay_set_by": SEC23 if needs.tx_ack_delay == timing.tx_ack_delay else GUARD,
    }


def _operations(survey: Survey) -> dict[str, int | None]:
    """Cycles and ticks of the security operations in the long slot, and the parts of sec1."""
    found: dict[str, int | None] = {
        f"sec1_{part}_cycles": survey.parts[part] if survey.parts else None for part in BEGIN
    }
    for name, spans in survey.spans.items():
        cycles = [span.cycles for span in spans]
        found[f"{name}_cycles"] = max(cycles)
        found[f"{name}_cycles_median"] = int(statistics.median_high(cycles))
        found[f"{name}_ticks"] = survey.needs[name]
    return found


def _energies(setting: Setting, energy: Energy) -> dict[str, Any]:
    """Energy of both nodes: in total, of the radio and of the CPU."""
    found: dict[str, Any] = {
        f"energy_{node}{part}uj": round(energy.total_uj(mote.name, device), 3)
        for node, mote in (("", LEAF_MOTE), ("receiver_", ROOT_MOTE))
        for part, device in (("", None), ("radio_", setting.record.radio), ("cpu_", METER_CPU))
    }
    states = [dataclasses.asdict(state) for state in energy.states]
    return found | {"energy_slots": energy.slots, "states": states}


def _printed(setting: Setting, definition: Definition, slot_us: float) -> dict[str, Any]:
    """The duration that the paper printed for this setting by its own definition, if it printed
    one."""
    usual = definition.name == PAPER and setting.turnaround_us == TURNAROUND_US
    printed = usual and published.slot_duration(
        setting.board,
        setting.strategy,
        level=setting.level,
        ash_octets=setting.ash.octets(setting.level),
        frame_octets=setting.frame_octets,
        clock_hz=setting.clock_hz,
    )
    return {
        "published_ms": printed.slot_ms if printed else None,
        "published_ratio": round(printed.slot_ms * 1000 / slot_us, 3) if printed else None,
        "published_source": printed.source if printed else None,
    }
