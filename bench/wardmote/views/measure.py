# SPDX-License-Identifier: BSD-3-Clause
"""Formats the costs of a measured function."""

from collections.abc import Sequence

from wardmote.measurements.function.rows import Dependence, Leak, MeasureRow
from wardmote.views.columns import Fields
from wardmote.views.table import Column, number
from wardmote.views.templates import conditions_of
from wardmote.views.text import by

MOST_DIGITS = 68
"""Longest input in a sentence: 32 octets in hex."""


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


def dependence(row: MeasureRow) -> str:
    """Where the first dependence is; `no`: there is none on the paths of the inputs."""
    if row.no_dependence is None:
        return ""
    return "no" if row.no_dependence else _place(row.dependences[0])


def _uncovered(row: MeasureRow) -> str:
    return "" if row.paths is None else str(len(row.uncovered))


_of = Fields(MeasureRow)
COLUMNS: tuple[Column[MeasureRow], ...] = (
    _of.word("cpu", rank=0),
    _of.word("function", "operation", rank=3),
    _of.number("octets", rank=0),
    _of.band("cycles min", rank=4),
    _of.band("cycles median", rank=4),
    _of.band("cycles max", rank=0),
    Column("time µs", lambda row: _real(row.time_us, row.time_us_low), rank=1),
    Column("energy µJ", lambda row: _real(row.energy_uj, row.energy_uj_low), rank=1),
    *_of.numbers("stack octets", "flash octets", "RAM octets", rank=2),
    Column("constant cycles", lambda row: _verdict(row.constant_cycles), text=True, rank=3),
    Column("no secret branch", lambda row: _verdict(row.no_secret_branch), text=True, rank=3),
    Column("no secret address", lambda row: _verdict(row.no_secret_address), text=True, rank=3),
    Column("depends on a secret", lambda row: dependence(row), text=True, rank=1),
    _of.number("paths", rank=4),
    Column("branches not covered", lambda row: _uncovered(row), rank=4),
    Column("as expected", lambda row: _verdict(row.expected), text=True, rank=3),
)

MEANINGS = {
    "branch": "the path depends on a secret",
    "address": "an address depends on a secret",
    "cycles": "the number of cycles depends on a secret",
}


NO_SECRET = (
    "Nothing is said about constant time, for no argument is secret (--arg NAME=random:secret)."
)


def _inputs(values: dict[str, str]) -> str:
    return " ".join(f"{name}={_brief(value)}" for name, value in values.items())


def _brief(value: str) -> str:
    """An input, shortened for a sentence; rows have all of it."""
    octets = (len(value) - 4) // 2
    return value if len(value) <= MOST_DIGITS else f"{value[:MOST_DIGITS]}… ({octets} octets)"


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


KINDS = {
    "branch": "branch on {}",
    "address": "address from {}",
    "time": "operand from {} of an instruction whose time varies",
}
MOST_PLACES = 5
"""Dependences, and branches not covered, that a sentence names; rows have all."""


def _place(one: Dependence) -> str:
    return one.source or f"0x{one.pc:x}"


def _first(texts: Sequence[str]) -> str:
    """The first of them, each once."""
    texts = list(dict.fromkeys(texts))
    more = f" and {len(texts) - MOST_PLACES} more" if len(texts) > MOST_PLACES else ""
    return ", ".join(texts[:MOST_PLACES]) + more


def dependence_text(row: MeasureRow) -> str:
    """What following the secrets has shown."""
    if row.no_dependence is None or row.paths is None:
        return ""
    if row.dependences:
        told = [
            f"{_place(one)} ({KINDS[one.kind].format(', '.join(one.secrets))})"
            for one in row.dependences
        ]
        return f"{row.cpu}: tainted at {_first(told)}."
    paths = "this path" if row.paths == 1 else "these paths"
    text = f"{row.cpu}: no dependence on {paths}; {_counted(row.paths, 'path')} seen by "
    text += _counted(row.inputs or 0, "input")
    if row.uncovered:
        places = _first([one.source or f"0x{one.pc:x}" for one in row.uncovered])
        text += f"; branches not covered: {places}"
    return f"{text}."


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _without_secret(row: MeasureRow) -> bool:
    """The row was followed, and had no secret to watch."""
    if row.failure is not None:
        return False
    counted = row.cycles_max is not None or row.instructions is not None
    return row.unstepped is None and row.constant_time is None and counted


def _says(row: MeasureRow) -> str:
    """What the row shows about secrets; nothing if it had none."""
    if row.failure is not None:
        return ""
    if row.unstepped is not None:
        return f"{row.cpu}: nothing is said about constant time: {row.unstepped}."
    if row.cycles_max is None and row.instructions is None:
        return f"{row.cpu}: not counted, only its outputs are compared."
    if row.constant_time is None:
        return ""
    if row.constant_time:
        secrets = (
            f"no secret-dependent branch, no secret-dependent address ({', '.join(row.secrets)})"
        )
        if row.constant_cycles:
            return f"{row.cpu}: sampled: constant cycles, {secrets}."
        return (
            f"{row.cpu}: sampled: {secrets}; {row.instructions} instructions, cycles not counted."
        )
    return "\n".join(leak_text(row.cpu, leak) for leak in row.leaks)


def answer(rows: Sequence[MeasureRow]) -> str:
    """What each CPU shows about secrets, and whether the outputs agree."""
    told = [text for row in rows for text in (dependence_text(row), _says(row))]
    lines = list(dict.fromkeys(text for text in told if text))
    if any(map(_without_secret, rows)):
        lines.append(NO_SECRET)
    cpus = len({row.cpu for row in rows if row.failure is None})
    if cpus > 1 and all(row.disagreement is None for row in rows):
        runs = rows[0].runs
        inputs = "the one input" if runs == 1 else f"all {runs} inputs"
        lines.append(f"All {cpus} CPUs give the same outputs for {inputs}.")
    return "\n".join(lines)


def faults(rows: Sequence[MeasureRow]) -> list[str]:
    """One line for each CPU that could not be measured, and for each output that is not expected or
    differs from another CPU's."""
    found = [
        f"{row.cpu} could not be measured: {row.failure}" for row in rows if row.failure is not None
    ]
    found += [
        f"the CPUs disagree: {row.disagreement}" for row in rows if row.disagreement is not None
    ]
    return found + [
        f"{row.cpu} gives what was not expected: {row.unexpected}" for row in rows if row.unexpected
    ]


def conditions(rows: Sequence[MeasureRow]) -> list[tuple[str, str]]:
    """What the figures depend on."""
    measured = [row for row in rows if row.failure is None]
    cpus = [own[0] for own in by(measured, lambda row: row.cpu).values()]
    return conditions_of("measure", first=measured[0], cpus=cpus)
