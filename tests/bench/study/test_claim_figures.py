# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the claims on primitives are judged by, by hand from costs that are made up."""

import dataclasses
from typing import Any, TypeVar

import pytest

from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.system.rows import SystemRow
from wardmote.published import load
from wardmote.study.claims import primitives as claims
from wardmote.study.claims.expression import NotMeasuredError
from wardmote.study.claims.primitives import Facts
from wardmote.study.primitives.choice_paper import RecommendationRow
from wardmote.study.primitives.paper import PaperRow

Row = TypeVar("Row")
LENGTHS = (12, 16, 32, 36, 60, 64, 84, 96, 108, 128)


def made(kind: type[Row], **known: Any) -> Row:
    """A row of which only this is known."""
    fields: Any = kind
    return kind(**dict.fromkeys((one.name for one in dataclasses.fields(fields)), 0) | known)


Place = tuple[str, str, str, int, int]


def msp430(label: str, operation: str, octets: int, cycles: int, a: int = 0) -> tuple[Place, Any]:
    """A cost on the MSP430, whose primitives have 30 octets of tables, 200 of context and, by their
    cycles, of stack."""
    row = made(
        PrimitiveRow, cpu="msp430", cycles=cycles, flash_octets=3000 + octets, current_ma=5.02,
        static_ram_octets=30, ram_octets=200, stack_octets=octets, supply_v=3.6,
    )  # fmt: skip
    return ("msp430", label, operation, octets, a), row


def host(label: str, octets: int, instructions: int) -> tuple[Place, Any]:
    """A cost on the host."""
    row = made(Host32Row, cpu="host32", instructions=instructions)
    return ("host32", label, "encrypt", octets, 0), row


AEADS = ("eax curupira2", "ocb3 curupira2", "lettersoup curupira2", "ketje_sr")
COSTS = dict(
    [
        msp430("aes128 tab", "encrypt", 16, 2000),
        msp430("blake2s", "init", 0, 320),
        *(msp430("blake2s", "digest", n, 100 * n) for n in LENGTHS),
        *(msp430("sha3_256", "digest", n, 1000 * n + 400) for n in LENGTHS),
        *(msp430("blake2s", "update", n, 10 * n) for n in LENGTHS),
        *(msp430("blake2s", "final", n, 7 * n + 1000) for n in LENGTHS),
        *(msp430(AEADS[0], "seal", n, 40 * n) for n in LENGTHS),
        *(msp430(AEADS[1], "seal", n, 10 * n + 120) for n in LENGTHS),
        *(msp430(one, "seal", n, 50 * n + k, n) for n in LENGTHS for k, one in enumerate(AEADS)),
        *(msp430(one, "open", 108, 5400 + 54 * k, 108) for k, one in enumerate(AEADS)),
        host("trivium", 16, 1000),
        host("trivium", 128, 1560),
    ]
)
EVENTS = [
    made(SystemRow, operation="blake2s 64", cycles_mean=20_000.0, clock_hz=8_000_000,
         overhead_percent=1.5),
    made(SystemRow, operation="sha3_256 64", cycles_mean=1.0, clock_hz=1, overhead_percent=2.5),
    made(SystemRow, operation="nobody's", cycles_mean=1.0, clock_hz=1, overhead_percent=9.5),
]  # fmt: skip
FACTS = Facts([], COSTS, [], EVENTS)
NOTHING = Facts([], {}, [], [])


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("cost", ("msp430", "blake2s", "digest", 64), 6400),
        ("cost", ("msp430", "blake2s", "init", 64), 320),
        ("cost", ("msp430", "aes128 tab", "encrypt", 48), 6000),
        ("cost", ("msp430", AEADS[1], "seal", 12, 12), 601),
        ("cost", ("host32", "trivium", "encrypt", 16), 1000),
        ("ms", ("blake2s", "digest", 64), 0.8),
        ("slow_ms", ("blake2s", "digest", 64), 6400 / 4194.304),
        ("an_octet", ("trivium",), 5.0),
        ("digest", ("msp430", "sha3_256", 64), 64_400),
        ("digest_x", ("msp430",), [10.25, 10.125, 10.0625, 10 + 400 / 9600, 10.03125]),
        ("code", ("msp430", "blake2s", 64), 640 + 1448),
        ("seals_x", ("msp430", AEADS[0], AEADS[1], 0), [2.0, 3.0, 2400 / 720, 3.5, 3.6]),
        ("seals_x", ("msp430", AEADS[2], AEADS[0], 1),
         [602 / 600, 1802 / 1800, 3002 / 3000, 4202 / 4200, 5402 / 5400]),
        ("opens_x", ("msp430",), [1.0, 5454 / 5401, 5508 / 5402, 5562 / 5403]),
        ("finals_x", ("blake2s",), 1756 / 1084),
        ("flash_octets", ("blake2s",), 3128),
        ("ram_octets", ("blake2s",), 358),
        ("cpu_mw", (), 5.02 * 3.6),
        ("loop_ms", ("blake2s 64",), 2.5),
        ("loop_percent", (), [1.5, 2.5]),
        ("memory_kib", ("flash",), 48.0),
        ("memory_kib", ("ram",), 10.0),
        ("secret_bits", ("trivium",), 80),
        ("iv_bits", ("trivium",), 80),
        ("result_octets", ("blake2s",), 32),
        ("result_octets", ("cmac aes128-tab",), 16),
        ("block_octets", ("curupira2",), 12),
        ("block_octets", ("trivium",), 0),
    ],
)  # fmt: skip
def test_figures(name: str, arguments: tuple[Any, ...], expected: Any) -> None:
    """Each one, and that it is refused where nothing was measured."""
    assert claims.figure.of(FACTS)[name](*arguments) == pytest.approx(expected, rel=1e-9)
    if name.split("_")[-1] not in ("bits", "octets", "kib") or name in (
        "flash_octets",
        "ram_octets",
    ):
        with pytest.raises(NotMeasuredError):
            claims.figure.of(NOTHING)[name](*arguments)


