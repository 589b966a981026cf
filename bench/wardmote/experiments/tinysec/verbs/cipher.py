# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec cipher`: the paper's Table 3, block operations of a packet, whole packets, and
what the same packet costs under an AEAD of today."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.each_board import of_board
from wardmote.experiments.tinysec.cipher import (
    BLOCKS_OF,
    LENGTHS,
    PACKET,
    CipherRow,
    measure,
    times,
)
from wardmote.experiments.tinysec.network import BYTE_TIME_MS, PREAMBLE
from wardmote.experiments.tinysec.node import DATA_MOST
from wardmote.experiments.tinysec.percent import percent
from wardmote.experiments.tinysec.stacks import PAPERS_BOARDS
from wardmote.views.columns import Fields
from wardmote.views.table import Column, markdown

_of = Fields(CipherRow)
COLUMNS: tuple[Column[CipherRow], ...] = (
    _of.word("what", rank=3),
    _of.word("scheme", rank=0),
    _of.word("profile", rank=1),
    _of.number("data", "data_octets", rank=0),
    _of.number("packet", "packet_octets", rank=1),
    _of.number("blocks", "operations", rank=0),
    _of.number("cycles", rank=0),
    _of.number("ms", digits=2, rank=0),
    _of.number("octet times", digits=1, rank=0),
    _of.number("paper ms", digits=2, rank=1),
    _of.number("paper octet times", digits=1, rank=2),
    _of.number("take cycles", rank=1),
    _of.number("octet by octet", "by_octet_cycles", rank=2),
    _of.number("most", "most_octet_cycles", rank=3),
    _of.number("last", "last_octet_cycles", rank=2),
    Column("% of symbol", lambda row: percent(row.symbol_part, 0), rank=2),
)


def one(rows: Sequence[CipherRow], scheme: str, octets: int, profile: str = "paper") -> CipherRow:
    """The row of a packet."""
    packets = {(row.scheme, row.data_octets, row.profile): row for row in rows}
    return packets.get((scheme, octets, profile)) or packets[scheme, octets, ""]


def blocks(rows: Sequence[CipherRow]) -> list[CipherRow]:
    """Table 3."""
    return [row for row in rows if row.what == BLOCKS_OF]


def answer(rows: Sequence[CipherRow]) -> str:
    """A block of each cipher, the operations of a packet, and how much of the start symbol it
    takes."""
    listed = ", ".join(
        f"{row.scheme} {row.ms:.2f} ms ({row.octet_times:.1f})" for row in blocks(rows)
    )
    longest, shipped = (one(rows, "AE, Skipjack", DATA_MOST, name) for name in ("paper", "shipped"))
    today = one(rows, "CCM*, AES-128", DATA_MOST)
    part, blocks_of_it = percent(longest.symbol_part, 0), longest.operations
    sentences = [
        f"A block takes, in ms and times of an octet on the air: {listed}",
        f"The longest AE packet takes {blocks_of_it} block operations, as the archived code does it "
        f"{shipped.operations}, and is made in {part} % of its start symbol",
        f"Under CCM* with AES-128 it would take {today.ms:.1f} ms instead of {longest.ms:.1f}",
    ]
    return f"{'. '.join(sentences)}."


def text(rows: Sequence[CipherRow]) -> str:
    """For documents: four tables."""
    return "\n".join((_table_3(rows), _operations(rows), _schemes(rows), _time_left(rows)))


def _table_3(rows: Sequence[CipherRow]) -> str:
    head = ("block of", "cycles", "ms", "octet times", "paper ms", "paper octet times")
    body = [
        (row.scheme, row.cycles, f"{row.ms:.2f}", f"{row.octet_times:.1f}")
        + ((f"{row.paper_ms:.2f}", row.paper_octet_times) if row.paper_ms else ("", ""))
        for row in blocks(rows)
    ]
    return markdown(head, body)


def _operations(rows: Sequence[CipherRow]) -> str:
    places = [(mode, name) for mode in ("Auth", "AE") for name in ("paper", "shipped")]
    body = [
        (n, *(one(rows, f"{mode}, Skipjack", n, name).operations for mode, name in places))
        for n in LENGTHS
    ]
    return markdown(("data", *(f"{mode}, {name}" for mode, name in places)), body)


def _schemes(rows: Sequence[CipherRow]) -> str:
    ends = (DATA_MOST, 0)
    words = ("packet", "make", "take")
    body = []
    for scheme in dict.fromkeys(row.scheme for row in rows if row.what == PACKET):
        found = [one(rows, scheme, octets) for octets in ends]
        body.append(
            (
                scheme,
                *(x for row in found for x in (row.packet_octets, row.cycles, row.take_cycles)),
            )
        )
    return markdown(("scheme", *(f"{w}, {n} octets" for n in ends for w in words)), body)


def _time_left(rows: Sequence[CipherRow]) -> str:
    clock_hz = BOARDS[rows[0].board].clock_hz
    longest = one(rows, "AE, Skipjack", DATA_MOST)
    [block] = [row for row in blocks(rows) if row.scheme == "Skipjack, assembly"]
    cycles = {
        f"make an AE packet of {DATA_MOST} octets": longest.cycles,
        f"the start symbol of {PREAMBLE} octets, in which that is done": round(
            PREAMBLE * BYTE_TIME_MS / 1000 * clock_hz
        ),
        "take it octet by octet": longest.by_octet_cycles or 0,
        "of that, the octet that takes most": longest.most_octet_cycles or 0,
        "of that, from the last octet on": longest.last_octet_cycles or 0,
        "one block": block.cycles,
    }
    body = []
    for name, count in cycles.items():
        made = times(count, clock_hz)
        body.append((name, count, f"{made['ms']:.2f}", f"{made['octet_times']:.1f}"))
    return markdown(("Skipjack", "cycles", "ms", "octet times"), body)


EXPERIMENT = of_board(
    "tinysec",
    "What do TinySec's ciphers and packets cost the CPU?",
    measure,
    CipherRow,
    COLUMNS,
    answer,
    text=text,
    only=PAPERS_BOARDS,
)
