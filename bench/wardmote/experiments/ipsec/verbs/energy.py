# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec energy`: the paper's Figs. 7 and 8."""

from collections.abc import Sequence

from wardmote.experiments.each_board import of_board
from wardmote.experiments.ipsec import energy as took
from wardmote.experiments.ipsec.chart import by_length
from wardmote.experiments.ipsec.energy import ALGORITHMS, EXCHANGE, IpsecEnergyRow
from wardmote.experiments.ipsec.response import LENGTHS
from wardmote.views.columns import Fields
from wardmote.views.table import Column, markdown

_of = Fields(IpsecEnergyRow)
COLUMNS: tuple[Column[IpsecEnergyRow], ...] = (
    *_of.words("what", "protection", rank=0),
    _of.number("data", "data_octets", rank=0),
    *_of.numbers("CPU ms", "listening ms", digits=2, rank=0),
    _of.number("energy uJ", digits=1, rank=0),
    *_of.numbers("paper uJ", "paper listening ms", rank=1),
    _of.number("spread ms", digits=3, rank=2),
    _of.number("runs", rank=3),
)


def one(rows: Sequence[IpsecEnergyRow], what: str, protection: str, data: int) -> IpsecEnergyRow:
    """A row."""
    wanted = (what, protection, data)
    return next(row for row in rows if (row.what, row.protection, row.data_octets) == wanted)


def answer(rows: Sequence[IpsecEnergyRow]) -> str:
    """The paper's worst case, and ours."""
    row, most = one(rows, EXCHANGE, *took.PRINTED), one(rows, EXCHANGE, "ESP CTR+XCBC", LENGTHS[-1])
    times = f"{row.listening_ms:.1f} ms of listening; the paper says {row.paper_listening_ms} ms"
    sentences = [
        f"The CPU takes {row.energy_uj:.0f} uJ for {row.data_octets} octets there and back under "
        f"{row.protection}, as much as {times} and {row.paper_uj:.0f} uJ",
        f"{most.data_octets} octets under {most.protection} take {most.energy_uj:.0f} uJ",
    ]
    return f"{'. '.join(sentences)}."


def text(rows: Sequence[IpsecEnergyRow]) -> str:
    """For documents: Fig. 7, and Fig. 8."""
    chart = "![Energy of the CPU for an exchange](ipsec-energy.svg)"
    titles = {ALGORITHMS: "uJ to secure one packet", EXCHANGE: "uJ of the CPU for an exchange"}
    return "\n".join(
        (f"{answer(rows)}\n", f"{chart}\n", *(_table(rows, *it) for it in titles.items()))
    )


def _names(rows: Sequence[IpsecEnergyRow], what: str) -> list[str]:
    return list(dict.fromkeys(row.protection for row in rows if row.what == what))


def _table(rows: Sequence[IpsecEnergyRow], what: str, title: str) -> str:
    body = [
        (name, *(f"{one(rows, what, name, data).energy_uj:.0f}" for data in LENGTHS))
        for name in _names(rows, what)
    ]
    return markdown((title, *(f"{data} octets" for data in LENGTHS)), body, True)


def conditions(_: Sequence[IpsecEnergyRow]) -> list[tuple[str, str]]:
    """What is counted."""
    return [
        ("algorithms", "of a packet that leaves, called as `wardmote ipsec crypto` does"),
        (
            "exchange",
            f"all that the mote's CPU does for it, mean of {took.RUNS} runs; waiting is left out",
        ),
        (
            "energy",
            "the CPU's active current at the least supply that allows its clock; AES in software",
        ),
    ]


def figure(rows: Sequence[IpsecEnergyRow]) -> str:
    """SVG: Fig. 8."""
    lines = {
        name: [one(rows, EXCHANGE, name, data).energy_uj / 1000 for data in LENGTHS]
        for name in _names(rows, EXCHANGE)
    }
    return by_length(LENGTHS, lines, "mJ of the CPU for an exchange")


EXPERIMENT = of_board(
    "ipsec-node",
    "How much energy does IPsec take of a node's CPU?",
    took.measure,
    IpsecEnergyRow,
    COLUMNS,
    answer,
    artefacts=took.images,
    figure=figure,
    conditions=conditions,
    text=text,
    only=("telosb",),
)
