# SPDX-License-Identifier: BSD-3-Clause
"""Cycles of IPsec, packet in and packet out, called on the CPU of a board: no radio, no 6LoWPAN, and
nothing that the store has to write."""

from dataclasses import dataclass
from itertools import product

from wardmote.boards import BOARDS, Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.ipsec.node import Node, datagram
from wardmote.experiments.ipsec.suites import SUITES
from wardmote.linked import Form

LENGTHS = (16, 32, 64, 128, 256, 512)
PAPER_CLOCKS_HZ = {"telosb": 3_900_000}
"""Of a Tmote Sky under Contiki, by board."""
FORMS: tuple[Form, ...] = ("fast", "small")


@dataclass(frozen=True, slots=True)
class CryptoRow:
    """What IPsec takes of the CPU for a datagram that leaves, and for one that comes."""

    board: str
    form: str
    """fast, with assembly where there is some, or small."""
    suite: str
    service: str
    data_octets: int
    packet_octets: int
    """Of the IPv6 packet, secured."""
    out_cycles: int
    in_cycles: int
    clock_hz: int
    out_ms: float
    in_ms: float
    both_ms: float
    """In and out: a request and its answer."""
    slow_both_ms: float | None
    """The same at the clock of the paper's motes."""
    seed: int
    wardmote: str
    commit: str


def exchange(cpu: str, suite: str, data: int, form: Form = "fast") -> tuple[int, int, int]:
    """Octets of the secured packet, cycles to make it, and cycles to take it: of the second packet
    of its SAs."""
    sender = Node(cpu, suite, form, sends=True)
    clear = datagram(sender.target, data)
    made = [sender.secure(clear) for _ in range(2)]
    receiver = Node(cpu, suite, form, sends=False)
    taken = [receiver.unsecure(packet) for packet, _ in made]
    if [packet for packet, _ in taken] != [clear] * 2:
        raise ImageError(f"{suite} gives another packet back")
    return len(made[1][0]), made[1][1], taken[1][1]


def measure(case: BoardCase, _: Artefacts) -> Figures:
    """Every suite with every length."""
    every = product(FORMS, SUITES, LENGTHS)
    return {"rows": [_row(BOARDS[case.board], *one) for one in every]}


def _row(board: Board, form: Form, suite: str, data: int) -> Figures:
    octets, out_cycles, in_cycles = exchange(board.cpu, suite, data, form)
    both = out_cycles + in_cycles
    slow_hz = PAPER_CLOCKS_HZ.get(board.name)
    return {
        **{"form": form, "suite": suite, "service": SUITES[suite].service},
        **{"data_octets": data, "packet_octets": octets, "clock_hz": board.clock_hz},
        **{"out_cycles": out_cycles, "in_cycles": in_cycles},
        "out_ms": _ms(out_cycles, board),
        "in_ms": _ms(in_cycles, board),
        "both_ms": _ms(both, board),
        "slow_both_ms": round(1000 * both / slow_hz, 4) if slow_hz else None,
    }


def _ms(cycles: int, board: Board) -> float:
    return round(1000 * cycles / board.clock_hz, 4)
