# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec footprint`: the paper's Table I beside what linked programs take."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.experiments.each_board import of_board
from wardmote.experiments.ipsec.footprint import IpsecFootprintRow, measure
from wardmote.views.columns import Fields
from wardmote.views.table import Column, markdown
from wardmote.views.text import by

_of = Fields(IpsecFootprintRow)
COLUMNS: tuple[Column[IpsecFootprintRow], ...] = (
    *_of.words("board", "form", "suite", rank=0),
    _of.number("SAs", "associations", rank=2),
    *_of.numbers("flash octets", "state octets", "shared state octets", rank=0),
    _of.number("stack octets", rank=0),
    _of.number("base flash octets", rank=3),
    _of.number("IPsec octets", "ipsec_octets", rank=3),
    *_of.numbers(
        *("counters octets", "modes octets", "ciphers octets"),
        *("hashes octets", "rest octets"),
        rank=3,
    ),
    _of.number("paper flash kB", "paper_flash_kb", digits=1, rank=1),
    _of.number("paper RAM kB", "paper_ram_kb", digits=1, rank=1),
)
WANTED = "AH XCBC, ESP CTR+XCBC"


def answer(rows: Sequence[IpsecFootprintRow]) -> str:
    """AH and ESP in one image, in both forms."""
    found = [row for row in rows if (row.board, row.suite) == (rows[0].board, WANTED)]
    parts = " and ".join(
        f"{row.flash_octets} octets of flash in the {row.form} form, {row.shared_state_octets} to "
        f"{row.state_octets} of state"
        for row in found
    )
    return f"On {BOARDS[rows[0].board].title}, AH XCBC and ESP CTR+XCBC together add {parts}."


def text(rows: Sequence[IpsecFootprintRow]) -> str:
    """For documents: a table for each board, and what flash is made of."""
    tables = *map(_table, by(rows, lambda row: row.board).values()), _made_of(rows)
    return "\n".join((f"{answer(rows)}\n", *tables))


def _made_of(rows: Sequence[IpsecFootprintRow]) -> str:
    """AH and ESP in one image."""
    head = (WANTED, "flash", "IPsec", "counters", "modes", "AES", "rest")
    body = [
        (
            f"{BOARDS[row.board].title}, {row.form}",
            *(row.flash_octets, row.ipsec_octets, row.counters_octets),
            *(row.modes_octets, row.ciphers_octets, row.rest_octets),
        )
        for row in rows
        if row.suite == WANTED
    ]
    return markdown(head, body, True)


def _table(rows: Sequence[IpsecFootprintRow]) -> str:
    body = []
    for suite, both in by(rows, lambda row: row.suite).items():
        fast, small = both
        cells = [
            (row.flash_octets, row.state_octets, row.shared_state_octets, row.stack_octets)
            for row in (fast, small)
        ]
        paper = fast.paper_flash_kb or "", fast.paper_ram_kb or ""
        body.append((suite, *cells[0], *cells[1], *paper))
    names = ("flash", "state", "shared", "stack")
    head = (
        BOARDS[rows[0].board].title,
        *(f"{name}, {form}" for form in ("fast", "small") for name in names),
        *("paper ROM kB", "paper RAM kB"),
    )
    return markdown(head, body, True)


def conditions(rows: Sequence[IpsecFootprintRow]) -> list[tuple[str, str]]:
    """What is in the programs."""
    bases = ", ".join(
        f"{form} {row.base_flash_octets}"
        for form, [row, *_] in by(rows, lambda row: row.form).items()
    )
    return [
        (
            "without IPsec",
            f"6LoWPAN with compressed AH and ESP, fragments: {bases} octets of flash",
        ),
        (
            "with it",
            "start, secure, unsecure, the suite's algorithms with AES, making keys, counters that "
            "outlive a reset",
        ),
        ("counters", "a store in flash in the fast form, two cells for each SA in the small one"),
        ("in both or in neither", "the driver of the medium that counters are in"),
        (
            "state",
            "a SA in each direction; policies are in flash; without the driver of the counters",
        ),
        ("shared", "one key for each algorithm; SPIs and salts differ"),
    ]


EXPERIMENT = of_board(
    "slot",
    "How much flash and RAM does IPsec take?",
    measure,
    IpsecFootprintRow,
    COLUMNS,
    answer,
    conditions=conditions,
    text=text,
)
