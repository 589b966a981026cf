# SPDX-License-Identifier: BSD-3-Clause
"""Computes the cheapest primitive for each kind, length and CPU, and where two curves cross.

The cost is in cycles on the emulated CPUs, where energy is proportional to cycles. On the 32-bit
host it is in instructions, because times depend on the machine.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wardmote.measurements.primitives import host32
from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES

SIZES = (*range(1, 17), *range(20, 129, 4))
"""Lengths of message in octets: all up to a block, then multiples of 4."""
ENCRYPTION, HASH, MAC, AEAD, AEAD_WITH_A = "encryption", "hash", "mac", "aead", "aead with a"
KINDS = (ENCRYPTION, HASH, MAC, AEAD, AEAD_WITH_A)
"""`aead with a` has as much associated data as message."""
OPERATION, MESSAGE, KEY = "operation", "message", "key"
REGIMES = {ENCRYPTION: (OPERATION, MESSAGE, KEY), HASH: (MESSAGE,), MAC: (MESSAGE, KEY)}
"""What the cost of a message includes.

`operation`: only the operation, as in the paper's figures. `message`: the key is already set up; a
stream cipher starts again. `key`: a new key, with init. A kind lists those that differ.
"""
PAPERS_OWN = (("trivium", ""), ("grain_v1", ""))
"""Entries that the paper measured without printing their time on a TelosB."""
STANDARD = "ascon"
"""Prefix of the primitives of the standard of 2025."""
KEPT_KEY = "cipher"
"""Value in which an entry keeps its key from message to message."""
UNSOUND = {
    "sha1": "collisions are known",
    "cbc_mac": "it can be forged where messages differ in length",
    "rc5": "blocks of 64 bits",
    "skipjack": "blocks of 64 bits, keys of 80",
}
"""Primitives, and ciphers and hashes under them, that are measured but never chosen, with the
reason."""
SHORT_KEYS = {"trivium": 80, "grain_v1": 80, "curupira1_96": 96, "curupira2": 96}
"""Key bits of primitives, and of ciphers under them, with keys shorter than 128 bits. A choice names
them."""
TIE = 1.02
"""Keep the current winner while its cost is within 2 % of the best, so that a range does not end for
one cycle."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entry on one CPU, for one kind of use."""

    cpu: str
    kind: str
    primitive: str
    variant: str
    init: int
    """Cost before a message: once for each key, or for each message."""
    costs: Mapping[int, int]
    """Cost by octets of message: cycles, or instructions on the 32-bit host."""
    constant_time: bool
    flash_octets: int | None
    begins_anew: bool = False
    """Each message needs init: a stream cipher keeps no key apart from its state."""

    @property
    def label(self) -> str:
        """Name and variant."""
        return f"{self.primitive} {self.variant}".strip()

    def cost(self, octets: int, regime: str) -> int:
        """Cost of a message of a length, in a regime."""
        begins = regime == KEY or (regime == MESSAGE and self.begins_anew)
        return self.costs[octets] + (self.init if begins else 0)


Allowed = Callable[[Candidate], bool]
_PAPER = {(one.name, one.variant) for one in PRIMITIVES if one.published} | set(PAPERS_OWN)


def _sound(one: Candidate) -> bool:
    return one.primitive not in UNSOUND and one.variant.split(" ")[0] not in UNSOUND


SETS: Mapping[str, Allowed] = {
    "paper": lambda one: (one.primitive, one.variant) in _PAPER,
    "without Ascon": lambda one: _sound(one) and not one.primitive.startswith(STANDARD),
    "all": _sound,
    "constant time": lambda one: _sound(one) and one.constant_time,
}
"""Sets of candidates: those that the paper measured, all but Ascon, all, and those whose secrets
change neither cycles nor path nor addresses."""


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """The cheapest candidate in a range of lengths."""

    cpu: str
    kind: str
    allowed: str
    regime: str
    from_octets: int
    to_octets: int
    primitive: str
    variant: str
    unit: str
    cost_from: int
    """Cost at the lower end of the range; `cost_to` is at the upper end."""
    cost_to: int
    second: str
    """The cheapest other primitive."""
    second_cost_to: int | None
    flash_octets: int | None


@dataclass(frozen=True, slots=True)
class CrossingRow:
    """The cheaper one of two primitives in a range of lengths."""

    cpu: str
    kind: str
    first: str
    second: str
    regime: str
    from_octets: int
    to_octets: int
    less: str
    unit: str
    ratio_from: float
    """Cost of the second over that of the first, at the lower end; `ratio_to` is at the upper end."""
    ratio_to: float


@dataclass(frozen=True, slots=True)
class SmallestRow:
    """The candidate with the least flash, beside the fastest."""

    cpu: str
    kind: str
    allowed: str
    primitive: str
    variant: str
    flash_octets: int
    cycles_64: int
    """Cycles of a message of 64 octets when the key is set up."""
    fastest: str
    """The candidate with the fewest cycles at 64 octets."""
    fastest_flash_octets: int
    fastest_cycles_64: int


