# SPDX-License-Identifier: BSD-3-Clause
"""Measures a setting at both ends of the board's timing band.

The row has the figures of the slow end. Its template must hold at the fast end too. The row also
has the figures of the fast end alone.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from wardmote.measurements.slot.definition import Definition
from wardmote.measurements.slot.experiment import AllLengths, SettingRuns
from wardmote.measurements.slot.figures import measure
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.rows import BANDED, SlotRow

TEMPLATE = {
    "tick_hz": "tick_hz",
    "tx_offset": "ts_tx_offset_ticks",
    "tx_ack_delay": "ts_tx_ack_delay_ticks",
    "tail": "tail_ticks",
    "rx_guard": "ts_rx_guard_ticks",
    "ack_guard": "ts_ack_guard_ticks",
}
"""Fields of a row that make up the template, by those of Timing."""


def template_of(row: SlotRow) -> Timing:
    """The template of a row."""
    return _template(dataclasses.asdict(row))


def _template(figures: Mapping[str, Any]) -> Timing:
    return Timing(**{field: figures[name] for field, name in TEMPLATE.items()})


def measure_setting(
    setting: Setting, definitions: Sequence[Definition], image: bytes, seed: int, exchanges: int
) -> list[dict[str, Any]]:
    """Figures of a setting in each definition; a board with a timing band runs at both ends."""
    found = measure(setting, definitions, image, seed, exchanges)
    if not setting.record.bands:
        return found
    fast = dataclasses.replace(setting, band=setting.record.bands[0])
    runs = SettingRuns(fast, image, seed, exchanges)
    lengths = AllLengths(runs)
    alone = measure(fast, definitions, image, seed, exchanges)
    for definition, figures, low_figures in zip(definitions, found, alone, strict=True):
        outcome = (lengths if definition.all_lengths else runs).prove(_template(figures))
        figures["low"] = {name: low_figures[name] for name in BANDED}
        figures["low"] |= {
            "exchanges": outcome.exchanges,
            "lost": outcome.lost,
            "late": outcome.late_total,
        }
    return found
