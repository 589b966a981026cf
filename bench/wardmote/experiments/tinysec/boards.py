# SPDX-License-Identifier: BSD-3-Clause
"""The same message on a radio of octets and in a frame of IEEE 802.15.4: octets, cycles, charge, and
the time that a hop takes.

On a Mica2 a packet is made while its start symbol is sent. On a MICAz and a TelosB it is made before
its back-off begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from wardmote.boards import BOARDS, current_of
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.tinysec.costs import SCHEMES
from wardmote.experiments.tinysec.intervals import differences
from wardmote.experiments.tinysec.network import (
    BASE,
    BOOT_MS,
    BYTE_TIME_MS,
    DONE,
    FLUSH,
    JOURNEYS,
    MS,
    NEVER,
    RECEIVER,
    ROUTER,
    SENDER,
    START_SYMBOL,
    Network,
    Setup,
)
from wardmote.experiments.tinysec.sending import (
    ACTIVE,
    CPU,
    Stretch,
    cut,
    stretches,
)
from wardmote.experiments.tinysec.stacks import PAPERS, STACKS, TODAY, Stack
from wardmote.units import PS_PER_S

DATA = 24
SENT = {**{name: STACKS[name] for name in PAPERS}, **TODAY}
"""The schemes: the paper's, and those that would be taken today."""
CALLED = {
    "auth": "Auth, Skipjack",
    "ae": "AE, Skipjack",
    "ccm": "CCM*, AES-128",
    "ascon": "Ascon-AEAD128",
}
"""What the CPU is called for: plain packets have nothing to call."""
PACKETS, SETTLED, GAP = 5, 2, 240
"""Packets that are sent, those before the mean begins, and octet times of rest between them."""
RUN_MS = 1100
SEEDS, HOPS = 5, 4
"""Networks of which journeys are timed, and the hops of each journey."""
TIMED = (JOURNEYS, HOPS, SEEDS)
PARENTS = (0, 0, 0)
"""Of three routers: from 1 to 2 by way of the landmark 0."""
BASE_ADDRESS, BEGIN, END = 39, 1, 2
LIMIT_S = 40


class Radio(NamedTuple):
    """How packets go over a radio."""

    device: str
    """On the meter."""
    ms_per_octet: float
    symbol: int
    """Octets on the air that a capture leaves out."""
    head: int
    """Octets of a capture before the packet."""
    tail: int
    """And behind it."""
    makes_before: bool
    """The CPU makes a packet before the radio leaves the receiver."""


CC1000 = Radio("cc1000", BYTE_TIME_MS, START_SYMBOL, 0, FLUSH, makes_before=False)
CC2420 = Radio("cc2420", 0.032, 4 + 1 + 1, 10, 2, makes_before=True)
"""Preamble, delimiter and length; header of the frame with our octet of dispatch; FCS."""
LISTENING = "rx"
"""The state of both."""


class Node(NamedTuple):
    """A board as image `tinysec` runs it."""

    radio: Radio
    clock_hz: int
    ticks_hz: float
    """Of the time that a base tells."""


NODES = {
    "mica2": Node(CC1000, 7_372_800, 7_372_800 / 8),
    "micaz": Node(CC2420, 7_372_800, 7_372_800 / 256),
    "telosb": Node(CC2420, 4_194_304, 32_768),
}


@dataclass(frozen=True, slots=True)
class TinysecBoardsRow:
    """24 octets of data under one scheme on one board."""

    board: str
    scheme: str
    """none, auth, ae; ccm and ascon for today."""
    clock_hz: int
    data_octets: int
    packet_octets: int
    air_octets: int
    """With all that goes before and behind the packet."""
    air_ms: float
    make_cycles: int | None
    """None: the image computes a CRC while it sends or receives."""
    make_ms: float | None
    take_cycles: int | None
    take_ms: float | None
    charge_uc: float
    """Of the board while its radio sends, and of the CPU that makes the packet before."""
    increase: float
    """Part by which that is more than without TinySec."""
    hop_ms: float
    """A hop: mean of journeys over four, with back-off, making, air and taking."""
    more_ms: float
    """Than without TinySec: mean of the differences with each seed."""
    more_half: float
    """Half of its interval of 95 %."""
    seed: int
    wardmote: str
    commit: str


def measure(case: BoardCase, artefacts: Artefacts) -> Figures:
    """A row for each scheme."""
    found = {scheme: _of_image(case, stack, artefacts) for scheme, stack in SENT.items()}
    hops = {scheme: _hops_ms(case, stack, artefacts) for scheme, stack in SENT.items()}
    bare, radio = found["none"], NODES[case.board].radio
    rows = []
    for scheme, own in found.items():
        air_octets = radio.symbol + radio.head + own["packet_octets"] + radio.tail
        more = differences(hops[scheme], hops["none"])
        rows.append(
            _of_calls(case.board, scheme)
            | own
            | {
                "scheme": scheme,
                "clock_hz": NODES[case.board].clock_hz,
                "data_octets": DATA,
                "air_octets": air_octets,
                "air_ms": round(air_octets * radio.ms_per_octet, 3),
                "increase": round(own["charge_uc"] / bare["charge_uc"] - 1, 4),
                "hop_ms": round(fmean(hops[scheme]), 3),
                "more_ms": round(more.mean, 3),
                "more_half": round(more.half or 0.0, 3),
            }
        )
    return {"rows": rows}


