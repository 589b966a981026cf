# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec overhead`: the paper's Table II beside octets that were cut out of frames."""

from collections.abc import Sequence
from typing import Any

from wardmote.experiments.each_board import of_board
from wardmote.experiments.ipsec.cuts import DATAGRAM, Cut, names_of
from wardmote.experiments.ipsec.overhead import (
    ALIGNED,
    IPSEC,
    LENGTHS,
    RECORD,
    OverheadRow,
    measure,
)
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, markdown

_of = Fields(OverheadRow)
RANKS = {
    0: ("uncompressed", "compressed", "more"),
    1: ("draft", "inline", "frame", "psdu"),
    2: ("padding", "udp", "paper uncompressed", "paper compressed", "paper link"),
    3: ("linked psdu",),
}
"""Octets, by the rank of their columns."""
COLUMNS: tuple[Column[OverheadRow], ...] = (
    *_of.words("board", "kind", "service", rank=2),
    _of.word("protection", rank=0),
    _of.number("data", "data_octets", rank=0),
    *(
        _of.number(name, f"{name.replace(' ', '_')}_octets", rank=rank)
        for rank, names in RANKS.items()
        for name in names
    ),
    _of.number("frames", rank=0),
    _of.number("linked frames", rank=3),
)
REASONS = {
    "AH SHA1": "The same. (The Next Header, which IPHC has to carry in front of an AH that is not "
    "compressed, is in neither.)",
    "ESP CBC": "The paper counts an IV of 8 octets. RFC 3602 §3 wants one of a block, 16: CBC has no "
    "shorter one. 12 is 18 less the SPI and half of the sequence number, and leaves out the two octets "
    "of NHC that say so.",
    "ESP CBC+SHA1": "As with CBC alone: 8 octets of IV are not there, and two of NHC are not counted.",
    "ESP CTR": "What the paper's 18 octets are: the IV of RFC 3686 has 8. Compressed they are 14, with "
    "both octets of NHC.",
    "ESP CTR+SHA1": "What the paper's 30 octets are. Compressed they are 26.",
}
"""Why ours are not what Table II prints."""
SHOWN = tuple(data for data in LENGTHS if data != ALIGNED)
PADDED = SHOWN[0], SHOWN[-1]
AUTHENTICATION, ENCRYPTION, BOTH = load("ipsec")["overhead_bytes"]
RIVALS = (
    *(("AH XCBC", level, AUTHENTICATION) for level in ("MIC-64", "MIC-128")),
    ("ESP CTR", "ENC", ENCRYPTION),
    *(("ESP CCM-8", "ENC-MIC-64", BOTH), ("ESP CTR+XCBC", "ENC-MIC-128", BOTH)),
)
"""The same service by IPsec and by the link, and the paper's row."""
DRAWN = ("AH SHA1", "ESP CBC+SHA1", "ESP CTR+SHA1", "ESP CCM-8")
OCTET_INCHES, SHORTENED = 0.135, 8
"""Of the drawing; of datagram and data so many octets are drawn."""
COLOURS = {"ICV": "#c9a0a0", "IV": "#b9c2cc", DATAGRAM: "white", "padding": "#dddddd"}


def one_board(rows: Sequence[OverheadRow]) -> list[OverheadRow]:
    """The rows of the first board: octets are the same on all."""
    return [row for row in rows if row.board == rows[0].board]


def one(rows: Sequence[OverheadRow], protection: str, data: int = ALIGNED) -> OverheadRow:
    """A row."""
    return next(row for row in rows if (row.protection, row.data_octets) == (protection, data))


def cheaper_from(rows: Sequence[OverheadRow], ipsec: str, link: str) -> int | None:
    """Frames from which on IPsec adds no more octets to all of them than link security does, of
    the lengths that were measured; None if it never does."""
    found = None
    for data in reversed(LENGTHS):
        if (one(rows, ipsec, data).more_octets or 0) > (one(rows, link, data).more_octets or 0):
            return found
        found = one(rows, ipsec, data).frames
    return found


