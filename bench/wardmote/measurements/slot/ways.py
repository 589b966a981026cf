# SPDX-License-Identifier: BSD-3-Clause
"""The ways in which a template is proven: whose crystal is the faster one, how often a frame is
sent, and how often the motes boot.

In which phase two clocks meet decides whether a deadline needs one tick more. With frames in every
slot an ack corrects the leaf's clock as soon as it is two ticks off, so the phases just beyond that
come seldom. With frames in one slot of a slotframe they come as often as the others, wherever the
drift of a slotframe has carried the clocks. And the first frame of a neighbour takes
longer than the next ones, because a radio keeps the part of the nonce that stays the same: so motes
boot again and again.

A network has frames of all lengths, empty ones too, which keep a leaf in step. While a short frame
arrives there is less time for work. So what a network can run is proven in these ways too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle

from wardmote.measurements.slot.block import (
    EVERY_SLOT,
    LEAF_MOTE,
    ROOT_MOTE,
    SLOTFRAME_LENGTH,
    Plan,
)
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.study.payload import payload_octets

CRYSTAL_PPM = 30.0
"""Most that a crystal of the motes is off."""
ONE_CELL = Plan(data_cells=1)
ALWAYS = 0xFFFF_FFFF
"""A leaf sends an empty frame in each cell for which it has no other."""
MIXED = Plan(2, 3, 1, ALWAYS)
"""Two cells in a slotframe, a frame in one of three, empty ones in the others."""
PAYLOADS = 4
"""Payloads, from one octet to the longest."""
STEP_TICKS = (5**0.5 - 1) / 2
"""How far the clocks drift in a slotframe of the sparse ways: the golden section of a tick, so that
N exchanges leave no gap of 2/N tick between the phases that they meet."""


BOOTS, FIRST_EXCHANGES = 20, 2
"""Boots of a proof of 1 000 exchanges, fewer in a shorter one, and the exchanges after each."""


@dataclass(frozen=True, slots=True)
class Way:
    """Crystals and plan of a run."""

    name: str
    ppm: Mapping[str, float]
    plan: Plan = EVERY_SLOT
    frame_octets: int | None = None
    """Of the data frames; if None, those of the setting."""


def apart(ppm: float) -> dict[str, float]:
    """The root's crystal so much too fast, the leaf's as much too slow."""
    return {ROOT_MOTE.name: ppm, LEAF_MOTE.name: -ppm}


SLOW_LEAF = apart(CRYSTAL_PPM)
FAST_LEAF = apart(-CRYSTAL_PPM)
DENSE = (Way("every slot, slow leaf", SLOW_LEAF), Way("every slot, fast leaf", FAST_LEAF))


def ways(timing: Timing, exchanges: int) -> list[tuple[Way, int]]:
    """All ways of a proof, each with its part of the exchanges. Those with a frame in every slot come
    first."""
    sparse_ppm = STEP_TICKS * 1e6 / (SLOTFRAME_LENGTH * timing.slot_duration) / 2
    long = (
        *DENSE,
        Way("a slot in a slotframe, slow leaf", apart(sparse_ppm), ONE_CELL),
        Way("a slot in a slotframe, fast leaf", apart(-sparse_ppm), ONE_CELL),
    )
    boots = min(BOOTS, exchanges // (BOOTS * FIRST_EXCHANGES))
    left = exchanges - boots * FIRST_EXCHANGES
    parts = [(left + at) // len(long) for at in range(len(long))]
    return [
        *zip(long, reversed(parts), strict=True),
        *((Way(f"boot {at}", apart(boot_ppm(at))), FIRST_EXCHANGES) for at in range(boots)),
    ]


LENGTH_EXCHANGES = 12
"""Exchanges in each way of other lengths; the clocks drift by some ticks between two corrections."""


def lengths(setting: Setting) -> list[int]:
    """Octets of frames with payloads from one octet to the setting's own, that frame last."""
    most = payload_octets(setting.level, setting.ash.octets(setting.level), setting.frame_octets)
    payloads = {1 + round((most - 1) * n / (PAYLOADS - 1)) for n in range(PAYLOADS)}
    return [setting.frame_octets - most + payload for payload in sorted(payloads)]


def ways_of_lengths(setting: Setting) -> list[Way]:
    """Shorter frames in every slot, and frames of all lengths with empty ones between."""
    *shorter, own = lengths(setting)
    ends = (("slow leaf", SLOW_LEAF), ("fast leaf", FAST_LEAF))
    return [
        Way(f"{octets} octets in every slot, {end}", ppm, EVERY_SLOT, octets)
        for octets in shorter
        for end, ppm in ends
    ] + [
        Way(f"{octets} octets and empty ones, {end}", ppm, MIXED, octets)
        for octets, (end, ppm) in zip((*shorter, own), cycle(ends), strict=False)
    ]


def boot_ppm(at: int) -> float:
    """The crystals of a boot: any two boots differ by another amount."""
    return CRYSTAL_PPM * (2 * (at * STEP_TICKS % 1) - 1)
