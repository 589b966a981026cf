# SPDX-License-Identifier: BSD-3-Clause
"""What experiments in a network share: their forms, their seeds, and how they are shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar

from wardmote import options
from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.choices import parts
from wardmote.commands.records import Texts, option
from wardmote.errors import UsageError
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.tinysec.intervals import Interval
from wardmote.experiments.tinysec.stacks import PAPERS_BOARDS, STACKS, TITLES
from wardmote.paths import firmware_image
from wardmote.views.drawing import to_svg
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import by, facts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = TypeVar("Row")
Values = Sequence[Mapping[str, Any]]
"""Fields and figures of cases."""

MOST_SEEDS = 100
FullOption = Annotated[
    bool,
    option(
        "Everything that the paper measured, for hours. Default: the short form.", name="--full"
    ),
]
SeedsOption = Annotated[
    int | None, option("How many seeds, from --seed on. Default: 1, or those of the full form.")
]


def seeds_of(asked: int | None, first: int, default: int) -> range:
    """The seeds of an experiment."""
    count = default if asked is None else options.positive("number of seeds", asked, MOST_SEEDS)
    return range(first, first + count)


def numbers(
    what: str, texts: Texts, default: Iterable[int], least: int, most: int
) -> tuple[int, ...]:
    """Whole numbers between commas, each once, in ascending order."""
    if not texts:
        return tuple(default)
    found = set()
    for part in parts(texts):
        if not part.isascii() or not part.isdigit() or len(part) > 9:
            raise UsageError(f"no {what} {part!r}: write whole numbers, such as {least},{most}")
        found.add(options.whole(what, int(part), least, most))
    return tuple(sorted(found))


STYLES: Mapping[str, Any] = {
    stack: {"color": colour, "marker": mark, "markersize": 4, "linewidth": 1, "capsize": 2}
    for stack, colour, mark in (
        ("none", "#3b6ea5", "o"),
        ("auth", "#4f8a5b", "s"),
        ("ae", "#c1443c", "^"),
        ("none-29", "#8a8a8a", "x"),
        ("auth-28", "#b59a3c", "+"),
    )
}
"""Of the lines of charts."""


def with_half(value: float | None, half: float | None, digits: int) -> str:
    """A cell with a mean and the half of its interval; empty where it was not measured."""
    return "" if value is None else Interval(value, half).text(digits)


def over_seeds(
    values: Values, place: str, row: Callable[[str, Values, Values | None], Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """A row for each stack at each place, of the cases of all seeds and of those of the stack that it
    is compared with, if there are some."""
    for group in by(values, lambda one: (one["board"], one[place])).values():
        stacks = by(group, lambda one: one["stack"])
        for name, own in stacks.items():
            yield row(name, own, stacks.get(STACKS[name].reference))


class Seeded(Protocol):
    """A row over several seeds."""

    @property
    def seeds(self) -> list[int]:
        """All of them."""


def seeds_text(rows: Sequence[Seeded]) -> tuple[str, str]:
    """The condition that names the seeds."""
    seeds = sorted({seed for row in rows for seed in row.seeds})
    if len(seeds) == 1:
        return "seeds", f"{seeds[0]} alone, so that there are no intervals"
    return "seeds", f"{seeds[0]} to {seeds[-1]}, the same for all stacks; intervals over them, 95 %"


def line(
    axis: "Axes",
    rows: Sequence[Any],
    places: tuple[str, str],
    label: str = "",
) -> None:
    """Draws one field of a stack's rows against another, with the halves of intervals; rows without
    it are left out."""
    across, up = places
    known = [row for row in rows if getattr(row, up) is not None]
    if known:
        axis.errorbar(
            [getattr(row, across) for row in known],
            [getattr(row, up) for row in known],
            yerr=[getattr(row, f"{up}_half") or 0 for row in known],
            label=label or TITLES[known[0].stack],
            **STYLES[known[0].stack],
        )


def finished(page: "Figure", across: str) -> str:
    """SVG of a page whose panels have this in common."""
    for axis in page.axes:
        axis.set_xlabel(across)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(fontsize=7, frameon=False)
    return to_svg(page)


@dataclass(frozen=True, slots=True)
class View(Generic[Row]):
    """How the rows of an experiment in a network are shown."""

    chart: str
    """File of the figure beside documents, without ending; what stands there for those who do not
    see it."""
    alternative: str
    columns: Sequence[Column[Row]]
    answer: Callable[[Sequence[Row]], str]
    conditions: Callable[[Sequence[Row]], Sequence[tuple[str, str]]]
    figure: Callable[[Sequence[Row]], str]

    def text(self, rows: Sequence[Row]) -> str:
        """Markdown, for documents."""
        chart = f"![{self.alternative}]({self.chart}.svg)"
        table = to_markdown(rows, self.columns).rstrip()
        said = facts(self.conditions(rows)).rstrip()
        return "\n\n".join([said, self.answer(rows), chart, table]) + "\n"


def of_network(
    question: str,
    wanted: type,
    measure: Callable[[Any, Artefacts], Figures],
    gathered: Callable[[Values], Iterator[Mapping[str, Any]]],
    row: type[Row],
    view: View[Row],
) -> Experiment[Any, Row]:
    """An experiment whose options have `cases`, a case for each stack and seed."""
    return Experiment(
        question=question,
        image="tinysec",
        options=wanted,
        cases=lambda board, seed, asked: list(asked.cases(board.name, seed)),
        artefacts=lambda case: {IMAGE: firmware_image(case.board, STACKS[case.stack].image)},
        measure=measure,
        gathered=lambda values: list(gathered(values)),
        row=row,
        columns=view.columns,
        answer=view.answer,
        conditions=view.conditions,
        figure=view.figure,
        takes_minutes=True,
        only=PAPERS_BOARDS,
        beside_documents=True,
        text=view.text,
    )
