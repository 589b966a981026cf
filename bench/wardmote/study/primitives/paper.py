# SPDX-License-Identifier: BSD-3-Clause
"""Compares every figure of the paper's Tables 3 to 25 with ours: time and energy on a TelosB, time on
a 32-bit computer.

The field `published` of an entry names its printed figures. This file names only the entries that
have no such figure.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.measurements.function.board import BoardAtClock
from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.printed import BOARD, CLOCKS_HZ, CPU, SOURCE
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.published import load
from wardmote.study.primitives.paper_why import Totals, reason

LEAST_RATIOS = (2.0, 1.0)
"""Least ratios of printed time to ours: at 8 MHz ours takes half the time, at 4.19 MHz no more."""
CIPHERS = {
    "aes": ("aes128", "tab"),
    "curupira2": ("curupira2", ""),
    "trivium": ("trivium", ""),
    "grain": ("grain_v1", ""),
}
"""Ciphers in the tables of initialisation, which only the Edison has."""
LAST_LIMITED = 13
ONE_FUNCTION = {("ctr", "decrypt"): "encrypt"}
"""Operations that are the same function as another."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed figure."""

    table: int
    about: str
    board: str
    section: str
    name: str
    """The paper's name for it, as published/ spells it."""
    operation: str
    octets: int
    """0 if the paper names no length, or says that it does not matter."""
    associated: bool
    unit: str
    value: float
    error: float
    """The printed plus-minus."""
    repeats: int
    """Number of operations that the figure covers: 1, or the paper's N for joules of the Edison."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One printed figure and ours. One variant stands for a name in all tables."""

    table: int
    about: str
    board: str
    name: str
    primitive: str
    variant: str
    operation: str
    octets: int
    a_octets: int
    unit: str
    printed: float
    printed_error: float
    printed_repeats: int
    cycles: int | None
    """On the MSP430."""
    ours_8mhz: float | None
    ours_4_19mhz: float | None
    ratio_8mhz: float | None
    """The printed figure over ours; above 1, ours is less."""
    ratio_4_19mhz: float | None
    met: bool | None
    """Ours keeps both LEAST_RATIOS; None where there is no limit."""
    instructions: int | None
    """On the 32-bit host."""
    ours_us: float | None
    """Median time on this machine."""
    ours_us_low: float | None
    ours_us_high: float | None
    printed_relative: float | None
    """The figure over the first one of its table: such ratios compare two machines."""
    instructions_relative: float | None
    time_relative: float | None
    printed_uj: float | None
    """Energy of one operation, where the paper gives joules of N operations."""
    why: str
    """Why a limit is not met, why there is no comparison, or how to read a ratio."""
    source: str = SOURCE


def printed_figures() -> list[Printed]:
    """Every figure of the tables, in their order."""
    return [figure for table in load("primitives")["table"] for figure in _table_figures(table)]


def _table_figures(table: Mapping[str, Any]) -> Iterator[Printed]:
    published = load("primitives")
    section = published[table["board"]][table["section"]]
    errors = published["error"][table["board"]][table["section"]]
    unit = table["section"].rpartition("_")[2]
    repeats = published["repeats"]["edison_energy"][table["repeats"]] if "repeats" in table else 1
    for name, values in section.items():
        if name == "D":
            continue
        for operation, octets, value, error in _values(table, section, name, values, errors[name]):
            yield Printed(
                table["number"],
                table["about"],
                table["board"],
                table["section"],
                name,
                operation,
                octets,
                table.get("associated", False),
                unit,
                value,
                error,
                repeats,
            )


def _values(
    table: Mapping[str, Any], section: Mapping[str, Any], name: str, values: Any, errors: Any
) -> Iterable[tuple[str, int, float, float]]:
    """Operation, length, figure and error of one name. It has one figure, or one for each length or
    operation."""
    operation = table["operation"]
    given = table.get("D", 0)
    length = given[name] if isinstance(given, Mapping) else given
    if isinstance(values, list):
        return [(operation, d, v, e) for d, v, e in zip(section["D"], values, errors, strict=True)]
    if not isinstance(values, Mapping):
        return [(operation, length, float(values), float(errors))]
    if "D" in values:
        return [
            (operation, d, v, e)
            for d, v, e in zip(values["D"], values["ms"], errors["ms"], strict=True)
        ]
    return [
        (one, length if one != "init" else 0, value, errors[one]) for one, value in values.items()
    ]


