# SPDX-License-Identifier: BSD-3-Clause
"""What the programs of this folder said and did."""

from __future__ import annotations

from wardmote import Mote


def lines(text: str) -> dict[str, list[str]]:
    """By the first word of each line; the last one counts."""
    return {words[0]: words[1:] for line in text.splitlines() if (words := line.split())}


def state_s(mote: Mote, state: str) -> float:
    """Seconds that a device has been in that state so far."""
    rows = mote.air.simulation.meter(mote.place)
    return sum(float(row["seconds"]) for row in rows if row["state"] == state)
