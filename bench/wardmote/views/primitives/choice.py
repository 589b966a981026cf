# SPDX-License-Identifier: BSD-3-Clause
"""Formats the cheapest primitives, the crossings of curves, the smallest, and what Ascon changes."""

from collections.abc import Sequence

from wardmote.published import load
from wardmote.study.primitives.choice import (
    SHORT_KEYS,
    UNSOUND,
    ChoiceRow,
    CrossingRow,
    SmallestRow,
)
from wardmote.study.primitives.choice_paper import AsconRow
from wardmote.views.primitives.paper import REGIME_WORDS, SET_WORDS
from wardmote.views.table import Column, number, to_markdown

KIND_WORDS = {
    "encryption": "encryption alone",
    "hash": "hash",
    "mac": "authentication code",
    "aead": "authenticated encryption",
    "aead with a": "authenticated encryption, as much associated data",
}


def sizes(row: ChoiceRow | CrossingRow) -> str:
    """The range of lengths."""
    low, high = row.from_octets, row.to_octets
    return f"{low}" if low == high else f"{low}–{high}"


CHOICES: tuple[Column[ChoiceRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True, rank=0),
    Column("kind", lambda row: row.kind, text=True, rank=0),
    Column("of", lambda row: row.allowed, text=True, rank=0),
    Column("counted", lambda row: row.regime, text=True, rank=1),
    Column("octets", sizes, rank=0),
    Column("best", lambda row: f"{row.primitive} {row.variant}".strip(), text=True, rank=0),
    Column(
        "cost",
        lambda row: (
            f"{row.cost_from}–{row.cost_to}" if row.cost_from != row.cost_to else str(row.cost_to)
        ),
        rank=1,
    ),
    Column("unit", lambda row: row.unit, text=True, rank=1),
    Column("next best", lambda row: row.second, text=True, rank=3),
    Column("its cost", lambda row: number(row.second_cost_to), rank=3),
    Column("flash octets", lambda row: number(row.flash_octets), rank=2),
)
CROSSINGS: tuple[Column[CrossingRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True),
    Column("kind", lambda row: KIND_WORDS[row.kind], text=True),
    Column("between", lambda row: f"{row.first}, {row.second}", text=True),
    Column("counted", lambda row: REGIME_WORDS[row.regime], text=True),
    Column("octets", sizes),
    Column("less", lambda row: row.less, text=True),
    Column("second over first", lambda row: f"{row.ratio_from:.2f}–{row.ratio_to:.2f}"),
)
SMALLEST: tuple[Column[SmallestRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True),
    Column("kind", lambda row: KIND_WORDS[row.kind], text=True),
    Column("of", lambda row: SET_WORDS[row.allowed], text=True),
    Column("smallest", lambda row: f"{row.primitive} {row.variant}".strip(), text=True),
    Column("flash octets", lambda row: str(row.flash_octets)),
    Column("cycles of 64", lambda row: str(row.cycles_64)),
    Column("fastest", lambda row: row.fastest, text=True),
    Column("flash octets ", lambda row: str(row.fastest_flash_octets)),
    Column("cycles of 64 ", lambda row: str(row.fastest_cycles_64)),
)
ASCON: tuple[Column[AsconRow], ...] = (
    Column("cpu", lambda row: row.cpu, text=True),
    Column("kind", lambda row: KIND_WORDS[row.kind], text=True),
    Column("octets", lambda row: str(row.octets)),
    Column("Ascon", lambda row: str(row.ascon_cost)),
    Column("flash octets", lambda row: number(row.ascon_flash_octets)),
    Column("beside", lambda row: row.other, text=True),
    Column("its cost", lambda row: str(row.other_cost)),
    Column("flash octets ", lambda row: number(row.other_flash_octets)),
    Column("Ascon over it", lambda row: number(row.ratio, 2)),
    Column("unit", lambda row: row.unit, text=True),
)


