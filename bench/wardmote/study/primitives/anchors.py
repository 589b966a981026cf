# SPDX-License-Identifier: BSD-3-Clause
"""Compares figures of other code with ours, and fast forms with small ones.

published/anchors.toml names the operations that a figure is compared with. The best of our variants
counts, at the slow end of a timing band.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wardmote.campaign.cases import Figures
from wardmote.measurements.primitives.campaign import Selection, emulated_case
from wardmote.measurements.primitives.cases import EmulatedCase
from wardmote.measurements.primitives.entry import Primitive, out
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.published import load

UNITS = ("whole", "long octet")
HOW = ("printed", "converted", "derived", "measured", "bound")
FRAME_TAG_OCTETS = 4
"""Tag of the longest data frame; CCM* of the table has tags of 16."""
PREPARES = ("init", "start")
"""Operations that other operations of an entry need."""
MAIN = ("encrypt", "decrypt", "digest", "seal", "update")
"""The main operation of an entry is the first of these that it has."""
MAIN_OCTETS = 128


@dataclass(frozen=True, slots=True)
class Anchor:
    """A figure of other code, in cycles."""

    cpu: str
    primitive: str
    variants: tuple[str, ...]
    """Our variants; empty means all but the small forms."""
    operations: tuple[str, ...]
    unit: str
    octets: tuple[int, ...]
    """One length, or two for a rate; none where the length does not matter, or there is one only.
    """
    a_octets: int
    cycles: float
    how: str
    source: str
    certain: bool
    note: str
    why: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One of our costs."""

    cpu: str
    primitive: str
    variant: str
    operation: str
    octets: int
    a_octets: int
    cycles: int
    cycles_low: int | None


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """A figure of other code and ours."""

    cpu: str
    primitive: str
    variant: str
    operations: str
    unit: str
    octets: int
    """Of message; of a rate, the longer of two."""
    from_octets: int | None
    """Of a rate, the shorter."""
    a_octets: int
    ours_cycles: float | None
    ours_cycles_low: float | None
    """At the fast end of a band; None where timing is exact."""
    theirs_cycles: float
    ratio: float | None
    """Theirs over ours; above 1, ours is faster."""
    held: bool | None
    """Ours is not slower; None where we have none."""
    certain: bool
    how: str
    source: str
    note: str
    why: str


@dataclass(frozen=True, slots=True)
class FormRow:
    """One primitive on one CPU: its fast form beside its small one."""

    cpu: str
    primitive: str
    fast: str
    small: str
    operation: str
    octets: int
    fast_cycles: int
    small_cycles: int
    fast_cycles_low: int | None
    small_cycles_low: int | None
    fast_flash_octets: int
    small_flash_octets: int
    fast_ram_octets: int
    small_ram_octets: int
    fast_stack_octets: int
    small_stack_octets: int


def anchors() -> list[Anchor]:
    """Every figure of the file, in its order."""
    data = load("anchors")
    return [
        Anchor(
            cpu=one["cpu"],
            primitive=one["primitive"],
            variants=tuple(one.get("variants", ())),
            operations=tuple(one["operations"]),
            unit=one["unit"],
            octets=tuple(one.get("octets", ())),
            a_octets=one.get("a_octets", 0),
            cycles=_cycles(one),
            how=one["how"],
            source=data["source"][one["source"]],
            certain=one.get("certain", True),
            note=one.get("note", ""),
            why=one.get("why", ""),
        )
        for one in data["anchor"]
    ]


def _cycles(one: dict[str, float]) -> float:
    """A published figure in cycles: its cycles, or its microseconds at its clock, with its
    factors."""
    figure = one["cycles"] if "cycles" in one else one["us"] * one["clock_mhz"]
    return round(figure * one.get("times", 1) / one.get("over", 1), 3)


def figures(rows: Iterable[PrimitiveRow]) -> list[Figure]:
    """The part of rows that anchors are compared with."""
    names = [field.name for field in dataclasses.fields(Figure)]
    return [Figure(**{name: getattr(row, name) for name in names}) for row in rows]


def compare(found: Iterable[Anchor], ours: Sequence[Figure]) -> list[AnchorRow]:
    """Each anchor with the best of ours."""
    return [_row(anchor, ours) for anchor in found]


