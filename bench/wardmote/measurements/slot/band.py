# SPDX-License-Identifier: BSD-3-Clause
"""Measures a setting at both ends of the board's timing band.

The row has the figures of the slow end. Its template must hold at the fast end too. The row also
has the figures of the fast end alone.
"""

import dataclasses
from typing import Any

from wardmote.measurements.slot.experiment import SettingRuns, measure
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.rows import BANDED

TEMPLATE = ("ts_tx_offset_ticks", "ts_tx_ack_delay_ticks", "tail_ticks")
"""Fields of the template that a setting is tuned to."""


def measure_setting(setting: Setting, image: bytes, seed: int, exchanges: int) -> dict[str, Any]:
    """Figures of a setting; a board with a timing band runs at both ends."""
    figures = measure(setting, image, seed, exchanges)
    if not setting.record.bands:
        return figures
    fast = dataclasses.replace(setting, band=setting.record.bands[0])
    alone = measure(fast, image, seed, exchanges)
    timing = Timing(*(figures[name] for name in TEMPLATE))
    outcome = SettingRuns(fast, image, seed, exchanges).prove(timing)
    low = {name: alone[name] for name in BANDED}
    low |= {"exchanges": outcome.exchanges, "lost": outcome.lost, "late": outcome.late_total}
    return figures | {"low": low}
