# SPDX-License-Identifier: BSD-3-Clause
"""Many senders in one medium: all to one sink, which decrypts for all, or each to a receiver of its
own. The paper's Fig. 2 draws both networks, and its section 5.2 asks whether the sink is too slow."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from wardmote._motes import Simulation
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.sending import ACTIVE, CPU, cut, stretches
from wardmote.experiments.zigbee import node, pace, wiring
from wardmote.experiments.zigbee.energy import TIMES
from wardmote.experiments.zigbee.exchange import in_state
from wardmote.experiments.zigbee.pace import BOTH
from wardmote.experiments.zigbee.rate import CLEAR
from wardmote.experiments.zigbee.transfer import RECEIVER, SENDER
from wardmote.published import load

SETTLE_MS, COUNTED_MS = 1000, 3000
SPREAD = 0.1
"""Part by which the rests of senders differ at most, so that they do not keep in step."""
FREE_MS = 3.9
"""What a packet takes in clear, the rest behind it left out: `wardmote zigbee throughput`."""
STACK_MS = 0.6
"""What our receiver computes for a packet besides AES: `wardmote zigbee energy`."""
MOST_SENDERS = 16
"""picture_block.h: PICTURE_SENDERS."""
SENDERS, PAIRED = (1, 4, 8, 12, 16), (4, 8, 12)
SINK, PAIRS = "sink", "pairs"
WAYS = (CLEAR, "AES tab", TIMES, BOTH)


@dataclass(frozen=True, slots=True)
class Crowd:
    """So many senders, one way."""

    board: str
    seed: int
    way: str
    network: str
    senders: int

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.way}, {self.senders} senders, {self.network}"

    @property
    def receivers(self) -> int:
        """Motes that receive, whose addresses come first."""
        return 1 if self.network == SINK else self.senders


@dataclass(frozen=True, slots=True)
class ZigbeeSinkRow:
    """So many senders, one way."""

    board: str
    seed: int
    way: str
    setting: bool
    """A loop takes the paper's time in place of AES, and of the stack."""
    network: str
    senders: int
    offered_per_s: float
    """Packets that senders would make if each were acknowledged at once."""
    sent_per_s: float
    """Packets acknowledged to senders."""
    packets_per_s: float
    """Packets decrypted, by all receivers."""
    lost_per_s: float
    """Packets that the radio of a receiver acknowledged and its CPU did not take in time."""
    kbps: float
    busy: float
    """Part of the time in which the CPU of a receiver does not sleep; of pairs, the mean."""
    overflows_per_s: float
    """Frames that found a receiver's radio full."""
    retries_per_s: float
    """Frames that senders sent again."""
    resent_per_s: float
    """Packets that the application of a sender sent again."""
    wardmote: str
    commit: str


def cases_of(board: str, seed: int) -> Iterator[Crowd]:
    """Every way to a sink; pairs with the slowest."""
    for way in WAYS:
        for count in SENDERS:
            yield Crowd(board, seed, way, SINK, count)
    for count in PAIRED:
        yield Crowd(board, seed, BOTH, PAIRS, count)


def images(case: Crowd) -> Mapping[str, Path]:
    """Of the way."""
    return pace.images(case.board, case.way)


def motes(case: Crowd) -> Iterator[tuple[str, node.Setup]]:
    """Receivers and senders. Who sends is not slowed down: the question is about receivers."""
    draw = Random(f"sink {case.seed}")
    slower = pace.decrypts(case.board, case.way, STACK_MS)
    for own in range(case.receivers):
        yield RECEIVER, node.Setup(own, draw.randrange(1, 2**16), slower=slower, source=node.OWN)
    for count in range(case.senders):
        period_ms = load("zigbee")["result"]["plain_ms_per_packet"]
        rest_ms = (period_ms - FREE_MS) * draw.uniform(1 - SPREAD, 1 + SPREAD)
        to = 0 if case.network == SINK else count
        seed = draw.randrange(1, 2**16)
        rest = pace.ticks(case.board, rest_ms)
        own = case.receivers + count
        yield SENDER, node.Setup(own, seed, rest, source=node.OWN, to=to)


def offered(case: Crowd) -> float:
    """Packets a second of senders that are acknowledged at once."""
    rests = [setup.rest for kind, setup in motes(case) if kind == SENDER]
    tick_ms = pace.CYCLES_A_TICK * 1000 / wiring.clock_hz(case.board)
    return round(sum(1000 / (rest * tick_ms + FREE_MS) for rest in rests), 1)


def measure(case: Crowd, artefacts: Artefacts) -> Figures:
    """Counts packets, and looks how long receivers compute."""
    simulation = Simulation(seed=case.seed)
    for kind, setup in motes(case):
        node.add(simulation, case.board, artefacts[kind], setup)
    simulation.run_for(SETTLE_MS * node.MS)
    receivers = range(case.receivers)
    everybody = range(case.receivers + case.senders)
    for mote in receivers:
        simulation.states(mote)
    begin_ps = simulation.now_ps
    before = [node.report(simulation, mote) for mote in everybody]
    simulation.run_for(COUNTED_MS * node.MS)
    after = [node.report(simulation, mote) for mote in everybody]
    if any(one.state != node.RUNNING for one in after):
        raise ImageError(f"{case.label}: a mote has stopped")
    busy = 0.0
    for mote in receivers:
        own = cut(stretches(simulation.states(mote)), begin_ps, simulation.now_ps)
        busy += in_state(own, CPU, ACTIVE) / COUNTED_MS

    def per_s(name: str, of: range) -> float:
        more: int = sum(getattr(after[mote], name) - getattr(before[mote], name) for mote in of)
        return round(more * 1000 / COUNTED_MS, 2)

    senders = range(case.receivers, len(everybody))
    packets, sent = per_s("packets", receivers), per_s("packets", senders)
    return {
        "setting": case.way in pace.SLOWED,
        "offered_per_s": offered(case),
        "sent_per_s": sent,
        "packets_per_s": packets,
        "lost_per_s": round(max(0.0, sent - packets), 2),
        "kbps": round(packets * node.BLOCK * 8 / 1000, 2),
        "busy": round(busy / case.receivers, 4),
        "overflows_per_s": per_s("overflows", receivers),
        "retries_per_s": per_s("retries", senders),
        "resent_per_s": per_s("resent", senders),
    }
