# SPDX-License-Identifier: BSD-3-Clause
"""Formats the cheapest primitives, the crossings of curves, the smallest, and what Ascon changes."""

from collections.abc import Mapping, Sequence

from wardmote.published import load
from wardmote.study.primitives.choice import (
    SHORT_KEYS,
    UNSOUND,
    ChoiceRow,
    CrossingRow,
    SmallestRow,
)
from wardmote.study.primitives.choice_paper import AsconRow
from wardmote.views.columns import Fields
from wardmote.views.primitives.paper import REGIME_WORDS, SET_WORDS
from wardmote.views.table import Column, band, to_markdown
from wardmote.views.templates import conditions_of
from wardmote.views.text import bullets, by, label

_choice, _crossing = Fields(ChoiceRow), Fields(CrossingRow)
_smallest, _ascon = Fields(SmallestRow), Fields(AsconRow)
KIND_WORDS = {
    "encryption": "encryption alone",
    "hash": "hash",
    "mac": "authentication code",
    "aead": "authenticated encryption",
    "aead with a": "authenticated encryption, as much associated data",
}


def sizes(row: ChoiceRow | CrossingRow) -> str:
    """The range of lengths."""
    return band(row.from_octets, row.to_octets)


CHOICES: tuple[Column[ChoiceRow], ...] = (
    *_choice.words("cpu", "kind", rank=0),
    _choice.word("of", "allowed", rank=0),
    _choice.word("counted", "regime"),
    Column("octets", sizes, rank=0),
    Column("best", label, text=True, rank=0),
    Column("cost", lambda row: band(row.cost_from, row.cost_to)),
    _choice.word("unit"),
    _choice.word("next best", "second", rank=3),
    _choice.number("its cost", "second_cost_to", rank=3),
    _choice.number("flash octets", rank=2),
)
CROSSINGS: tuple[Column[CrossingRow], ...] = (
    _crossing.word("cpu"),
    Column("kind", lambda row: KIND_WORDS[row.kind], text=True),
    Column("between", lambda row: f"{row.first}, {row.second}", text=True),
    Column("counted", lambda row: REGIME_WORDS[row.regime], text=True),
    Column("octets", sizes),
    _crossing.word("less"),
    Column("second over first", lambda row: f"{row.ratio_from:.2f}–{row.ratio_to:.2f}"),
)
SMALLEST: tuple[Column[SmallestRow], ...] = (
    _smallest.word("cpu"),
    Column("kind", lambda row: KIND_WORDS[row.kind], text=True),
    Column("of", lambda row: SET_WORDS[row.allowed], text=True),
    Column("smallest", label, text=True),
    _smallest.number("flash octets"),
    _smallest.number("cycles of 64", "cycles_64"),
    _smallest.word("fastest"),
    _smallest.number("flash octets ", "fastest_flash_octets"),
    _smallest.number("cycles of 64 ", "fastest_cycles_64"),
)
ASCON: tuple[Column[AsconRow], ...] = (
    _ascon.word("cpu"),
    Column("kind", lambda row: KIND_WORDS[row.kind], text=True),
    _ascon.number("octets"),
    _ascon.number("Ascon", "ascon_cost"),
    _ascon.number("flash octets", "ascon_flash_octets"),
    _ascon.word("beside", "other"),
    _ascon.number("its cost", "other_cost"),
    _ascon.number("flash octets ", "other_flash_octets"),
    _ascon.number("Ascon over it", "ratio", 2),
    _ascon.word("unit"),
)


def wide(rows: Sequence[ChoiceRow], allowed: str) -> str:
    """One line for each CPU and kind: ranges of lengths with the cheapest primitive, when the key is
    set up."""
    own = [row for row in rows if (row.allowed, row.regime) == (allowed, "message")]
    lines = by(own, lambda row: (row.cpu, row.kind)).values()
    columns: list[Column[list[ChoiceRow]]] = [
        Column("cpu", lambda line: line[0].cpu, text=True),
        Column("kind", lambda line: KIND_WORDS[line[0].kind], text=True),
        Column(
            "takes least, by octets of message",
            lambda line: joined([(sizes(row), label(row)) for row in line]),
            text=True,
        ),
    ]
    return to_markdown(list(lines), columns)


SHORT_OCTETS = 64


def short(rows: Sequence[ChoiceRow]) -> str:
    """One line for each CPU: the cheapest of each kind at one length, and the cheapest that shows no
    secret."""
    lines = []
    for cpu, own in by(rows, lambda row: row.cpu).items():
        parts = []
        for kind, words in KIND_WORDS.items():
            free, clean = (_at(own, kind, allowed) for allowed in ("all", "constant time"))
            if free:
                instead = f" (no secret shows: {clean})" if clean and clean != free else ""
                parts.append(f"{words} {free}{instead}")
        lines.append(f"**{cpu}**: {'; '.join(parts)}.")
    return bullets(lines)


def _at(rows: Sequence[ChoiceRow], kind: str, allowed: str) -> str:
    """The cheapest primitive at that length."""
    for row in rows:
        wanted = (row.kind, row.allowed, row.regime) == (kind, allowed, "message")
        if wanted and row.from_octets <= SHORT_OCTETS <= row.to_octets:
            names = (row.primitive, *row.variant.split())
            bits = next((SHORT_KEYS[name] for name in names if name in SHORT_KEYS), None)
            return f"{label(row)}, key of {bits} bits" if bits else label(row)
    return ""


MOST_RANGES = 6


def joined(ranges: Sequence[tuple[str, str]]) -> str:
    """Lengths with their primitive; if they are many, each primitive once with all its lengths."""
    if len(ranges) > MOST_RANGES:
        groups = by(ranges, lambda one: one[1])
        ranges = [(", ".join(low for low, _ in own), name) for name, own in groups.items()]
    return "; ".join(f"{lengths}: {name}" for lengths, name in ranges)


def printed_crossings() -> str:
    """Where the curves of the paper cross."""
    printed = load("primitives")["edison"]["crossover_bytes"]
    return (
        "In the paper, on an Edison and of the operation alone, AES is before Trivium up to "
        f"{printed['aes_fastest_up_to']} octets, and Grain before AES from "
        f"{printed['grain_beats_aes_from']}."
    )


def unsound() -> str:
    """The primitives that are never chosen, with the reason."""
    return _glossary(UNSOUND)


def _glossary(words: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {meaning}" for name, meaning in words.items() if name != meaning)


def conditions() -> list[tuple[str, str]]:
    """What the words of a table mean."""
    words = {"kinds": KIND_WORDS, "sets": SET_WORDS, "regimes": REGIME_WORDS}
    return conditions_of("choice", **{name: _glossary(one) for name, one in words.items()})


def answer(rows: Sequence[ChoiceRow]) -> str:
    """Counts the ranges, and names what is never chosen."""
    cpus = ", ".join(dict.fromkeys(row.cpu for row in rows))
    return (
        f"{len(rows)} ranges of lengths on {cpus}. Never chosen, but in the paper's set: "
        f"{unsound()}."
    )