def wide(rows: Sequence[ChoiceRow], allowed: str) -> str:
    """One line for each CPU and kind: ranges of lengths with the cheapest primitive, when the key is
    set up."""
    lines: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if (row.allowed, row.regime) == (allowed, "message"):
            best = f"{row.primitive} {row.variant}".strip()
            lines.setdefault((row.cpu, row.kind), []).append(f"{sizes(row)}: {best}")
    body = [(cpu, KIND_WORDS[kind], ranges) for (cpu, kind), ranges in lines.items()]
    columns: tuple[Column[tuple[str, str, list[str]]], ...] = (
        Column("cpu", lambda line: line[0], text=True),
        Column("kind", lambda line: line[1], text=True),
        Column(
            "takes least, by octets of message", lambda line: "; ".join(joined(line[2])), text=True
        ),
    )
    return to_markdown(body, columns)


SHORT_OCTETS = 64


def short(rows: Sequence[ChoiceRow]) -> str:
    """One line for each CPU: the cheapest of each kind at one length, and the cheapest that shows no
    secret."""
    lines = []
    for cpu in dict.fromkeys(row.cpu for row in rows):
        parts = []
        for kind, words in KIND_WORDS.items():
            free, clean = (_at(rows, cpu, kind, allowed) for allowed in ("all", "constant time"))
            if free:
                instead = f" (no secret shows: {clean})" if clean and clean != free else ""
                parts.append(f"{words} {free}{instead}")
        lines.append(f"* **{cpu}**: {'; '.join(parts)}.\n")
    return "".join(lines)


def _at(rows: Sequence[ChoiceRow], cpu: str, kind: str, allowed: str) -> str:
    """The cheapest primitive at that length."""
    own = (
        row
        for row in rows
        if (row.cpu, row.kind, row.allowed, row.regime) == (cpu, kind, allowed, "message")
    )
    found = next((row for row in own if row.from_octets <= SHORT_OCTETS <= row.to_octets), None)
    if found is None:
        return ""
    bits = next(
        (
            SHORT_KEYS[name]
            for name in (found.primitive, *found.variant.split())
            if name in SHORT_KEYS
        ),
        None,
    )
    label = f"{found.primitive} {found.variant}".strip()
    return f"{label}, key of {bits} bits" if bits else label


MOST_RANGES = 6


def joined(ranges: Sequence[str]) -> list[str]:
    """The ranges; if they are many, each primitive once with all its lengths."""
    if len(ranges) <= MOST_RANGES:
        return list(ranges)
    by_name: dict[str, list[str]] = {}
    for one in ranges:
        lengths, name = one.split(": ")
        by_name.setdefault(name, []).append(lengths)
    return [f"{', '.join(lengths)}: {name}" for name, lengths in by_name.items()]


def printed_crossings() -> str:
    """Where the curves of the paper cross."""
    printed = load("primitives")["edison"]["crossover_bytes"]
    return (
        "In the paper, on an Edison and of the operation alone, AES is before Trivium up to"
        f" {printed['aes_fastest_up_to']} octets, and Grain before AES from "
        f"{printed['grain_beats_aes_from']}."
    )


def unsound() -> str:
    """The primitives that are never chosen, with the reason."""
    return "; ".join(f"{name}: {why}" for name, why in UNSOUND.items())


def conditions() -> list[tuple[str, str]]:
    """What the words of a table mean."""
    return [
        (
            "kind",
            "; ".join(f"{name}: {words}" for name, words in KIND_WORDS.items() if name != words),
        ),
        ("of", "; ".join(f"{name}: {words}" for name, words in SET_WORDS.items())),
        ("counted", "; ".join(f"{name}: {words}" for name, words in REGIME_WORDS.items())),
        (
            "cost",
            "at both ends of the range; on the emulated CPUs energy is cycles times a constant",
        ),
    ]


def answer(rows: Sequence[ChoiceRow]) -> str:
    """Counts the ranges, and names what is never chosen."""
    cpus = ", ".join(dict.fromkeys(row.cpu for row in rows))
    return (
        f"{len(rows)} ranges of lengths on {cpus}. Never chosen, but in the paper's "
        "set: "
        f"{unsound()}."
    )
