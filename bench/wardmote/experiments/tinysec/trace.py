# SPDX-License-Identifier: BSD-3-Clause
"""The current of a mote that sends a packet, over time and by phase."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from wardmote.boards import Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.network import BYTE_TIME_MS, MS, START_SYMBOL
from wardmote.experiments.tinysec.sending import ACTIVE, CPU, Sender, Sent, Stretch, cut, send
from wardmote.experiments.tinysec.stacks import PAPERS

POWER, DATA = 0xC0, 24
"""The power of `wardmote tinysec energy`, and the paper's data."""
AROUND_MS = 3.0
PACKETS = 3
BEFORE, TO_SEND, SYMBOL, COMPUTATION, PACKET, FLUSH, TO_LISTEN, AFTER = PHASES = (
    *("listening", "to send", "start symbol", "computation", "packet", "flush"),
    *("to listen", "listening again"),
)


@dataclass(frozen=True, slots=True)
class TinysecTraceRow(Sender):
    """A phase of sending. The time of a stack's first phase is below 0: at 0 it begins to send."""

    phase: str
    begin_ms: float
    end_ms: float
    active_ms: float
    """The CPU does not sleep."""
    mean_ma: float
    most_ma: float
    charge_uc: float
    current: list[tuple[float, float]]
    """When the current changes, in milliseconds, and what it is then in mA."""
    wardmote: str
    commit: str


def cases(board: Board, seed: int) -> list[Sender]:
    """The paper's three."""
    return [Sender(board.name, stack, DATA, POWER, seed) for stack in PAPERS]


def measure(case: Sender, artefacts: Artefacts) -> Figures:
    """The last packet, in phases."""
    sent = send(case, artefacts, PACKETS, AROUND_MS)[-1]
    zero_ps = sent.stretches[0].begin_ps + round(AROUND_MS * MS)
    times = [one for one in phases(sent, zero_ps) if one[1] < one[2]]
    return {"phases": [_phase(*one, sent, zero_ps) for one in times]}


def phases(sent: Sent, zero_ps: int) -> Iterator[tuple[str, int, int]]:
    """Name, begin and end of each, without gaps; some may be empty. What is computed for the packet is computed while
    the start symbol is sent."""
    first, last = sent.stretches[0].begin_ps, sent.stretches[-1].end_ps
    on, off = sent.carrier_ps
    packet = on + round(START_SYMBOL * BYTE_TIME_MS * MS)
    flush = packet + round(len(sent.octets) * BYTE_TIME_MS * MS)
    begin, end = longest_active(cut(sent.stretches, on, packet))
    if end >= packet:
        raise ImageError("a packet was not made while its start symbol was sent")
    yield BEFORE, first, zero_ps
    yield TO_SEND, zero_ps, on
    yield SYMBOL, on, begin
    yield COMPUTATION, begin, end
    yield SYMBOL, end, packet
    yield PACKET, packet, flush
    yield FLUSH, flush, off
    yield TO_LISTEN, off, last - round(AROUND_MS * MS)
    yield AFTER, last - round(AROUND_MS * MS), last


def longest_active(found: Sequence[Stretch]) -> tuple[int, int]:
    """The longest time in which the CPU never sleeps."""
    runs = []
    for active, own in groupby(found, lambda one: one.has(CPU, ACTIVE)):
        if active:
            stretch = list(own)
            runs.append((stretch[0].begin_ps, stretch[-1].end_ps))
    return max(runs, key=lambda run: run[1] - run[0])


def _phase(name: str, begin_ps: int, end_ps: int, sent: Sent, zero_ps: int) -> Figures:
    own = cut(sent.stretches, begin_ps, end_ps)
    charge_uc = sum(one.charge_uc for one in own)
    active_ps = sum(one.end_ps - one.begin_ps for one in own if one.has(CPU, ACTIVE))

    def ms(ps: int) -> float:
        return round(ps / MS, 4)

    return {
        "phase": name,
        "begin_ms": ms(begin_ps - zero_ps),
        "end_ms": ms(end_ps - zero_ps),
        "active_ms": ms(active_ps),
        "mean_ma": round(charge_uc * MS / (end_ps - begin_ps), 3),
        "most_ma": round(max(one.current_ma for one in own), 3),
        "charge_uc": round(charge_uc, 3),
        "current": [(ms(one.begin_ps - zero_ps), round(one.current_ma, 4)) for one in own],
    }


def gathered(values: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A row for each phase of each stack."""
    return [{**one, **phase} for one in values for phase in one["phases"]]
