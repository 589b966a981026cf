# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec latency`: how long a message takes over a route of 4 to 12 hops."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import Annotated, Any

from wardmote import options
from wardmote.choices import choices
from wardmote.commands.records import LIST, Texts, option
from wardmote.experiments.tinysec import form
from wardmote.experiments.tinysec.intervals import Interval, differences, interval
from wardmote.experiments.tinysec.latency import Case, measure
from wardmote.experiments.tinysec.network import BYTE_TIME_MS
from wardmote.experiments.tinysec.stacks import PAPERS, STACKS, TITLES
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing
from wardmote.views.table import Column, number
from wardmote.views.text import by

LEAST_HOPS, MOST_HOPS, MOST_PACKETS = 4, 12, 1000
SHORT, SHORT_PACKETS, FULL_SEEDS = (4, 8, 12), 50, 5
LEAST_PACKETS = 4
"""Of which quartiles are taken."""
FENCE = 1.5
"""A journey that takes longer than the third quartile by more than so many times the distance between
quartiles is an outlier (Tukey)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is measured."""

    full: form.FullOption = False
    stack: Annotated[
        Texts, option(f"Stack: {', '.join(PAPERS)}. {LIST} Default: all.", *PAPERS)
    ] = None
    hops: Annotated[
        Texts, option(f"Hops of a route, {LEAST_HOPS} to {MOST_HOPS}, base included. {LIST}")
    ] = None
    packets: Annotated[
        int | None,
        option(f"Journeys over each route. Default: {SHORT_PACKETS}, or the paper's in full form."),
    ] = None
    seeds: form.SeedsOption = None

    def cases(self, board: str, first: int) -> Iterator[Case]:
        """The cases; raises UsageError where an option cannot be."""
        stacks = choices("stack", self.stack or (), PAPERS)
        every = range(LEAST_HOPS, MOST_HOPS + 1) if self.full else SHORT
        usual = load("tinysec")["latency"]["packets_per_route"] if self.full else SHORT_PACKETS
        packets = usual if self.packets is None else self.packets
        options.whole("number of packets", packets, LEAST_PACKETS, MOST_PACKETS)
        for hops in form.numbers("number of hops", self.hops, every, LEAST_HOPS, MOST_HOPS):
            for seed in form.seeds_of(self.seeds, first, FULL_SEEDS if self.full else 1):
                for stack in stacks:
                    yield Case(board, stack, seed, hops, packets)


@dataclass(frozen=True, slots=True)
class TinysecLatencyRow:
    """Routes of so many hops with a stack: means over seeds, and the halves of their intervals of
    95 %. Outliers are left out, but for `ms_with_outliers`."""

    board: str
    stack: str
    hops: int
    packets: int
    """Journeys of each seed."""
    seeds: list[int]
    ms: float
    ms_half: float | None
    ms_each: list[float]
    """With each seed."""
    ms_with_outliers: float
    outliers: int
    lost: int
    """Journeys of all seeds that did not come back."""
    congested: int
    """Times that a mote has found the channel in use."""
    more_ms: float | None
    """Than without TinySec, at the same seeds; None: not measured."""
    more_ms_half: float | None
    more_byte_times: float | None
    """The same a hop."""
    more_byte_times_half: float | None
    expected_byte_times: float | None
    """By the octets that its packets have more."""
    paper_byte_times: float | None
    wardmote: str
    commit: str


def without_outliers(ms: Sequence[float]) -> list[float]:
    """Those that are not above the fence."""
    low, _, high = quantiles(ms, n=4)
    return [one for one in ms if one <= high + FENCE * (high - low)]


def gathered(values: form.Values) -> Iterator[Mapping[str, Any]]:
    """A row for each stack and route, of the cases of all seeds."""
    return form.over_seeds(values, "hops", _row)


def _row(name: str, own: form.Values, beside: form.Values | None) -> Mapping[str, Any]:
    first, stack = own[0], STACKS[name]
    came = [_came(one) for one in own]
    each = [fmean(without_outliers(one)) for one in came]
    more: Interval | None = None
    if beside is not None and name != stack.reference:
        more = differences(each, [fmean(without_outliers(_came(one))) for one in beside])
    per_hop = first["hops"] * BYTE_TIME_MS
    octets = stack.packet_octets - STACKS[stack.reference].packet_octets
    found = interval(each)
    return {
        **{field: first[field] for field in ("board", "stack", "hops", "packets")},
        "seeds": [one["seed"] for one in own],
        "ms": found.mean,
        "ms_half": found.half,
        "ms_each": each,
        "ms_with_outliers": fmean(ms for one in came for ms in one),
        "outliers": sum(len(one) - len(without_outliers(one)) for one in came),
        "lost": sum(len(one["ms"]) for one in own) - sum(map(len, came)),
        "congested": sum(one["congested"] for one in own),
        "more_ms": more and more.mean,
        "more_ms_half": more and more.half,
        "more_byte_times": more and more.mean / per_hop,
        "more_byte_times_half": None if more is None or more.half is None else more.half / per_hop,
        "expected_byte_times": float(octets) if octets else None,
        "paper_byte_times": load("tinysec")["latency"].get(f"{name}_increase_byte_times_per_hop"),
    }


