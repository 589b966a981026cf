# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec response`: the paper's Figs. 9 and 10, of motes in the emulated air."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.ipsec.network import Chain, files
from wardmote.experiments.ipsec.response import (
    BAUD,
    ENDS,
    HOPS,
    LENGTHS,
    MANY,
    PROTECTIONS,
    RUNS,
    ResponseRow,
    cases,
    gathered,
    measure,
)
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, markdown
from wardmote.views.text import by

_of = Fields(ResponseRow)
MS = ("response ms", "plain ms", "added ms", "added air ms", "beyond air ms", "added CPU ms")
MAC = ("interval ms", "added MAC ms", "beyond MAC ms", "MAC ms", "error ms")
COLUMNS: tuple[Column[ResponseRow], ...] = (
    _of.word("protection", rank=0),
    *(_of.number(name, field, rank=0) for name, field in (("data", "data_octets"), ("hops", ""))),
    _of.number("border baud", rank=1),
    *_of.numbers(*MS, digits=1, rank=0),
    Column("added %", lambda row: f"{100 * row.added_part:.0f}", rank=0),
    *_of.numbers(*MAC, digits=2, rank=1),
    *_of.numbers("CPU ms", "IPsec ms", "link ms", "air ms", "spread ms", digits=1, rank=2),
    *_of.numbers("frames", "runs", "clock hz", rank=3),
)
SEVERAL = ("AH XCBC", "ESP CTR+XCBC")
WAYS = ("", ", overlapped", ", engine", ", engine, overlapped")
"""How the same is done: in software and as a whole, and otherwise."""


def one(
    rows: Sequence[ResponseRow], protection: str, data: int, hops: int = 1, baud: int = 0
) -> ResponseRow:
    """A row; `baud` 0: of the ideal border."""
    wanted = (protection, data, hops, baud)
    return next(
        row
        for row in rows
        if (row.protection, row.data_octets, row.hops, row.border_baud) == wanted
    )


def answer(rows: Sequence[ResponseRow]) -> str:
    """What the longest datagram takes more, beside the paper's worst."""
    most, paper = LENGTHS[-1], load("ipsec")["response_time"]
    parts = [
        f"{name} {row.added_ms:.0f} ms more ({100 * row.added_part:.0f} %), {row.added_cpu_ms:.1f} of "
        f"them on the CPU, and overlapped with fragments {lapped.added_ms:.0f} ms "
        f"({100 * lapped.added_part:.0f} %)"
        for name in SEVERAL
        for row, lapped in [(one(rows, name, most), one(rows, f"{name}, overlapped", most))]
    ]
    plain = one(rows, "none", most)
    return (
        f"{most} octets there and back over one hop take {plain.response_ms:.0f} ms in clear; "
        f"{'; '.join(parts)}. The paper's worst is {paper['worst_overhead_ms_512_bytes']} ms more."
    )


def conditions(rows: Sequence[ResponseRow]) -> list[tuple[str, str]]:
    """What times depend on."""
    first = rows[0]
    return [
        ("board", f"{BOARDS[first.board].title} at {first.clock_hz / 1e6:g} MHz"),
        ("AES", "in software, or where it says engine in the radio, which cannot decrypt"),
        ("overlapped", "IPsec of the last mote works while fragments come in and go out"),
        ("host", "takes no time of its own"),
        ("border", "ideal: a station on the air; or a mote, its serial line at the stated speed"),
        ("MAC", "always on, unslotted CSMA-CA with acknowledgements; all motes hear each other"),
        ("runs", f"{RUNS} of each or {MANY}, behind one that is not counted"),
        ("back-offs", "random; what they are longer than their mean is taken off; not with a line"),
        ("link", "ENC-MIC-128 on every hop"),
    ]


def text(rows: Sequence[ResponseRow]) -> str:
    """For documents."""
    chart = "![Response time by length and by hops](ipsec-response.svg)"
    tables = ((1, 0), (HOPS[-1], 0), (1, BAUD))
    parts = (answer(rows), chart, *(_lengths(rows, *table) for table in tables))
    return (
        "\n\n".join(part.rstrip() for part in (*parts, _papers(rows), _constant(rows), _all(rows)))
        + "\n"
    )


