# SPDX-License-Identifier: BSD-3-Clause
"""Records the current over time in one slot, for sender and receiver, with named phases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wardmote.boards import SECURITY_MARKS
from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.capture import TYPE_ACK, TYPE_DATA, AirFrame, frames
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.study.trace import Span, Step, Trace
from wardmote.units import PS_PER_S

SETTLED_EXCHANGES = 20
"""Exchanges before the one that is traced."""
NODES = {LEAF_MOTE.name: "sender", ROOT_MOTE.name: "receiver"}
PS_PER_US = PS_PER_S // 1_000_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """A data slot of the sender with everything that was seen of it, in picoseconds."""

    network: Network
    marks: Mapping[str, Sequence["Mark"]]
    """By mote; some are before the slot or behind it."""
    changes: Mapping[str, Sequence["Change"]]
    on_air: Sequence[AirFrame]
    begin: int
    end: int


def observe(setting: Setting, image: bytes, timing: Timing, seed: int) -> Exchange:
    """Runs to a data slot at a template and through it."""
    network = Network(setting, image, timing, seed)
    if not network.join() or not network.run_to_exchange(SETTLED_EXCHANGES):
        raise ImageError(network.why_not_joined())
    changes = {node: network.states(node) for node in NODES}
    for node in NODES:
        network.marks(node)
    if not network.run_to_exchange(SETTLED_EXCHANGES + 3):
        raise ImageError(network.why_not_joined())
    marks = {node: network.marks(node) for node in NODES}
    changes = {node: [*before, *network.states(node)] for node, before in changes.items()}
    begin = _slot_begin(marks[LEAF_MOTE.name])
    end = begin + timing.ps(timing.slot_duration)
    on_air = [
        frame for frame in frames(bytes(network.simulation.pcap())) if begin <= frame.start_ps < end
    ]
    return Exchange(network, marks, changes, on_air, begin, end)


def record(setting: Setting, image: bytes, timing: Timing, seed: int) -> Trace:
    """Records one data slot at a template."""
    seen = observe(setting, image, timing, seed)
    begin, end = seen.begin, seen.end
    steps: list[Step] = []
    spans: list[Span] = []
    for node, name in NODES.items():
        phases = _phases(name, seen.marks[node], seen.on_air, begin, end)
        spans += phases
        steps += _steps(name, seen.changes[node], phases, begin, end)
    return Trace((end - begin) / PS_PER_US, tuple(steps), tuple(spans))


Mark = tuple[str, bool, int]
"""Name, begin or end, picoseconds."""


def _slot_begin(marks: Sequence[Mark]) -> int:
    """The first complete data slot in the marks of the sender."""
    for name, rises, ps in marks:
        if name == "slot" and rises:
            return ps
    raise ImageError("image never marks its slots")


def _phases(
    node: str, marks: Sequence[Mark], on_air: Sequence[AirFrame], begin: int, end: int
) -> list[Span]:
    """Named parts of the slot, without gaps; empty parts are left out."""
    parts: list[tuple[str, int, int]] = []
    for name in SECURITY_MARKS:
        edges = [ps for mark, _, ps in marks if mark == name and begin <= ps < end]
        if len(edges) >= 2:
            parts.append((name, edges[0], edges[1]))
    for kind, name in ((TYPE_DATA, "data frame"), (TYPE_ACK, "Enh-Ack")):
        parts += [(name, frame.start_ps, frame.end_ps) for frame in on_air if frame.type == kind]
    parts.sort(key=lambda part: part[1])
    if len(parts) < 4:
        raise ImageError(
            f"the slot of the {node} is no exchange: it has only {', '.join(p[0] for p in parts)}"
        )
    spans: list[Span] = []
    at = begin
    for name, first, last in parts:
        spans += [
            _span(node, f"to {name}", at, first, begin),
            _span(node, name, first, last, begin),
        ]
        at = last
    spans.append(_span(node, "to the end", at, end, begin))
    return [span for span in spans if span.end_us > span.begin_us]


def _span(node: str, name: str, first: int, last: int, begin: int) -> Span:
    return Span(node, name, (first - begin) / PS_PER_US, (last - begin) / PS_PER_US)


Change = tuple[int, str, str, int, float]
"""A change of state, as Simulation.states returns it."""


def _steps(
    node: str, changes: Sequence[Change], phases: Sequence[Span], begin: int, end: int
) -> list[Step]:
    """One step wherever a device changes its state or a phase begins."""
    times = {begin, *(ps for ps, *_ in changes if begin < ps < end)}
    times |= {begin + round(span.begin_us * PS_PER_US) for span in phases}
    steps: list[Step] = []
    for time in sorted(times):
        states: dict[str, tuple[str, float]] = {}
        for ps, device, state, _, current_ma in changes:
            if ps > time:
                break
            states[device] = (state, current_ma)
        us = (time - begin) / PS_PER_US
        phase = next((span.name for span in reversed(phases) if span.begin_us <= us), "")
        listed = tuple((device, *states[device]) for device in sorted(states))
        steps.append(Step(node, us, phase, listed, sum(current for _, _, current in listed)))
    return [
        steps[0],
        *(
            new
            for old, new in pairwise(steps)
            if (old.states, old.phase) != (new.states, new.phase)
        ),
    ]
