# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec throughput`: packets that a base receives from 1 to 20 senders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated, Any, Protocol

from wardmote import options
from wardmote.choices import choices
from wardmote.commands.records import LIST, Texts, option
from wardmote.experiments.tinysec import form
from wardmote.experiments.tinysec.intervals import Interval, interval, paired, paired_sums
from wardmote.experiments.tinysec.network import BYTE_TIME_MS, FLUSH, START_SYMBOL
from wardmote.experiments.tinysec.stacks import PAPERS, STACKS, TITLES
from wardmote.experiments.tinysec.throughput import Case, measure
from wardmote.published import load
from wardmote.views.columns import Fields
from wardmote.views.drawing import drawing
from wardmote.views.table import Column, number
from wardmote.views.text import by

MOST_SENDERS, MOST_SECONDS, MOST_GAP = 20, 300, 255
SHORT, FULL_SEEDS = (1, 2, 5, 10, 20), 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is measured."""

    full: form.FullOption = False
    stack: Annotated[
        Texts,
        option(f"Stack: {', '.join(STACKS)}. {LIST} Default: all, or the paper's three.", *STACKS),
    ] = None
    senders: Annotated[Texts, option(f"Senders, 1 to {MOST_SENDERS}. {LIST}")] = None
    seconds: Annotated[int | None, option("Seconds that are counted. Default: the paper's.")] = None
    gap: Annotated[
        int, option(f"Octet times that a sender rests between packets, 0 to {MOST_GAP}.")
    ] = 0
    seeds: form.SeedsOption = None

    def cases(self, board: str, first: int) -> Iterator[Case]:
        """The cases; raises UsageError where an option cannot be."""
        usual = tuple(STACKS) if self.full else PAPERS
        stacks = choices("stack", self.stack, tuple(STACKS)) if self.stack else usual
        every = range(1, MOST_SENDERS + 1) if self.full else SHORT
        senders = form.numbers("number of senders", self.senders, every, 1, MOST_SENDERS)
        seconds = load("tinysec")["throughput"]["seconds"] if self.seconds is None else self.seconds
        options.positive("number of seconds", seconds, MOST_SECONDS)
        options.whole("gap", self.gap, 0, MOST_GAP)
        for count in senders:
            for seed in form.seeds_of(self.seeds, first, FULL_SEEDS if self.full else 1):
                for stack in stacks:
                    yield Case(board, stack, seed, count, seconds, self.gap)


@dataclass(frozen=True, slots=True)
class TinysecThroughputRow:
    """So many senders with a stack: means over seeds, and the halves of their intervals of 95 %."""

    board: str
    stack: str
    data_octets: int
    packet_octets: int
    """Without start symbol and flush."""
    senders: int
    seconds: int
    gap: int
    """Octet times that a sender rests between packets."""
    seeds: list[int]
    received: float
    received_half: float | None
    received_each: list[int]
    """With each seed."""
    sent: float
    sent_each: list[int]
    in_the_air: float
    """Packets at a time, start symbol and flush included: with more than 1 they collide."""
    refused: float
    reference: str
    """The stack that it is compared with, at the same seeds."""
    ratio: float | None
    """Of what is received to that of the reference; None: not measured."""
    ratio_half: float | None
    paper_ratio: float | None
    """What the paper says of it; None: nothing."""
    wardmote: str
    commit: str


def gathered(values: form.Values) -> Iterator[Mapping[str, Any]]:
    """A row for each stack and number of senders, of the cases of all seeds."""
    return form.over_seeds(values, "senders", _row)


def _row(name: str, own: form.Values, beside: form.Values | None) -> Mapping[str, Any]:
    stack, first = STACKS[name], own[0]
    each = [one["received"] for one in own]
    received = interval(each)
    sent = [one["sent"] for one in own]
    octets = START_SYMBOL + stack.packet_octets + FLUSH
    ratio: Interval | None = None
    if beside is not None and name != stack.reference and all(one["received"] for one in beside):
        ratio = paired(each, [one["received"] for one in beside])
    return {
        **{field: first[field] for field in ("board", "stack", "senders", "seconds", "gap")},
        "data_octets": stack.data_octets,
        "packet_octets": stack.packet_octets,
        "seeds": [one["seed"] for one in own],
        "received": received.mean,
        "received_half": received.half,
        "received_each": each,
        "sent": fmean(sent),
        "sent_each": sent,
        "in_the_air": fmean(sent) * octets * BYTE_TIME_MS / (1000 * first["seconds"]),
        "refused": interval([one["refused"] for one in own]).mean,
        "reference": stack.reference,
        "ratio": ratio and ratio.mean,
        "ratio_half": ratio and ratio.half,
        "paper_ratio": of_paper(name, first["senders"]),
    }


def of_paper(stack: str, senders: int) -> float | None:
    """The ratio that the paper prints: fewer senders lose nothing, Auth is nearly identical to plain
    TinyOS, and so are packets as long."""
    printed = load("tinysec")["throughput"]
    if stack == "none":
        return None
    if stack == "ae" and senders > printed["senders_above"]:
        return float(round(1 - printed["ae_loss_above_5_senders"], 3))
    return 1.0


_of = Fields(TinysecThroughputRow)
COLUMNS: tuple[Column[TinysecThroughputRow], ...] = (
    _of.number("senders", rank=0),
    _of.word("stack", rank=0),
    _of.number("octets", "packet_octets", rank=2),
    Column("received", lambda row: form.with_half(row.received, row.received_half, 0), rank=0),
    _of.number("sent", rank=2),
    _of.number("in the air", digits=1, rank=1),
    _of.number("refused", rank=3),
    _of.word("beside", "reference", rank=1),
    Column("ratio", lambda row: form.with_half(row.ratio, row.ratio_half, 3), rank=0),
    Column("paper", lambda row: number(row.paper_ratio, 2), rank=0),
)


def pooled(
    rows: Sequence[TinysecThroughputRow], stack: str, ends: tuple[int, int], what: str
) -> Interval | None:
    """The ratio of all that is counted with a stack to all that is with its reference, from so many
    to so many senders: a value for each seed. None where it was not measured."""
    least, most = ends
    own, beside = (
        [getattr(row, what) for row in rows if row.stack == name and least <= row.senders <= most]
        for name in (stack, STACKS[stack].reference)
    )
    if not own or not beside:
        return None
    return paired_sums(own, beside)


def measured(rows: Sequence[TinysecThroughputRow], stack: str, ends: tuple[int, int]) -> str:
    """The least and the most senders between these that were measured with a stack."""
    least, most = ends
    return senders_text(
        [row for row in rows if row.stack == stack and least <= row.senders <= most]
    )


class Counted(Protocol):
    """A row about so many senders."""

    @property
    def senders(self) -> int:
        """All of them."""


def senders_text(rows: Sequence[Counted]) -> str:
    """The least and the most senders of these rows."""
    found = [row.senders for row in rows]
    if min(found) == max(found):
        return f"{found[0]} sender{'s' * (found[0] > 1)}"
    return f"{min(found)} to {max(found)} senders"


def answer(rows: Sequence[TinysecThroughputRow]) -> str:
    """The ratios over all numbers of senders."""
    above = load("tinysec")["throughput"]["senders_above"] + 1
    most, got = max(row.senders for row in rows), "received_each"
    few, many = (1, above - 1), (above, most)
    wanted = [
        ("AE beside plain TinyOS with {}", "ae", few, got),
        ("AE with {}", "ae", many, got),
        ("packets that AE sends there", "ae", many, "sent_each"),
        ("Auth with {}", "auth", (1, most), got),
        (
            "plain packets as long as AE's, beside AE, with {}",
            "none-29",
            (1, most),
            got,
        ),
        ("Auth's as long", "auth-28", (1, most), got),
    ]
    parts = [
        f"{words.format(measured(rows, stack, ends))}: {found.text(3)}"
        for words, stack, ends, what in wanted
        if (found := pooled(rows, stack, ends, what)) is not None
    ]
    return "; ".join(parts) + "." if parts else "No stack was compared with another."


def conditions(rows: Sequence[TinysecThroughputRow]) -> list[tuple[str, str]]:
    """Time, seeds, and where motes are."""
    gap = rows[0].gap
    rest = f"each rests {gap} octet times between packets" if gap else "each sends without a rest"
    return [
        ("board", rows[0].board),
        ("counted", f"{rows[0].seconds} s, after half a second in which motes boot"),
        form.seeds_text(rows),
        ("senders", f"at random places on 6 by 7.75 feet, the base in the middle; {rest}"),
        ("channel", "free space at 433 MHz; of colliding packets the stronger may come through"),
        ("start symbol", "28 octets of preamble and 2 of sync, as at the time of the paper"),
    ]


def figure(rows: Sequence[TinysecThroughputRow]) -> str:
    """SVG: packets received against senders, and the same beside the reference."""
    with drawing(9, 3.6) as page:
        packets, ratios = page.subplots(1, 2)
        for stack, own in by(rows, lambda row: row.stack).items():
            beside = f"{TITLES[stack]}, beside {STACKS[stack].reference}"
            form.line(packets, own, ("senders", "received"))
            form.line(ratios, own, ("senders", "ratio"), beside)
        printed = of_paper("ae", MOST_SENDERS) or 1
        ratios.axhline(printed, color="black", linewidth=0.6, linestyle="--")
        packets.set_ylabel(f"packets received in {rows[0].seconds} s")
        ratios.set_ylabel("ratio (dashed: the paper's AE)")
        packets.set_ylim(bottom=0)
        return form.finished(page, "senders")


EXPERIMENT = form.of_network(
    "How many packets of 1 to 20 senders does a base receive, with TinySec and without?",
    Wanted,
    measure,
    gathered,
    TinysecThroughputRow,
    form.View(
        "tinysec-throughput",
        "Packets received by a base against senders",
        COLUMNS,
        answer,
        conditions,
        figure,
    ),
)
