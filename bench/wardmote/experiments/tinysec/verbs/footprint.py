# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec footprint`: flash and RAM as the difference of images, beside the paper's."""

from collections.abc import Sequence

from wardmote.experiments.each_board import of_board
from wardmote.experiments.tinysec import footprint as took
from wardmote.experiments.tinysec.footprint import TinysecFootprintRow
from wardmote.experiments.tinysec.stacks import PAPERS_BOARDS
from wardmote.views.columns import Fields
from wardmote.views.table import Column, markdown, to_markdown
from wardmote.views.text import by

_of = Fields(TinysecFootprintRow)
COLUMNS: tuple[Column[TinysecFootprintRow], ...] = (
    *_of.words("cipher", "part", "name", rank=0),
    *_of.numbers("flash octets", "RAM octets", "stack octets", rank=0),
    *_of.numbers("paper flash octets", "paper RAM octets", rank=1),
    *_of.numbers("later flash octets", "later RAM octets", rank=2),
    *_of.numbers("image flash octets", "image RAM octets", rank=3),
)


def wholes(rows: Sequence[TinysecFootprintRow]) -> list[TinysecFootprintRow]:
    """The images."""
    return [row for row in rows if row.part == took.WHOLE]


def answer(rows: Sequence[TinysecFootprintRow]) -> str:
    """Each image beside the paper's."""
    parts = [
        f"{row.cipher} {row.flash_octets} + {row.ram_octets} ({row.stack_octets} more of stack)"
        for row in wholes(rows)
    ]
    first = rows[0]
    return (
        f"TinySec takes, in octets of flash + RAM: {', '.join(parts)}; the paper's "
        f"{first.paper_flash_octets} + {first.paper_ram_octets}, and later "
        f"{first.later_flash_octets} + {first.later_ram_octets}."
    )


def conditions(_: Sequence[TinysecFootprintRow]) -> list[tuple[str, str]]:
    """What is in the images."""
    return [
        ("images", "`tinysec-skipjack` and `tinysec-rc5` less `tinysec-none`, which has the CRC"),
        ("with TinySec", "Auth and AE in one image, one key, and the store of the IV's counter"),
        ("stack", "of a sender or a receiver, whichever needs more, interrupts included"),
    ]


def text(rows: Sequence[TinysecFootprintRow]) -> str:
    """For documents: the images, and their modules side by side."""
    modules = by((row for row in rows if row.part == took.MODULE), lambda row: row.name)
    body = []
    for name, own in modules.items():
        octets = {row.cipher: (row.flash_octets, row.ram_octets) for row in own}
        body.append((name, *(one for cipher in took.CIPHERS for one in octets.get(cipher, (0, 0)))))
    head = (
        "module",
        *(f"{cipher}, {what}" for cipher in took.CIPHERS for what in ("flash", "RAM")),
    )
    shown = [column for column in COLUMNS if column.name not in ("part", "name")]
    return f"{answer(rows)}\n\n{to_markdown(wholes(rows), shown)}\n{markdown(head, body)}"


EXPERIMENT = of_board(
    "tinysec",
    "How much flash and RAM does TinySec take?",
    took.measure,
    TinysecFootprintRow,
    COLUMNS,
    answer,
    artefacts=took.images,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
