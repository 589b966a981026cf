# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee breakeven`: where a coprocessor begins to pay."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee.breakeven import (
    ENGINE,
    USUAL_DBM,
    ZigbeeBreakevenRow,
    gathered,
    paper_per_s,
)
from wardmote.experiments.zigbee.energy import PAPER, SHEETS, TIMES, coprocessor_mw
from wardmote.experiments.zigbee.exchange import cases, images, measure
from wardmote.experiments.zigbee.node import PAPERS_BOARDS
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import facts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BEST, USUAL_MHZ = "AES tab", 8.0
LINES = {TIMES: "#c1443c", BEST: "#4f8a5b", ENGINE: "#3b6ea5"}
"""Ways of the chart, and their colours."""
DASHES = {PAPER: "-", SHEETS: "--"}

_of = Fields(ZigbeeBreakevenRow)
COLUMNS: tuple[Column[ZigbeeBreakevenRow], ...] = (
    _of.word("currents", rank=0),
    Column("way", lambda row: f"{row.way} (setting)" if row.setting else row.way, True, 0),
    _of.number("dBm", "dbm", rank=0),
    _of.number("MHz", "clock_mhz", rank=1),
    _of.number("encrypts ms", "crypt_ms", 3, rank=2),
    _of.number("encrypts uJ", "crypt_uj", 1, rank=1),
    _of.number("rest uJ", "rest_uj", rank=2),
    Column("saved %", lambda row: f"{100 * row.saving:.1f}", rank=0),
    Column("engine saves %", lambda row: f"{100 * row.engine_saving:.1f}", rank=1),
    _of.number("even uW", "even_uw", rank=0),
    _of.number("even /s", "even_per_s", rank=0),
)


def one(
    rows: Sequence[ZigbeeBreakevenRow], source: str, way: str, dbm: int = USUAL_DBM
) -> ZigbeeBreakevenRow:
    """At the usual clock."""
    return next(
        row
        for row in rows
        if (row.currents, row.way, row.dbm, row.clock_mhz) == (source, way, dbm, USUAL_MHZ)
    )


def answer(rows: Sequence[ZigbeeBreakevenRow]) -> str:
    """Three ways to say it."""
    paper, ours, sheets = one(rows, PAPER, TIMES), one(rows, PAPER, BEST), one(rows, SHEETS, BEST)
    engine = one(rows, PAPER, BEST)
    loud, soft = (one(rows, SHEETS, BEST, dbm).saving for dbm in (0, -25))
    return (
        f"A coprocessor that takes nothing while it waits saves {100 * paper.saving:.0f} % of a packet "
        f"with the paper's AES and {100 * ours.saving:.1f} % with ours; by data sheets, "
        f"{100 * sheets.saving:.1f} %, and from 0 to -25 dBm {100 * loud:.1f} to {100 * soft:.1f} %. One "
        f"that waits as the paper's FPGA works, with {coprocessor_mw():.1f} mW, pays above "
        f"{paper.even_per_s:.0f} packets a second with the paper's AES, where its link carries "
        f"{paper_per_s():.0f}, and above {ours.even_per_s:.0f} with ours, where our link carries "
        f"{ours.most_per_s:.0f}: never. At the paper's {paper_per_s():.1f} packets a second it has to "
        f"wait with less than {paper.even_uw / 1000:.1f} mW to pay, with our AES with less than "
        f"{ours.even_uw / 1000:.2f}, by data sheets {sheets.even_uw / 1000:.2f}. The CC2420's own engine "
        f"saves {100 * engine.engine_saving:.1f} % in place of our AES: a block has to go to it "
        f"and back over SPI."
    )


