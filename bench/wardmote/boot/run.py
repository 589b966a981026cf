# SPDX-License-Identifier: BSD-3-Clause
"""Runs motes, and tells what happens while it happens."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wardmote._motes import Debugger, MoteError, Simulation
from wardmote.boards import BOARDS
from wardmote.boot.kept import Change, Input, Kept
from wardmote.boot.motes import Mote
from wardmote.boot.ports import Ports
from wardmote.boot.talk import Ears, Said, Talk
from wardmote.boot.waves import Moved, Waves
from wardmote.errors import UsageError
from wardmote.units import PS_PER_S

LOOK_PS = PS_PER_S // 100
"""Serial lines are looked at so often, answers are sent so late."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that a data sheet forbids, or the end of a mote."""

    at_ps: int
    place: int | None
    what: str


Event = Said | Wrong | Moved


@dataclass(slots=True)
class Counts:
    """Of one mote."""

    octets: int = 0
    """That it said on its serial lines."""
    misuse: int = 0


@dataclass(slots=True)
class Run:
    """Motes while time passes."""

    simulation: Simulation
    motes: Sequence[Mote]
    changes: Sequence[Change]
    talk: Talk
    baud: int
    ports: Ports = field(default_factory=Ports)
    waves: Waves | None = None
    pace: float = 0.0
    """Seconds of the motes in each second at most; 0: as many as it can."""
    inputs: list[Input] = field(default_factory=list)
    """What was sent to the motes."""
    debugger: Debugger | None = None
    """Lets time pass as gdb says."""
    killed: bool = False
    """gdb has ended it."""
    counts: dict[int, Counts] = field(default_factory=dict)
    fault: str = ""
    """Why it cannot go on."""
    _ears: Ears = field(default_factory=Ears)
    _pending: list[Change] = field(default_factory=list)
    """Changes of the medium that are still to come."""
    _told: dict[tuple[int, int], int] = field(default_factory=dict)
    """When the last character ended that was heard on each line: in the past that gdb goes back to,
    nothing is heard again."""

    def __post_init__(self) -> None:
        for place, line in self.ports.ends:
            self._has(place, line)
        self.counts = {mote.place: Counts() for mote in self.motes}
        self._pending = list(self.changes)

    def _has(self, place: int, line: int) -> None:
        """Raises UsageError if the chip of a mote has no such serial line."""
        try:
            self.simulation.send_serial(place, b"", baud=self.baud, line=line)
        except ValueError as error:
            name = self.motes[place].name
            raise UsageError(f"{name}: no {error}") from error

    def again(self, kept: Kept) -> None:
        """Does what a run that was saved has done. Raises UsageError if that comes out otherwise."""
        for one in kept.inputs:
            self._silently(one.at_ps)
            self.send(one.place, one.octets, one.line, one.baud)
        self._silently(kept.now_ps)

    def _silently(self, until_ps: int) -> None:
        while self.simulation.now_ps < until_ps and not self.fault:
            for _ in self._pass(until_ps, told=False):
                pass

    def events(self, until_ps: int) -> Iterator[Event]:
        """What happens until then, until all is said that is awaited, or until a mote's program
        cannot go on."""
        begun, begun_ps = time.monotonic(), self.simulation.now_ps
        while self.simulation.now_ps < until_ps and not self._over:
            yield from self._answer()
            # At the same moments, wherever a run that was saved goes on.
            look_ps = (self.simulation.now_ps // LOOK_PS + 1) * LOOK_PS
            yield from self._pass(min(until_ps, look_ps))
            if self.pace:
                passed = (self.simulation.now_ps - begun_ps) / PS_PER_S / self.pace
                time.sleep(max(0.0, passed - (time.monotonic() - begun)))
        yield from self._ears.quiet(self.simulation.now_ps, 0)

    @property
    def _over(self) -> bool:
        return self.talk.done or self.killed or bool(self.fault)

    def _pass(self, target_ps: int, told: bool = True) -> Iterator[Event]:
        """Until then, or until the next change of the medium."""
        while self._pending and self._pending[0].at_ps <= self.simulation.now_ps:
            self._pending.pop(0).set(self.simulation)
        if self._pending:
            target_ps = min(target_ps, self._pending[0].at_ps)
        try:
            if self.debugger:
                self.killed = not self.debugger.run_until(target_ps)
            else:
                self.simulation.run_until(target_ps)
        except MoteError as error:
            self.fault = str(error)
        events: list[Event] = [*self._listen(told), *self._ears.quiet(self.simulation.now_ps)]
        if self.waves:
            events += self.waves.collect()
        for mote in self.motes:
            wrong = self.simulation.misuse(mote.place)
            self.counts[mote.place].misuse += len(wrong)
            events += [Wrong(at_ps, mote.place, what) for at_ps, what in wrong]
        yield from sorted(events, key=lambda event: event.at_ps)

    def _listen(self, told: bool) -> Iterator[Said]:
        characters = sorted(
            (at_ps, (mote.place, line), octet)
            for mote in self.motes
            for at_ps, line, octet in self.simulation.serial(mote.place)
            if at_ps > self._told.get((mote.place, line), -1)
        )
        lines: dict[tuple[int, int], bytearray] = {}
        for at_ps, where, octet in characters:
            self._told[where] = at_ps
            self.counts[where[0]].octets += 1
            lines.setdefault(where, bytearray()).append(octet)
            if told:
                self.talk.hear(at_ps, where, octet)
            if said := self._ears.hear(at_ps, where, octet):
                yield said
        for where, octets in lines.items():
            if told and (end := self.ports.ends.get(where)):
                end.write(bytes(octets))

    def _answer(self) -> Iterator[Event]:
        due, self.talk.due = self.talk.due, []
        wanted = [
            (mote.place, BOARDS[mote.board].console, octets)
            for _, place, octets in due
            for mote in (self.motes if place is None else [self.motes[place]])
        ]
        wanted += [
            (*where, octets) for where, end in self.ports.ends.items() if (octets := end.read())
        ]
        for place, line, octets in wanted:
            try:
                self.send(place, octets, line, self.baud)
            except UsageError as error:
                yield Wrong(self.simulation.now_ps, place, f"cannot be sent: {error}")

    def send(self, place: int, octets: bytes, line: int, baud: int) -> None:
        """Sends to a mote; raises UsageError."""
        try:
            self.simulation.send_serial(place, octets, baud=baud, line=line)
        except ValueError as error:
            raise UsageError(str(error)) from error
        self.inputs.append(Input(self.simulation.now_ps, place, line, baud, octets))
