# SPDX-License-Identifier: BSD-3-Clause
"""Measures whether a leaf knows in time that its clock may be wrong.

One slotframe of 101 slots has one cell each way: the root's beacon, and one data frame of the leaf.
The leaf does not hear most of what the root sends, acks and beacons alike, so that its clock is
corrected rarely, and sometimes not soon enough. Then it must give up its schedule. While it scans
it hears every beacon, so that it soon comes back.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE, SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.capture import TYPE_ACK, TYPE_BEACON, TYPE_DATA
from wardmote.measurements.slot.definition import sync_limit_s
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.units import PS_PER_S

TEMPLATE = Timing(tx_offset=62, tx_ack_delay=62, tail=30)
"""A slot of 11.4 ms, long enough for the strategy hardware, with the guard time of the standard."""
PLAN = Plan(data_cells=1)
LOOKS = 4
"""The leaf is looked at so often in a slotframe."""
PS_PER_US = PS_PER_S // 1_000_000


@dataclass(frozen=True, slots=True)
class SparseRow:
    """One run."""

    board: str
    strategy: str
    root_ppm: float
    leaf_ppm: float
    seconds: float
    lost_part: float
    """Part of what the root sends that the leaf does not hear."""
    slotframe_s: float
    guard_us: float
    """Half of TsRxWait: how far from its moment a frame may begin."""
    limit_s: float
    """How long the leaf may keep its schedule without a correction."""
    data: int
    """Data frames of the leaf."""
    unheard: int
    """Of these, those that the root did not acknowledge."""
    beacons: int
    """Beacons that the root sent while the leaf was in its slots."""
    worst_us: float
    """The greatest distance of a frame from its moment, by the slot of the mote that listens."""
    outside: int
    """Frames whose distance is more than the guard time."""
    given_up: int
    """How often the leaf gave up its schedule."""
    soonest_s: float
    """The shortest time from a correction to that; the next field is the longest."""
    latest_s: float

    @property
    def holds(self) -> bool:
        """Every frame began inside its guard time and was heard, and the leaf gave up within one
        slotframe of the limit."""
        return (
            self.unheard == self.outside == 0
            and self.limit_s - self.slotframe_s < self.soonest_s
            and self.latest_s < self.limit_s + self.slotframe_s
        )


@dataclass(slots=True)
class _Log:
    """What is seen of a run while it goes on."""

    slots: dict[str, list[int]]
    """Beginnings of the slots in which a mote woke up."""
    corrected: list[tuple[int, int]]
    """Spans of time in which the leaf was corrected."""
    given_up: list[int]
    """Ends of spans of time in which it gave up."""


def run(
    setting: Setting,
    image: bytes,
    *,
    ppm: float,
    seconds: float,
    seed: int,
    timing: Timing = TEMPLATE,
    lost_part: float = 0.9,
) -> SparseRow:
    """Runs `seconds` after joining. The root's crystal is `ppm` fast, the leaf's `ppm` slow."""
    crystals = {ROOT_MOTE.name: ppm, LEAF_MOTE.name: -ppm}
    network = Network(setting, image, timing, seed, crystals, PLAN)
    if not network.join():
        raise ImageError(network.why_not_joined())
    simulation = network.simulation
    begin_ps = simulation.now_ps
    log = _watch(network, begin_ps + round(seconds * PS_PER_S), lost_part)
    on_air = [
        (mote, ps, psdu[0] & 7) for mote, ps, _, psdu, _ in simulation.frames() if ps >= begin_ps
    ]
    root = network.index(ROOT_MOTE.name)
    answers = [ps for mote, ps, kind in on_air if mote == root and kind == TYPE_ACK]
    data = [ps for _, ps, kind in on_air if kind == TYPE_DATA]
    beacons = [ps for _, ps, kind in on_air if kind == TYPE_BEACON]
    slot_ps = timing.ps(timing.slot_duration)
    offset_ps = timing.ps(timing.tx_offset)
    apart = _apart(data, log.slots[ROOT_MOTE.name], offset_ps)
    apart += _apart(beacons, log.slots[LEAF_MOTE.name], offset_ps)
    in_slot = [us for us in apart if abs(us) < slot_ps / PS_PER_US / 2]
    late = _ages(log, sorted([*answers, *beacons]), slot_ps)
    guard_us = timing.us(timing.rx_guard)
    return SparseRow(
        board=setting.board,
        strategy=setting.strategy,
        root_ppm=ppm,
        leaf_ppm=-ppm,
        seconds=seconds,
        lost_part=lost_part,
        slotframe_s=SLOTFRAME_LENGTH * slot_ps / PS_PER_S,
        guard_us=guard_us,
        limit_s=sync_limit_s(timing.rx_guard, timing.tick_hz),
        data=len(data),
        unheard=sum(not _answered(ps, answers, slot_ps) for ps in data[:-1]),
        beacons=len(in_slot) - len(data),
        worst_us=round(max(map(abs, in_slot)), 3),
        outside=sum(abs(us) > guard_us for us in in_slot),
        given_up=len(late),
        soonest_s=round(min(late, default=0.0), 3),
        latest_s=round(max(late, default=0.0), 3),
    )


def _watch(network: Network, end_ps: int, lost_part: float) -> _Log:
    """Lets the network run and looks at the leaf several times a slotframe."""
    simulation = network.simulation
    link = network.index(ROOT_MOTE.name), network.index(LEAF_MOTE.name)
    simulation.set_loss(*link, lost_part)
    look_ps = SLOTFRAME_LENGTH * network.timing.ps(network.timing.slot_duration) // LOOKS
    log = _Log({mote: [] for mote in (ROOT_MOTE.name, LEAF_MOTE.name)}, [], [])
    heard, joined = _heard(network.stats(LEAF_MOTE.name)), True
    while simulation.now_ps < end_ps:
        before = simulation.now_ps
        simulation.run_for(look_ps)
        for mote, times in log.slots.items():
            times += [ps for name, rises, ps in network.marks(mote) if name == "slot" and rises]
        stats = network.stats(LEAF_MOTE.name)
        now_heard, now_joined = _heard(stats), bool(stats["joined"])
        if now_heard > heard:
            log.corrected.append((before, simulation.now_ps))
        if joined and not now_joined:
            log.given_up.append(simulation.now_ps)
        if joined != now_joined:
            simulation.set_loss(*link, lost_part if now_joined else 0)
        heard, joined = now_heard, now_joined
    return log


def _heard(stats: Mapping[str, int]) -> int:
    """Frames by which the leaf was corrected: beacons, and acks of its data."""
    return stats["beacons_received"] + stats["data_acked"]


def _apart(frames: Sequence[int], slots: Sequence[int], offset_ps: int) -> list[float]:
    """Microseconds by which each frame begins after its moment in the nearest of the slots."""
    found: list[float] = []
    for ps in frames:
        at = bisect_right(slots, ps - offset_ps)
        near = min(slots[max(0, at - 1) : at + 1], key=lambda slot: abs(ps - offset_ps - slot))
        found.append((ps - offset_ps - near) / PS_PER_US)
    return found


def _answered(frame_ps: int, answers: Sequence[int], slot_ps: int) -> bool:
    """Whether an ack begins in the slot of a data frame."""
    at = bisect_right(answers, frame_ps)
    return at < len(answers) and answers[at] - frame_ps < slot_ps


def _ages(log: _Log, heard: Sequence[int], slot_ps: int) -> list[float]:
    """Seconds from the last correction to each moment at which the leaf gave up. A correction is
    taken to be the first frame that the root sent in its span of time, or in the slot before that."""
    found: list[float] = []
    for moment in log.given_up:
        spans = [span for span in log.corrected if span[1] < moment]
        if spans:
            first = spans[-1][0] - slot_ps
            found.append((moment - heard[bisect_right(heard, first)]) / PS_PER_S)
    return found
