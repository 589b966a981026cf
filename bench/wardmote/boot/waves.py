# SPDX-License-Identifier: BSD-3-Clause
"""Pins of motes as a value change dump, for GTKWave and PulseView."""

from __future__ import annotations

import io
from collections.abc import Sequence

from vcd import VCDWriter

from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.boot.motes import Mote
from wardmote.errors import UsageError

PS_PER_NS = 1000
Pin = tuple[int, int]


def pin(text: str) -> Pin:
    """Port and bit, such as `5.4`; raises UsageError."""
    port, _, bit = text.partition(".")
    if not (port.isdecimal() and int(port) < 256 and bit.isdecimal() and int(bit) < 8):
        raise UsageError(f"no pin {text!r}: write port and bit, such as 5.4")
    return int(port), int(bit)


class Waves:
    """The pins that the records of boards name, and further ones, from now on."""

    def __init__(
        self, simulation: Simulation, motes: Sequence[Mote], further: Sequence[Pin]
    ) -> None:
        self._simulation = simulation
        self._names: dict[int, dict[Pin, str]] = {}
        for mote in motes:
            marks = BOARDS[mote.board].marks
            for port, bit in further:
                simulation.watch_pin(mote.place, port, bit)
            others = {one: f"P{one[0]}.{one[1]}" for one in further if one not in marks}
            self._names[mote.place] = {**marks, **others}
        self._motes = motes

    def text(self) -> str:
        """All edges so far as a file. A pin is unknown until the program drives it."""
        edges = sorted(
            (at_ps, mote.place, (port, bit), level)
            for mote in self._motes
            for port, bit, level, _, at_ps in self._simulation.marks(mote.place)
        )
        file = io.StringIO()
        with VCDWriter(file, timescale="1 ns", date="-", version="wardmote") as writer:
            wires = {
                (mote.place, one): writer.register_var(
                    mote.name.replace(" ", "_"), name, "wire", size=1, init="x"
                )
                for mote in self._motes
                for one, name in self._names[mote.place].items()
            }
            for at_ps, place, one, level in edges:
                if (wire := wires.get((place, one))) is not None:
                    writer.change(wire, at_ps // PS_PER_NS, int(level))
            writer.close(self._simulation.now_ps // PS_PER_NS)
        return file.getvalue()
