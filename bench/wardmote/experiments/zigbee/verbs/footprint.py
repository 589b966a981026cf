# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee footprint`: motes that only encrypt, and motes that only decrypt."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee import wiring
from wardmote.experiments.zigbee.footprint import (
    ROLES,
    ZigbeeFootprintRow,
    cases,
    gathered,
    images,
    measure,
)
from wardmote.experiments.zigbee.node import PAPERS_BOARDS
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import facts

_of = Fields(ZigbeeFootprintRow)
COLUMNS: tuple[Column[ZigbeeFootprintRow], ...] = (
    *_of.words("role", "way", rank=0),
    _of.word("image", rank=2),
    _of.number("flash", "flash_octets", rank=0),
    _of.number("RAM", "ram_octets", rank=0),
    _of.number("stack", "stack_octets", rank=0),
    _of.number("more flash", "more_flash_octets", rank=0),
    _of.number("more RAM", "more_ram_octets", rank=0),
    _of.number("more stack", "more_stack_octets", rank=1),
    Column("flash %", lambda row: f"{100 * row.flash_part:.1f}", rank=1),
    Column("RAM %", lambda row: f"{100 * row.ram_part:.1f}", rank=1),
)


def answer(rows: Sequence[ZigbeeFootprintRow]) -> str:
    """What encryption and decryption take, and what is left of the chip."""
    parts = []
    for role in ROLES.values():
        more = [
            f"{row.more_flash_octets} + {row.more_ram_octets} with {row.way}"
            for row in rows
            if row.role == role and row.way.startswith("AES")
        ]
        parts.append(f"a mote that only {role}, {', '.join(more)}")
    [line], [beside] = (
        [row for row in rows if (row.role, row.way) == (ROLES["sender"], way)]
        for way in (wiring.LINES, wiring.PERIPHERAL)
    )
    largest = max(rows, key=lambda row: row.flash_octets)
    kb = load("zigbee")["setup"]["program_kb"]
    return (
        f"AES takes, in octets of flash + RAM: {'; '.join(parts)}. The largest image has "
        f"{largest.flash_octets} octets of flash, {100 * largest.flash_part:.1f} % of the {kb} kB that "
        f"the paper's one direction of AES filled beside its stack. A coprocessor on the serial line "
        f"leaves a sender {-line.more_flash_octets} octets less of flash than in clear, because it keeps "
        f"no counter; one as a peripheral takes {beside.more_flash_octets} more."
    )


def conditions(rows: Sequence[ZigbeeFootprintRow]) -> list[tuple[str, str]]:
    """What is in the images."""
    return [
        ("board", BOARDS[rows[0].board].title),
        (
            "image",
            "MAC, frames of ZigBee without its security, serial line, and AES-128-CBC one way",
        ),
        (
            "more",
            "than the image in clear of the same role, which keeps a counter for a vector as those "
            "with AES do",
        ),
        ("stack", "written while 20 packets came over, interrupts included"),
        ("RAM %", "variables and stack, of the chip's own 8 kB"),
    ]


def text(rows: Sequence[ZigbeeFootprintRow]) -> str:
    """For documents."""
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = Experiment(
    "How much memory does a mote need that only encrypts, or only decrypts?",
    "picture",
    cases,
    images,
    measure,
    ZigbeeFootprintRow,
    COLUMNS,
    answer,
    gathered=lambda values: list(gathered(values)),
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
