# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec boards`: the same message on a Mica2, a MICAz and a TelosB."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.each_board import of_board
from wardmote.experiments.tinysec.boards import DATA, SENT, TIMED, TinysecBoardsRow, measure
from wardmote.experiments.tinysec.form import with_half
from wardmote.experiments.tinysec.percent import percent
from wardmote.paths import firmware_image
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by, facts

_of = Fields(TinysecBoardsRow)
COLUMNS: tuple[Column[TinysecBoardsRow], ...] = (
    *_of.words("board", "scheme", rank=0),
    _of.number("packet", "packet_octets", rank=1),
    _of.number("on air", "air_octets", rank=0),
    _of.number("air ms", digits=2, rank=0),
    _of.number("make cycles", rank=1),
    _of.number("make ms", digits=2, rank=0),
    _of.number("take cycles", rank=2),
    _of.number("take ms", digits=2, rank=0),
    _of.number("uC", "charge_uc", 1, rank=0),
    Column("more %", lambda row: percent(row.increase), rank=0),
    _of.number("ms a hop", "hop_ms", 2, rank=0),
    Column("more ms", lambda row: with_half(row.more_ms, row.more_half, 2), rank=1),
)


def answer(rows: Sequence[TinysecBoardsRow]) -> str:
    """What AE takes more on each board, and how much of a hop that is."""
    parts = []
    for name, own in by(rows, lambda row: row.board).items():
        of = {row.scheme: row for row in own}
        hop = percent(of["ae"].more_ms / of["none"].hop_ms, 0)
        parts.append(
            f"{BOARDS[name].title} {percent(of['ae'].increase, 0)} % more charge and {hop} % more time "
            f"a hop (Auth {percent(of['auth'].increase, 0)} % more charge)"
        )
    return f"A message with {DATA} octets of data takes with TinySec-AE, beside none: {'; '.join(parts)}."


def conditions(rows: Sequence[TinysecBoardsRow]) -> list[tuple[str, str]]:
    """Clocks, what is counted, and what was not measured."""
    journeys, hops, seeds = TIMED
    clocks = {BOARDS[row.board].title: f"{row.clock_hz / 1e6:.4g} MHz" for row in rows}
    return [
        ("clocks", ", ".join(f"{name} {clock}" for name, clock in clocks.items())),
        ("make, take", "a packet in one piece, called on the board's CPU; keys and IV made before"),
        (
            "charge",
            "of the board from leaving the receiver to coming back to it, with PA_POW 0x0f on the "
            "CC1000 and 0 dBm on the CC2420; on the latter also of the CPU that makes the packet before",
        ),
        (
            "hop",
            f"mean of {journeys} journeys over {hops} hops, one after the other, back-offs included, "
            f"with each of {seeds} seeds, the same for all schemes; interval over them, 95 %",
        ),
        ("profile", "PAPER, with Skipjack"),
        (
            "ccm, ascon",
            "CCM* with AES-128 and a tag of 4 octets, and Ascon-AEAD128 with its tag of 16, in packets "
            "with the fields of AE",
        ),
    ]


def text(rows: Sequence[TinysecBoardsRow]) -> str:
    """For documents."""
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = of_board(
    "tinysec",
    "What does TinySec cost on a radio of octets, and in frames of IEEE 802.15.4?",
    measure,
    TinysecBoardsRow,
    COLUMNS,
    answer,
    artefacts=lambda case: {
        stack.image: firmware_image(case.board, stack.image) for stack in SENT.values()
    },
    conditions=conditions,
    text=text,
)
