# SPDX-License-Identifier: BSD-3-Clause
"""One sender and one receiver: a packet after the other, as fast as they can or with a rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wardmote._motes import Simulation
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError, UsageError
from wardmote.experiments.zigbee import node, pace, wiring
from wardmote.experiments.zigbee.energy import TIMES
from wardmote.experiments.zigbee.exchange import PACKET, SETTLED, WAYS, lit
from wardmote.experiments.zigbee.transfer import BOOT_MS, DRAIN_MS, RECEIVER, SENDER, feed
from wardmote.experiments.zigbee.wiring import Wiring
from wardmote.published import load

PACKETS = 100
CLEAR = "in clear"
BLOCKS_MOST = 6
LIMIT_MS = 200
"""No packet takes so long."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Packets one way."""

    board: str
    seed: int
    way: str
    blocks: int
    """Of 16 octets in a packet."""
    period_ms: float
    """From packet to packet where nothing is encrypted; 0: no rest."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.way}, {self.blocks} blocks, {self.period_ms:g} ms"

    @property
    def octets(self) -> int:
        """Of data in a packet."""
        return self.blocks * node.BLOCK


@dataclass(frozen=True, slots=True)
class ZigbeeThroughputRow:
    """Packets one way."""

    board: str
    seed: int
    way: str
    setting: bool
    """A loop takes the paper's time in place of AES."""
    blocks: int
    octets: int
    """Of data in a packet."""
    period_ms: float
    """From packet to packet where nothing is encrypted; 0: no rest."""
    rest_ms: float
    """Behind each packet."""
    packets: int
    ms_per_packet: float
    kbps: float
    """Of data."""
    slower: float
    """Part by which a packet takes longer than in clear."""
    paper_ms_per_packet: float | None
    paper_kbps: float | None
    wardmote: str
    commit: str


def cases_of(board: str, seed: int, period_ms: float) -> Iterator[Rate]:
    """Every way without a rest, with the paper's packets and with long ones, and with a rest."""
    for blocks, period in ((1, 0.0), (BLOCKS_MOST, 0.0), (1, period_ms)):
        for way in (*WAYS, *wiring.IMAGES, TIMES):
            yield Rate(board, seed, way, blocks, period)


def images(case: Rate) -> Mapping[str, Path]:
    """Of the way, and of packets in clear, by which the rest is found."""
    clear = pace.images(case.board, CLEAR)
    return {
        **pace.images(case.board, case.way, wiring.IMAGES),
        **{f"clear {name}": clear[name] for name in clear},
    }


def measure(case: Rate, artefacts: Artefacts) -> Figures:
    """How long a packet takes."""
    rest_ms = 0.0
    if case.period_ms:
        bare = {name: artefacts[f"clear {name}"] for name in (SENDER, RECEIVER)}
        rest_ms = rest_between(replace(case, way=CLEAR), bare)
    rest = pace.ticks(case.board, rest_ms)
    ms = lasts(case, artefacts, rest)
    return {
        "octets": case.octets,
        "setting": case.way in pace.SLOWED,
        "rest_ms": round(rest * pace.CYCLES_A_TICK * 1000 / wiring.clock_hz(case.board), 3),
        "packets": PACKETS,
        "ms_per_packet": round(ms, 3),
        "kbps": round(case.octets * 8 / ms, 2),
    }


def rest_between(clear: Rate, artefacts: Artefacts) -> float:
    """Milliseconds of rest with which packets in clear come once in the period. A rest hides the
    space behind the frame before, so it is found with one that is nearly right."""
    takes_ms = lasts(clear, artefacts, 0)
    if takes_ms > clear.period_ms:
        raise UsageError(f"period {clear.period_ms:g} ms: a packet takes {takes_ms:.2f} ms")
    rest_ms = clear.period_ms - takes_ms
    rest = pace.ticks(clear.board, rest_ms)
    return rest_ms + clear.period_ms - lasts(clear, artefacts, rest)


def lasts(case: Rate, artefacts: Artefacts, rest: int) -> float:
    """Milliseconds from packet to packet, in the mean."""
    simulation = Simulation(seed=case.seed)
    wires = Wiring(case.board, case.way, bytes(node.BLOCK))
    source = node.SERIAL if wires.lines else node.OWN
    setup = node.Setup(1, case.seed + 1, rest, pace.encrypts(case.board, case.way), source=source)
    setup = replace(setup, blocks=case.blocks, octets=PACKETS * case.octets, key=wires.key)
    slower = pace.decrypts(case.board, case.way)
    takes = node.Setup(node.RECEIVER, case.seed, slower=slower, source=source, key=wires.key)
    to, by = (
        node.add(simulation, case.board, artefacts[name], one)
        for name, one in ((RECEIVER, takes), (SENDER, setup))
    )
    wires.fit(simulation, to, "behind")
    wires.fit(simulation, by, "before")
    simulation.run_for(BOOT_MS * node.MS)
    if wires.lines:
        wires.begin(simulation, by, to)
        feed(simulation, by, bytes(PACKETS * case.octets), node.BAUD[case.board])
    if not node.wait(simulation, by, node.AT_STATE, 1, node.DONE, PACKETS * LIMIT_MS):
        raise ImageError(f"{case.label}: {node.report(simulation, by)}")
    simulation.run_for(DRAIN_MS * node.MS)
    if node.report(simulation, to).packets != PACKETS:
        raise ImageError(f"{case.label}: {node.report(simulation, to)}")
    begins = [begin for begin, _ in lit(simulation.marks(by), PACKET)][-PACKETS:]
    return (begins[-1] - begins[SETTLED]) / (len(begins) - 1 - SETTLED) / node.MS


def gathered(values: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Each beside packets in clear, and beside what the paper prints."""
    printed = load("zigbee")["result"]
    clear = {
        (one["board"], one["blocks"], one["period_ms"]): one["ms_per_packet"]
        for one in values
        if one["way"] == CLEAR
    }
    names = {CLEAR: "plain", TIMES: "software"}
    for one in values:
        name = names.get(one["way"]) if one["period_ms"] == printed["plain_ms_per_packet"] else None
        bare = clear[one["board"], one["blocks"], one["period_ms"]]
        yield {
            **one,
            "slower": round(one["ms_per_packet"] / bare - 1, 5),
            "paper_ms_per_packet": printed[f"{name}_ms_per_packet"] if name else None,
            "paper_kbps": printed[f"{name}_kbps"] if name else None,
        }
