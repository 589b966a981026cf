# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec energy`: the paper's Table 4, split into octets and computation."""

from collections.abc import Sequence

from wardmote.boards import BOARDS, current_of
from wardmote.experiments.tinysec.energy import (
    UC_PER_MAH,
    TinysecEnergyRow,
    at_paper_speed,
    cases,
    gathered,
    measure,
)
from wardmote.experiments.tinysec.forms import of_senders
from wardmote.experiments.tinysec.percent import percent
from wardmote.experiments.tinysec.stacks import TITLES
from wardmote.views.columns import Fields
from wardmote.views.drawing import bars, drawing, to_svg
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import facts

RADIO = "cc1000"
COLOURS = {"octets": "#8a97a6", "computation": "#c1443c"}

_of = Fields(TinysecEnergyRow)
COLUMNS: tuple[Column[TinysecEnergyRow], ...] = (
    Column("PA_POW", lambda row: f"{row.power:#04x}", rank=0),
    _of.word("stack", rank=0),
    _of.number("ms", "sending_ms", 2, rank=2),
    _of.number("CPU ms", "active_ms", 2, rank=2),
    _of.number("mA", "mean_ma", 1, rank=1),
    _of.number("uC", "charge_uc", 1, rank=0),
    Column("uAh", lambda row: f"{1000 * row.mah:.3f}", rank=1),
    Column("paper uAh", lambda row: f"{1000 * row.paper_mah:.3f}", rank=2),
    Column("more %", lambda row: percent(row.increase), rank=0),
    Column("octets %", lambda row: percent(row.by_octets), rank=0),
    Column("computing %", lambda row: percent(row.by_computation), rank=0),
    Column("in C %", lambda row: percent(row.by_computation_in_c), rank=1),
    _of.number("computing ms", digits=2, rank=2),
    Column("paper %", lambda row: percent(row.paper_increase, 0), rank=0),
    Column("paper octets %", lambda row: percent(row.paper_by_octets, 0), rank=1),
    Column("paper computing %", lambda row: percent(row.paper_by_computation, 0), rank=1),
    Column("nearest", lambda row: "yes" if row.calibrated else "", text=True, rank=1),
)


def calibrated(rows: Sequence[TinysecEnergyRow]) -> list[TinysecEnergyRow]:
    """The rows at the power whose mean current is nearest to the paper's."""
    return [row for row in rows if row.calibrated]


def ends(rows: Sequence[TinysecEnergyRow], stack: str) -> str:
    """The least and the most increase over all powers."""
    found = sorted(row.increase for row in rows if row.stack == stack)
    return f"{percent(found[0])} to {percent(found[-1])} %"


def answer(rows: Sequence[TinysecEnergyRow]) -> str:
    """The increases beside the paper's, their split, and why computation is less than there."""
    own = {row.stack: row for row in calibrated(rows)}
    parts = [
        f"{TITLES[row.stack]} takes {percent(row.increase)} % more (octets "
        f"{percent(row.by_octets)}, computation {percent(row.by_computation)}; the paper: "
        f"{percent(row.paper_increase, 0)} = {percent(row.paper_by_octets, 0)} + "
        f"{percent(row.paper_by_computation, 0)})"
        for row in own.values()
        if row.paper_increase
    ]
    ae, auth, none = own["ae"], own["auth"], own["none"]
    return (
        f"Sending 24 octets of data takes {none.charge_uc:.0f} µC without TinySec (the paper: "
        f"{none.paper_mah * UC_PER_MAH:.0f}). {'; '.join(parts)}. Skipjack is "
        f"in assembly, the paper's in C: in C computation would be {percent(auth.by_computation_in_c)} "
        f"and {percent(ae.by_computation_in_c)} %. AE computes for {ae.computing_ms:.1f} ms longer than "
        f"a plain packet as long; ten blocks at the paper's 0.38 ms would be "
        f"{percent(at_paper_speed(ae))} %. Over all powers Auth takes {ends(rows, 'auth')} more, AE "
        f"{ends(rows, 'ae')}."
    )


def conditions(rows: Sequence[TinysecEnergyRow]) -> list[tuple[str, str]]:
    """Currents with their sources, and how the power was chosen."""
    row = next(iter(calibrated(rows)))
    shown = [("cpu", "active"), ("cpu", "idle"), (RADIO, f"tx_{row.power:02x}")]
    currents = [current_of(row.board, device, state) for device, state in shown]
    amounts = ", ".join(f"{one.device} {one.state} {one.ma:g} mA ({one.kind})" for one in currents)
    sources = dict.fromkeys(one.source.partition(":")[0] for one in currents)
    return [
        ("board", BOARDS[row.board].title),
        ("counted", "from leaving the receiver to coming back to it; the whole board"),
        ("currents", f"{amounts}; {', '.join(sources)}"),
        (
            "power",
            f"the paper does not say it. At PA_POW {row.power:#04x} the mean without TinySec is "
            f"nearest to the paper's {row.paper_mean_ma:.1f} mA: the power is fitted, so that only the "
            "percentages are evidence",
        ),
        ("profile", "PAPER, with Skipjack in assembly"),
        ("octets", "packets without TinySec that are as long; the rest is computation"),
        ("left out", "what goes into the EEPROM between packets, so that a reset reuses no IV"),
    ]


def text(rows: Sequence[TinysecEnergyRow]) -> str:
    """For documents."""
    chart = "![Charge of a packet more than without TinySec](tinysec-energy.svg)"
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{chart}\n\n{to_markdown(rows, COLUMNS)}"


def figure(rows: Sequence[TinysecEnergyRow]) -> str:
    """SVG: what Auth and AE take more, octets and computation, the paper's beside."""
    lines: list[tuple[str, float, float]] = []
    for row in calibrated(rows):
        if row.paper_increase is None:
            continue
        title = TITLES[row.stack]
        lines.append((title, row.by_octets, row.by_computation))
        paper = row.paper_by_octets or 0.0, row.paper_by_computation or 0.0
        lines.append((f"{title}, paper", *paper))
    with drawing(7, 0.5 * len(lines) + 0.8) as page:
        axis = page.subplots()
        names, *parts = zip(*lines, strict=True)
        found = [
            [(100 * part, colour) for part, colour in zip(own, COLOURS.values(), strict=True)]
            for own in zip(*parts, strict=True)
        ]
        bars(axis, found, names)
        for name, colour in COLOURS.items():
            axis.barh(0, 0, color=colour, label=name)
        axis.set_xlabel("per cent of the charge without TinySec")
        axis.legend(fontsize=8, frameon=False)
        return to_svg(page)


EXPERIMENT = of_senders(
    "What charge does a packet take with TinySec, and what of it is computation?",
    cases,
    measure,
    TinysecEnergyRow,
    COLUMNS,
    answer,
    gathered=lambda values: list(gathered(values)),
    conditions=conditions,
    figure=figure,
    text=text,
)