def test_blocks_are_whole() -> None:
    """A block cipher has no cost of a part of a block."""
    with pytest.raises(ValueError, match="40 octets are no blocks of aes128 tab"):
        claims.cost(FACTS, "msp430", "aes128 tab", "encrypt", 40)


def test_operations_that_lack() -> None:
    """Of Table 2's twelve: three of BLAKE2s and two of Ketje are here."""
    assert claims.operations_missing(FACTS) == 12 - 5
    assert claims.operations_missing(NOTHING) == 12


def paper(
    table: int, printed: float, cycles: int, operation: str = "seal", **more: Any
) -> PaperRow:
    """A printed figure and ours."""
    return made(PaperRow, table=table, board="telosb", printed=printed, cycles=cycles,
                operation=operation, **{"ratio_8mhz": printed / cycles} | more)  # fmt: skip


def test_tables() -> None:
    """Ratios of one table; the order within each operation and length, or in all of a table without
    such groups."""
    rows = [
        *(paper(3, printed, cycles) for printed, cycles in ((1.0, 10), (2.0, 30), (3.0, 31))),
        *(paper(4, printed, cycles) for printed, cycles in ((1.0, 10), (2.0, 30), (3.0, 29))),
        paper(5, 1.0, 10, "init"), paper(5, 2.0, 9, "seal"), paper(5, 3.0, 20, "seal"),
        paper(6, 1.0, 10, "init"), paper(6, 2.0, 9, "seal"),
        paper(7, 1.0, 1, ratio_8mhz=None),
    ]  # fmt: skip
    facts = Facts(rows, {}, [], [])
    assert claims.table_x(facts, 3) == [1 / 10, 2 / 30, 3 / 31]
    assert [claims.same_order(facts, table) for table in (3, 4, 5, 6)] == [True, False, True, False]
    for table in (7, 8):
        with pytest.raises(NotMeasuredError):
            claims.table_x(facts, table)
    with pytest.raises(NotMeasuredError):
        claims.same_order(facts, 8)


def test_recommendations() -> None:
    """By number, among what the paper measured or another set; the first way of counting counts."""
    [one, *_] = load("primitives")["recommendation"]
    named = {"board": one["board"], "text": one["text"]}
    rows = [
        made(RecommendationRow, **named, allowed="all", holds=False, ratio=2.0),
        made(RecommendationRow, **named, allowed="paper", holds=True, ratio=0.5),
        made(RecommendationRow, **named, allowed="paper", holds=False, ratio=3.0),
    ]
    facts = Facts([], {}, rows, [])
    assert (claims.recommended(facts, 0), claims.recommended_x(facts, 0)) == (True, 0.5)
    assert (claims.recommended(facts, 0, "all"), claims.recommended_x(facts, 0, "all")) == (
        False,
        2.0,
    )
    with pytest.raises(NotMeasuredError):
        claims.recommended(facts, 1)