def kind_of(primitive: Primitive) -> tuple[str, ...]:
    """Kinds that an entry may be used for; none for a block cipher without a mode."""
    names = {operation.name for operation in primitive.operations}
    if "seal" in names:
        return (AEAD, AEAD_WITH_A)
    if "digest" in names:
        return (HASH,)
    if "update" in names:
        return (MAC,)
    return (ENCRYPTION,) if "encrypt" in names and primitive.fixed is None else ()


def regimes_of(kind: str) -> tuple[str, ...]:
    """The regimes that differ for a kind."""
    return REGIMES.get(kind, REGIMES[MAC])


_OPERATIONS = {
    ENCRYPTION: ("encrypt",),
    HASH: ("digest",),
    MAC: ("update", "final"),
    AEAD: ("seal",),
}
_OPERATIONS[AEAD_WITH_A] = ("seal",)
NEEDED = (
    "init",
    *dict.fromkeys(name for names in _OPERATIONS.values() for name in names),
    "decrypt",
)
"""Operations that the choices and the figures need."""
Rows = Sequence[PrimitiveRow | Host32Row]


def operations_of(kind: str) -> tuple[str, ...]:
    """The operations of a message."""
    return _OPERATIONS[kind]


def cost_of(row: PrimitiveRow | Host32Row) -> int:
    """Cycles, or instructions where cycles are not counted."""
    return row.instructions if isinstance(row, Host32Row) else row.cycles


def unit_of(cpu: str) -> str:
    """Unit of costs on a CPU."""
    return "instructions" if cpu == host32.CPU else "cycles"


def candidates(
    rows: Rows, sizes: Sequence[int] = SIZES, table: Sequence[Primitive] = PRIMITIVES
) -> list[Candidate]:
    """Every entry on every CPU that has rows for all lengths. A message is padded to a length that the
    entry takes."""
    grouped: dict[tuple[str, str, str], list[PrimitiveRow | Host32Row]] = {}
    for row in rows:
        grouped.setdefault((row.cpu, row.primitive, row.variant), []).append(row)
    leaks = {
        row.primitive + row.variant
        for row in rows
        if isinstance(row, PrimitiveRow) and not row.constant_time
    }
    found = []
    for (cpu, name, variant), own in grouped.items():
        entry = next(one for one in table if (one.name, one.variant) == (name, variant))
        for kind in kind_of(entry):
            costs = _costs(entry, kind, own, sizes)
            if costs is None:
                continue
            used = [row for row in own if row.operation in ("init", *_OPERATIONS[kind])]
            init = (
                0 if kind == HASH else sum(cost_of(row) for row in used if row.operation == "init")
            )
            first = own[0]
            flash = first.flash_octets if isinstance(first, PrimitiveRow) else None
            clean = all(_clean(row, leaks) for row in used)
            anew = kind == ENCRYPTION and KEPT_KEY not in entry.values
            found.append(Candidate(cpu, kind, name, variant, init, costs, clean, flash, anew))
    return found


def _clean(row: PrimitiveRow | Host32Row, leaks: set[str]) -> bool:
    """Whether secrets have no effect on time, path or addresses. The host does not compare
    addresses, so the emulated CPUs decide."""
    if isinstance(row, PrimitiveRow):
        return row.constant_time
    return row.no_secret_branch and row.primitive + row.variant not in leaks


