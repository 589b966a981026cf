# SPDX-License-Identifier: BSD-3-Clause
"""Primitives in words and by columns, and the document that shows them."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import Missing, PrimitiveRow, Result
from wardmote.views import document
from wardmote.views.data import to_csv, to_json
from wardmote.views.show import show_conditions, show_table, show_text
from wardmote.views.table import Column, band, number, to_markdown

KIND = "primitives"
"""Kind of the blocks in documents."""
HEADLINE_OCTETS = 64
"""The length of message of the headline, or the longest below it."""
MAIN = (("seal",), ("digest",), ("update", "final"), ("encrypt",), ("crypt",))
"""The main operation, by what a primitive has."""
PIECES = ("init", "update", "final")


def verdict(row: PrimitiveRow) -> str:
    """What secrets change, in words."""
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
    return ", ".join(found) or "nothing"


COLUMNS: tuple[Column[PrimitiveRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True, rank=0),
    Column("primitive", lambda row: row.primitive, text=True, rank=0),
    Column("variant", lambda row: row.variant, text=True, rank=0),
    Column("operation", lambda row: row.operation, text=True, rank=0),
    Column("octets", lambda row: str(row.octets), rank=0),
    Column("a octets", lambda row: str(row.a_octets), rank=1),
    Column("cycles", lambda row: band(row.cycles_low, row.cycles), rank=0),
    Column("time µs", lambda row: band(row.time_us_low, row.time_us, 1), rank=2),
    Column("energy µJ", lambda row: band(row.energy_uj_low, row.energy_uj, 2), rank=3),
    Column("flash octets", lambda row: str(row.flash_octets), rank=2),
    Column("RAM octets", lambda row: str(row.ram_octets + row.static_ram_octets), rank=4),
    Column("stack octets", lambda row: str(row.stack_octets), rank=4),
    Column("secrets change", verdict, text=True, rank=5),
    Column("paper ms", lambda row: number(row.published_ms, 2), rank=5),
    Column("x at 8 MHz", lambda row: number(row.published_ratio_8mhz, 2), rank=5),
    Column("x at 4.19 MHz", lambda row: number(row.published_ratio_4_19mhz, 2), rank=5),
)


HOST32_COLUMNS: tuple[Column[Host32Row], ...] = (
    Column("cpu", lambda row: row.cpu, text=True, rank=0),
    Column("primitive", lambda row: row.primitive, text=True, rank=0),
    Column("variant", lambda row: row.variant, text=True, rank=0),
    Column("operation", lambda row: row.operation, text=True, rank=0),
    Column("octets", lambda row: str(row.octets), rank=0),
    Column("a octets", lambda row: str(row.a_octets), rank=1),
    Column("instructions", lambda row: str(row.instructions), rank=0),
    Column("time µs", lambda row: number(row.time_us, 3), rank=0),
    Column("from µs", lambda row: number(row.time_us_low, 3), rank=3),
    Column("to µs", lambda row: number(row.time_us_high, 3), rank=3),
    Column("RAM octets", lambda row: str(row.ram_octets), rank=2),
    Column("stack octets", lambda row: str(row.stack_octets), rank=2),
    Column(
        "secrets change",
        lambda row: "no path" if row.no_secret_branch else "path",
        text=True,
        rank=4,
    ),
)


def show(result: Result, form: str, names: str = "") -> None:
    """Prints all rows: both kinds together as data, one table after the other as text."""
    kinds: list[tuple[Sequence[Any], Sequence[Column[Any]]]] = [
        (result.rows, COLUMNS),
        (result.host32_rows, HOST32_COLUMNS),
    ]
    tables = [(rows, columns) for rows, columns in kinds if rows]
    if form == "table":
        show_conditions(conditions(result))
        for rows, columns in tables:
            show_table(rows, columns, names=names)
        show_text(answer(result))
        return
    rows = [*result.rows, *result.host32_rows]
    if form == "markdown":
        heads = "".join(f"* {name}: {value}\n" for name, value in conditions(result))
        sys.stdout.write("\n".join([heads, *(to_markdown(*one) for one in tables)]))
    else:
        sys.stdout.write(to_json(rows) if form == "json" else to_csv(rows))
    sys.stderr.write(answer(result) + "\n")


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
    rows = result.rows
    if not rows:
        return host32_conditions(result)
    first = [row for n, row in enumerate(rows) if row.cpu not in {other.cpu for other in rows[:n]}]
    named = [
        (
            f"{row.cpu} time and energy",
            f"{row.board} at {row.clock_hz / 1e6:g} MHz, {row.supply_v:g} V, CPU alone, "
            f"{row.current_ma:g} mA"
            f" ({row.current_source})",
        )
        for row in first
    ]
    return [
        (
            "cycles",
            "of the functions in build/stack, no wait states; where timing is a band, its fast "
            "and its slow end",
        ),
        (
            "flash",
            "all that the primitive's operations need, the cipher under a mode included, linked "
            "from the archive",
        ),
        ("RAM", "expanded keys and contexts, and tables that lie in RAM"),
        (
            "secrets change",
            f"cycles, path or addresses, over {rows[0].runs} sets of secrets from seed "
            f"{rows[0].seed}",
        ),
        (
            "lengths",
            "every length asked for that a primitive takes: cbc whole blocks of its cipher, "
            "cbc_cs3 one block at least",
        ),
        *named,
        ("commit", rows[0].commit),
        *host32_conditions(result),
    ]


def host32_conditions(result: Result) -> list[tuple[str, str]]:
    """What the figures of this machine depend on."""
    if not result.host32_rows:
        return []
    first = result.host32_rows[0]
    timed = (
        f"this machine's: {first.processor}; {first.clock_source}; median and quartiles of "
        f"{first.batches} batches,"
        " each with as many calls as its row says, less as many of an empty function: a time "
        "under some nanoseconds is"
        " shown as 0"
    )
    return [
        (
            "host32 instructions",
            f"exact, the same on every machine; portable C, {first.compiler}, {first.options} "
            "(small variants -Os)",
        ),
        ("host32 time", timed if first.time_us is not None else "not measured"),
        ("host32 energy", "none: nobody says what this processor draws for one function"),
    ]


def fastest(rows: Sequence[PrimitiveRow]) -> list[PrimitiveRow]:
    """Of each operation that the paper printed, and each length, the variant that takes least."""
    best: dict[tuple[str, str, int, int], PrimitiveRow] = {}
    for row in rows:
        place = (row.primitive, row.operation, row.octets, row.a_octets)
        if row.published_ms is not None and (place not in best or row.cycles < best[place].cycles):
            best[place] = row
    return list(best.values())


def slower(rows: Sequence[PrimitiveRow]) -> list[PrimitiveRow]:
    """Operations that in their fastest variant do not take half the printed time at 8 MHz, or take
    more than it at 4.19 MHz."""
    compared = fastest(rows)
    return [
        row
        for row in compared
        if (row.published_ratio_8mhz or 0) < 2 or (row.published_ratio_4_19mhz or 0) < 1
    ]


def grouped(rows: Sequence[PrimitiveRow]) -> list[str]:
    """Operations in words, those that differ in length alone in one."""
    lengths: dict[tuple[str, str, bool], list[int]] = {}
    for row in rows:
        place = (f"{row.primitive} {row.variant}".strip(), row.operation, row.a_octets > 0)
        lengths.setdefault(place, []).append(row.octets)
    return [
        f"{name} {operation}{' with associated data' if with_a else ''}"
        + (f" of {', '.join(map(str, octets))} octets" if any(octets) else "")
        for (name, operation, with_a), octets in lengths.items()
    ]


def answer(result: Result) -> str:
    """How much was measured, what secrets show in, and how it stands with the paper."""
    rows, hosts = result.rows, len(result.host32_rows)
    done = f"{result.measured} cases measured, {result.reused} from an earlier run."
    if not rows:
        return f"{hosts} rows; {done}"
    clean = len([row for row in rows if row.constant_time])
    timed = [row for row in rows if not row.constant_cycles or not row.no_secret_branch]
    whose = f"the {len(rows)} of emulated CPUs" if hosts else "them"
    lines = [
        f"{len(rows) + hosts} rows; {done}",
        f"Secrets change nothing in {clean} of {whose}, addresses alone in "
        f"{len(rows) - clean - len(timed)},"
        f" cycles or path in {len(timed)}{': ' if timed else ''}{'; '.join(grouped(timed))}.",
    ]
    compared = fastest(rows)
    if compared:
        late = slower(compared)
        lines.append(
            f"Of {len(compared)} operations that the paper printed for a TelosB, "
            f"{len(compared) - len(late)} take, in"
            " their fastest variant, at most half its time at 8 MHz and at most its time at "
            "4.19 MHz"
            f"{'; these do not: ' if late else ''}{'; '.join(grouped(late))}."
        )
    return "\n".join(lines)


Headline = tuple[str, str, int, dict[str, str]]
"""Primitive, operation, octets of message, and the figure of each CPU."""


def headline(rows: Sequence[PrimitiveRow]) -> str:
    """A table of one row for each primitive: its main operation, in the fastest variant of each
    CPU."""
    cpus = tuple(dict.fromkeys(row.cpu for row in rows))
    columns: list[Column[Headline]] = [
        Column("primitive", lambda line: line[0], text=True),
        Column("operation", lambda line: line[1], text=True),
        Column("octets", lambda line: str(line[2])),
        *(Column(f"{cpu} cycles", partial(_of_cpu, cpu=cpu)) for cpu in cpus),
    ]
    names = dict.fromkeys(row.primitive for row in rows)
    return to_markdown([_headline(rows, name) for name in names], columns)


def _of_cpu(line: Headline, cpu: str) -> str:
    return line[3].get(cpu, "")


def _headline(rows: Sequence[PrimitiveRow], name: str) -> Headline:
    own = [row for row in rows if row.primitive == name and not row.a_octets]
    have = {row.operation for row in own}
    parts = next(parts for parts in MAIN if have.issuperset(parts))
    own = [row for row in own if row.operation in parts]
    octets = max(
        (row.octets for row in own if row.octets <= HEADLINE_OCTETS),
        default=min(row.octets for row in own),
    )
    best: dict[str, tuple[int, str]] = {}
    sums: dict[tuple[str, str], list[PrimitiveRow]] = {}
    for row in own:
        if row.octets == octets:
            sums.setdefault((row.cpu, row.variant), []).append(row)
    for (cpu, variant), found in sums.items():
        cycles = sum(row.cycles for row in found)
        low = sum(row.cycles if row.cycles_low is None else row.cycles_low for row in found)
        if cpu not in best or cycles < best[cpu][0]:
            best[cpu] = cycles, f"{band(low, cycles)} {variant}".strip()
    return name, " + ".join(parts), octets, {cpu: cell for cpu, (_, cell) in best.items()}


def _paper(rows: Sequence[PrimitiveRow]) -> str:
    """Every operation that the paper printed, beside ours in its fastest variant."""
    names = (
        "primitive",
        "variant",
        "operation",
        "octets",
        "a octets",
        "cycles",
        "paper ms",
        "x at 8 MHz",
        "x at 4.19 MHz",
    )
    columns = [column for column in COLUMNS if column.name in names]
    return to_markdown(fastest(rows), columns)


def _late(rows: Sequence[PrimitiveRow]) -> str:
    """Those that do not hold, one a line."""
    return "".join(f"* {text}\n" for text in grouped(slower(rows))) or "* none\n"


BLOCKS: dict[str, Callable[[Sequence[PrimitiveRow]], str]] = {
    "headline": headline,
    "paper": _paper,
    "slower": _late,
}


def opened(path: Path, others: Sequence[str] = ()) -> str:
    """The text of a document; raises UsageError if it has no block, or one that neither BLOCKS nor
    `others` has."""
    return document.opened(path, KIND, (*BLOCKS, *others), KIND)


def filled(text: str, rows: Sequence[PrimitiveRow]) -> str:
    """The document with the figures of rows in its blocks."""
    return document.filled(text, KIND, BLOCKS, rows)
