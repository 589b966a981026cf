# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee throughput`: data a second between two motes, and the paper's Table 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from wardmote import options
from wardmote.boards import BOARDS, Board
from wardmote.commands.records import option
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee import wiring
from wardmote.experiments.zigbee.energy import TIMES
from wardmote.experiments.zigbee.node import BAUD, PAPERS_BOARDS
from wardmote.experiments.zigbee.rate import (
    CLEAR,
    Rate,
    ZigbeeThroughputRow,
    cases_of,
    gathered,
    images,
    measure,
)
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import facts

BEST, LEAST_MS, MOST_MS = "AES tab", 20, 1000
PAPERS_PERIOD = 61


@dataclass(frozen=True, slots=True)
class Wanted:
    """How slow the network is."""

    period: Annotated[
        int,
        option(f"Milliseconds from packet to packet of a slow network, {LEAST_MS} to {MOST_MS}."),
    ] = PAPERS_PERIOD


def cases(board: Board, seed: int, wanted: Wanted = Wanted()) -> list[Rate]:
    """Fast ones and slow ones; raises UsageError for a period that cannot be."""
    options.whole("period", wanted.period, LEAST_MS, MOST_MS)
    return list(cases_of(board.name, seed, float(wanted.period)))


_of = Fields(ZigbeeThroughputRow)
COLUMNS: tuple[Column[ZigbeeThroughputRow], ...] = (
    Column("way", lambda row: f"{row.way} (setting)" if row.setting else row.way, True, 0),
    _of.number("octets", rank=0),
    _of.number("rest ms", digits=1, rank=1),
    _of.number("ms a packet", "ms_per_packet", 2, rank=0),
    _of.number("kbit/s", "kbps", 2, rank=0),
    Column("slower %", lambda row: f"{100 * row.slower:.1f}", rank=0),
    _of.number("paper ms", "paper_ms_per_packet", 1, rank=1),
    _of.number("paper kbit/s", "paper_kbps", 1, rank=1),
)


def one(rows: Sequence[ZigbeeThroughputRow], way: str, paced: bool) -> ZigbeeThroughputRow:
    """Of the paper's packets."""
    found = (row for row in rows if row.way == way and row.blocks == 1)
    return next(row for row in found if bool(row.period_ms) == paced)


def answer(rows: Sequence[ZigbeeThroughputRow]) -> str:
    """With the paper's idle time, and without."""
    slow, paper, ours = (one(rows, way, True) for way in (CLEAR, TIMES, BEST))
    beside, lines = (one(rows, way, False) for way in (wiring.PERIPHERAL, wiring.LINES))
    fast, its, own = (one(rows, way, False) for way in (CLEAR, TIMES, BEST))
    most = max(rows, key=lambda row: row.kbps * (row.way == BEST))
    return (
        f"Where a packet of {slow.octets} octets comes every {slow.ms_per_packet:.1f} ms, "
        f"{slow.kbps:.1f} kbit/s, the paper's AES makes it {paper.ms_per_packet:.1f} ms and "
        f"{paper.kbps:.1f} kbit/s, as printed, and ours {ours.ms_per_packet:.1f} ms. "
        f"{slow.rest_ms:.1f} ms of that is a rest that we had to add: our motes send a packet in "
        f"{fast.ms_per_packet:.1f} ms. Without the rest they carry {fast.kbps:.1f} kbit/s in clear, "
        f"{own.kbps:.1f} with our AES ({100 * own.slower:.0f} % slower) and {its.kbps:.1f} with the "
        f"paper's ({100 * its.slower:.0f} %); with {most.octets} octets a packet and our AES, "
        f"{most.kbps:.1f}. With a coprocessor on the serial line a packet takes "
        f"{lines.ms_per_packet:.2f} ms. A coprocessor as a peripheral is slower than our AES, "
        f"{beside.ms_per_packet:.2f} ms for {own.ms_per_packet:.2f}: a block has to go to it and back "
        f"over a line."
    )


def conditions(rows: Sequence[ZigbeeThroughputRow]) -> list[tuple[str, str]]:
    """The paper's Table 1, and what is between the motes."""
    setup = load("zigbee")["setup"]
    return [
        ("board", BOARDS[rows[0].board].title),
        (
            "the paper's Table 1",
            f"CPU {setup['mcu_clock_mhz']} MHz, as here; supply {setup['supply_v']} V; sending at "
            f"{setup['tx_power_dbm']} dBm; FPGA {setup['fpga_clock_mhz']} MHz, core at "
            f"{setup['fpga_v_int']} V, the rest at {setup['fpga_v_aux']} V",
        ),
        ("air", "unslotted CSMA-CA, acks, up to 3 retries; nobody else sends"),
        ("counted", f"{rows[0].packets} packets of data that the sender has, without serial line"),
        (
            wiring.LINES,
            f"data that come over a serial line of {BAUD[rows[0].board]} baud, 16 octets in "
            f"{16 * 10_000 / BAUD[rows[0].board]:.2f} ms: packets of 96 octets wait for it",
        ),
        (
            wiring.PERIPHERAL,
            f"{wiring.peripheral_baud(rows[0].board)} baud: a block is 20 octets on its way there and "
            "17 back",
        ),
        (
            "rest",
            "fitted in clear to the paper's 61 ms; the paper does not say what its network did",
        ),
        ("setting", "a loop takes the time that the paper prints for a block"),
    ]


def text(rows: Sequence[ZigbeeThroughputRow]) -> str:
    """For documents."""
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = Experiment(
    "How much data a second does a link carry, with encryption and without?",
    "picture",
    cases,
    images,
    measure,
    ZigbeeThroughputRow,
    COLUMNS,
    answer,
    gathered=lambda values: list(gathered(values)),
    options=Wanted,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