def _of_calls(board: str, scheme: str) -> Figures:
    if scheme not in CALLED:
        return dict.fromkeys(("make_cycles", "make_ms", "take_cycles", "take_ms"))
    name = CALLED[scheme]
    profile = "paper" if (name, "paper") in SCHEMES else ""
    cost = SCHEMES[name, profile](BOARDS[board].cpu, DATA)
    per_ms = NODES[board].clock_hz / 1000
    return {
        "make_cycles": cost.cycles,
        "make_ms": round(cost.cycles / per_ms, 3),
        "take_cycles": cost.take_cycles,
        "take_ms": round(cost.take_cycles / per_ms, 3),
    }


def _of_image(case: BoardCase, stack: Stack, artefacts: Artefacts) -> Figures:
    packet_octets, charge_uc = _sent(case, stack, artefacts)
    return {
        "packet_octets": packet_octets,
        "charge_uc": round(charge_uc, 3),
    }


def _sent(case: BoardCase, stack: Stack, artefacts: Artefacts) -> tuple[int, float]:
    """Octets of a packet, and its charge: the mean of those behind the first ones."""
    mode, radio = stack.mode, NODES[case.board].radio
    sender = Setup(1, role=SENDER, mode=mode, packets=PACKETS, gap=GAP, seed=case.seed)
    setups = [Setup(0, role=RECEIVER, mode=mode), sender]
    network = Network(case.board, artefacts[stack.image], setups, case.seed)
    simulation = network.simulation
    simulation.capture()
    simulation.states(1)
    network.run(RUN_MS)
    if network.state(1) != DONE or network.report(0).received != PACKETS:
        raise ImageError(f"of {PACKETS} packets the receiver has {network.report(0)}")
    [*_, last] = [octets for mote, _, _, octets, _ in simulation.frames() if mote == 1]
    changes = simulation.states(1)
    times = stretches(changes)
    sendings = _sendings(changes, radio)
    charges = []
    for (_, ended), (begin, end) in list(pairwise(sendings))[SETTLED - 1 :]:
        uc = sum(one.charge_uc for one in cut(times, begin, end))
        if radio.makes_before:
            uc += _computing_uc(case.board, cut(times, ended, begin))
        charges.append(uc)
    return len(last) - radio.head - radio.tail, fmean(charges)


def _sendings(
    changes: Sequence[tuple[int, str, str, int, float]], radio: Radio
) -> list[tuple[int, int]]:
    """From leaving the receiver to coming back to it."""
    states = [(ps, state) for ps, device, state, *_ in changes if device == radio.device]
    found, left = [], 0
    for (_, before), (ps, state) in pairwise(states):
        if before == LISTENING != state:
            left = ps
        if left and state == LISTENING:
            found.append((left, ps))
            left = 0
    return found


def _computing_uc(board: str, found: Sequence[Stretch]) -> float:
    """Charge of the CPU alone while it is active."""
    active_ps = sum(one.end_ps - one.begin_ps for one in found if one.has(CPU, ACTIVE))
    ma = current_of(board, "cpu", ACTIVE, NODES[board].clock_hz).ma
    return float(active_ps * ma / MS)


def _hops_ms(case: BoardCase, stack: Stack, artefacts: Artefacts) -> list[float]:
    """The mean of the journeys of each seed, over their hops."""
    mode, node = stack.mode, NODES[case.board]
    found = []
    for seed in range(case.seed, case.seed + SEEDS):
        setups = [
            Setup(mote, role=ROUTER, mode=mode, parent=parent, seed=seed * 97 + mote * 31)
            for mote, parent in enumerate(PARENTS)
        ]
        base = Setup(
            BASE_ADDRESS,
            role=BASE,
            mode=mode,
            begin=BEGIN,
            end=END,
            packets=JOURNEYS,
            seed=seed * 89,
        )
        network = Network(case.board, artefacts[stack.image], [*setups, base], seed, distance_m=1.0)
        network.run(BOOT_MS)  # Before it, memory holds anything.
        if not network.wait_for_state(len(setups), DONE, LIMIT_S * PS_PER_S):
            raise ImageError(f"the base stands at {network.report(len(setups))}")
        took = [one for one in network.took(len(setups)) if one != NEVER]
        found.append(1000 * fmean(took) / node.ticks_hz / HOPS)
    return found