def _costs(entry: Primitive, kind: str, rows: Rows, sizes: Sequence[int]) -> dict[int, int] | None:
    """Costs by length; None if rows are missing."""
    known: dict[tuple[str, int], int] = {}
    for row in rows:
        if row.a_octets == (row.octets if kind == AEAD_WITH_A else 0):
            known[row.operation, row.octets] = cost_of(row)
    costs = {}
    for size in sizes:
        filled = max(-(-size // entry.granule) * entry.granule, entry.least)
        parts = [known.get((operation, filled)) for operation in _OPERATIONS[kind]]
        if None in parts:
            return None
        costs[size] = sum(part or 0 for part in parts)
    return costs


def _places(found: Sequence[Candidate]) -> Iterable[tuple[str, str, list[Candidate]]]:
    """Each CPU and kind, with its candidates."""
    for cpu in dict.fromkeys(one.cpu for one in found):
        for kind in KINDS:
            own = [one for one in found if (one.cpu, one.kind) == (cpu, kind)]
            if own:
                yield cpu, kind, own


def best(own: Sequence[Candidate], octets: int, regime: str) -> Candidate:
    """The cheapest candidate; the first of equals."""
    return min(own, key=lambda one: one.cost(octets, regime))


def choices(found: Sequence[Candidate]) -> list[ChoiceRow]:
    """Ranges of lengths with their cheapest candidate, for each CPU, kind and set."""
    rows = []
    for cpu, kind, everyone in _places(found):
        for name, allowed in SETS.items():
            own = [one for one in everyone if allowed(one)]
            for regime in regimes_of(kind) if own else ():
                rows += _ranges(cpu, kind, name, own, regime)
    return rows


def _winners(own: Sequence[Candidate], regime: str) -> list[tuple[int, Candidate]]:
    """The winner at each length; it stays while it is within TIE of the best."""
    found: list[tuple[int, Candidate]] = []
    for size in own[0].costs:
        least = best(own, size, regime)
        stays = found and found[-1][1].cost(size, regime) <= TIE * least.cost(size, regime)
        found.append((size, found[-1][1] if stays else least))
    return found


def _ranges(
    cpu: str, kind: str, name: str, own: Sequence[Candidate], regime: str
) -> list[ChoiceRow]:
    rows = []
    for winner, lengths in runs(_winners(own, regime)):
        low, high = lengths[0], lengths[-1]
        others = [one for one in own if one.primitive != winner.primitive]
        second = best(others, high, regime) if others else None
        rows.append(
            ChoiceRow(
                cpu,
                kind,
                name,
                regime,
                low,
                high,
                winner.primitive,
                winner.variant,
                unit_of(cpu),
                winner.cost(low, regime),
                winner.cost(high, regime),
                second.label if second else "",
                second.cost(high, regime) if second else None,
                winner.flash_octets,
            )
        )
    return rows


def runs(sized: Sequence[tuple[int, T]]) -> list[tuple[T, list[int]]]:
    """Joins neighbouring lengths with the same value."""
    found: list[tuple[T, list[int]]] = []
    for size, value in sized:
        if found and found[-1][0] == value:
            found[-1][1].append(size)
        else:
            found.append((value, [size]))
    return found


PAIRS = (
    *((ENCRYPTION, *pair) for pair in itertools.combinations(("ctr", "trivium", "grain_v1"), 2)),
    *((HASH, "blake2s", other) for other in ("sha3_256", "ascon_hash256")),
    *((MAC, "marvin", other) for other in ("hmac", "cmac")),
    *((kind, "ocb3", "lettersoup") for kind in (AEAD, AEAD_WITH_A)),
    (AEAD, "ccm", "ascon_aead128"),
    *((kind, "lettersoup", "ascon_aead128") for kind in (AEAD, AEAD_WITH_A)),
)
"""Primitives whose curves are compared, each in its fastest variant."""


def crossings(found: Sequence[Candidate]) -> list[CrossingRow]:
    """Ranges of lengths with the cheaper one of each pair."""
    rows = []
    for cpu, kind, own in _places(found):
        for place, first, second in PAIRS:
            sides = [
                [one for one in own if one.primitive == name and _sound(one)]
                for name in (first, second)
            ]
            if place != kind or not all(sides):
                continue
            for regime in regimes_of(kind):
                rows += _crossing(cpu, kind, (sides[0], sides[1]), regime)
    return rows


def _crossing(
    cpu: str, kind: str, sides: tuple[list[Candidate], list[Candidate]], regime: str
) -> list[CrossingRow]:
    first, second = (side[0].primitive for side in sides)
    costs = {
        size: [best(side, size, regime).cost(size, regime) for side in sides]
        for size in sides[0][0].costs
    }
    rows = []
    for less, lengths in runs(
        [(size, first if a <= b else second) for size, (a, b) in costs.items()]
    ):
        ratios = [round(costs[size][1] / costs[size][0], 3) for size in (lengths[0], lengths[-1])]
        rows.append(
            CrossingRow(
                *(cpu, kind, first, second, regime, lengths[0], lengths[-1], less, unit_of(cpu)),
                ratio_from=ratios[0],
                ratio_to=ratios[1],
            )
        )
    return rows


SMALL_OCTETS = 64
"""Length at which the smallest candidate is compared with the fastest."""


def smallest(found: Sequence[Candidate]) -> list[SmallestRow]:
    """The candidate with the least flash beside the fastest, for each kind and set on each CPU whose
    flash is measured."""
    rows = []
    for cpu, kind, everyone in _places(found):
        for name in ("all", "constant time"):
            own = [one for one in everyone if SETS[name](one) and one.flash_octets is not None]
            if not own or SMALL_OCTETS not in own[0].costs:
                continue
            small = min(
                own, key=lambda one: (one.flash_octets or 0, one.cost(SMALL_OCTETS, MESSAGE))
            )
            fast = best(own, SMALL_OCTETS, MESSAGE)
            rows.append(
                SmallestRow(
                    *(cpu, kind, name, small.primitive, small.variant, small.flash_octets or 0),
                    small.cost(SMALL_OCTETS, MESSAGE),
                    fast.label,
                    fast.flash_octets or 0,
                    fast.cost(SMALL_OCTETS, MESSAGE),
                )
            )
    return rows
