# SPDX-License-Identifier: BSD-3-Clause
"""The smallest use of the bench from Python: measures one case and prints its shortest slot. Needs
`make firmware`.

.venv/bin/python examples/shortest_slot.py
"""

import sys

from wardmote.campaign.runner import Runner
from wardmote.measurements.slot.campaign import SlotCase, slot_rows
from wardmote.measurements.slot.definition import DEFINITIONS
from wardmote.measurements.slot.setting import ASH_FORMS, Setting

case = Setting(
    board="telosb", strategy="hardware", level=5, ash=ASH_FORMS["6tisch"], clock_hz=8_000_000
)
defined = (DEFINITIONS["deployable"],)
[row] = slot_rows([SlotCase(case, defined, exchanges=100, seed=1)], Runner())
sys.stdout.write(f"{row.ts_slot_duration_us} us, {row.energy_uj} uJ, proven: {row.verified}\n")
