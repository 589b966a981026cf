# SPDX-License-Identifier: BSD-3-Clause
"""gdb at one mote of a run."""

from __future__ import annotations

from collections.abc import Sequence

from wardmote._motes import Debugger, Simulation
from wardmote.boot.motes import Mote
from wardmote.errors import UsageError

LAST_PORT = 0xFFFF


def attach(simulation: Simulation, text: str, motes: Sequence[Mote]) -> tuple[Mote, Debugger]:
    """A port for gdb from `PORT` for the first mote or `MOTE:PORT`; raises UsageError."""
    number, colon, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > LAST_PORT:
        raise UsageError(f"no port {port!r} for gdb: possible are 1 to {LAST_PORT}, or 0 for any")
    if colon and not (number.isdecimal() and 1 <= int(number) <= len(motes)):
        raise UsageError(f"no mote {number!r} for gdb: motes are 1 to {len(motes)}")
    mote = motes[int(number) - 1 if colon else 0]
    try:
        return mote, Debugger(simulation, mote.place, int(port))
    except OSError as error:
        raise UsageError(f"no gdb at {error}") from error
