# SPDX-License-Identifier: BSD-3-Clause
"""The smallest use of the bench from Python: measures one case and prints its shortest slot. Needs
`make firmware`.

.venv/bin/python examples/shortest_slot.py
"""

import sys

from wardmote.measurements.slot.campaign import Plan, Progress, run
from wardmote.measurements.slot.cases import ASH_FORMS, Case

case = Case(
    board="telosb", strategy="hardware", level=5, ash=ASH_FORMS["6tisch"], clock_hz=8_000_000
)
[measured] = run(Plan(cases=[case], exchanges=100, seed=1, jobs=1), Progress())
row = measured.row
sys.stdout.write(f"{row.ts_slot_duration_us} us, {row.energy_uj} uJ, proven: {row.verified}\n")