def _row(anchor: Anchor, ours: Sequence[Figure]) -> AnchorRow:
    own = [
        one for one in ours if one.cpu == anchor.cpu and _means(anchor, one.primitive, one.variant)
    ]
    variants = dict.fromkeys(one.variant for one in own)
    costs = [(cost, name) for name in variants if (cost := _cost(anchor, own, name)) is not None]
    best = min(costs, key=lambda one: one[0], default=None)
    cycles, low = (None, None) if best is None else best[0]
    held = None if cycles is None else cycles <= anchor.cycles
    return AnchorRow(
        cpu=anchor.cpu,
        primitive=anchor.primitive,
        variant=best[1] if best else "",
        operations=" + ".join(anchor.operations),
        unit=anchor.unit,
        octets=max(anchor.octets, default=0),
        from_octets=min(anchor.octets) if len(anchor.octets) > 1 else None,
        a_octets=anchor.a_octets,
        ours_cycles=cycles,
        ours_cycles_low=low if low != cycles else None,
        theirs_cycles=anchor.cycles,
        ratio=None if cycles is None else round(anchor.cycles / cycles, 3),
        held=held,
        certain=anchor.certain,
        how=anchor.how,
        source=anchor.source,
        note=anchor.note,
        why=""
        if held
        else anchor.why
        if held is False
        else "There is no such operation, or it was not measured.",
    )


def _means(anchor: Anchor, primitive: str, variant: str) -> bool:
    """Whether an anchor is compared with a variant of ours."""
    named = variant in anchor.variants if anchor.variants else "small" not in variant
    return primitive == anchor.primitive and named


def _cost(anchor: Anchor, ours: Sequence[Figure], variant: str) -> tuple[float, float] | None:
    """Cycles of one variant in the anchor's unit, at the slow and the fast end; None where a figure
    lacks."""
    lengths = sorted(anchor.octets) or [0]
    totals = [_total(anchor, ours, variant, octets) for octets in lengths]
    if any(total is None for total in totals):
        return None
    first, *rest = [total for total in totals if total is not None]
    if not rest:
        return float(first[0]), float(first[1])
    more = lengths[1] - lengths[0]
    return round((rest[0][0] - first[0]) / more, 2), round((rest[0][1] - first[1]) / more, 2)


def _total(
    anchor: Anchor, ours: Sequence[Figure], variant: str, octets: int
) -> tuple[int, int] | None:
    """The operations' cycles together, at both ends."""
    found = [
        one
        for name in anchor.operations
        for one in ours
        if (one.variant, one.operation) == (variant, name)
        and (not octets or one.octets in (0, octets))
        and one.a_octets == (anchor.a_octets if one.octets else 0)
    ]
    if len(found) != len(anchor.operations):
        return None
    return sum(one.cycles for one in found), sum(
        one.cycles if one.cycles_low is None else one.cycles_low for one in found
    )


def selections(selection: Selection, found: Sequence[Anchor]) -> list[Selection]:
    """The measurements for anchors: one selection for all primitives with the same lengths."""
    groups: dict[tuple[int, ...], list[Primitive]] = {}
    for one in selection.primitives:
        own = [
            anchor
            for anchor in found
            if _means(anchor, one.name, one.variant) and not is_frame(anchor)
        ]
        if own:
            sizes = (
                ()
                if one.fixed is not None
                else tuple(sorted({n for anchor in own for n in anchor.octets}))
            )
            groups.setdefault(sizes, []).append(one)
    made = []
    for sizes, primitives in groups.items():
        names = {one.name for one in primitives}
        needed = {
            name for anchor in found if anchor.primitive in names for name in anchor.operations
        }
        # Decryption restores the message that encryption has changed, so both are measured.
        needed |= {*PREPARES, *(("encrypt",) if "decrypt" in needed else ())}
        every = dict.fromkeys(operation.name for one in PRIMITIVES for operation in one.operations)
        operations = tuple(name for name in every if name in needed)
        made.append(
            dataclasses.replace(
                selection,
                primitives=tuple(primitives),
                sizes=sizes or (MAIN_OCTETS,),
                operations=operations,
            )
        )
    return made


