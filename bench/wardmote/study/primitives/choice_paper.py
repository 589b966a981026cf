# SPDX-License-Identifier: BSD-3-Clause
"""Judges whether the paper's recommendations hold with our code, and what the standard of 2025
changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.measurements.primitives import host32
from wardmote.measurements.primitives.printed import BOARD, CPU
from wardmote.published import load
from wardmote.study.primitives.choice import (
    AEAD,
    AEAD_WITH_A,
    HASH,
    MESSAGE,
    SETS,
    TIE,
    Candidate,
    best,
    regimes_of,
    runs,
    unit_of,
)

LEAST_OCTETS, MOST_OCTETS = 12, 128
"""Shortest and longest message of the paper."""
CPU_OF = {BOARD: CPU, "edison": host32.CPU}
"""The CPU that represents each board of the paper here."""
ASCON_OCTETS = (16, 32, 64, 128)


@dataclass(frozen=True, slots=True)
class RecommendationRow:
    """One recommendation against all candidates of a set, over the lengths that it is given for."""

    board: str
    cpu: str
    text: str
    kind: str
    allowed: str
    regime: str
    recommended: str
    holds: bool
    """At every length it is the cheapest, or within `TIE` of the cheapest."""
    from_octets: int
    to_octets: int
    sizes: int
    sizes_held: int
    """Number of lengths at which it is the cheapest, or within `TIE`."""
    held: str
    """Ranges of these lengths."""
    at_octets: int
    """Length with the largest ratio of its cost to the cost of the best other one."""
    recommended_cost: int
    other: str
    """The cheapest other primitive at that length."""
    other_cost: int
    unit: str
    ratio: float
    """Cost of the recommended one over that of the other; below 1, the recommended one is cheaper."""


@dataclass(frozen=True, slots=True)
class AsconRow:
    """Ascon beside an older primitive, on one CPU at one length."""

    cpu: str
    kind: str
    octets: int
    unit: str
    ascon: str
    ascon_cost: int
    ascon_flash_octets: int | None
    other: str
    role: str
    """Why this primitive is compared."""
    other_cost: int
    other_flash_octets: int | None
    ratio: float
    """Cost of Ascon over that of the other; above 1, Ascon costs more."""


def recommendations(found: Sequence[Candidate]) -> list[RecommendationRow]:
    """Each recommendation, judged among three sets: primitives that the paper measured, all of
    ours, and those that reveal no secret."""
    rows = []
    for one in load("primitives")["recommendation"]:
        cpu = CPU_OF[one["board"]]
        own = [
            candidate
            for candidate in found
            if (candidate.cpu, candidate.kind) == (cpu, one["kind"])
        ]
        low, high = max(LEAST_OCTETS, one.get("least", 0)), one.get("most", MOST_OCTETS)
        for allowed in ("paper", "all", "constant time"):
            for regime in regimes_of(one["kind"]):
                possible = [
                    candidate
                    for candidate in own
                    if SETS[allowed](candidate) and _of_the_choice(one, candidate, allowed)
                ]
                row = _judged(one, possible, (low, high), allowed, regime)
                rows += [row] if row else []
    return rows


def _of_the_choice(one: Mapping[str, Any], candidate: Candidate, allowed: str) -> bool:
    """Whether the paper chose among these: of what it measured, a recommendation may name the others
    that it stands beside."""
    chosen = {one["primitive"], *one.get("beside", ())}
    return allowed != "paper" or "beside" not in one or candidate.primitive in chosen


def _judged(
    one: dict[str, str], own: Sequence[Candidate], ends: tuple[int, int], allowed: str, regime: str
) -> RecommendationRow | None:
    """The row of one recommendation. None if the recommended primitive is missing, or all others
    are."""
    named = [candidate for candidate in own if candidate.primitive == one["primitive"]]
    others = [candidate for candidate in own if candidate.primitive != one["primitive"]]
    if not named or not others:
        return None
    sizes = [size for size in named[0].costs if ends[0] <= size <= ends[1]]
    pairs = {size: tuple(best(side, size, regime) for side in (named, others)) for size in sizes}
    ratios = {
        size: ours.cost(size, regime) / other.cost(size, regime)
        for size, (ours, other) in pairs.items()
    }
    held = [size for size in sizes if ratios[size] <= TIE]
    at = max(sizes, key=lambda size: ratios[size])
    ours, other = pairs[at]
    return RecommendationRow(
        board=one["board"],
        cpu=ours.cpu,
        text=one["text"],
        kind=one["kind"],
        allowed=allowed,
        regime=regime,
        recommended=ours.label,
        holds=len(held) == len(sizes),
        from_octets=sizes[0],
        to_octets=sizes[-1],
        sizes=len(sizes),
        sizes_held=len(held),
        held=ranges_of(held, sizes),
        at_octets=at,
        recommended_cost=ours.cost(at, regime),
        other=other.label,
        other_cost=other.cost(at, regime),
        unit=unit_of(ours.cpu),
        ratio=round(ratios[at], 3),
    )


def ranges_of(held: Sequence[int], sizes: Sequence[int]) -> str:
    """Names the lengths; neighbours in `sizes` are one range."""
    parts = [
        lengths for inside, lengths in runs([(size, size in held) for size in sizes]) if inside
    ]
    return ", ".join(
        f"{part[0]}" if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts
    )


RECOMMENDED = "what the paper recommends"
BESIDE_AEAD = (
    ("ccm", "all", "what IEEE 802.15.4 has"),
    ("lettersoup", "all", RECOMMENDED),
    ("", "constant time", "the best other one without tables looked up by secrets"),
)
ROLES = (
    *((kind, *beside) for kind in (AEAD, AEAD_WITH_A) for beside in BESIDE_AEAD),
    (HASH, "blake2s", "all", RECOMMENDED),
)
"""Primitives that are compared with Ascon: by name, or the best of a set."""
ASCONS = {AEAD: "ascon_aead128", AEAD_WITH_A: "ascon_aead128", HASH: "ascon_hash256"}


def ascon_rows(found: Sequence[Candidate]) -> list[AsconRow]:
    """Ascon beside each of ROLES, by CPU and length; without init, which only a new key needs."""
    rows = []
    for cpu in dict.fromkeys(one.cpu for one in found):
        for kind, name, allowed, role in ROLES:
            own = [
                one for one in found if (one.cpu, one.kind) == (cpu, kind) and SETS[allowed](one)
            ]
            ours = [one for one in own if one.primitive == ASCONS[kind]]
            others = [
                one
                for one in own
                if (one.primitive == name if name else one.primitive != ASCONS[kind])
            ]
            if ours and others:
                rows += [
                    _beside(ours, others, size, role)
                    for size in ASCON_OCTETS
                    if size in ours[0].costs
                ]
    return rows


def _beside(
    ours: Sequence[Candidate], others: Sequence[Candidate], size: int, role: str
) -> AsconRow:
    own, other = best(ours, size, MESSAGE), best(others, size, MESSAGE)
    return AsconRow(
        cpu=own.cpu,
        kind=own.kind,
        octets=size,
        unit=unit_of(own.cpu),
        ascon=own.label,
        ascon_cost=own.costs[size],
        ascon_flash_octets=own.flash_octets,
        other=other.label,
        role=role,
        other_cost=other.costs[size],
        other_flash_octets=other.flash_octets,
        ratio=round(own.costs[size] / other.costs[size], 3),
    )
