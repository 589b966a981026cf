# SPDX-License-Identifier: BSD-3-Clause
"""Checks for a mote whose program does something that its chip cannot do."""

from collections.abc import Sequence

import pytest

from wardmote import _motes

SECOND = 10**12


def check_stops(simulation: _motes.Simulation, texts: Sequence[str]) -> None:
    """The run ends with mote, PC, symbol and cycle, and the texts; running on says the same
    again."""
    messages = set()
    for _ in range(2):
        with pytest.raises(_motes.MoteError) as caught:
            simulation.run_until(SECOND)
        messages.add(str(caught.value))
    (message,) = messages
    assert message.startswith("mote one: PC 0x")
    assert ", cycle " in message
    assert all(text in message for text in texts), message