def _lengths(rows: Sequence[ResponseRow], hops: int, baud: int) -> str:
    wanted = (hops, LENGTHS[0], baud)
    names = dict.fromkeys(
        row.protection for row in rows if (row.hops, row.data_octets, row.border_baud) == wanted
    )
    body = [
        (
            name,
            *(
                f"{row.response_ms:.1f} (+{100 * row.added_part:.0f} %)"
                for row in (one(rows, name, data, hops, baud) for data in LENGTHS)
            ),
        )
        for name in names
    ]
    border = f", border mote at {baud} baud" if baud else ""
    head = f"response in ms over {_hops(hops)}{border}"
    return markdown((head, *(f"{data} octets" for data in LENGTHS)), body, True)


def _papers(rows: Sequence[ResponseRow]) -> str:
    """The paper's parts of the response time in clear, of the longest datagram."""
    printed = load("ipsec")["response_time"]
    body = []
    for name, short in zip(SEVERAL, ("ah", "esp"), strict=True):
        cells = []
        for kind, ways in (("software", WAYS[:2]), ("hardware", WAYS[2:])):
            paper = printed[f"{kind}_{short}_512_overhead"]
            ours = [one(rows, name + way, LENGTHS[-1]).added_part for way in ways]
            cells += [f"{100 * part:.0f}" for part in (*ours, paper)]
        body.append((name, *cells))
    names = ("software", "overlapped", "paper", "engine", "engine, overlapped", "paper")
    head = (f"% more, {LENGTHS[-1]} octets, one hop", *names)
    return markdown(head, body, True)


def _hops(count: int) -> str:
    return "1 hop" if count == 1 else f"{count} hops"


def _constant(rows: Sequence[ResponseRow]) -> str:
    """That the overhead does not depend on hops."""
    body = []
    for name in SEVERAL:
        for data in ENDS:
            found = [one(rows, name, data, hops) for hops in HOPS]
            shown = (
                f"{row.added_ms:.1f} / {row.beyond_air_ms:.2f} / {row.beyond_mac_ms:.2f} "
                f"± {row.interval_ms:.2f}"
                for row in found
            )
            body.append((f"{name}, {data} octets", *shown))
    head = ("added ms / beyond the air / beyond air and MAC", *map(_hops, HOPS))
    return markdown(head, body, True)


def _all(rows: Sequence[ResponseRow]) -> str:
    """All that was run with the longest datagram over one hop."""
    wanted = (LENGTHS[-1], 1, 0)
    shown = [row for row in rows if (row.data_octets, row.hops, row.border_baud) == wanted]
    body = [
        (
            *(row.protection, row.frames),
            *(f"{ms:.1f}" for ms in (row.added_ms, row.added_air_ms, row.beyond_air_ms)),
            *(f"{ms:.1f}" for ms in (row.added_cpu_ms, row.ipsec_ms, row.link_ms)),
            f"{100 * row.added_part:.0f}",
        )
        for row in shown
    ]
    names = ("frames", "added ms", "on the air", "beyond", "CPU", "IPsec", "link", "%")
    return markdown((f"{LENGTHS[-1]} octets, one hop", *names), body, True)


def figure(rows: Sequence[ResponseRow]) -> str:
    """SVG: response time by length over one hop and four, and by hops for the longest."""
    names = [
        Chain("", *one, 0, 0, engine=False, ahead=False, seed=0, border_baud=0).protection
        for one in PROTECTIONS
    ]
    with drawing(9.6, 3.2) as page:
        panels = page.subplots(1, 3)
        for name in names:
            ideal = (row for row in rows if row.protection == name and not row.border_baud)
            own = by(ideal, lambda row: row.hops)
            longest = [one(rows, name, LENGTHS[-1], hops) for hops in HOPS]
            style = {"marker": "o", "markersize": 3, "linewidth": 1, "label": name}
            for axis, hops in zip(panels, (1, HOPS[-1]), strict=False):
                found = sorted(own[hops], key=lambda row: row.data_octets)
                times = [row.response_ms for row in found]
                axis.plot([row.data_octets for row in found], times, **style)
                axis.set_xlabel(f"octets of data, {_hops(hops)}")
            panels[2].plot(HOPS, [row.response_ms for row in longest], **style)
        panels[0].set_ylabel("response time, ms")
        panels[0].legend(fontsize=7, frameon=False)
        panels[2].set_xlabel(f"hops, {LENGTHS[-1]} octets")
        for axis in panels:
            axis.spines[["top", "right"]].set_visible(False)
        return to_svg(page)


EXPERIMENT: Experiment[Chain, ResponseRow] = Experiment(
    "How long do a request and its answer take with IPsec?",
    "ipsec-node",
    *(cases, files, measure, ResponseRow, COLUMNS, answer, figure),
    only=("telosb",),
    gathered=lambda values: list(gathered(values)),
    conditions=conditions,
    text=text,
)
