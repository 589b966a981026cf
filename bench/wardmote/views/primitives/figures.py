# SPDX-License-Identifier: BSD-3-Clause
"""Draws the 13 figures of the paper from our rows: curves by length, and the printed numbers as
points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.printed import BOARD, CLOCKS_HZ, CPU
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.published import load
from wardmote.study.primitives.paper import Printed, entries_of, printed_figures
from wardmote.views.drawing import drawing, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""Colours that people with colour blindness can tell apart."""
MARKERS = ("o", "^", "s", "v", "D", "P")
MARKED = 8
"""Points between two markers of a curve; markers make curves distinct without colours."""
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
    associated: bool
    table: int | None
    """The table with the numbers of its curves; None if the paper prints none."""

    @property
    def caption(self) -> str:
        """What is drawn, and which printed numbers are in it."""
        tables = [str(one) for one in (self.table, ENERGY_OF.get(self.table or 0)) if one]
        which = f"Table{'s' if len(tables) > 1 else ''} {' and '.join(tables)}"
        printed = (
            f"points: {which} of the paper" if self.table else "the paper printed no numbers of it"
        )
        blocks = "; block ciphers: their blocks, without a mode" if self.kind == "cipher" else ""
        return f"Fig. {self.number}: {self.about}{blocks}; {printed}"


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
    return [
        Figure(
            one["number"],
            one["board"],
            one["about"],
            one["kind"],
            one["operation"],
            one.get("associated", False),
            one.get("table"),
        )
        for one in load("primitives")["figure"]
    ]


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
    operation = figure.operation if figure.operation in names else "encrypt"
    points, spread = [], []
    for row in sorted(own, key=lambda one: one.octets):
        if row.operation != operation or row.a_octets != (row.octets if figure.associated else 0):
            continue
        value = _value(row, timed)
        if value is None or (row.octets < LEAST_OCTETS and not (entry and entry.fixed)):
            continue
        if entry is not None and entry.fixed is not None:
            points += [(n * entry.fixed, n * value) for n in range(1, 128 // entry.fixed + 1)]
            continue
        points.append((row.octets, value))
        if timed and isinstance(row, Host32Row):
            spread.append((value - (row.time_us_low or 0), (row.time_us_high or 0) - value))
    return Curve(label, papers, tuple(points), tuple(spread))


def _value(row: PrimitiveRow | Host32Row, timed: bool) -> float | None:
    if isinstance(row, PrimitiveRow):
        return row.cycles
    return row.time_us if timed else row.instructions


def draw(figure: Figure, rows: Rows, timed: Rows) -> str:
    """SVG of one figure; `timed` are rows of this machine with times. The same rows make the same
    octets."""
    from matplotlib.ticker import LogLocator, NullFormatter

    with drawing(10, 3.6) as canvas:
        left, right = canvas.subplots(1, 2)
        if figure.board == BOARD:
            _on_telosb(figure, rows, left, right)
        else:
            _plot(left, curves(figure, rows, "host32"), 1.0)
            left.set_ylabel("instructions, 32-bit x86")
            _plot(right, curves(figure, timed, "host32", timed=True), 1.0)
            right.set_ylabel("µs on this machine, quartiles")
        for axis in (left, right):
            axis.set_xlabel("octets")
            axis.set_yscale("log")
            axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            # Powers in mathematical form need fonts that a machine may lack.
            axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            axis.yaxis.set_minor_formatter(NullFormatter())
            axis.grid(linewidth=0.4, color="#dddddd")
            axis.spines[["top", "right"]].set_visible(False)
        handles, labels = left.get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside right center", frameon=False)
        canvas.suptitle(figure.caption, fontsize=9)
        return to_svg(canvas)


def _on_telosb(figure: Figure, rows: Rows, left: "Axes", right: "Axes") -> None:
    """Time at 8 MHz and energy, which is proportional to it, with the printed points."""
    found = curves(figure, rows, CPU)
    _plot(left, found, 1000 / CLOCKS_HZ[0])
    left.set_ylabel("ms at 8 MHz")
    first = next(
        (row for row in rows if isinstance(row, PrimitiveRow) and row.cpu == CPU and row.cycles),
        None,
    )
    if first is not None:
        _plot(right, found, first.energy_uj / first.cycles)
        right.set_ylabel(f"µJ of the CPU alone, {first.current_ma:g} mA at {first.supply_v:g} V")
    sections = {figure.table: left, ENERGY_OF.get(figure.table or 0): right}
    for number, axis in sections.items():
        _printed(axis, number)


ENERGY_OF: Mapping[int, int] = {5: 6}
"""Table of energy for a table of time."""


def _plot(axis: "Axes", found: Sequence[Curve], scale: float) -> None:
    for n, (curve, colour, marker) in enumerate(zip(found, COLOURS, MARKERS, strict=False)):
        x = [octets for octets, _ in curve.points]
        y = [value * scale for _, value in curve.points]
        # A mark at every eighth point of long curves, at every one of short ones; no two curves at
        # the same ones.
        every = (n, MARKED) if len(x) > 2 * MARKED else 1
        look: dict[str, Any] = {
            "marker": marker,
            "markersize": 4,
            "markerfacecolor": "white",
            "markevery": every,
        }
        line = "-" if curve.papers else "--"
        axis.plot(x, y, color=colour, linestyle=line, linewidth=1.3, label=curve.label, **look)
        if curve.spread:
            below, above = zip(*curve.spread, strict=True)
            if len(below) == len(x):
                axis.errorbar(
                    x, y, yerr=(below, above), fmt="none", ecolor=colour, elinewidth=0.8, capsize=2
                )


def _printed(axis: "Axes", table: int | None) -> None:
    """The printed points, with one marker for each primitive."""
    shown = [one for one in printed_figures() if one.table == table]
    for name, marker in zip(
        dict.fromkeys(one.name for one in shown), ("D", "s", "^", "v"), strict=False
    ):
        points = [(one.octets, one.value) for one in shown if one.name == name]
        axis.plot(
            *zip(*points, strict=True),
            marker,
            color="black",
            markersize=4,
            label=f"printed: {name}",
        )
