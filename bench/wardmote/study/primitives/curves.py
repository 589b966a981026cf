# SPDX-License-Identifier: BSD-3-Clause
"""Computes the curves of the paper's 13 figures from our rows: cost by length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.printed import BOARD
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.system.lengths import FIGURES, SITUATION
from wardmote.measurements.system.rows import SystemRow
from wardmote.published import load
from wardmote.study.primitives.paper import Printed, entries_of

BESIDE: Mapping[str, tuple[tuple[str, str], ...]] = {
    "cipher": (),
    "hash": (("sha256", ""), ("ascon_hash256", "")),
    "mac": (("cmac", "aes128-tab"),),
    "aead": (("ccm", "aes128-tab"), ("ascon_aead128", "")),
}
"""Other primitives, drawn with a broken line beside those of the paper."""
CIPHERS = (("aes128", "tab"), ("curupira2", ""), ("trivium", ""), ("grain_v1", ""))
INVERSE = {("aes128", "tab"): ("aes128", "tab inverse")}
"""Primitives whose decryption is a separate entry."""
SERIES = {"hash": "hash_init_ms", "mac": "mac_init_ms", "aead": "aead_init_ms"}
"""Sections whose names are the paper's primitives of a kind."""
ENERGY_OF: Mapping[int, int] = {5: 6}
"""Table of energy for a table of time."""
WHOLE = {"hash": ("digest",), "mac": ("update", "final")}
"""Operations that are drawn together in the figures of update. A block falls into update in one
implementation and into final in another, so that update alone does not compare the same work."""
PRINTED_WHOLE = {5: (4, 7), 9: (10,)}
"""Tables whose figures are added to those of a table, so that they are of the same work."""
DRAWN = {
    "cipher": "; block ciphers: their blocks, without a mode",
    "hash": "; drawn: init, update and final together",
    "mac": "; drawn: update and final together",
}
"""What is drawn of a kind."""
LEAST_OCTETS = 12
Rows = Sequence[PrimitiveRow | Host32Row]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the paper, drawn from our rows."""

    number: int
    board: str
    about: str
    kind: str
    operation: str
    associated: bool = False
    table: int | None = None
    """The table with the numbers of its curves; None if the paper prints none."""

    @property
    def caption(self) -> str:
        """The contents of a figure, and the printed numbers in it."""
        if self.table is None:
            printed = "we have no printed numbers of it"
        else:
            added = sorted([self.table, *PRINTED_WHOLE.get(self.table, ())])
            printed = f"points: Table {' + '.join(map(str, added))} of the paper"
            if self.table in ENERGY_OF:
                printed += f", energy: Table {ENERGY_OF[self.table]}, update alone"
        loop = f"; under an event loop, {SITUATION.words}" if self.under_loop else ""
        return f"Fig. {self.number}: {self.about}{DRAWN.get(self.kind, '')}{loop}; {printed}"

    @property
    def under_loop(self) -> bool:
        """Drawn from real runs of image `events`."""
        return self.number in FIGURES


@dataclass(frozen=True, slots=True)
class Curve:
    """One primitive by length."""

    label: str
    papers: bool
    """The paper has this primitive."""
    points: tuple[tuple[int, float], ...]
    spread: tuple[tuple[float, float], ...] = ()
    """Quartiles below and above, of times of this machine."""


def figures() -> list[Figure]:
    """All figures, in the order of published/."""
    return [Figure(**one) for one in load("primitives")["figure"]]


def loop_curves(figure: Figure, events: Sequence[SystemRow], field: str) -> list[Curve]:
    """The curves of a figure under the event loop: mean cycles, or what the loop adds."""
    found = {row.operation: float(getattr(row, field)) for row in events}
    curves = {
        label: [(one.octets, found[one.name]) for one in own if one.name in found]
        for label, own in FIGURES[figure.number].items()
    }
    return [Curve(label, True, tuple(points)) for label, points in curves.items() if points]


def _entries(figure: Figure) -> list[tuple[str, str, bool]]:
    """Name and variant of each curve, and whether the paper has it."""
    if figure.kind == "cipher":
        found = [INVERSE.get(one, one) if figure.operation == "decrypt" else one for one in CIPHERS]
        return [(name, variant, True) for name, variant in found]
    names = [name for name in load("primitives")[BOARD][SERIES[figure.kind]] if name != "D"]
    section = SERIES[figure.kind]
    own = []
    for name in names:
        of = Printed(0, "", BOARD, section, name, "init", 0, False, "ms", 0, 0, 1)
        own += [(one.name, one.variant, True) for one in entries_of(of)]
    return own + [(*one, False) for one in BESIDE[figure.kind] if (*one, True) not in own]


def curves(figure: Figure, rows: Rows, cpu: str, *, timed: bool = False) -> list[Curve]:
    """The curve of each primitive in its cheapest variant: cycles, instructions, or microseconds of
    this machine."""
    found: dict[tuple[str, bool], Curve] = {}
    for name, variant, papers in _entries(figure):
        own = [row for row in rows if (row.cpu, row.primitive, row.variant) == (cpu, name, variant)]
        curve = _curve(figure, own, f"{name} {variant}".strip(), papers, timed)
        place = (name, papers)
        if curve.points and (
            place not in found or curve.points[-1][1] < found[place].points[-1][1]
        ):
            found[place] = curve
    return list(found.values())


def _curve(figure: Figure, own: Rows, label: str, papers: bool, timed: bool) -> Curve:
    entry = next((one for one in PRIMITIVES if one.label == label), None)
    names = {operation.name for operation in entry.operations} if entry else set()
    # A stream cipher has one function for both directions.
    single = (figure.operation if figure.operation in names else "encrypt",)
    operations = WHOLE.get(figure.kind, single)
    points, spread = [], []
    for octets in sorted({row.octets for row in own}):
        a_octets = octets if figure.associated else 0
        parts = [
            row
            for row in own
            if row.operation in operations and (row.octets, row.a_octets) == (octets, a_octets)
        ]
        values = [_value(row, timed) for row in parts]
        value = sum(one for one in values if one is not None)
        if None in values or len(parts) != len(operations):
            continue
        if entry is not None and entry.fixed is not None:
            points += [(n * entry.fixed, n * value) for n in range(1, 128 // entry.fixed + 1)]
        elif octets >= LEAST_OCTETS:
            points.append((octets, value))
            hosts = [row for row in parts if timed and isinstance(row, Host32Row)]
            if hosts:
                low, high = (
                    sum(getattr(row, f"time_us_{end}") or 0 for row in hosts)
                    for end in ("low", "high")
                )
                spread.append((value - low, high - value))
    return Curve(label, papers, tuple(points), tuple(spread))


def _value(row: PrimitiveRow | Host32Row, timed: bool) -> float | None:
    if isinstance(row, PrimitiveRow):
        return row.cycles
    return row.time_us if timed else row.instructions
