# SPDX-License-Identifier: BSD-3-Clause
"""Primitives in words and by columns, and the document that shows them."""

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import Missing, PrimitiveRow, Result
from wardmote.views.columns import Fields
from wardmote.views.document import Blocks
from wardmote.views.show import show as show_rows
from wardmote.views.table import Column, band, to_markdown
from wardmote.views.templates import conditions_of
from wardmote.views.text import bullets, by, label

KIND = "primitives"
"""Kind of the blocks in documents."""
HEADLINE_OCTETS = 64
"""The length of message of the headline, or the longest below it."""
MAIN = (("seal",), ("digest",), ("update", "final"), ("encrypt",), ("crypt",))
"""The main operation, by what a primitive has."""
PIECES = ("init", "update", "final")


def verdict(row: PrimitiveRow) -> str:
    """What secrets change, in words; where no run showed it, what depends on them."""
    found = [
        word
        for word, holds in (
            ("cycles", row.constant_cycles),
            ("path", row.no_secret_branch),
            ("addresses", row.no_secret_address is not False),
            ("addresses not compared", row.no_secret_address is not None),
        )
        if not holds
    ]
    hidden = "" if row.dependence is None else f"perhaps: {row.dependence}"
    return ", ".join(found) or hidden or "nothing"


Row = TypeVar("Row")
_of, _host32 = Fields(PrimitiveRow), Fields(Host32Row)


def _head(of: Fields[Row]) -> tuple[Column[Row], ...]:
    """What is called, and with how much."""
    return (
        *of.words("cpu", "primitive", "variant", "operation", rank=0),
        of.number("octets", rank=0),
        of.number("a octets"),
    )


COLUMNS: tuple[Column[PrimitiveRow], ...] = (
    *_head(_of),
    _of.band("cycles", rank=0),
    _of.band("time µs", "time_us", 1, rank=2),
    _of.band("energy µJ", "energy_uj", 2, rank=3),
    _of.number("flash octets", rank=2),
    Column("RAM octets", lambda row: str(row.ram_octets + row.static_ram_octets), rank=4),
    _of.number("stack octets", rank=4),
    Column("secrets change", verdict, text=True, rank=5),
    _of.number("paper ms", "published_ms", 2, rank=5),
    _of.number("x at 8 MHz", "published_ratio_8mhz", 2, rank=5),
    _of.number("x at 4.19 MHz", "published_ratio_4_19mhz", 2, rank=5),
)
HOST32_COLUMNS: tuple[Column[Host32Row], ...] = (
    *_head(_host32),
    _host32.number("instructions", rank=0),
    _host32.number("time µs", "time_us", 3, rank=0),
    _host32.number("from µs", "time_us_low", 3, rank=3),
    _host32.number("to µs", "time_us_high", 3, rank=3),
    *_host32.numbers("RAM octets", "stack octets", rank=2),
    Column(
        "secrets change",
        lambda row: "no path" if row.no_secret_branch else "path",
        text=True,
        rank=4,
    ),
)


def show(result: Result, form: str, names: str = "") -> None:
    """Prints all rows, of emulated CPUs and of this machine."""
    kinds: tuple[tuple[Sequence[Any], Sequence[Column[Any]]], ...] = (
        (result.rows, COLUMNS),
        (result.host32_rows, HOST32_COLUMNS),
    )
    tables, said = [one for one in kinds if one[0]], answer(result)
    show_rows(tables, form, conditions=conditions(result), answer=said, names=names)


def lengths(primitive: Primitive) -> str:
    """Which messages a primitive takes."""
    if primitive.granule > 1:
        return f"multiples of {primitive.granule} octets"
    return f"{primitive.least} octets at least" if primitive.least else "any length"


def missing(lack: Missing) -> str:
    """What an executable does not hold."""
    return f"{lack.primitive} on {lack.cpu}: {lack.library} has no {', '.join(lack.symbols)}"


def conditions(result: Result) -> list[tuple[str, str]]:
    """What the figures depend on."""
    cpus = [own[0] for own in by(result.rows, lambda row: row.cpu).values()]
    return conditions_of("primitives", cpus=cpus, host=next(iter(result.host32_rows), None))


def fastest(rows: Sequence[PrimitiveRow]) -> list[PrimitiveRow]:
    """Of each operation that the paper printed, and each length, the variant that takes least."""
    printed = [row for row in rows if row.published_ms is not None]
    places = by(printed, lambda row: (row.primitive, row.operation, row.octets, row.a_octets))
    return [min(own, key=lambda row: row.cycles) for own in places.values()]