def entries_of(figure: Printed, primitives: Sequence[Primitive] = PRIMITIVES) -> list[Primitive]:
    """Our entries for a printed name, in all variants."""
    if figure.name in CIPHERS and figure.section.startswith("cipher_init"):
        return [one for one in primitives if (one.name, one.variant) == CIPHERS[figure.name]]
    kind = figure.section.split("_")[0]
    return [
        one
        for one in primitives
        if any(
            place.startswith(f"{kind}_") and figure.name in place.split(".")[1:]
            for place in one.published.values()
        )
    ]


def entries() -> tuple[Primitive, ...]:
    """All entries that the printed tables name."""
    labels = {one.label for figure in printed_figures() for one in entries_of(figure)}
    return tuple(one for one in PRIMITIVES if one.label in labels)


def compared(rows: Sequence[PrimitiveRow], hosts: Sequence[Host32Row]) -> list[PaperRow]:
    """All printed figures with ours, or with the reason why there is none."""
    totals, variants = Totals(rows), variants_of(rows)
    found = [
        _on_telosb(figure, rows, totals, variants[figure.name])
        if figure.board == BOARD
        else _on_host(figure, hosts)
        for figure in printed_figures()
    ]
    return _related(found)


def variants_of(rows: Sequence[PrimitiveRow]) -> dict[str, str | None]:
    """The variant that stands for each printed name on the MSP430: the one with the smallest sum
    over all operations, among the variants that have them all."""
    costs: dict[str, list[dict[str, int]]] = {}
    for figure in printed_figures():
        if figure.board == BOARD:
            ours = [one for one in matching(figure, rows) if isinstance(one, PrimitiveRow)]
            found = {one.variant: one.cycles for one in ours if one.cpu == CPU}
            costs.setdefault(figure.name, []).append(found)
    chosen: dict[str, str | None] = {}
    for name, own in costs.items():
        everywhere = set(own[0]).intersection(*own)
        totals = {one: sum(cycles[one] for cycles in own) for one in sorted(everywhere)}
        chosen[name] = min(totals, key=lambda one: totals[one], default=None)
    return chosen


def printed_currents_ma() -> dict[str, float]:
    """Mean current of the paper's TelosB while each hash runs: printed energy over printed time and
    supply voltage."""
    supply_v = float(load("primitives")["setup"]["telosb_supply_v"])
    found = {}
    for name in dict.fromkeys(one.name for one in printed_figures() if one.table == 5):
        ms, uj = (
            sum(one.value for one in printed_figures() if (one.table, one.name) == (number, name))
            for number in (5, 6)
        )
        found[name] = round(uj / ms / supply_v, 3)
    return found


def datasheet_currents_ma() -> dict[tuple[float, float], float]:
    """Current of the CPU alone, by clock in MHz and the supply that it needs."""
    boards = [BoardAtClock(BOARD, CPU, clock) for clock in CLOCKS_HZ]
    return {(round(one.clock_hz / 1e6, 2), one.supply_v): one.current_ma for one in boards}


def matching(
    figure: Printed, rows: Sequence[PrimitiveRow] | Sequence[Host32Row]
) -> list[PrimitiveRow | Host32Row]:
    """Our rows for a printed figure."""
    labels = {(one.name, one.variant) for one in entries_of(figure)}
    wanted = figure.octets if figure.associated else 0
    return [
        row
        for row in rows
        if (row.primitive, row.variant) in labels
        and row.operation == ONE_FUNCTION.get((row.primitive, figure.operation), figure.operation)
        and row.octets in (0, figure.octets)
        and row.a_octets == wanted
    ]


