# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec packet`: the paper's Fig. 1 and Table 2, of packets that were on the air."""

from collections.abc import Sequence

from wardmote.experiments.tinysec.forms import of_senders
from wardmote.experiments.tinysec.packet import (
    PRINTED_OCTETS,
    PacketField,
    PacketRow,
    cases,
    measure,
)
from wardmote.experiments.tinysec.percent import percent
from wardmote.experiments.tinysec.stacks import TITLES
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing, to_svg
from wardmote.views.table import Column, markdown, to_markdown

ENCRYPTED, CLEAR = "#b9c2cc", "white"
OCTET_INCHES, NARROWEST = 0.16, 3.8
"""Of the drawing; a field is at least as wide as this many octets."""


def field_text(one: PacketField) -> str:
    """A field and its octets."""
    return f"{one['name']} {one['octets']}"


def by_tag(row: PacketRow, one: PacketField) -> bool:
    """Whether a tag protects a field; a CRC finds noise and protects from nobody."""
    return one["protected"] and row.stack != "none"


_of = Fields(PacketRow)
COLUMNS: tuple[Column[PacketRow], ...] = (
    _of.word("stack", rank=0),
    _of.number("data", "data_octets", rank=0),
    _of.number("packet", "packet_octets", rank=0),
    _of.number("overhead", "overhead_octets", rank=1),
    _of.number("symbol", "symbol_octets", rank=3),
    _of.number("flush", "flush_octets", rank=3),
    _of.number("on air", "air_octets", rank=0),
    _of.number("ms", "air_ms", 2, rank=0),
    Column("more %", lambda row: percent(row.increase), rank=0),
    _of.number("paper on air", "paper_air_octets", rank=1),
    _of.number("paper ms", "paper_air_ms", 1, rank=1),
    Column("paper more %", lambda row: percent(row.paper_increase), rank=1),
    Column("fields", lambda row: ", ".join(map(field_text, row.fields)), text=True, rank=2),
)


def printed(rows: Sequence[PacketRow]) -> list[PacketRow]:
    """The rows of Table 2."""
    return [row for row in rows if row.data_octets == PRINTED_OCTETS]


def answer(rows: Sequence[PacketRow]) -> str:
    """The three packets of Table 2."""
    parts = [
        f"{TITLES[row.stack]} {row.air_octets} octets, {row.air_ms:.2f} ms"
        + (f", {percent(row.increase)} % more" if row.increase else "")
        for row in printed(rows)
    ]
    first = rows[0]
    counted = [row.paper_air_octets for row in printed(rows)]
    return (
        f"On the air a packet with {PRINTED_OCTETS} octets of data takes: {'; '.join(parts)}. That is "
        f"with {first.symbol_octets} octets before it and {first.flush_octets} behind it; the paper "
        f"counts {', '.join(map(str, counted))} octets."
    )


def text(rows: Sequence[PacketRow]) -> str:
    """For documents: the answer, the formats and Table 2."""
    longest = [row for row in rows if row.data_octets == max(one.data_octets for one in rows)]
    body = [
        (
            TITLES[row.stack],
            ", ".join(map(field_text, row.fields)),
            ", ".join(one["name"] for one in row.fields if by_tag(row, one)),
            ", ".join(one["name"] for one in row.fields if one["encrypted"]),
        )
        for row in longest
    ]
    formats = markdown(("packet", "fields and their octets", "protected", "encrypted"), body)
    columns = [column for column in COLUMNS if column.name not in ("fields", "symbol", "flush")]
    chart = "![Fields of the packets on the air](tinysec-packet.svg)"
    return "\n".join((f"{answer(rows)}\n", f"{chart}\n", formats, to_markdown(rows, columns)))


def figure(rows: Sequence[PacketRow]) -> str:
    """SVG: the packets with most data, field by field, as the paper's Fig. 1."""
    most = max(row.data_octets for row in rows)
    longest = [row for row in rows if row.data_octets == most]
    width = max(sum(max(one["octets"], NARROWEST) for one in row.fields) for row in longest)
    with drawing(OCTET_INCHES * width, 0.75 * len(longest)) as page:
        axes = page.subplots(len(longest), 1, squeeze=False)[:, 0]
        for axis, row in zip(axes, longest, strict=True):
            at = 0.0
            for one in row.fields:
                wide = max(one["octets"], NARROWEST)
                axis.barh(
                    0,
                    wide,
                    left=at,
                    height=1,
                    color=ENCRYPTED if one["encrypted"] else CLEAR,
                    edgecolor="black",
                    linewidth=0.8,
                    hatch="///" if by_tag(row, one) else "",
                    alpha=0.5 if by_tag(row, one) else 1,
                )
                axis.text(at + wide / 2, 0, field_text(one), ha="center", va="center", fontsize=8)
                at += wide
            axis.set_xlim(0, width)
            axis.set_title(TITLES[row.stack], loc="left", fontsize=9)
            axis.set_axis_off()
        return to_svg(page)


EXPERIMENT = of_senders(
    "What do TinySec's packets look like on the air, and how long do they take?",
    cases,
    measure,
    PacketRow,
    COLUMNS,
    answer,
    figure=figure,
    text=text,
)
