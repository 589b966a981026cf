# SPDX-License-Identifier: BSD-3-Clause
"""One recommendation for one need: a kind of primitive on a CPU, for messages of one length."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.study.primitives.choice import (
    AEAD,
    AEAD_WITH_A,
    ENCRYPTION,
    HASH,
    KEY,
    MAC,
    MESSAGE,
    UNSOUND,
    Candidate,
    candidates,
    kind_of,
    operations_of,
)

STREAM = "stream"
NEEDS = {
    AEAD: AEAD,
    "aead-header": AEAD_WITH_A,
    MAC: MAC,
    HASH: HASH,
    ENCRYPTION: ENCRYPTION,
    STREAM: ENCRYPTION,
}
"""What may be asked for, and the kind that it is. A stream adds no octet to the message."""
NOTHING, ADDRESSES, ANYTHING = "nothing", "addresses", "anything"
SHOWS = (NOTHING, ADDRESSES, ANYTHING)
"""What secrets may change: nothing; addresses, but neither cycles nor path; or anything."""
USUAL_KEY_BITS = 128
ENTRIES = {(one.name, one.variant): one for one in PRIMITIVES}


@dataclass(frozen=True, slots=True)
class Need:
    """What somebody needs."""

    kind: str
    """One of NEEDS."""
    cpu: str
    octets: int
    flash_octets: int | None = None
    """At most so much; None: any."""
    shows: str = ADDRESSES
    key_bits: int = USUAL_KEY_BITS
    """At least so many."""
    new_key: bool = False
    """Every message has a new key."""

    def takes(self, primitive: Primitive) -> bool:
        """Whether a primitive is of that kind and takes messages of any length."""
        whole = primitive.granule > 1 or primitive.least > 1
        fits = not (self.kind == STREAM and whole)
        return fits and NEEDS[self.kind] in kind_of(primitive)


@dataclass(frozen=True, slots=True)
class RecommendedRow:
    """A candidate, the first of which is recommended."""

    place: int
    """1: the recommendation. 0: it does not meet the need; `against` says why."""
    need: str
    cpu: str
    octets: int
    primitive: str
    variant: str
    cycles: int
    """Of one message; with init, where each message needs it."""
    more: float
    """Cycles over those of the recommendation, minus 1; over the least, where there is none."""
    board: str
    clock_hz: int
    time_us: float
    energy_uj: float
    flash_octets: int
    ram_octets: int
    """Of keys, contexts and tables."""
    stack_octets: int
    key_bits: int
    """0: it has no key."""
    shows: str
    """What secrets change: `nothing`, `addresses` or `anything`."""
    against: str
    wardmote: str
    commit: str


def recommended(rows: Sequence[PrimitiveRow], need: Need) -> list[RecommendedRow]:
    """Every candidate: those that meet the need by their cycles, then the others."""
    kind = NEEDS[need.kind]
    found = [
        one
        for one in candidates(rows, (need.octets,))
        if (one.cpu, one.kind) == (need.cpu, kind)
        and need.takes(ENTRIES[one.primitive, one.variant])
    ]
    regime = KEY if need.new_key else MESSAGE
    judged = [(one, _used(rows, one)) for one in found]
    ordered = sorted(
        (
            (one.cost(need.octets, regime), one, used, _against(one, used, need))
            for one, used in judged
        ),
        key=lambda each: (bool(each[3]), bool(_unsound(each[1])), each[0]),
    )
    least = ordered[0][0] if ordered else 0
    return [
        _row(place * (not against), need, cost, least, one, used, against)
        for place, (cost, one, used, against) in enumerate(ordered, 1)
    ]


def _used(rows: Sequence[PrimitiveRow], one: Candidate) -> list[PrimitiveRow]:
    """The rows of a candidate's operations."""
    names = ("init", *operations_of(one.kind))
    return [
        row
        for row in rows
        if (row.cpu, row.primitive, row.variant) == (one.cpu, one.primitive, one.variant)
        and row.operation in names
    ]


def shown_by(used: Sequence[PrimitiveRow]) -> str:
    """What the secrets of these operations change."""
    if all(row.constant_time for row in used):
        return NOTHING
    steady = all(row.constant_cycles and row.no_secret_branch for row in used)
    return ADDRESSES if steady else ANYTHING


def key_bits_of(one: Candidate) -> int:
    """Bits of the key that the table gives it; 0 of a hash."""
    entry = ENTRIES[one.primitive, one.variant]
    return 8 * entry.values["key"].octets if "key" in entry.values else 0


def _unsound(one: Candidate) -> str:
    """Why it should not be used for anything; nothing if it may."""
    names = (one.primitive, *one.variant.split())
    return next((UNSOUND[name] for name in names if name in UNSOUND), "")


def _against(one: Candidate, used: Sequence[PrimitiveRow], need: Need) -> str:
    """Why a candidate does not meet a need; nothing if it does."""
    if reason := _unsound(one):
        return reason
    if one.kind != HASH and key_bits_of(one) < need.key_bits:
        return f"key of {key_bits_of(one)} bits"
    shown = shown_by(used)
    if SHOWS.index(shown) > SHOWS.index(need.shows):
        return "secrets change addresses" if shown == ADDRESSES else "secrets change its time"
    if need.flash_octets is not None and (one.flash_octets or 0) > need.flash_octets:
        return f"{one.flash_octets} octets of flash"
    return ""


def _row(
    place: int,
    need: Need,
    cost: int,
    least: int,
    one: Candidate,
    used: Sequence[PrimitiveRow],
    against: str,
) -> RecommendedRow:
    first = used[0]
    seconds = cost / first.clock_hz
    return RecommendedRow(
        place=place,
        need=need.kind,
        cpu=one.cpu,
        octets=need.octets,
        primitive=one.primitive,
        variant=one.variant,
        cycles=cost,
        more=round(cost / least - 1, 4),
        board=first.board,
        clock_hz=first.clock_hz,
        time_us=round(1e6 * seconds, 3),
        energy_uj=round(1e3 * seconds * first.current_ma * first.supply_v, 4),
        flash_octets=first.flash_octets,
        ram_octets=first.ram_octets + first.static_ram_octets,
        stack_octets=max(row.stack_octets for row in used),
        key_bits=key_bits_of(one),
        shows=shown_by(used),
        against=against,
        wardmote=first.wardmote,
        commit=first.commit,
    )