def _came(one: Mapping[str, Any]) -> list[float]:
    return [ms for ms in one["ms"] if ms is not None]


_of = Fields(TinysecLatencyRow)
COLUMNS: tuple[Column[TinysecLatencyRow], ...] = (
    _of.number("hops", rank=0),
    _of.word("stack", rank=0),
    Column("ms", lambda row: form.with_half(row.ms, row.ms_half, 1), rank=0),
    Column("ms a hop", lambda row: number(row.ms / row.hops, 2), rank=2),
    Column("more ms", lambda row: form.with_half(row.more_ms, row.more_ms_half, 1), rank=0),
    Column(
        "byte times a hop",
        lambda row: form.with_half(row.more_byte_times, row.more_byte_times_half, 2),
        rank=0,
    ),
    _of.number("octets more", "expected_byte_times", rank=1),
    _of.number("paper", "paper_byte_times", digits=1, rank=0),
    _of.number("outliers", rank=3),
    _of.number("lost", rank=3),
)


def mean_a_hop(rows: Sequence[TinysecLatencyRow], stack: str) -> Interval | None:
    """Byte times that a stack takes more a hop, the mean of all routes: a value for each seed."""
    routes = []
    for group in by(rows, lambda row: row.hops).values():
        each = {row.stack: row.ms_each for row in group}
        if stack in each and "none" in each:
            per_hop = group[0].hops * BYTE_TIME_MS
            routes.append(
                [(a - b) / per_hop for a, b in zip(each[stack], each["none"], strict=True)]
            )
    return interval([fmean(values) for values in zip(*routes, strict=True)]) if routes else None


def answer(rows: Sequence[TinysecLatencyRow]) -> str:
    """What a hop takes more on the mean of all routes, and AE on the longest."""
    printed = load("tinysec")["latency"]
    sentences = [
        f"{TITLES[stack]} takes {found.text(2)} byte times more a hop, on the mean of "
        f"{min(row.hops for row in rows)} to {max(row.hops for row in rows)} hops (paper "
        f"{printed[f'{stack}_increase_byte_times_per_hop']})"
        for stack in ("auth", "ae")
        if (found := mean_a_hop(rows, stack)) is not None
    ]
    for row in rows:
        if (row.stack, row.hops) == ("ae", MOST_HOPS) and row.more_ms is not None:
            more = Interval(row.more_ms, row.more_ms_half).text(1)
            paper = printed["ae_minus_none_12_hops_ms"]
            sentences.append(f"over {row.hops} hops AE takes {more} ms more (paper {paper})")
    return "; ".join(sentences) + "." if sentences else "No stack was compared with another."


def conditions(rows: Sequence[TinysecLatencyRow]) -> list[tuple[str, str]]:
    """Motes, routes, and what an outlier is."""
    return [
        ("board", rows[0].board),
        ("motes", "36 on a grid of 4 by 9 and a base; every mote hears every other"),
        ("journeys", f"{rows[0].packets} over each route and with each seed, one after the other"),
        form.seeds_text(rows),
        (
            "hops",
            "from the base to a mote, by way of the landmark to another, and back to the base",
        ),
        ("outliers", f"above the third quartile by {FENCE} distances between quartiles: left out"),
        ("byte time", f"8 bits at 19.2 kbit/s, {BYTE_TIME_MS:.4f} ms"),
    ]


def figure(rows: Sequence[TinysecLatencyRow]) -> str:
    """SVG: milliseconds of a route, and byte times that a hop takes more."""
    with drawing(9, 3.6) as page:
        routes, more = page.subplots(1, 2)
        for stack, own in by(rows, lambda row: row.stack).items():
            form.line(routes, own, ("hops", "ms"))
            form.line(more, own, ("hops", "more_byte_times"))
            if printed := own[0].paper_byte_times:
                more.axhline(
                    printed, color=form.STYLES[stack]["color"], linewidth=0.6, linestyle="--"
                )
        routes.set_ylabel("ms")
        more.set_ylabel("byte times more a hop (dashed: paper)")
        for axis in (routes, more):
            axis.set_ylim(bottom=0)
        return form.finished(page, "hops")


EXPERIMENT = form.of_network(
    "How long does a message take over 4 to 12 hops, with TinySec and without?",
    Wanted,
    measure,
    gathered,
    TinysecLatencyRow,
    form.View(
        "tinysec-latency", "Time of a message against hops", COLUMNS, answer, conditions, figure
    ),
)