def printed_cheaper_from(service: str) -> int:
    """The same by the paper's own sizes, of which one is paid once and one in each frame."""
    printed: dict[str, Any] = load("ipsec")["overhead_bytes"][service]
    return -(-int(printed["compressed"]) // int(printed["link"]))


def answer(rows: Sequence[OverheadRow]) -> str:
    """Table II in short, and the claim on fragments."""
    rows = one_board(rows)
    ours = ", ".join(
        f"{row.protection} {row.uncompressed_octets} and {row.compressed_octets}"
        for row in (one(rows, name) for name in ("AH XCBC", "ESP CTR+XCBC", "ESP CCM-8"))
    )
    pair = [one(rows, name, LENGTHS[-1]) for name in ("ESP CTR", "ENC")]
    costs = [f"{row.more_octets} octets in {row.frames} frames" for row in pair]
    sentences = [
        f"Octets of IPsec, uncompressed and in the paper's layout, without padding: {ours}",
        "That two fragments favour IPsec depends on the service: against encryption alone on the "
        f"link, {costs[1]}, it costs {costs[0]}",
    ]
    return f"{'. '.join(sentences)}."


def text(rows: Sequence[OverheadRow]) -> str:
    """For documents."""
    rows = one_board(rows)
    chart = "![Fields of AH and ESP in packets and in frames](ipsec-overhead.svg)"
    return "\n".join(
        (
            f"{answer(rows)}\n",
            _table_2(rows),
            f"{chart}\n",
            _suites(rows),
            _frames(rows),
            _claim(rows),
            _records(rows),
        )
    )


def _table_2(rows: Sequence[OverheadRow]) -> str:
    body = []
    for name, reason in REASONS.items():
        row = one(rows, name)
        paper = row.paper_uncompressed_octets or "", row.paper_compressed_octets or ""
        ours = row.uncompressed_octets, row.compressed_octets
        body.append((name, *paper, *ours, ", ".join(names_of(_own(row.frame_fields))), reason))
    head = ("suite", "paper", "paper, compressed", "ours", "ours, compressed", "compressed", "why")
    return markdown(head, body)


def _own(fields: Sequence[Cut]) -> list[Cut]:
    return [field for field in fields if field["name"] not in ("IPHC", DATAGRAM)]


def _suites(rows: Sequence[OverheadRow]) -> str:
    """Every suite without padding, in all forms."""
    body = [
        (
            *(row.protection, row.uncompressed_octets, row.compressed_octets, row.draft_octets),
            *(row.inline_octets, row.udp_octets),
            *((one(rows, row.protection, data).padding_octets) for data in PADDED),
        )
        for row in rows
        if row.kind == IPSEC and row.data_octets == ALIGNED
    ]
    forms = ("uncompressed", "paper's layout", "draft's", "in line", "UDP longer by")
    return markdown(("suite", *forms, *(f"padding, {data}" for data in PADDED)), body, True)


def _frames(rows: Sequence[OverheadRow]) -> str:
    """Frames and octets of all lengths."""
    names = dict.fromkeys(row.protection for row in rows if row.kind != RECORD)
    body = [
        (name, *(f"{it.frames}: {it.psdu_octets}" for it in (one(rows, name, n) for n in LENGTHS)))
        for name in names
    ]
    return markdown(("frames: octets", *(f"{data} octets" for data in SHOWN)), body, True)


def _claim(rows: Sequence[OverheadRow]) -> str:
    """That two fragments favour IPsec."""
    body = []
    for ipsec, link, service in RIVALS:
        ours = cheaper_from(rows, ipsec, link)
        pairs = (
            f"{one(rows, ipsec, data).more_octets} / {one(rows, link, data).more_octets}"
            for data in SHOWN
        )
        paper = printed_cheaper_from(service)
        body.append((f"{ipsec} / {link}", *pairs, ours or "never", paper))
    head = (
        "more octets, IPsec / link",
        *(f"{data} octets" for data in SHOWN),
        "IPsec cheaper from frames",
        "by the paper's sizes",
    )
    return markdown(head, body, True)


def _records(rows: Sequence[OverheadRow]) -> str:
    found = [row for row in rows if row.kind == RECORD]
    body = [
        (row.protection, row.uncompressed_octets, ", ".join(names_of(row.packet_fields)))
        for row in found
    ]
    return markdown(("computed from formats", "octets", "fields"), body)


def conditions(_: Sequence[OverheadRow]) -> list[tuple[str, str]]:
    """What octets depend on."""
    return [
        (
            "packet",
            "UDP from a port of 16 bits to another, 64 hops, addresses that IPHC leaves out",
        ),
        ("IPsec", "SPI 1, sequence number below 65 536; the UDP checksum is not left out"),
        ("frames", "127 octets at most, short addresses in one PAN, header of 9 octets, FCS of 2"),
        ("link security", "Key Identifier Mode 0, frame counter of 4 octets"),
        ("linked", "IPsec in the paper's layout inside frames with ENC-MIC-128"),
    ]


def figure(rows: Sequence[OverheadRow]) -> str:
    """SVG: octets of some suites in the packet and in the frame, one below the other."""
    found = [one(one_board(rows), name) for name in DRAWN]
    lines = [
        (f"{row.protection}: {where}", fields)
        for row in found
        for where, fields in (("packet", row.packet_fields), ("frame", row.frame_fields))
    ]
    width = max(sum(map(_drawn, fields)) for _, fields in lines)
    with drawing(OCTET_INCHES * width + 0.2, 0.7 * len(lines)) as page:
        axes = page.subplots(len(lines), 1, squeeze=False)[:, 0]
        for axis, (title, fields) in zip(axes, lines, strict=True):
            _draw(axis, fields)
            axis.set_xlim(0, width)
            axis.set_ylim(-1.6, 0.5)
            octets = sum(field["octets"] for field in _own(fields))
            axis.set_title(f"{title}, {octets} octets", loc="left", fontsize=8)
            axis.set_axis_off()
        return to_svg(page)


def _drawn(field: Cut) -> int:
    return SHORTENED if field["name"] == DATAGRAM else field["octets"]


def _draw(axis: Any, fields: Sequence[Cut]) -> None:
    at = 0
    for number, field in enumerate(fields):
        wide, octets = _drawn(field), bytes.fromhex(field["hexadecimal"])
        colour = COLOURS.get(field["name"], "#e8d9a8" if "NHC" in field["name"] else "#cfe0cf")
        for place in range(wide):
            axis.barh(0, 1, left=at + place, height=0.8, color=colour, edgecolor="#777777", lw=0.4)
            shown = "…" if place == wide - 1 < len(octets) - 1 else f"{octets[place]:02x}"
            axis.text(at + place + 0.5, 0, shown, ha="center", va="center", fontsize=5)
        low = -0.65 - 0.4 * (number % 3)
        axis.text(at + wide / 2, low, field["name"], ha="center", va="center", fontsize=5)
        at += wide


EXPERIMENT = of_board(
    "slot",
    "How many octets does IPsec add to a datagram?",
    measure,
    OverheadRow,
    COLUMNS,
    answer,
    figure=figure,
    conditions=conditions,
    text=text,
)
