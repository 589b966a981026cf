# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee energy`: the paper's Tables 2 and 3 beside ours."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee import beside, energy
from wardmote.experiments.zigbee.energy import PAPER, PRINTED, SHEETS, TIMES, ZigbeeEnergyRow
from wardmote.experiments.zigbee.exchange import cases, images, measure
from wardmote.experiments.zigbee.node import PAPERS_BOARDS
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import facts

BEST = "AES tab"

_of = Fields(ZigbeeEnergyRow)
COLUMNS: tuple[Column[ZigbeeEnergyRow], ...] = (
    _of.word("currents", rank=1),
    Column(
        "way",
        lambda row: f"{row.way} (setting)" if row.setting and row.way != PRINTED else row.way,
        text=True,
        rank=0,
    ),
    _of.number("encrypts ms", "crypt_ms", 3, rank=0),
    *_of.numbers("stack ms", "send ms", digits=2, rank=1),
    _of.number("encrypts uJ", "crypt_uj", 1, rank=0),
    *_of.numbers("stack uJ", "send uJ", rank=0),
    _of.number("ack uJ", "ack_uj", rank=1),
    _of.number("frame uJ", "frame_uj", rank=2),
    _of.number("decrypts ms", "decrypt_ms", 3, rank=2),
    _of.number("decrypts uJ", "decrypt_uj", 1, rank=1),
    Column("saved %", lambda row: f"{100 * row.saving:.1f}", rank=0),
)


def one(rows: Sequence[ZigbeeEnergyRow], source: str, way: str) -> ZigbeeEnergyRow:
    """A row."""
    return next(row for row in rows if (row.currents, row.way) == (source, way))


def answer(rows: Sequence[ZigbeeEnergyRow]) -> str:
    """The paper's saving, ours, and what becomes of "receive"."""
    paper, again = one(rows, PAPER, PRINTED), one(rows, PAPER, TIMES)
    own, sheets = one(rows, PAPER, BEST), one(rows, SHEETS, BEST)
    receive = load("zigbee")["energy_uj"]["receive"]
    product = energy.currents(rows[0].board, PAPER).sending_uj(paper.ack_ms)
    return (
        f"With the paper's currents and its times of AES a packet takes {again.crypt_uj:.0f} µJ to "
        f"encrypt (printed: {paper.crypt_uj:.0f}), {again.send_uj:.0f} to send by our time on the air "
        f"(printed: {paper.send_uj:.0f}), and {again.decrypt_uj:.0f} to decrypt (printed: "
        f"{paper.decrypt_uj:.0f}); a coprocessor saves {100 * again.saving:.0f} %, the paper says about "
        f"{100 * load('zigbee')['result']['energy_saving_by_hardware']:.0f}. "
        f"Its receive, {receive} µJ, does not follow from its own numbers: their product is "
        f"{product:.0f} µJ, {100 * (product / receive - 1):.0f} % more; an ack of 11 octets, on the air "
        f"for {again.ack_ms:.3f} ms, takes {again.ack_uj:.0f}. With our AES the coprocessor saves "
        f"{100 * own.saving:.1f} %, and {100 * sheets.saving:.1f} % with the currents of data sheets: the "
        f"CPU encrypts in {own.crypt_ms:.2f} ms instead of {paper.crypt_ms:.2f}. The coprocessor "
        f"decrypts in {energy.COPROCESSOR_CLOCKS} clocks, as it encrypts: {energy.coprocessor_uj():.2f} "
        f"µJ, where the paper assumes {load('zigbee')['energy_uj']['decrypt_hardware_max']} at most."
    )


def conditions(rows: Sequence[ZigbeeEnergyRow]) -> list[tuple[str, str]]:
    """Both sets of currents, and what is counted."""
    board = rows[0].board
    shown = [
        (
            name,
            f"{own.supply_v:g} V, {own.computing_ma:g} mA while it computes, {own.sending_ma:g} mA while "
            "it sends at -15 dBm",
        )
        for name in (PAPER, SHEETS)
        for own in (energy.currents(board, name),)
    ]
    return [
        ("board", BOARDS[board].title),
        *shown,
        (
            "send",
            "the radio's turnaround of 192 µs and 49 octets; back-off and the wait for the ack "
            "are sleep, as in the paper",
        ),
        (
            "stack",
            "all else that the CPU does for a packet; the paper's is the time from encryption "
            "to sending, its CPU awake all the while",
        ),
        ("ack", 'what the paper calls "receive"; frame: the receiver while the frame comes in'),
        (
            "saved",
            "of encryption, stack and sending, if a coprocessor encrypts; while it waits it "
            "takes nothing here, as in the paper",
        ),
        ("setting", "times of AES and stack are the paper's, the others measured"),
        (
            "printed",
            "but for its stack, frame and saved: the paper prints none, they follow from its numbers",
        ),
    ]


def number(value: float | None) -> str:
    """With as many digits as the paper's have."""
    if value is None:
        return ""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return (
        f"{value:.{digits}f}".rstrip("0").rstrip(".")
        if digits and abs(value) >= 0.01
        else f"{value:g}"
    )


TABLES: tuple[Column[beside.Figure], ...] = (
    Column("table", lambda row: row.place, True, 0),
    Column("figure", lambda row: row.metric, True, 0),
    Column("unit", lambda row: row.unit, True, 0),
    Column("the paper", lambda row: number(row.printed), rank=0),
    Column("its AES and currents, our packet", lambda row: number(row.again), rank=0),
    Column("our AES, its currents", lambda row: number(row.ours), rank=0),
    Column("our AES, data sheets", lambda row: number(row.sheets), rank=0),
)


def text(rows: Sequence[ZigbeeEnergyRow]) -> str:
    """For documents."""
    tables = to_markdown(list(beside.figures(rows)), TABLES)
    return (
        f"{answer(rows)}\n\n{facts(conditions(rows))}\n{to_markdown(rows, COLUMNS)}\n"
        f"The paper's Tables 1 to 3 beside ours. Our AES is {BEST}; hardware is the coprocessor with "
        f"core fast at 8 MHz and the currents of the paper's FPGA:\n\n{tables}"
    )


EXPERIMENT = Experiment(
    "What energy does an encrypted packet take, and what does a coprocessor save?",
    "picture",
    cases,
    images,
    measure,
    ZigbeeEnergyRow,
    COLUMNS,
    answer,
    gathered=lambda values: list(energy.gathered(values)),
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
