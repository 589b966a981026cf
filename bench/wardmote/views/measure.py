# SPDX-License-Identifier: BSD-3-Clause
"""Formats the costs of a measured function."""

from collections.abc import Sequence

from wardmote.measurements.function.rows import Leak, MeasureRow
from wardmote.views.table import Column, number

MOST_DIGITS = 68
"""Longest input in a sentence: 32 octets in hex."""


def _cycles(high: int | None, low: int | None) -> str:
    """A number of cycles, or both ends of its band."""
    return number(high) if low is None or low == high else f"{low}–{high}"


def _real(high: float | None, low: float | None) -> str:
    """A time or an energy, or both ends of its band."""
    ends = [
        number(end, 2 if end < 10 else 1 if end < 100 else 0)
        for end in (low, high)
        if end is not None
    ]
    return "–".join(dict.fromkeys(ends))


def _verdict(holds: bool | None) -> str:
    return "" if holds is None else "yes" if holds else "NO"


COLUMNS: tuple[Column[MeasureRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True, rank=0),
    Column("function", lambda row: row.operation, text=True, rank=3),
    Column("octets", lambda row: str(row.octets), rank=0),
    Column("cycles min", lambda row: _cycles(row.cycles_min, row.cycles_min_low), rank=4),
    Column("cycles median", lambda row: _cycles(row.cycles_median, row.cycles_median_low), rank=4),
    Column("cycles max", lambda row: _cycles(row.cycles_max, row.cycles_max_low), rank=0),
    Column("time µs", lambda row: _real(row.time_us, row.time_us_low), rank=1),
    Column("energy µJ", lambda row: _real(row.energy_uj, row.energy_uj_low), rank=1),
    Column("stack octets", lambda row: number(row.stack_octets), rank=2),
    Column("flash octets", lambda row: number(row.flash_octets), rank=2),
    Column("RAM octets", lambda row: number(row.ram_octets), rank=2),
    Column("constant cycles", lambda row: _verdict(row.constant_cycles), text=True, rank=3),
    Column("no secret branch", lambda row: _verdict(row.no_secret_branch), text=True, rank=3),
    Column("no secret address", lambda row: _verdict(row.no_secret_address), text=True, rank=3),
    Column("as expected", lambda row: _verdict(row.expected), text=True, rank=3),
)

MEANINGS = {
    "branch": "the path depends on a secret",
    "address": "an address depends on a secret",
    "cycles": "the number of cycles depends on a secret",
}


def _inputs(values: dict[str, str]) -> str:
    return " ".join(f"{name}={_brief(value)}" for name, value in values.items())


def _brief(value: str) -> str:
    """An input, shortened for a sentence; rows have all of it."""
    return (
        value
        if len(value) <= MOST_DIGITS
        else f"{value[:MOST_DIGITS]}… ({(len(value) - 4) // 2} octets)"
    )


def leak_text(cpu: str, leak: Leak) -> str:
    """One line: what differs, where, and with which inputs."""
    where = ""
    if leak.pc is not None:
        where = f" at {leak.source or f'0x{leak.pc:x}'} in {leak.function or 'an unnamed function'}"
        where += f", instruction 0x{leak.pc:x} `{leak.instruction}`"
    public = f"; in both {_inputs(leak.public)}" if leak.public else ""
    runs = f"{leak.first} with {_inputs(leak.secrets_first)}, "
    runs += f"{leak.second} with {_inputs(leak.secrets_second)}"
    return f"{cpu}: {MEANINGS[leak.verdict]}{where}: {runs}{public}."


def _board(row: MeasureRow) -> str:
    """Clock, supply and current from which time and energy are computed."""
    place = f"{row.board} at {(row.clock_hz or 0) / 1e6:g} MHz, {row.supply_v:g} V"
    return f"{place}, CPU alone, active: {row.current_ma:g} mA ({row.current_source})"


def _says(row: MeasureRow) -> str:
    if row.unstepped is not None:
        return f"{row.cpu}: nothing is said about constant time: {row.unstepped}."
    if row.cycles_max is None and row.instructions is None:
        return f"{row.cpu}: not counted, only its outputs are compared."
    if row.constant_time is None:
        return (
            f"{row.cpu}: nothing is said about constant time, for no argument is "
            "secret "
            "(--arg NAME=random:secret)."
        )
    if row.constant_time:
        secrets = ", ".join(row.secrets)
        cycles = "constant cycles, " if row.constant_cycles else ""
        open_ = (
            "" if row.constant_cycles else f"; {row.instructions} instructions, cycles not counted"
        )
        return (
            f"{row.cpu}: {cycles}no secret-dependent branch, no secret-dependent "
            "address "
            f"({secrets}){open_}."
        )
    return "\n".join(leak_text(row.cpu, leak) for leak in row.leaks)


def answer(rows: Sequence[MeasureRow]) -> str:
    """What each CPU shows about secrets, and whether the outputs agree."""
    lines = list(dict.fromkeys(_says(row) for row in rows))
    cpus = len({row.cpu for row in rows})
    if cpus > 1 and all(row.disagreement is None for row in rows):
        lines.append(f"All {cpus} CPUs give the same outputs for all {rows[0].runs} inputs.")
    return "\n".join(lines)


def faults(rows: Sequence[MeasureRow]) -> list[str]:
    """One line for each output that is not expected or differs from another CPU's."""
    found = [
        f"the CPUs disagree: {row.disagreement}" for row in rows if row.disagreement is not None
    ]
    return found + [
        f"{row.cpu} gives what was not expected: {row.unexpected}" for row in rows if row.unexpected
    ]


def conditions(rows: Sequence[MeasureRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    first = rows[0]
    each = [row for n, row in enumerate(rows) if row.cpu not in {other.cpu for other in rows[:n]}]
    named = [
        ("prototype", first.prototype),
        ("arguments", " ".join(first.arguments) or "all random, none secret"),
    ]
    named.append(("inputs", f"{first.runs} from seed {first.seed}"))
    for name in ("compiler", "flags", "timing_model"):
        named += [(f"{row.cpu} {name.replace('_', ' ')}", str(getattr(row, name))) for row in each]
    named += [(f"{row.cpu} time and energy", _board(row)) for row in each if row.board]
    return [*named, ("commit", f"{first.commit}; {first.files} sha256 {first.file_sha256[:12]}")]
