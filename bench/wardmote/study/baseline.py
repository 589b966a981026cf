# SPDX-License-Identifier: BSD-3-Clause
"""Compares the rows of a report with earlier ones: what got better, what got worse, by how much.

Rows are the values that JSON holds, by the class in their schema. Two rows are the same case if all
words, and the numbers that are conditions, are the same; cases that no word tells apart stand in
the same order on both sides. A quantity is known by its unit, which its name ends with, so that the
rows of a new experiment are compared too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.changes import is_worse, percent_of
from wardmote.errors import UsageError
from wardmote.schemas import NAME

Values = Mapping[str, Any]
RowSets = Mapping[str, Sequence[Values]]
"""Rows by their schema, such as `SlotRow 5`."""

Case = tuple[tuple[str, Any], ...]
"""Names and values of what tells a row from the others."""

SLOT = "SlotRow"
LESS_IS_BETTER = ("cycles", "us", "ms", "uj", "uc", "mah", "ma", "octets", "lost", "late")
MORE_IS_BETTER = ("kbps", "bps", "years", "days")
NOT_OURS = ("paper", "published", "later", "offered")
"""First words of names whose figures others printed, or that are set."""
CONDITIONS = frozenset(
    (
        *("octets", "a_octets", "data_octets", "frame_octets", "ash_octets", "mic_octets"),
        *("payload_octets", "turnaround_us", "period_ms", "rest_ms", "begin_ms", "end_ms"),
        *("level", "clock_hz", "tick_hz", "supply_v", "hops", "senders", "power", "blocks"),
    )
)
"""Numbers that say which case a row is of."""
ORIGIN = frozenset(("wardmote", "commit", "seed", NAME))
"""What says where a row comes from."""
COUNTED_OTHERWISE = frozenset((("PacketRow", "overhead_octets"),))
"""Printed figures that count something else than ours: the preamble, too."""
LONGEST_WORD = 40
"""A longer text is data, such as a picture."""
OF_SLOTS = {
    "key": (
        *("board", "strategy", "level", "definition", "ash_octets", "frame_octets"),
        *("turnaround_us", "clock_hz", "supply_v"),
    ),
    "quantities": (
        *("ts_slot_duration_us", "sec1_cycles", "sec2_cycles", "sec3_cycles", "sec4_cycles"),
        *("energy_uj", "energy_receiver_uj", "lost", "late"),
    ),
}
"""The row of a slot has a hundred fields, most of which follow from these."""


@dataclass(frozen=True, slots=True)
class ReportChange:
    """One quantity of one row, then and now."""

    rows: str
    """The class of the rows."""
    case: str
    quantity: str
    old: float | None
    new: float | None
    percent: float | None
    """Change relative to the old value; None if that is 0 or one of the two is unknown."""
    better: bool
    worse: bool
    """It got worse by more than the tolerance."""


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """All rows of a report against earlier ones."""

    baseline: str
    tolerance_percent: float
    compared: int
    """Figures that both sides have."""
    changes: tuple[ReportChange, ...]
    """Those that differ."""
    missing: tuple[str, ...]
    """Rows of the baseline that the report does not have."""
    added: tuple[str, ...]
    """Rows that the baseline does not have."""
    left_out: tuple[str, ...]
    """Schemas of the baseline that the report has in another version."""

    @property
    def worse(self) -> tuple[ReportChange, ...]:
        """What went beyond the tolerance."""
        return tuple(one for one in self.changes if one.worse)

    @property
    def better(self) -> tuple[ReportChange, ...]:
        """What improved, by any amount."""
        return tuple(one for one in self.changes if one.better)


def compare(old: RowSets, new: RowSets, baseline: str, percent: float) -> ReportComparison:
    """Compares the rows of a report with those of `baseline`, which is what messages call it.
    Raises UsageError if not one row can be compared."""
    every: list[ReportChange] = []
    missing, added = [], []
    for schema in [one for one in new if one in old]:
        kind = schema.partition(" ")[0]
        then, now = _by_case(kind, old[schema]), _by_case(kind, new[schema])
        same = [case for case in now if len(then.get(case, ())) == len(now[case])]
        missing += [f"{kind}: {_named(case)}" for case in then if case not in same]
        added += [f"{kind}: {_named(case)}" for case in now if case not in same]
        for case in same:
            for ends in zip(then[case], now[case], strict=True):
                every += _changes(kind, case, *ends, percent)
    if not every:
        have = ", ".join(old) or "nothing"
        raise UsageError(f"{baseline} has no row to compare: it has {have}")
    left_out = tuple(
        f"{schema} (now {other})"
        for schema in old
        for other in new
        if schema not in new and schema.partition(" ")[0] == other.partition(" ")[0]
    )
    changes = tuple(one for one in every if one.old != one.new)
    return ReportComparison(
        baseline, percent, len(every), changes, tuple(missing), tuple(added), left_out
    )


def printed(new: RowSets) -> dict[str, list[Values]]:
    """What papers printed for these rows, as rows: a figure `paper_ms` stands for `ms`."""
    found: dict[str, list[Values]] = {}
    for schema, rows in new.items():
        kind = schema.partition(" ")[0]
        beside = [(row, _printed_of(kind, row)) for row in rows]
        have = {_case(kind, row) for row, figures in beside if figures}
        # A case keeps all its rows, so that those that are alike stay in their order.
        own: list[Values] = [
            {**dict(_case(kind, row)), **both} for row, both in beside if _case(kind, row) in have
        ]
        if own:
            found[schema] = own
    return found


def _printed_of(kind: str, row: Values) -> dict[str, float]:
    """The printed figures of a row, by the names of ours."""
    if kind == SLOT:
        printed_ms = row["published_ms"]
        return {} if printed_ms is None else {"ts_slot_duration_us": 1000 * printed_ms}
    return {
        name: row[f"paper_{name}"]
        for name in _quantities(kind, row)
        if row.get(f"paper_{name}") is not None and (kind, name) not in COUNTED_OTHERWISE
    }


def _by_case(kind: str, rows: Sequence[Values]) -> dict[Case, list[Values]]:
    found: dict[Case, list[Values]] = {}
    for row in rows:
        found.setdefault(_case(kind, row), []).append(row)
    return found


def _case(kind: str, row: Values) -> Case:
    """What tells a row from the others."""
    return tuple((name, row[name]) for name in row if _is_key(kind, name, row[name]))


def _is_key(kind: str, name: str, value: Any) -> bool:
    if kind == SLOT:
        return name in OF_SLOTS["key"]
    if value is None or name in ORIGIN or name.split("_")[0] in NOT_OURS:
        return False
    return name in CONDITIONS or (isinstance(value, str) and len(value) <= LONGEST_WORD)


def _quantities(kind: str, row: Values) -> Iterator[str]:
    """The names of what is compared."""
    if kind == SLOT:
        yield from OF_SLOTS["quantities"]
        return
    for name in row:
        words = name.split("_")
        measured = words[-1] in (*LESS_IS_BETTER, *MORE_IS_BETTER) and words[0] not in NOT_OURS
        if measured and name not in CONDITIONS:
            yield name


def _changes(
    kind: str, case: Case, old: Values, new: Values, percent: float
) -> Iterator[ReportChange]:
    """Every quantity that both rows have."""
    for name in _quantities(kind, new):
        then, now = old.get(name), new[name]
        if then is None or isinstance(then, str | list) or isinstance(now, str | list):
            continue
        more = name.split("_")[-1] in MORE_IS_BETTER
        worse = is_worse(then, now, percent, more_is_better=more)
        better = now is not None and is_worse(now, then, 0, more_is_better=more)
        yield ReportChange(
            kind, _named(case), name, then, now, percent_of(then, now), better, worse
        )


def _named(case: Case) -> str:
    """The case in words: its words alone, its numbers with their names."""
    parts = [
        value if isinstance(value, str) else f"{name} {value}"
        for name, value in case
        if value != ""
    ]
    return ", ".join(parts)
