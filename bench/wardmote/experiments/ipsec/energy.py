# SPDX-License-Identifier: BSD-3-Clause
"""Energy that a board's CPU takes for IPsec: for the algorithms alone, as the paper's Fig. 7, and for
a whole exchange without the times in which it waits for the network, as its Fig. 8."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from wardmote.boards import BOARDS, current_of
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.ipsec.crypto import exchange
from wardmote.experiments.ipsec.network import Chain, files, ran
from wardmote.experiments.ipsec.response import LENGTHS, PROTECTIONS
from wardmote.experiments.ipsec.suites import SUITES
from wardmote.published import load

RUNS = 20
"""The paper's."""
ALGORITHMS, EXCHANGE = "algorithms", "exchange"
PRINTED = "AH XCBC", 64
"""The paper's worst case, as it says."""


@dataclass(frozen=True, slots=True)
class IpsecEnergyRow:
    """What the CPU takes for a packet that is sent, or for a request and its answer."""

    board: str
    what: str
    """algorithms: one packet that leaves. exchange: both, and all that the CPU does for them."""
    protection: str
    data_octets: int
    runs: int
    cpu_ms: float
    spread_ms: float
    """Between the shortest and the longest run."""
    energy_uj: float
    listening_ms: float
    """The radio takes as much when it listens for so long."""
    paper_uj: float | None
    paper_listening_ms: float | None
    seed: int
    wardmote: str
    commit: str


def images(case: BoardCase) -> dict[str, Path]:
    """Of all chains."""
    return {name: path for chain in _chains(case) for name, path in files(chain).items()}


def _chains(case: BoardCase) -> list[Chain]:
    return [
        Chain(
            case.board,
            suite,
            level,
            data,
            1,
            engine=False,
            ahead=False,
            seed=case.seed,
            border_baud=0,
        )
        for suite, level in PROTECTIONS
        for data in LENGTHS
    ]


def _algorithms(case: BoardCase) -> Iterator[Figures]:
    board = BOARDS[case.board]
    for suite in SUITES:
        for data in LENGTHS:
            ms = 1000 * exchange(board.cpu, suite, data)[1] / board.clock_hz
            yield _row(case, ALGORITHMS, suite, data, [ms])


def _exchanges(case: BoardCase, artefacts: Artefacts) -> Iterator[Figures]:
    clock_hz = BOARDS[case.board].clock_hz
    for chain in _chains(case):
        found = ran(chain, artefacts, RUNS)
        times = [1000 * sum(one.phases) / clock_hz for one in found]
        yield _row(case, EXCHANGE, chain.protection, chain.data_octets, times)


def _row(case: BoardCase, what: str, protection: str, data: int, times: list[float]) -> Figures:
    board, mean = BOARDS[case.board], fmean(times)
    supply_v = board.supply.for_clock(board.clock_hz)
    active = current_of(board.name, "cpu", "active", board.clock_hz, supply_v=supply_v).ma
    listening = current_of(board.name, "cc2420", "rx").ma
    printed = load("ipsec")["energy"] if (protection, data) == PRINTED and what == EXCHANGE else {}
    paper = printed.get("worst_ah_64_bytes_mj")
    return {
        **{"what": what, "protection": protection, "data_octets": data, "runs": len(times)},
        **{"cpu_ms": round(mean, 4), "spread_ms": round(max(times) - min(times), 4)},
        "energy_uj": round(mean * active * supply_v, 3),
        "listening_ms": round(mean * active / listening, 4),
        "paper_uj": None if paper is None else 1000 * paper,
        "paper_listening_ms": printed.get("equals_idle_listening_ms"),
    }


def measure(case: BoardCase, artefacts: Artefacts) -> Figures:
    """Both."""
    return {"rows": [*_algorithms(case), *_exchanges(case, artefacts)]}
