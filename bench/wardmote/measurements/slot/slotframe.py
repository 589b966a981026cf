# SPDX-License-Identifier: BSD-3-Clause
"""Measures the charge of each kind of slot in a slotframe: two motes run by a plan, and the meters
are read between their slots.

Empty slots after the last cell are read together: their charge is what a mote takes asleep.
"""

import dataclasses
from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise

from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE, SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.capture import TYPE_BEACON, TYPE_DATA
from wardmote.measurements.slot.definition import sync_limit_ticks
from wardmote.measurements.slot.experiment import describe, outcome_of
from wardmote.measurements.slot.network import BOOT_PS, Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.measurements.slot.ways import ALWAYS
from wardmote.rows import SlotKind
from wardmote.units import PS_PER_S

BEACON, NO_BEACON, DATA, KEEP_ALIVE, NO_DATA, EMPTY = (
    "beacon",
    "no beacon",
    "data",
    "keep-alive",
    "no data",
    "empty",
)
"""Kinds of slots."""
NODES = {LEAF_MOTE.name: "sender", ROOT_MOTE.name: "receiver"}
PPM = {ROOT_MOTE.name: 0.0, LEAF_MOTE.name: -20.0}
"""The root's crystal is exact, so that its slots are found from outside by their length."""
LEAD_PS = 2 * PS_PER_S // 1000
"""A slot begins so early for the meter, because the radio's oscillator starts before the slot. An
empty slot begins where it begins."""
SLOTFRAMES = 12
JOIN_BEACONS = 17
"""Beacons pass through all 16 channels."""
COUNTED_SLOTFRAMES = 10_000
SEEN_EVERY = 3
"""In the runs that measure, data and beacons are in one of so many cells or slotframes at least."""
NOT_AUTHENTICATED = 4
"""Level without a MIC: its Enh-Acks do not correct the clock."""


def keep_alive_ticks(timing: Timing) -> int:
    """A leaf without data sends an empty frame when half of the sync limit is left."""
    return sync_limit_ticks(timing.rx_guard) // 2


def measure(
    setting: Setting, image: bytes, timing: Timing, plan: Plan, seed: int
) -> tuple[SlotKind, ...]:
    """The charge of each kind of slot that the plan has, and how many of each the slotframe of a
    long run has on average. Raises ImageError if a slot is late or a frame is lost."""
    counts = counts_of(plan, timing, setting.level)
    keeps = bool(counts[KEEP_ALIVE])
    found = charges(setting, image, timing, plan, seed, keeps_alive=keeps)
    return tuple(
        SlotKind(
            node=NODES[node],
            kind=kind,
            charge_uc=round(sum(charges) / len(charges), 6),
            measured=len(charges),
            per_slotframe=round(counts[kind], 9),
        )
        for (node, kind), charges in sorted(found.items())
        if counts[kind]
    )


def charges(
    setting: Setting, image: bytes, timing: Timing, plan: Plan, seed: int, *, keeps_alive: bool
) -> dict[tuple[str, str], list[float]]:
    """The charges of each kind of slot by mote and kind; with `keeps_alive` also of a slot with an
    empty frame, which other runs send. Raises ImageError if a slot is late or a frame is lost."""
    often = dataclasses.replace(
        plan,
        data_every=min(plan.data_every, SEEN_EVERY),
        beacon_every=min(plan.beacon_every, SEEN_EVERY),
        keep_alive=0,
    )
    found = _run(setting, image, timing, often, seed)
    if keeps_alive:
        awake = dataclasses.replace(often, keep_alive=ALWAYS)
        alone = _run(setting, image, timing, awake, seed)
        found |= {key: own for key, own in alone.items() if key[1] == KEEP_ALIVE}
    return found


def counts_of(plan: Plan, timing: Timing, level: int) -> dict[str, float]:
    """How many slots of each kind a slotframe has on average."""
    cells = min(plan.data_cells, SLOTFRAME_LENGTH - 1)
    beacons = 1 / max(plan.beacon_every, 1)
    data = cells / max(plan.data_every, 1)
    keep_alives = _keep_alives(plan, cells, timing, corrected=level != NOT_AUTHENTICATED)
    return {
        BEACON: beacons,
        NO_BEACON: 1 - beacons,
        DATA: data,
        KEEP_ALIVE: keep_alives,
        NO_DATA: cells - data - keep_alives,
        EMPTY: float(SLOTFRAME_LENGTH - 1 - cells),
    }