def _on_telosb(
    figure: Printed, rows: Sequence[PrimitiveRow], totals: Totals, variant: str | None
) -> PaperRow:
    ours = [
        row
        for row in matching(figure, rows)
        if isinstance(row, PrimitiveRow) and row.cpu == CPU and variant in (None, row.variant)
    ]
    best = min(ours, key=lambda row: row.cycles, default=None)
    if best is None:
        return _row(figure, None)
    in_unit = [_in_unit(figure.unit, best.cycles, clock) for clock in CLOCKS_HZ]
    ratios = [round(figure.value / one, 3) for one in in_unit]
    limited = figure.unit == "ms" and figure.table <= LAST_LIMITED
    met = (
        all(ratio >= least for ratio, least in zip(ratios, LEAST_RATIOS, strict=True))
        if limited
        else None
    )
    return _row(
        figure,
        best,
        cycles=best.cycles,
        ours_8mhz=in_unit[0],
        ours_4_19mhz=in_unit[1],
        ratio_8mhz=ratios[0],
        ratio_4_19mhz=ratios[1],
        met=met,
        why=reason(figure.table, figure.name, totals, met=met),
    )


def _in_unit(unit: str, cycles: int, clock_hz: int) -> float:
    """Cycles as milliseconds, or as microjoules of the CPU alone."""
    board = BoardAtClock(BOARD, CPU, clock_hz)
    return board.energy_uj(cycles) if unit == "uj" else board.time_us(cycles) / 1000


def _on_host(figure: Printed, hosts: Sequence[Host32Row]) -> PaperRow:
    ours = [row for row in matching(figure, hosts) if isinstance(row, Host32Row)]
    best = min(ours, key=lambda row: row.instructions, default=None)
    if best is None:
        return _row(figure, None)
    if figure.unit == "j":
        uj = round(figure.value / figure.repeats * 1_000_000, 3)
        no_power = "The power of this machine is not known, so there is no energy to compare."
        return _row(figure, best, instructions=best.instructions, printed_uj=uj, why=no_power)
    times = {
        "ours_us": best.time_us,
        "ours_us_low": best.time_us_low,
        "ours_us_high": best.time_us_high,
    }
    return _row(figure, best, instructions=best.instructions, **times)


def _row(figure: Printed, best: PrimitiveRow | Host32Row | None, **ours: Any) -> PaperRow:
    fields: dict[str, Any] = dict.fromkeys(
        (
            *("cycles", "ours_8mhz", "ours_4_19mhz", "ratio_8mhz", "ratio_4_19mhz", "met"),
            *("instructions", "ours_us", "ours_us_low", "ours_us_high", "printed_uj"),
            *("printed_relative", "instructions_relative", "time_relative"),
        )
    )
    fields |= {
        "why": ""
        if best
        else "There is no such entry in the table of primitives, or it was not measured."
    }
    return PaperRow(
        table=figure.table,
        about=figure.about,
        board=figure.board,
        name=figure.name,
        primitive=best.primitive if best else "",
        variant=best.variant if best else "",
        operation=figure.operation,
        octets=figure.octets,
        a_octets=figure.octets if figure.associated else 0,
        unit=figure.unit,
        printed=figure.value,
        printed_error=figure.error,
        printed_repeats=figure.repeats,
        **fields | ours,
    )


def _related(rows: Sequence[PaperRow]) -> list[PaperRow]:
    """Adds to figures of the Edison their ratio to the first of their table."""
    first: dict[int, PaperRow] = {}
    related = []
    for row in rows:
        base = first.setdefault(row.table, row)
        if row.board == BOARD:
            related.append(row)
            continue
        related.append(
            dataclasses.replace(
                row,
                printed_relative=_over(row.printed, base.printed),
                instructions_relative=_over(row.instructions, base.instructions),
                time_relative=_over(row.ours_us, base.ours_us),
            )
        )
    return related


def _over(one: float | None, base: float | None) -> float | None:
    return None if one is None or not base else round(one / base, 3)
