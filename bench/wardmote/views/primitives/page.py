# SPDX-License-Identifier: BSD-3-Clause
"""The study of primitives as blocks of a document, and as a folder with a page and the paper's
figures."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined

from wardmote.measurements.primitives.printed import BOARD
from wardmote.paths import write_atomically
from wardmote.study.primitives.paper_study import Study
from wardmote.views.data import to_csv, to_json
from wardmote.views.primitives import choice as choice
from wardmote.views.primitives import paper as paper
from wardmote.views.primitives.figures import draw, figures
from wardmote.views.primitives.table import BLOCK as MARKS
from wardmote.views.sections import Section
from wardmote.views.table import Column, to_markdown

Row = TypeVar("Row")
SHOWN_OCTETS = (16, 64, 128)
"""Lengths in the table of Ascon."""
BLOCKS: Mapping[str, Callable[[Study], str]] = {
    "short": lambda study: choice.short(study.choices),
    "best": lambda study: choice.wide(study.choices, "all"),
    "constant-time": lambda study: choice.wide(study.choices, "constant time"),
    "without-ascon": lambda study: choice.wide(study.choices, "without Ascon"),
    "smallest": lambda study: to_markdown(study.smallest, choice.SMALLEST),
    "crossings": lambda study: choice.crossings_block(study.crossings),
    "ascon": lambda study: to_markdown(
        [row for row in study.ascon if row.octets in SHOWN_OCTETS], choice.ASCON
    ),
    "holds": lambda study: paper.recommendations_answer(study.recommendations),
    "recommendations": lambda study: to_markdown(study.recommendations, paper.RECOMMENDATIONS),
    "telosb": lambda study: paper.telosb_block(study.papers),
    "edison": lambda study: paper.edison_block(study.papers),
    "figures": lambda _: "".join(f"* {figure.caption}\n" for figure in figures()),
    "unsound": lambda _: f"{choice.unsound()}\n",
}
"""What stands in docs/which-primitive-should-i-use.md: nothing of it is another machine's time."""
TIMED_BLOCKS: Mapping[str, Callable[[Study], str]] = {
    "edison-time": lambda study: paper.edison_time_block(study.papers) + _machine(study),
}
"""What differs from machine to machine."""


def _machine(study: Study) -> str:
    """Whose times they are."""
    first = next(iter(study.timed), None)
    if first is None:
        return ""
    return (
        f"\n{first.processor}; {first.clock_source}; {first.compiler}, "
        f"{first.options}; "
        f"{first.batches} batches.\n"
    )


def holds_page(text: str) -> bool:
    """Whether a document has blocks of this page."""
    return any(match[2] in BLOCKS or match[2] in TIMED_BLOCKS for match in MARKS.finditer(text))


def filled(text: str, study: Study, *, timed: bool = True) -> str:
    """The document with what was found between its marks; without `timed`, this machine's times
    stay as they are."""
    blocks = {**BLOCKS, **(TIMED_BLOCKS if timed else {})}
    return MARKS.sub(
        lambda match: (
            f"{match[1]}{blocks[match[2]](study)}{match[4]}" if match[2] in blocks else match[0]
        ),
        text,
    )


def sections(study: Study, drawn: Mapping[int, str]) -> list[Section]:
    """The page's parts: conclusions, tables, figures."""
    found = [
        _table(
            "What takes least, by octets of message",
            study.choices,
            choice.CHOICES,
            choice.answer(study.choices),
        ),
        _table("Where curves cross", study.crossings, choice.CROSSINGS, ""),
        _table("What takes the least flash", study.smallest, choice.SMALLEST, ""),
        _table("What Ascon changes", study.ascon, choice.ASCON, "Without init: the key is set up."),
        _table("What the paper recommends", study.recommendations, paper.RECOMMENDATIONS, ""),
    ]
    for title, board, columns in (
        ("Tables 3 to 13, TelosB", BOARD, paper.TELOSB),
        ("Tables 14 to 25, Edison and this machine", "edison", paper.EDISON),
    ):
        own = paper.of(study.papers, board)
        notes = tuple((f"note {n}", text) for n, text in enumerate(paper.reasons(own), 1))
        found.append(_table(title, own, columns, paper.answer(own), notes))
    return found + [
        Section(figure.caption, "", figure=drawn[figure.number]) for figure in figures()
    ]


def _table(
    title: str,
    rows: Sequence[Row],
    columns: Sequence[Column[Row]],
    text: str,
    notes: tuple[tuple[str, str], ...] = (),
) -> Section:
    header = tuple((column.name, column.text) for column in columns)
    lines = tuple(tuple((column.cell(row), column.text) for column in columns) for row in rows)
    return Section(title, text, notes, header=header, lines=lines)


def write(folder: Path, study: Study, conditions: Sequence[tuple[str, str]]) -> list[Path]:
    """Writes the page, its figures and its rows; `primitives.html` last, so that it is there only
    if all are."""
    drawn = {figure.number: draw(figure, study.rows, study.timed) for figure in figures()}
    files = {f"figure-{number}.svg": svg for number, svg in drawn.items()}
    for name, rows in (
        ("paper", study.papers),
        ("best", study.choices),
        ("crossings", study.crossings),
        ("smallest", study.smallest),
        ("recommendations", study.recommendations),
        ("ascon", study.ascon),
    ):
        files |= {f"{name}.csv": to_csv(rows), f"{name}.json": to_json(rows)}
    environment = Environment(
        loader=PackageLoader("wardmote.views.primitives", "."),
        autoescape=True,
        undefined=StrictUndefined,
    )
    page = environment.get_template("page.html.j2")
    files["primitives.html"] = page.render(
        answer=paper.answer(study.papers), conditions=conditions, sections=sections(study, drawn)
    )
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
    return [folder / name for name in files]
