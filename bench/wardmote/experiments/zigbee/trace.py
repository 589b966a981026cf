# SPDX-License-Identifier: BSD-3-Clause
"""The current of a mote that encrypts and sends one packet, over time and by phase: the paper's
Figs. 7 and 8.

With data sheets the current is that of the mote as it runs, whose radio listens when it does not
send. With the paper's board it is what the paper has for it: one current while the CPU works, one
while the radio sends, and sleep.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote._motes import Simulation
from wardmote.boards import Board, current_of
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.sending import ACTIVE, CPU, Stretch, cut, stretches
from wardmote.experiments.zigbee import node, pace
from wardmote.experiments.zigbee.energy import PAPER, SHEETS, TIMES, currents
from wardmote.experiments.zigbee.exchange import (
    CRYPT,
    PACKET,
    PACKET_MS,
    RADIO,
    REST_TICKS,
    SENDING,
    SETTLED,
    lit,
)
from wardmote.experiments.zigbee.transfer import BOOT_MS, RECEIVER, SENDER
from wardmote.published import load

WAYS = (TIMES, "AES tab", "CC2420's engine")
AROUND_MS = 0.5
PACKETS = SETTLED + 2
BEFORE, ENCRYPTS, STACK, BACKOFF, SENDS, ACK, AFTER = PHASES = (
    *("before", "encrypts", "stack", "back-off", "sends", "waits for ack", "after"),
)
FULL_POWER, USED_POWER = "tx_0dbm", "tx_m15dbm"
"""What the image sends with, and what the paper does."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A sender one way."""

    board: str
    seed: int
    way: str

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.way


@dataclass(frozen=True, slots=True)
class ZigbeeTraceRow:
    """A phase of a packet. At 0 ms its data are there."""

    board: str
    seed: int
    currents: str
    way: str
    setting: bool
    phase: str
    begin_ms: float
    end_ms: float
    active_ms: float
    """The CPU does not sleep."""
    mean_ma: float
    energy_uj: float
    current: list[tuple[float, float]]
    """When the current changes, in milliseconds, and what it is then in mA."""
    wardmote: str
    commit: str


def cases(board: Board, seed: int) -> list[Watched]:
    """Three ways."""
    return [Watched(board.name, seed, way) for way in WAYS]


def images(case: Watched) -> Mapping[str, Path]:
    """Of the way."""
    return pace.images(case.board, case.way)


def measure(case: Watched, artefacts: Artefacts) -> Figures:
    """One packet, in phases."""
    simulation = Simulation(seed=case.seed)
    slower = pace.encrypts(case.board, case.way)
    octets = PACKETS * node.BLOCK
    setup = node.Setup(1, case.seed + 1, REST_TICKS, slower, source=node.OWN, octets=octets)
    receiver = node.Setup(node.RECEIVER, case.seed, source=node.OWN)
    node.add(simulation, case.board, artefacts[RECEIVER], receiver)
    by = node.add(simulation, case.board, artefacts[SENDER], setup)
    simulation.states(by)
    simulation.run_for((BOOT_MS + PACKETS * PACKET_MS) * node.MS)
    if node.report(simulation, by).state != node.DONE:
        raise ImageError(f"{case.label}: {node.report(simulation, by)}")
    times, marks = stretches(simulation.states(by)), simulation.marks(by)
    packet = list(lit(marks, PACKET))[-PACKETS:][SETTLED]
    crypt = list(lit(marks, CRYPT))[-PACKETS:][SETTLED]
    found = phases(times, packet, crypt)
    return {
        "phases": [
            one(case.board, source, name, cut(times, begin, end), packet[0])
            for source in (PAPER, SHEETS)
            for name, begin, end in found
        ]
    }


def phases(
    times: Sequence[Stretch], packet: tuple[int, int], crypt: tuple[int, int]
) -> list[tuple[str, int, int]]:
    """Name, begin and end of each, without gaps."""
    around = round(AROUND_MS * node.MS)
    inside = cut(times, *packet)
    sends = [part for part in inside if sending(part)]
    asleep = next(
        part.begin_ps for part in inside if part.begin_ps >= crypt[1] and not part.has(CPU, ACTIVE)
    )
    edges = (
        *(packet[0] - around, packet[0], crypt[1], asleep),
        *(sends[0].begin_ps, sends[-1].end_ps, packet[1], packet[1] + around),
    )
    return [(name, begin, end) for name, begin, end in zip(PHASES, edges, edges[1:], strict=False)]


def sending(part: Stretch) -> bool:
    """Whether the radio sends."""
    return any(device == RADIO and state.startswith(SENDING) for device, state in part.states)


def takes_ma(board: str, source: str, part: Stretch) -> float:
    """The current of a stretch."""
    if source == SHEETS:
        less = (
            current_of(board, RADIO, FULL_POWER).ma - current_of(board, RADIO, USED_POWER).ma
            if part.has(RADIO, FULL_POWER)
            else 0.0
        )
        return part.current_ma - less
    board_takes = currents(board, PAPER)
    if sending(part):
        return board_takes.sending_ma
    if part.has(CPU, ACTIVE):
        return board_takes.computing_ma
    return float(load("zigbee")["current_ma"]["sleep"])


def one(
    board: str, source: str, name: str, parts: Sequence[Stretch], zero_ps: int
) -> dict[str, Any]:
    """A phase with one set of currents."""

    def ms(ps: int) -> float:
        return round((ps - zero_ps) / node.MS, 4)

    lasts_ms = (parts[-1].end_ps - parts[0].begin_ps) / node.MS
    active_ps = sum(part.end_ps - part.begin_ps for part in parts if part.has(CPU, ACTIVE))
    each = [(part, takes_ma(board, source, part)) for part in parts]
    charge_uc = sum(ma * (part.end_ps - part.begin_ps) / node.MS for part, ma in each)
    return {
        "currents": source,
        "phase": name,
        "begin_ms": ms(parts[0].begin_ps),
        "end_ms": ms(parts[-1].end_ps),
        "active_ms": round(active_ps / node.MS, 4),
        "mean_ma": round(charge_uc / lasts_ms, 3),
        "energy_uj": round(currents(board, source).supply_v * charge_uc, 2),
        "current": [(ms(part.begin_ps), round(ma, 4)) for part, ma in each],
    }


def gathered(values: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """A row for each phase."""
    for case in values:
        for phase in case["phases"]:
            yield {**case, **phase, "setting": case["way"] in pace.SLOWED}