def conditions(rows: Sequence[ZigbeeBreakevenRow]) -> list[tuple[str, str]]:
    """The models."""
    return [
        ("board", BOARDS[rows[0].board].title),
        (
            "rate",
            f"packets of 16 octets; the paper's, one in 61 ms, is {paper_per_s():.1f} a second",
        ),
        (
            "transmit power",
            "by data sheets the CC2420's current at each level, table 9 of SWRS041; the paper's board, "
            "known at -15 dBm alone, takes more or less by what the CC2420 does",
        ),
        (
            "clock",
            "a slower CPU takes longer in proportion, and less current: 3.2 mA at 4 MHz, twice that "
            "at 8; assumed in between and below",
        ),
        ("even uW", "at the paper's rate a coprocessor pays that waits with less"),
        (
            "even /s",
            f"packets a second above which one pays that always takes {coprocessor_mw():.1f} mW, as "
            "the paper's FPGA while it encrypts",
        ),
    ]


def figure(rows: Sequence[ZigbeeBreakevenRow]) -> str:
    """SVG: what is saved over power; what a coprocessor may take over rate."""
    with drawing(9.5, 4) as page:
        saved, waits = page.subplots(1, 2)
        _savings(saved, rows)
        _waiting(waits, rows)
        for axis in (saved, waits):
            axis.spines[["top", "right"]].set_visible(False)
        handles, names = saved.get_legend_handles_labels()
        page.legend(handles, names, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
        return to_svg(page)


def _savings(axis: "Axes", rows: Sequence[ZigbeeBreakevenRow]) -> None:
    for way, colour in LINES.items():
        for source, dashes in DASHES.items():
            own = sorted(
                (
                    row
                    for row in rows
                    if (row.currents, row.way, row.clock_mhz) == (source, way, USUAL_MHZ)
                ),
                key=lambda row: row.dbm,
            )
            axis.plot(
                [row.dbm for row in own],
                [100 * row.saving for row in own],
                color=colour,
                linestyle=dashes,
                marker="o",
                markersize=3,
                linewidth=1,
                label=f"{way}, {source}",
            )
    axis.set_xlabel("transmit power, dBm")
    axis.set_ylabel("a coprocessor saves, %")
    axis.set_ylim(bottom=0)
    axis.set_title("Saved, if it takes nothing while it waits", loc="left", fontsize=9)


def _waiting(axis: "Axes", rows: Sequence[ZigbeeBreakevenRow]) -> None:
    most = rows[0].most_per_s
    rates = [1.0, most]
    for way, colour in LINES.items():
        for source, dashes in DASHES.items():
            row = one(rows, source, way)
            allowed = [row.even_uw / 1000 * rate / paper_per_s() for rate in rates]
            axis.plot(rates, allowed, color=colour, linestyle=dashes, linewidth=1)
    axis.axhline(coprocessor_mw(), color="black", linewidth=1)
    axis.text(1.1, 1.2 * coprocessor_mw(), "the paper's FPGA, always on", fontsize=8)
    axis.axvline(paper_per_s(), color="black", linewidth=0.6, linestyle=":")
    axis.text(1.05 * paper_per_s(), 0.006, "the paper's rate", fontsize=8)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel(f"packets a second, up to the {most:.0f} that the link carries")
    axis.set_ylabel("it may take while it waits, mW")
    axis.set_title("It pays if it waits with less than the line", loc="left", fontsize=9)


def usual(rows: Sequence[ZigbeeBreakevenRow]) -> list[ZigbeeBreakevenRow]:
    """For documents: each way as measured, ours at other powers and at other clocks."""
    return [
        row
        for row in rows
        if (row.dbm, row.clock_mhz) == (USUAL_DBM, USUAL_MHZ)
        or (row.way == BEST and row.dbm in (0, USUAL_DBM, -25))
    ]


def text(rows: Sequence[ZigbeeBreakevenRow]) -> str:
    """For documents."""
    chart = "![What a coprocessor saves, and where it pays](zigbee-breakeven.svg)"
    table = to_markdown(usual(rows), COLUMNS)
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{chart}\n\n{table}"


EXPERIMENT = Experiment(
    "Where does an AES coprocessor begin to pay?",
    "picture",
    cases,
    images,
    measure,
    ZigbeeBreakevenRow,
    COLUMNS,
    answer,
    gathered=lambda values: list(gathered(values)),
    figure=figure,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
