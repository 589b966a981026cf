# SPDX-License-Identifier: BSD-3-Clause
"""Blocks and packets of TinySec as cases, and what they cost as rows."""

from dataclasses import dataclass

from wardmote.boards import BOARDS, Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.tinysec.costs import FORMS, SCHEMES, block_cycles
from wardmote.experiments.tinysec.network import BYTE_TIME_MS, PREAMBLE
from wardmote.experiments.tinysec.node import BLOCK, DATA_MOST
from wardmote.published import load

BLOCKS_OF, PACKET = "block", "packet"
PAPERS_DATA = 24
LENGTHS = (0, 8, 16, PAPERS_DATA, DATA_MOST)
ENDS = (0, PAPERS_DATA, DATA_MOST)
COUNTED = "Skipjack"
"""The cipher whose block operations are counted, for each length."""
PAPER_BLOCK = {
    "Skipjack, C": "skipjack_c",
    "RC5, C": "rc5_c",
    "RC5, assembly": "rc5_c_assembly",
}
"""Table 3. It has no Skipjack in assembly."""


NOTHING: Figures = dict.fromkeys(
    (
        *("packet_octets", "operations", "paper_ms", "paper_octet_times", "take_cycles"),
        *("by_octet_cycles", "most_octet_cycles", "last_octet_cycles", "symbol_part"),
    )
)
"""Fields that a block or a packet does not have."""


@dataclass(frozen=True, slots=True)
class CipherRow:
    """What a block, or a packet that is made and taken, costs on the CPU of the board. A packet's
    keys and IV are made before."""

    board: str
    what: str
    """block or packet"""
    scheme: str
    profile: str
    """paper or shipped; empty where there is none."""
    data_octets: int
    packet_octets: int | None
    operations: int | None
    """Operations of the block cipher to make it; Skipjack alone is counted."""
    cycles: int
    """Of the block, or to make the packet."""
    ms: float
    octet_times: float
    """The same in times of an octet on the air."""
    paper_ms: float | None
    paper_octet_times: float | None
    take_cycles: int | None
    """To take the packet in one piece."""
    by_octet_cycles: int | None
    """To take it octet by octet, as from the air."""
    most_octet_cycles: int | None
    """Of that, the octet that takes most, but the last."""
    last_octet_cycles: int | None
    """Of that, from the last octet on."""
    symbol_part: float | None
    """Part of the time of the start symbol that making the packet takes."""
    seed: int
    wardmote: str
    commit: str


def measure(case: BoardCase, _: Artefacts) -> Figures:
    """Every form of a cipher, and every scheme and length, called on the board's CPU."""
    board = BOARDS[case.board]
    packets = [
        _packet(board, scheme, profile, octets)
        for scheme, profile in SCHEMES
        for octets in (LENGTHS if scheme.endswith(COUNTED) else ENDS)
    ]
    return {"rows": [*(_block(board, name) for name in FORMS), *packets]}


def _packet(board: Board, scheme: str, profile: str, octets: int) -> Figures:
    cost = SCHEMES[scheme, profile](board.cpu, octets)
    taken = cost.by_octets
    return NOTHING | {
        **{"what": PACKET, "scheme": scheme, "profile": profile, "data_octets": octets},
        **times(cost.cycles, board.clock_hz),
        "packet_octets": cost.packet_octets,
        "operations": cost.operations,
        "take_cycles": cost.take_cycles,
        "by_octet_cycles": sum(taken) if taken else None,
        "most_octet_cycles": max(taken[:-2]) if taken else None,
        "last_octet_cycles": sum(taken[-2:]) if taken else None,
        "symbol_part": round(1000 * cost.cycles / board.clock_hz / (PREAMBLE * BYTE_TIME_MS), 4),
    }


def _block(board: Board, name: str) -> Figures:
    printed = load("tinysec")["cipher_block_ms"].get(PAPER_BLOCK.get(name), {})
    return NOTHING | {
        **{"what": BLOCKS_OF, "scheme": name, "profile": "", "data_octets": BLOCK},
        **times(block_cycles(board.cpu, *FORMS[name]), board.clock_hz),
        "paper_ms": printed.get("ms"),
        "paper_octet_times": printed.get("byte_times"),
    }


def times(cycles: int, clock_hz: int) -> Figures:
    """Cycles in milliseconds, and in times of an octet on the air."""
    ms = 1000 * cycles / clock_hz
    return {"cycles": cycles, "ms": round(ms, 4), "octet_times": round(ms / BYTE_TIME_MS, 3)}
