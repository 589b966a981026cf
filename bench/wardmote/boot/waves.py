# SPDX-License-Identifier: BSD-3-Clause
"""Pins of motes as a value change dump, for GTKWave and PulseView."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Moved:
    """A pin from a moment on."""

    at_ps: int
    place: int
    pin: Pin
    name: str
    """What the board's record calls it."""
    level: bool


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
        self._moves: list[Moved] = []
        self._until: dict[int, int] = {}

    def collect(self) -> list[Moved]:
        """The edges since the last call."""
        moves = [
            Moved(at_ps, mote.place, (port, bit), name, level)
            for mote in self._motes
            for port, bit, level, _, at_ps in self._simulation.marks(mote.place)
            if (name := self._names[mote.place].get((port, bit))) is not None
            and at_ps > self._until.get(mote.place, -1)
        ]
        for move in moves:
            self._until[move.place] = max(move.at_ps, self._until.get(move.place, -1))
        moves.sort(key=lambda move: (move.at_ps, move.place))
        self._moves += moves
        return moves

    def text(self) -> str:
        """All edges so far as a file. A pin is unknown until the program drives it."""
        file = io.StringIO()
        with VCDWriter(file, timescale="1 ns", date="-", version="wardmote") as writer:
            wires = {
                (mote.place, one): writer.register_var(
                    mote.name.replace(" ", "_"), name, "wire", size=1, init="x"
                )
                for mote in self._motes
                for one, name in self._names[mote.place].items()
            }
            for move in sorted(self._moves, key=lambda move: (move.at_ps, move.place, move.pin)):
                wire = wires[move.place, move.pin]
                writer.change(wire, move.at_ps // PS_PER_NS, int(move.level))
            writer.close(self._simulation.now_ps // PS_PER_NS)
        return file.getvalue()