def _keep_alives(plan: Plan, cells: int, timing: Timing, *, corrected: bool) -> float:
    """How many empty frames a slotframe has on average: the schedule of the TSCH engine."""
    limit = sync_limit_ticks(timing.rx_guard)
    left, beacons, data, found = limit, 0, 0, 0
    for _ in range(COUNTED_SLOTFRAMES):
        beacons = (beacons or max(plan.beacon_every, 1)) - 1
        left = limit if beacons == 0 else left
        for _ in range(cells):
            left -= timing.slot_duration
            data = (data or max(plan.data_every, 1)) - 1
            empty_frame = data != 0 and left < plan.keep_alive
            found += empty_frame
            left = limit if corrected and (data == 0 or empty_frame) else left
        left -= (SLOTFRAME_LENGTH - cells) * timing.slot_duration
    return found / COUNTED_SLOTFRAMES


def started(setting: Setting, image: bytes, timing: Timing, plan: Plan, seed: int) -> Network:
    """A network whose leaf has joined."""
    network = Network(setting, image, timing, seed, PPM, plan)
    beacon_ps = plan.beacon_every * SLOTFRAME_LENGTH * timing.ps(timing.slot_duration)
    if not network.join_within(BOOT_PS + JOIN_BEACONS * beacon_ps):
        raise ImageError(network.why_not_joined())
    return network


def last_beacon_slot_ps(network: Network) -> int:
    """When the slot of the latest beacon began, by the root's clock."""
    frames = network.simulation.frames()
    beacons = [ps for _, ps, _, psdu, _ in frames if psdu[0] & 7 == TYPE_BEACON]
    return beacons[-1] - network.timing.ps(network.timing.tx_offset)


def total_uc(network: Network) -> dict[str, float]:
    """The charge of both motes since reset."""
    return {node: sum(row["charge_uc"] for row in network.meter(node)) for node in NODES}


def check(network: Network) -> None:
    """Raises ImageError if a deadline was missed or a frame lost."""
    outcome = outcome_of(network)
    if outcome.late_total or outcome.lost > 1:
        raise ImageError(
            f"the slotframe of {network.setting.label} does not hold: {describe(outcome)}, "
            f"{outcome.lost} frames lost"
        )


def _run(
    setting: Setting, image: bytes, timing: Timing, plan: Plan, seed: int
) -> dict[tuple[str, str], list[float]]:
    """Charges by node and kind."""
    network = started(setting, image, timing, plan, seed)
    simulation = network.simulation
    slot_ps = timing.ps(timing.slot_duration)
    cells = min(plan.data_cells, SLOTFRAME_LENGTH - 1)
    first_ps = last_beacon_slot_ps(network) - LEAD_PS
    places = [0, *range(1, cells + 1), *([cells + 1] if cells + 1 < SLOTFRAME_LENGTH else [])]
    edges = [
        (
            first_ps
            + (frame * SLOTFRAME_LENGTH + place) * slot_ps
            + (LEAD_PS if place > cells else 0),
            place,
        )
        for frame in range(1, SLOTFRAMES + 1)
        for place in places
    ]
    read: list[dict[str, float]] = []
    for ps, _ in edges:
        simulation.run_until(ps)
        read.append(total_uc(network))
    check(network)
    on_air = [
        (ps, psdu)
        for _, ps, _, psdu, _ in simulation.frames()
        if psdu[0] & 7 in (TYPE_BEACON, TYPE_DATA)
    ]
    longest = setting.frame_octets
    times = [ps for ps, _ in on_air]
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for at, ((ps, place), (until, _)) in enumerate(pairwise(edges)):
        inside = on_air[bisect_left(times, ps) : bisect_left(times, until)]
        kind = _kind(place, cells, inside[0][1] if inside else None, longest)
        slots = round((until - ps) / slot_ps)
        for node in NODES:
            found[node, kind].append((read[at + 1][node] - read[at][node]) / slots)
    return dict(found)


def _kind(place: int, cells: int, psdu: bytes | None, longest: int) -> str:
    """The kind of a slot by its place in the slotframe and what was sent in it."""
    if place > cells:
        return EMPTY
    if place == 0:
        return BEACON if psdu else NO_BEACON
    if psdu is None:
        return NO_DATA
    return DATA if len(psdu) == longest else KEEP_ALIVE


def slotframe_s(timing: Timing) -> float:
    """Length of a slotframe."""
    return SLOTFRAME_LENGTH * timing.us(timing.slot_duration) / 1e6
