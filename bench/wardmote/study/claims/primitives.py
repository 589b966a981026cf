# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the claims of the paper on primitives are judged by.

A function that @figure registers can be called in an expression of
published/primitives_claims.toml.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.boards import BOARDS
from wardmote.measurements.primitives import host32
from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.printed import BOARD, CLOCKS_HZ, CPU
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.system.lengths import FIGURES
from wardmote.measurements.system.rows import SystemRow
from wardmote.published import load
from wardmote.study.claims.expression import NotMeasuredError
from wardmote.study.claims.judge import ClaimRow, judged
from wardmote.study.claims.register import Figures, first, there
from wardmote.study.primitives.choice_paper import RecommendationRow
from wardmote.study.primitives.paper import PaperRow

PAPER = "primitives"
WORDS: dict[str, Any] = {"telosb": CPU, "edison": host32.CPU}
"""The CPUs that stand for the paper's boards."""
HASHES, MACS = ("blake2s", "sha3_256"), ("marvin curupira2", "hmac sha256")
OPERATIONS: Mapping[str, Mapping[str, str]] = {
    "cipher": {"init": "init", "encryption": "encrypt", "decryption": "decrypt"},
    "hash": {"init": "init", "update": "update", "final": "final"},
    "mac": {"init": "init", "update": "update", "final": "final"},
    "aead": {"init": "init", "encryption": "seal", "decryption": "open"},
}
"""Operations of Table 2 by kind, and ours."""
REPRESENTATIVES = {"cipher": "curupira2", "hash": HASHES[0], "mac": MACS[0], "aead": "ketje_sr"}
Row = PrimitiveRow | Host32Row


@dataclass(frozen=True)
class Facts:
    """All that is known of primitives."""

    papers: Sequence[PaperRow]
    """Printed figures with ours beside."""
    costs: Mapping[tuple[str, str, str, int, int], Row]
    """Rows by CPU, label, operation, octets of message and of associated data."""
    recommendations: Sequence[RecommendationRow]
    events: Sequence[SystemRow]
    """Operations by length under an event loop."""


figure = Figures()


def primitive_claims(
    papers: Sequence[PaperRow],
    rows: Iterable[Row],
    recommendations: Sequence[RecommendationRow],
    events: Sequence[SystemRow],
) -> list[ClaimRow]:
    """Every claim of the paper with our verdict."""
    costs = {
        (
            row.cpu,
            f"{row.primitive} {row.variant}".strip(),
            row.operation,
            row.octets,
            row.a_octets,
        ): row
        for row in rows
    }
    facts = Facts(papers, costs, recommendations, events)
    return judged(PAPER, figure.of(facts), WORDS)


def entry_of(label: str) -> Primitive:
    """The entry of the table of primitives."""
    return next(one for one in PRIMITIVES if one.label == label)