def is_frame(anchor: Anchor) -> bool:
    """Whether an anchor has the lengths of a frame: its associated data is neither empty nor as long
    as its message."""
    return anchor.a_octets not in (0, *anchor.octets)


def frame_cases(selection: Selection, found: Sequence[Anchor]) -> list[EmulatedCase]:
    """The measurements for anchors of frames, with the short tag of a frame."""
    return [
        _frame(selection, anchor, one)
        for anchor in found
        if is_frame(anchor) and anchor.cpu in selection.cpus
        for one in selection.primitives
        if _means(anchor, one.name, one.variant)
    ]


def _frame(selection: Selection, anchor: Anchor, primitive: Primitive) -> EmulatedCase:
    names = (*PREPARES, *anchor.operations)
    tagged = dataclasses.replace(
        primitive, values={**primitive.values, "tag": out(FRAME_TAG_OCTETS)}
    )
    lengths = ((anchor.octets[0], anchor.a_octets),)
    chosen = dataclasses.replace(selection, operations=names)
    return emulated_case(chosen, anchor.cpu, tagged, lengths)


def frame_figures(cases: Sequence[EmulatedCase], found: Sequence[Figures]) -> list[Figure]:
    """Costs of frames, without those that no length matters to."""
    return [
        Figure(
            *(case.cpu, case.primitive.name, case.primitive.variant, cost["operation"]),
            *(cost["octets"], cost["a_octets"], cost["cycles"], cost["cycles_low"]),
        )
        for case, figures_ in zip(cases, found, strict=True)
        for operation in case.primitive.operations
        for cost in figures_["costs"]
        if operation.per_size and cost["operation"] == operation.name
    ]


def pairs(primitives: Sequence[Primitive] = PRIMITIVES) -> list[tuple[Primitive, Primitive]]:
    """Every entry that has a small form, before that form."""
    known = {(one.name, one.variant): one for one in primitives}
    found = []
    for small in primitives:
        if "small" in small.variant:
            names = (
                small.variant.replace("small", "tab"),
                small.variant.replace("small", "").strip(),
            )
            fast = next(
                (known[small.name, name] for name in names if (small.name, name) in known), None
            )
            if fast is not None:
                found.append((fast, small))
    return found


def main_operation(primitive: Primitive) -> str:
    """What an entry is measured by."""
    names = {operation.name for operation in primitive.operations}
    return next(name for name in MAIN if name in names)


def forms_selection(selection: Selection) -> Selection:
    """What is measured for the table of forms."""
    both = [one for pair in pairs(selection.primitives) for one in pair]
    chosen = tuple(one for one in selection.primitives if one in both)
    return dataclasses.replace(
        selection, primitives=chosen, sizes=(MAIN_OCTETS,), operations=(*PREPARES, *MAIN)
    )


def forms(rows: Sequence[PrimitiveRow], cpus: Sequence[str]) -> list[FormRow]:
    """The fast form of each primitive beside its small one. Authenticated encryption has no
    associated data here."""
    main = {
        (row.cpu, row.primitive, row.variant, row.operation): row
        for row in rows
        if not row.a_octets and row.operation in MAIN
    }
    found = []
    for fast, small in pairs():
        name = main_operation(fast)
        for cpu in cpus:
            both = [main.get((cpu, one.name, one.variant, name)) for one in (fast, small)]
            if both[0] is not None and both[1] is not None:
                found.append(_form(both[0], both[1]))
    return found


def _form(fast: PrimitiveRow, small: PrimitiveRow) -> FormRow:
    return FormRow(
        cpu=fast.cpu,
        primitive=fast.primitive,
        fast=fast.variant,
        small=small.variant,
        operation=fast.operation,
        octets=fast.octets,
        fast_cycles=fast.cycles,
        small_cycles=small.cycles,
        fast_cycles_low=fast.cycles_low,
        small_cycles_low=small.cycles_low,
        fast_flash_octets=fast.flash_octets,
        small_flash_octets=small.flash_octets,
        fast_ram_octets=fast.ram_octets + fast.static_ram_octets,
        small_ram_octets=small.ram_octets + small.static_ram_octets,
        fast_stack_octets=fast.stack_octets,
        small_stack_octets=small.stack_octets,
    )
