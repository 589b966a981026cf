# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec keying`: the paper's Table 1, as attackers find it."""

from collections.abc import Sequence

from wardmote.experiments.each_board import of_board
from wardmote.experiments.tinysec.keying import NEIGHBOURS, TABLE, KeyingRow, measure
from wardmote.experiments.tinysec.stacks import PAPERS_BOARDS
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown

_of = Fields(KeyingRow)
COLUMNS: tuple[Column[KeyingRow], ...] = (
    *_of.words("keying", "mode", rank=0),
    _of.number("pairs", rank=1),
    _of.number("octets a pair", "pair_octets", rank=0),
    _of.number(f"with {TABLE}", "ram_octets", rank=0),
    Column("read", lambda row: f"{row.read} of {len(NEIGHBOURS)}", rank=0),
    Column("reached", lambda row: f"{row.reached} of {len(NEIGHBOURS)}", rank=0),
    Column("names", lambda row: f"{row.names} of {len(NEIGHBOURS)}", rank=0),
    Column("broadcast", lambda row: f"{row.broadcast} of {len(NEIGHBOURS)}", rank=0),
    Column("overheard", lambda row: f"{row.overheard} of {len(NEIGHBOURS) - 1}", rank=1),
    _of.number("strangers", rank=2),
    _of.number("refusal", "refusal_cycles", rank=2),
    _of.number("each more", "more_cycles", rank=1),
)


def answer(rows: Sequence[KeyingRow]) -> str:
    """What each keying gives away, in AE."""
    parts = [
        f"{row.keying}: {row.pair_octets} octets a pair of keys, {row.ram_octets} with {TABLE} "
        f"neighbours; one captured mote's keys open {row.read} of {len(NEIGHBOURS)} packets and "
        f"are believed by {row.reached} motes; a broadcast reaches {row.broadcast}"
        for row in rows
        if row.mode == "ae"
    ]
    return f"{'. '.join(parts)}."


def conditions(_: Sequence[KeyingRow]) -> list[tuple[str, str]]:
    """Who is there."""
    return [
        ("motes", "D with neighbours A, B and C; groups A, B, D and C, D; A is captured"),
        ("read", "packets to D that open under A's keys"),
        ("reached", "other motes that take a packet under A's keys"),
        ("names", "neighbours of D in whose name D takes such a packet"),
        ("broadcast", "neighbours that take one packet of D"),
        ("overheard", "neighbours whose keys open a packet that A sends to D"),
        ("refusal", "cycles behind the last octet of a packet of a stranger, with D's pairs"),
    ]


def text(rows: Sequence[KeyingRow]) -> str:
    """For documents."""
    return to_markdown(rows, COLUMNS)


EXPERIMENT = of_board(
    "tinysec",
    "What do keys of the network, of links and of groups cost, and what do they give up?",
    measure,
    KeyingRow,
    COLUMNS,
    answer,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