@figure
def cost(
    facts: Facts, cpu: str, label: str, operation: str, octets: int = 0, a_octets: int = 0
) -> int:
    """Cycles of the MSP430, or instructions of the 32-bit host. A block cipher takes its blocks one
    by one."""
    fixed = entry_of(label).fixed
    if fixed is not None and octets % fixed:
        raise ValueError(f"{octets} octets are no blocks of {label}")
    wanted = (0, octets) if fixed is None else (0, fixed)
    for length in wanted:
        row = facts.costs.get((cpu, label, operation, length, a_octets))
        if row is not None:
            own = row.cycles if isinstance(row, PrimitiveRow) else row.instructions
            return own * (octets // fixed if fixed and octets else 1)
    raise NotMeasuredError


@figure
def ms(facts: Facts, label: str, operation: str, octets: int = 0, a_octets: int = 0) -> float:
    """Time on the MSP430 at 8 MHz."""
    return 1000 * cost(facts, CPU, label, operation, octets, a_octets) / CLOCKS_HZ[0]


@figure
def slow_ms(facts: Facts, label: str, operation: str, octets: int = 0) -> float:
    """Time on the MSP430 at 4.19 MHz."""
    return 1000 * cost(facts, CPU, label, operation, octets) / CLOCKS_HZ[1]


@figure
def an_octet(facts: Facts, label: str) -> float:
    """Instructions that each further octet takes the 32-bit host, from 16 to 128 octets."""
    short, long = (cost(facts, host32.CPU, label, "encrypt", octets) for octets in (16, 128))
    return (long - short) / (128 - 16)


@figure
def digest(facts: Facts, cpu: str, label: str, octets: int) -> int:
    """A whole hash: init, update and final."""
    return cost(facts, cpu, label, "digest", octets)


@figure
def digest_x(facts: Facts, cpu: str) -> list[float]:
    """Keccak's whole hash over BLAKE2's at each length of the paper."""
    return [
        digest(facts, cpu, "sha3_256", octets) / digest(facts, cpu, "blake2s", octets)
        for octets in (16, 32, 64, 96, 128)
    ]


@figure
def code(facts: Facts, cpu: str, label: str, octets: int) -> int:
    """A whole authentication code under a key that is set up: update and final."""
    return cost(facts, cpu, label, "update", octets) + cost(facts, cpu, label, "final", octets)


@figure
def seals_x(facts: Facts, cpu: str, one: str, other: str, associated: int) -> list[float]:
    """The ratio of the encryption of two schemes at each length of the paper, with as much
    associated data as message, or none."""
    return [
        cost(facts, cpu, one, "seal", octets, octets * associated)
        / cost(facts, cpu, other, "seal", octets, octets * associated)
        for octets in (12, 36, 60, 84, 108)
    ]


@figure
def opens_x(facts: Facts, cpu: str) -> list[float]:
    """The ratio of decryption to encryption for the paper's four schemes, with as much associated
    data as message."""
    found = []
    for label in ("eax curupira2", "ocb3 curupira2", "lettersoup curupira2", "ketje_sr"):
        opened, sealed = (cost(facts, cpu, label, name, 108, 108) for name in ("open", "seal"))
        found.append(opened / sealed)
    return found


@figure
def finals_x(facts: Facts, label: str) -> float:
    """The ratio of the longest final to the shortest, among the lengths of the paper."""
    found = [cost(facts, CPU, label, "final", octets) for octets in (12, 36, 60, 84, 108)]
    return max(found) / min(found)


@figure
def table_x(facts: Facts, table: int) -> list[float]:
    """The printed figures of a table over ours."""
    found = [row.ratio_8mhz for row in facts.papers if row.table == table]
    if not found or None in found:
        raise NotMeasuredError
    return [one for one in found if one is not None]


@figure
def same_order(facts: Facts, table: int) -> bool:
    """Whether our figures have the order of a table, at each operation and length. If no two
    figures of a table share operation and length, compares the whole table."""
    own = [row for row in facts.papers if row.table == table]
    groups: dict[tuple[str, int], list[PaperRow]] = {}
    for row in own:
        groups.setdefault((row.operation, row.octets), []).append(row)
    several = [rows for rows in groups.values() if len(rows) > 1] or [own]
    return all(_same_order(rows) for rows in several)


def _same_order(rows: Sequence[PaperRow]) -> bool:
    ours = [row.cycles if row.board == BOARD else row.instructions for row in rows]
    if not rows or None in ours:
        raise NotMeasuredError
    places = range(len(rows))
    return sorted(places, key=lambda n: rows[n].printed) == sorted(
        places, key=lambda n: ours[n] or 0
    )


@figure
def recommended(facts: Facts, number: int, allowed: str = "paper") -> bool:
    """Whether a recommendation holds by the paper's own counting: the first way of counting for its
    kind, among the primitives that the paper measured."""
    return _recommendation(facts, number, allowed).holds


@figure
def recommended_x(facts: Facts, number: int, allowed: str = "paper") -> float:
    """Cost of the recommended primitive divided by that of the best other one, where this ratio is
    worst."""
    return _recommendation(facts, number, allowed).ratio


def _recommendation(facts: Facts, number: int, allowed: str) -> RecommendationRow:
    one = load("primitives")["recommendation"][number]
    return first(
        row
        for row in facts.recommendations
        if (row.board, row.text, row.allowed) == (one["board"], one["text"], allowed)
    )


@figure
def secret_bits(facts: Facts, label: str) -> int:
    """Length of the key."""
    return 8 * entry_of(label).values["key"].octets


@figure
def iv_bits(facts: Facts, label: str) -> int:
    """Length of the initial value."""
    return 8 * entry_of(label).values["iv"].octets


@figure
def result_octets(facts: Facts, label: str) -> int:
    """Length of a digest or a tag."""
    values = entry_of(label).values
    return values["digest" if "digest" in values else "tag"].octets


@figure
def block_octets(facts: Facts, label: str) -> int:
    """Length of a block."""
    return entry_of(label).fixed or 0


def _of_the_msp430(facts: Facts, label: str) -> list[PrimitiveRow]:
    """All rows of a primitive on the MSP430."""
    return there(
        [
            row
            for place, row in facts.costs.items()
            if place[:2] == (CPU, label) and isinstance(row, PrimitiveRow)
        ]
    )


@figure
def flash_octets(facts: Facts, label: str) -> int:
    """Flash of a primitive on the MSP430, with all that it calls."""
    return max(row.flash_octets for row in _of_the_msp430(facts, label))


@figure
def ram_octets(facts: Facts, label: str) -> int:
    """RAM of a primitive on the MSP430: tables, keys, contexts and stack."""
    return max(
        row.static_ram_octets + row.ram_octets + row.stack_octets
        for row in _of_the_msp430(facts, label)
    )


@figure
def operations_missing(facts: Facts) -> int:
    """Number of operations of Table 2 that have no row of ours."""
    return sum(
        not any(place[1] == REPRESENTATIVES[kind] and place[2] == ours for place in facts.costs)
        for kind, names in OPERATIONS.items()
        for ours in names.values()
    )


@figure
def memory_kib(facts: Facts, which: str) -> float:
    """Flash or RAM of a TelosB."""
    return float(getattr(BOARDS[BOARD], f"{which}_octets")) / 1024


@figure
def cpu_mw(facts: Facts) -> float:
    """Power of the running CPU at 8 MHz, at the voltage of the rows."""
    ours = (one for one in facts.costs.values() if isinstance(one, PrimitiveRow))
    row = first(one for one in ours if one.cpu == CPU)
    return row.current_ma * row.supply_v


@figure
def loop_percent(facts: Facts, number: int = 0) -> list[float]:
    """The mean cost that an event loop with tick and radio adds to the operations of one figure, or
    of all."""
    names = {
        one.name
        for figure_number, curves in FIGURES.items()
        if number in (0, figure_number)
        for own in curves.values()
        for one in own
    }
    return there([row.overhead_percent for row in facts.events if row.operation in names])


@figure
def loop_ms(facts: Facts, operation: str) -> float:
    """Mean time of an operation under the event loop at 8 MHz."""
    row = first(one for one in facts.events if one.operation == operation)
    return 1000 * row.cycles_mean / row.clock_hz
