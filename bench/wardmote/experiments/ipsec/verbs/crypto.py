# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec crypto`: what IPsec takes of the CPU, suite by suite and length by length."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.each_board import of_board
from wardmote.experiments.ipsec.chart import by_length
from wardmote.experiments.ipsec.crypto import LENGTHS, PAPER_CLOCKS_HZ, CryptoRow, measure
from wardmote.experiments.ipsec.suites import SUITES
from wardmote.views.columns import Fields
from wardmote.views.table import Column, markdown

_of = Fields(CryptoRow)
COLUMNS: tuple[Column[CryptoRow], ...] = (
    _of.word("board", rank=0),
    _of.word("form", rank=0),
    _of.word("suite", rank=0),
    _of.word("service", rank=3),
    _of.number("data", "data_octets", rank=0),
    _of.number("packet", "packet_octets", rank=2),
    *_of.numbers("out cycles", "in cycles", rank=0),
    *_of.numbers("out ms", "in ms", digits=2, rank=2),
    _of.number("both ms", digits=2, rank=0),
    _of.number("slow both ms", digits=2, rank=1),
    _of.number("clock Hz", "clock_hz", rank=3),
)
COMPARED = ("AH XCBC", "ESP CTR+XCBC")
CLAIMED = (
    ("AH XCBC", "ESP NULL+XCBC"),
    ("AH XCBC", "ESP CTR+XCBC"),
    ("AH XCBC", "ESP CBC+XCBC"),
    ("AH SHA1", "ESP CBC+SHA1"),
)
"""AH, and ESP with the same code."""
FAST, SMALL, TELOSB = "fast", "small", "telosb"
DRAWN = ("AH SHA1", "AH XCBC", "ESP CBC", "ESP CTR", "ESP NULL+SHA1", "ESP NULL+XCBC")
"""What Fig. 7 has: each algorithm alone; a code over ESP has ESP without encryption."""


def one(
    rows: Sequence[CryptoRow], suite: str, data: int, form: str = FAST, board: str = ""
) -> CryptoRow:
    """A row, of the first board unless one is named."""
    wanted = (board or rows[0].board, form, suite, data)
    return next(row for row in rows if (row.board, row.form, row.suite, row.data_octets) == wanted)


def clock(board: str) -> str:
    """Its clock as text."""
    return f"{BOARDS[board].clock_hz / 1e6:g} MHz"


def answer(rows: Sequence[CryptoRow]) -> str:
    """The longest datagram under the two suites that the paper compares, and its claim."""
    most, board = LENGTHS[-1], rows[0].board
    both = [
        " and ".join(f"{name} {one(rows, name, data).both_ms:.1f} ms" for name in COMPARED)
        for data in (most, LENGTHS[0])
    ]
    return (
        f"{most} octets, request and answer, take of the CPU of {BOARDS[board].title} at "
        f"{clock(board)}: {both[0]}. {LENGTHS[0]} octets take: {both[1]}."
    )


def text(rows: Sequence[CryptoRow]) -> str:
    """For documents: times at each clock, cycles of the longest, and the claim."""
    chart = "![Time of each suite by length](ipsec-crypto.svg)"
    boards = dict.fromkeys(row.board for row in rows)
    tables = [_times(rows, board, form) for board in boards for form in (FAST, SMALL)]
    return "\n".join((f"{answer(rows)}\n", f"{chart}\n", *tables, _slow(rows), _claim(rows)))


def _times(rows: Sequence[CryptoRow], board: str, form: str) -> str:
    body = [
        (suite, *(f"{one(rows, suite, n, form, board).both_ms:.2f}" for n in LENGTHS))
        for suite in SUITES
    ]
    head = f"{BOARDS[board].title}, {clock(board)}, {form}: ms"
    return markdown((head, *(f"{n} octets" for n in LENGTHS)), body, True)


def _slow(rows: Sequence[CryptoRow]) -> str:
    """At the paper's clock, for the board that it had."""
    body = []
    for suite in SUITES:
        found = [one(rows, suite, n, FAST, TELOSB).slow_both_ms for n in LENGTHS]
        body.append((suite, *(f"{ms:.2f}" for ms in found if ms is not None)))
    head = f"{BOARDS[TELOSB].title}, {PAPER_CLOCKS_HZ[TELOSB] / 1e6:g} MHz, fast: ms"
    return markdown((head, *(f"{n} octets" for n in LENGTHS)), body, True)


def _claim(rows: Sequence[CryptoRow]) -> str:
    """That ESP is faster for small datagrams and AH for large ones."""
    body = []
    for ah, esp in CLAIMED:
        pairs = ((one(rows, name, n).both_ms for name in (ah, esp)) for n in LENGTHS)
        body.append((f"{ah} / {esp}", *(f"{x:.1f} / {y:.1f}" for x, y in pairs)))
    return markdown(("ms of AH / of ESP", *(f"{n} octets" for n in LENGTHS)), body, True)


def conditions(_: Sequence[CryptoRow]) -> list[tuple[str, str]]:
    """What is counted."""
    counted = "wm_ipsec_secure and wm_ipsec_unsecure of the second packet of a SA, AES in software"
    left = "radio, 6LoWPAN, and what the counter store writes now and then"
    return [("counted", counted), ("not counted", left)]


def figure(rows: Sequence[CryptoRow]) -> str:
    """SVG: the first board's time by length, of each algorithm of Fig. 7."""
    lines = {suite: [one(rows, suite, n).both_ms for n in LENGTHS] for suite in DRAWN}
    board = rows[0].board
    return by_length(LENGTHS, lines, f"ms in and out, {BOARDS[board].title}, {clock(board)}")


EXPERIMENT = of_board(
    "slot",
    "What does IPsec cost the CPU?",
    measure,
    CryptoRow,
    COLUMNS,
    answer,
    figure=figure,
    conditions=conditions,
    text=text,
)