def slower(rows: Sequence[PrimitiveRow]) -> list[PrimitiveRow]:
    """Operations that in their fastest variant do not take half the printed time at 8 MHz, or take
    more than it at 4.19 MHz."""
    return [
        row
        for row in fastest(rows)
        if (row.published_ratio_8mhz or 0) < 2 or (row.published_ratio_4_19mhz or 0) < 1
    ]


def grouped(rows: Sequence[PrimitiveRow]) -> list[str]:
    """Operations in words, those that differ in length alone in one."""
    groups = by(rows, lambda row: (label(row), row.operation, row.a_octets > 0))
    said = []
    for (name, operation, with_a), own in groups.items():
        lengths = ", ".join(str(row.octets) for row in own)
        of = f" of {lengths} octets" if any(row.octets for row in own) else ""
        said.append(f"{name} {operation}{' with associated data' if with_a else ''}{of}")
    return said


def answer(result: Result) -> str:
    """How much was measured, what secrets show in, and how it stands with the paper."""
    rows, hosts = result.rows, len(result.host32_rows)
    done = f"{result.measured} cases measured, {result.reused} from an earlier run."
    if not rows:
        return f"{hosts} rows; {done}"
    clean = sum(row.constant_time for row in rows)
    timed = [row for row in rows if not row.constant_cycles or not row.no_secret_branch]
    whose = f"the {len(rows)} of emulated CPUs" if hosts else "them"
    lines = [
        f"{len(rows) + hosts} rows; {done}",
        f"Secrets change nothing in {clean} of {whose}, addresses alone in "
        f"{len(rows) - clean - len(timed)}, cycles or path in "
        f"{len(timed)}{': ' if timed else ''}{'; '.join(grouped(timed))}.",
    ]
    compared = fastest(rows)
    if compared:
        late = slower(compared)
        lines.append(
            f"Of {len(compared)} operations that the paper printed for a TelosB, "
            f"{len(compared) - len(late)} take, in their fastest variant, at most half its time at "
            "8 MHz and at most its time at 4.19 MHz"
            f"{'; these do not: ' if late else ''}{'; '.join(grouped(late))}."
        )
    return "\n".join(lines)


Headline = tuple[str, str, int, dict[str, str]]
"""Primitive, operation, octets of message, and the figure of each CPU."""


def headline(rows: Sequence[PrimitiveRow]) -> str:
    """A table of one row for each primitive: its main operation, in the fastest variant of each
    CPU."""
    columns: list[Column[Headline]] = [
        Column("primitive", lambda line: line[0], text=True),
        Column("operation", lambda line: line[1], text=True),
        Column("octets", lambda line: str(line[2])),
        *(
            Column(f"{cpu} cycles", partial(_of_cpu, cpu=cpu))
            for cpu in dict.fromkeys(row.cpu for row in rows)
        ),
    ]
    groups = by(rows, lambda row: row.primitive).items()
    return to_markdown([_headline(name, own) for name, own in groups], columns)


def _of_cpu(line: Headline, cpu: str) -> str:
    return line[3].get(cpu, "")


def _headline(name: str, rows: Sequence[PrimitiveRow]) -> Headline:
    own = [row for row in rows if not row.a_octets]
    have = {row.operation for row in own}
    parts = next(parts for parts in MAIN if have.issuperset(parts))
    own = [row for row in own if row.operation in parts]
    octets = max(
        (row.octets for row in own if row.octets <= HEADLINE_OCTETS),
        default=min(row.octets for row in own),
    )
    best: dict[str, tuple[int, str]] = {}
    variants = by([row for row in own if row.octets == octets], lambda row: (row.cpu, row.variant))
    for (cpu, variant), found in variants.items():
        cycles = sum(row.cycles for row in found)
        low = sum(row.cycles if row.cycles_low is None else row.cycles_low for row in found)
        if cpu not in best or cycles < best[cpu][0]:
            best[cpu] = cycles, f"{band(low, cycles)} {variant}".strip()
    return name, " + ".join(parts), octets, {cpu: cell for cpu, (_, cell) in best.items()}


def _paper(rows: Sequence[PrimitiveRow]) -> str:
    """Every operation that the paper printed, beside ours in its fastest variant."""
    ours = ("primitive", "variant", "operation", "octets", "a octets", "cycles")
    names = (*ours, "paper ms", "x at 8 MHz", "x at 4.19 MHz")
    columns = [column for column in COLUMNS if column.name in names]
    return to_markdown(fastest(rows), columns)


def _late(rows: Sequence[PrimitiveRow]) -> str:
    """Those that do not hold, one a line."""
    return bullets(grouped(slower(rows)) or ["none"])


BLOCKS: Blocks[Sequence[PrimitiveRow]] = Blocks(
    KIND, {"headline": headline, "paper": _paper, "slower": _late}
)
