# SPDX-License-Identifier: BSD-3-Clause
"""Runs motes, and tells what happens while it happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wardmote._motes import Debugger, MoteError, Simulation
from wardmote.boot.links import Link
from wardmote.boot.motes import Mote
from wardmote.boot.talk import Ears, Said, Talk
from wardmote.units import PS_PER_S

LOOK_PS = PS_PER_S // 100
"""Serial lines are looked at so often, answers are sent so late."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that a data sheet forbids, or the end of a mote."""

    at_ps: int
    place: int | None
    what: str


Event = Said | Wrong


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
    links: Sequence[Link]
    talk: Talk
    baud: int
    debugger: Debugger | None = None
    """Lets time pass as gdb says."""
    killed: bool = False
    """gdb has ended it."""
    counts: dict[int, Counts] = field(default_factory=dict)
    fault: str = ""
    """Why it cannot go on."""
    _ears: Ears = field(default_factory=Ears)

    def events(self, until_ps: int) -> Iterator[Event]:
        """What happens until then, until all is said that is awaited, or until a mote's program
        cannot go on."""
        self.counts = {mote.place: Counts() for mote in self.motes}
        changes = list(self.links)
        while self.simulation.now_ps < until_ps and not self._over:
            while changes and changes[0].at_ps <= self.simulation.now_ps:
                changes.pop(0).set(self.simulation)
            yield from self._answer()
            step = min(until_ps, self.simulation.now_ps + LOOK_PS)
            yield from self._pass(min(step, changes[0].at_ps) if changes else step)
        yield from self._ears.quiet(self.simulation.now_ps, 0)

    @property
    def _over(self) -> bool:
        return self.talk.done or self.killed or bool(self.fault)

    def _pass(self, target_ps: int) -> Iterator[Event]:
        try:
            if self.debugger:
                self.killed = not self.debugger.run_until(target_ps)
            else:
                self.simulation.run_until(target_ps)
        except MoteError as error:
            self.fault = str(error)
        events: list[Event] = [*self._listen(), *self._ears.quiet(self.simulation.now_ps)]
        for mote in self.motes:
            wrong = self.simulation.misuse(mote.place)
            self.counts[mote.place].misuse += len(wrong)
            events += [Wrong(at_ps, mote.place, what) for at_ps, what in wrong]
        yield from sorted(events, key=lambda event: event.at_ps)

    def _listen(self) -> Iterator[Said]:
        characters = sorted(
            (at_ps, (mote.place, line), octet)
            for mote in self.motes
            for at_ps, line, octet in self.simulation.serial(mote.place)
        )
        for at_ps, where, octet in characters:
            self.counts[where[0]].octets += 1
            self.talk.hear(at_ps, where, octet)
            if said := self._ears.hear(at_ps, where, octet):
                yield said

    def _answer(self) -> Iterator[Event]:
        due, self.talk.due = self.talk.due, []
        for _, place, octets in due:
            for mote in self.motes if place is None else [self.motes[place]]:
                try:
                    self.simulation.send_serial(mote.place, octets, baud=self.baud)
                except ValueError as error:
                    yield Wrong(self.simulation.now_ps, mote.place, f"cannot be sent: {error}")
