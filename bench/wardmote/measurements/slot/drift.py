# SPDX-License-Identifier: BSD-3-Clause
"""Measures whether two motes with different crystals stay synchronised.

In a long run the leaf corrects its clock from Enh-Acks and beacons only. The pins that mark the
slots show from outside how far apart the slots begin.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.experiment import with_guard_needed
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing, long_timing
from wardmote.units import PS_PER_S, TICKS_PER_S

SLOT_TICKS = TICKS_PER_S // 4
"""A quarter of a second. Drift depends on time, not on the number of slots, and few long slots are
quick to simulate."""
CHUNK_PS = 60 * PS_PER_S
PS_PER_US = PS_PER_S // 1_000_000


@dataclass(frozen=True, slots=True)
class DriftRow:
    """One run."""

    board: str
    strategy: str
    level: int
    root_ppm: float
    leaf_ppm: float
    seconds: float
    slot_us: float
    slots: int
    """Slots whose beginnings were compared."""
    exchanges: int
    lost: int
    beacons: int
    refused: int
    worst_us: float
    """The largest distance between the beginnings of a slot on the two motes."""
    first_us: float
    """The distance in the first slot after joining: the leaf's beginning minus the root's."""
    free_us: float
    """The distance after the run if the leaf never corrected its clock."""
    guard_us: float
    """The distance that a receiver tolerates: TsRxWait / 2."""


def template(tick_hz: int) -> Timing:
    """A slot that is long enough for every board and strategy, with the guard time that its
    slotframe needs. The alarm of a finer clock does not reach as far as a quarter of a second."""
    long = long_timing(tick_hz)
    if tick_hz != TICKS_PER_S:
        return with_guard_needed(long)
    return with_guard_needed(replace(long, tail=long.tail + SLOT_TICKS - long.slot_duration))


def run(setting: Setting, image: bytes, *, ppm: float, seconds: float, seed: int) -> DriftRow:
    """Runs `seconds` after joining. The root's crystal is `ppm` fast, the leaf's `ppm` slow."""
    timing = template(setting.tick_hz)
    crystals = {ROOT_MOTE.name: ppm, LEAF_MOTE.name: -ppm}
    network = Network(setting, image, timing, seed, crystals)
    if not network.join() or not network.run_to_exchange(1):
        raise ImageError(network.why_not_joined())
    for mote in crystals:
        network.marks(mote)
    apart: list[float] = []
    end = network.simulation.now_ps + round(seconds * PS_PER_S)
    begun: dict[str, list[int]] = {mote: [] for mote in crystals}
    while network.simulation.now_ps < end:
        network.simulation.run_until(min(end, network.simulation.now_ps + CHUNK_PS))
        for mote, times in begun.items():
            times += [ps for name, rises, ps in network.marks(mote) if name == "slot" and rises]
        apart += _apart(begun[ROOT_MOTE.name], begun[LEAF_MOTE.name], timing)
    leaf, root = network.stats(LEAF_MOTE.name), network.stats(ROOT_MOTE.name)
    return DriftRow(
        board=setting.board,
        strategy=setting.strategy,
        level=setting.level,
        root_ppm=ppm,
        leaf_ppm=-ppm,
        seconds=seconds,
        slot_us=timing.us(timing.slot_duration),
        slots=len(apart),
        exchanges=leaf["data_sent"],
        lost=max(0, leaf["data_sent"] - 1 - leaf["data_acked"]),
        beacons=leaf["beacons_received"],
        refused=leaf["refused"] + root["refused"],
        worst_us=round(max(max(apart), -min(apart)), 3),
        first_us=round(apart[0], 3),
        free_us=round(2 * ppm * seconds, 3),
        guard_us=timing.us(timing.rx_guard),
    )


def _apart(root: list[int], leaf: list[int], timing: Timing) -> Sequence[float]:
    """Leaf minus root in microseconds, for each slot that both have begun; removes these from the
    lists. Raises ImageError if the distance is more than half a slot: then the motes are no longer
    synchronised."""
    count = min(len(root), len(leaf))
    pairs = [
        (late - early) / PS_PER_US for early, late in zip(root[:count], leaf[:count], strict=True)
    ]
    del root[:count], leaf[:count]
    half_us = timing.us(timing.slot_duration) / 2
    if lost := [us for us in pairs if abs(us) > half_us]:
        raise ImageError(f"the motes lost each other: a slot begins {lost[0]:.0f} us apart")
    return pairs
