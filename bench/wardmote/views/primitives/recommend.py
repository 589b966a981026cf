# SPDX-License-Identifier: BSD-3-Clause
"""Formats a recommendation: what to use, why, the runner-up, and what would change it."""

from collections.abc import Sequence

from wardmote.study.primitives.recommend import (
    ADDRESSES,
    ANYTHING,
    NOTHING,
    Need,
    RecommendedRow,
)
from wardmote.views.columns import Fields
from wardmote.views.table import Column
from wardmote.views.text import label
from wardmote.views.words import clock_name

NEED_WORDS = {
    "aead": "authenticated encryption",
    "aead-header": "authenticated encryption with as much associated data",
    "mac": "an authentication code",
    "hash": "a hash",
    "encryption": "encryption alone",
    "stream": "encryption that adds no octet",
}
ALONE = ("encryption", "stream")
"""Needs without authentication."""
SHOWS_WORDS = {
    NOTHING: "whose secrets change nothing",
    ADDRESSES: "whose secrets change neither cycles nor path",
    ANYTHING: "whatever their secrets change",
}
_of = Fields(RecommendedRow)
COLUMNS: tuple[Column[RecommendedRow], ...] = (
    Column("place", lambda row: str(row.place or "-"), rank=0),
    Column("primitive", label, text=True, rank=0),
    _of.number("cycles", rank=0),
    Column("more %", lambda row: f"{100 * row.more:+.0f}", rank=1),
    _of.number("time µs", "time_us", 1, rank=2),
    _of.number("energy µJ", "energy_uj", 2, rank=3),
    _of.number("flash octets", rank=0),
    _of.number("RAM octets", "ram_octets", rank=3),
    _of.number("stack octets", rank=3),
    _of.word("secrets change", "shows", rank=1),
    _of.word("against", rank=2, wrap=True),
)


def meeting(rows: Sequence[RecommendedRow]) -> list[RecommendedRow]:
    """Those that meet the need, the recommendation first."""
    return [row for row in rows if row.place]


def conditions(rows: Sequence[RecommendedRow], need: Need) -> list[tuple[str, str]]:
    """What the choice depends on."""
    row = rows[0]
    flash = "any" if need.flash_octets is None else f"at most {need.flash_octets} octets"
    return [
        ("need", f"{NEED_WORDS[need.kind]}, messages of {need.octets} octets, on {need.cpu}"),
        ("key", f"{need.key_bits} bits or more; " + ("new" if need.new_key else "set up before")),
        ("secrets may change", need.shows),
        ("flash", flash),
        ("time and energy", f"{row.board} at {clock_name(row.clock_hz)}, the CPU alone"),
        ("commit", row.commit),
    ]


def answer(rows: Sequence[RecommendedRow], need: Need) -> str:
    """The recommendation in sentences, or the nearest if nothing meets the need."""
    meets = meeting(rows)
    if not meets:
        near = rows[0]
        return (
            f"Nothing meets the need. {label(near)} would take {near.cycles} cycles and "
            f"{near.flash_octets} octets of flash; against it: {near.against}."
        )
    best = meets[0]
    lines = [
        f"Use {label(best)}: {best.cycles} cycles, {best.time_us / 1000:.3g} ms and "
        f"{best.energy_uj:.3g} µJ a message; {best.flash_octets} octets of flash, "
        f"{best.ram_octets} of RAM, {best.stack_octets} of stack.",
        _why(meets, need),
    ]
    other = next((row for row in meets if row.primitive != best.primitive), None)
    if other is not None:
        lines.append(f"Runner-up: {label(other)}, {_beside(other, best)}.")
    small = min(meets, key=lambda row: row.flash_octets)
    if small.flash_octets < best.flash_octets:
        lines.append(f"Least flash: {label(small)}, {_beside(small, best)}.")
    lines += _changes(rows, best, need)
    if need.kind in ALONE:
        lines.append("It authenticates nothing: whoever can send can change what it encrypts.")
    return "\n".join(lines)


def _why(meets: Sequence[RecommendedRow], need: Need) -> str:
    limits = [SHOWS_WORDS[need.shows]]
    if need.kind != "hash":
        limits.append(f"with keys of {need.key_bits} bits or more")
    if need.flash_octets is not None:
        limits.append(f"in at most {need.flash_octets} octets of flash")
    of = "It is the only candidate"
    if len(meets) > 1:
        of = f"It takes the fewest cycles of {len(meets)} candidates"
    return f"Why: {of} {', '.join(limits)}."


def _beside(row: RecommendedRow, best: RecommendedRow) -> str:
    octets = row.flash_octets - best.flash_octets
    return (
        f"{row.cycles} cycles ({100 * (row.cycles / best.cycles - 1):+.0f} %), "
        f"{row.flash_octets} octets of flash ({octets:+d})"
    )


def _changes(rows: Sequence[RecommendedRow], best: RecommendedRow, need: Need) -> list[str]:
    """What another answer to `what may secrets change?` would give."""
    lines = []
    if need.shows != NOTHING:
        clean = [row for row in meeting(rows) if row.shows == NOTHING]
        if best.shows == NOTHING:
            lines.append("Its secrets change neither cycles, path nor addresses.")
        elif clean:
            lines.append(
                f"Its secrets change {best.shows}. If they must change nothing: {label(clean[0])}, "
                f"{_beside(clean[0], best)}."
            )
        else:
            lines.append(f"Its secrets change {best.shows}; no candidate does better.")
    return lines
