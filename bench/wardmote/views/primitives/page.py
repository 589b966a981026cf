# SPDX-License-Identifier: BSD-3-Clause
"""The study of primitives as blocks of a document, and as a folder with a page and figures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from wardmote.measurements.primitives.printed import BOARD
from wardmote.paths import write_atomically
from wardmote.study.primitives.curves import figures
from wardmote.study.primitives.paper_study import Study
from wardmote.study.primitives.recommend import USUAL_KEY_BITS
from wardmote.views import claims
from wardmote.views.data import to_csv, to_json
from wardmote.views.document import Blocks
from wardmote.views.html import PAGES, PRIMITIVES
from wardmote.views.primitives import choice, needs, paper
from wardmote.views.primitives.figures import draw
from wardmote.views.primitives.table import KIND
from wardmote.views.sections import Section
from wardmote.views.table import to_markdown
from wardmote.views.templates import embedded, rendered
from wardmote.views.text import bullets

SHOWN_OCTETS = 64
"""Length in the document's table of Ascon; the report has all."""


def _machine(study: Study) -> str:
    """The machine, compiler and options of the times."""
    first = next(iter(study.timed), None)
    if first is None:
        return ""
    compiled = f"{first.compiler}, {first.options}"
    return f"\n{first.processor}; {first.clock_source}; {compiled}; {first.batches} batches.\n"


BLOCKS: Blocks[Study] = Blocks(
    KIND,
    {
        "short": lambda study: choice.short(study.choices),
        "best": lambda study: choice.wide(study.choices, "all"),
        "constant-time": lambda study: choice.wide(study.choices, "constant time"),
        "smallest": lambda study: to_markdown(study.smallest, choice.SMALLEST),
        "ascon": lambda study: to_markdown(
            [row for row in study.ascon if row.octets == SHOWN_OCTETS], choice.ASCON
        ),
        "holds": lambda study: paper.recommendations_answer(study.recommendations),
        "recommendations": lambda study: to_markdown(study.recommendations, paper.RECOMMENDATIONS),
        "telosb": lambda study: paper.telosb_block(study.papers),
        "edison": lambda study: paper.edison_block(study.papers),
        "figures": lambda _: bullets(figure.caption for figure in figures()),
        "claims": lambda study: claims.block(study.claims),
        "unsound": lambda _: f"{choice.unsound()}\n",
        "edison-time": lambda study: paper.edison_time_block(study.papers) + _machine(study),
    },
)
"""Blocks of documents; `edison-time` differs from machine to machine."""


def sections(study: Study, drawn: Mapping[int, str]) -> list[Section]:
    """Sections of the page: conclusions, tables and figures."""
    found = [
        Section(
            "What takes least, by octets of message",
            study.choices,
            choice.CHOICES,
            choice.answer(study.choices),
            files=("best.json",),
        ),
        Section(
            "Where curves cross",
            study.crossings,
            choice.CROSSINGS,
            choice.printed_crossings(),
            files=("crossings.json",),
        ),
        Section(
            "What takes the least flash", study.smallest, choice.SMALLEST, files=("smallest.json",)
        ),
        Section(
            "What Ascon changes",
            study.ascon,
            choice.ASCON,
            "Without init: the key is set up.",
            files=("ascon.json",),
        ),
        Section(
            "What the paper recommends",
            study.recommendations,
            paper.RECOMMENDATIONS,
            files=("recommendations.json",),
        ),
        Section(
            "What the paper claims, and our verdicts",
            study.claims,
            claims.COLUMNS,
            claims.answer(study.claims),
            files=("claims.json",),
        ),
    ]
    for title, board, columns in (
        ("Tables 3 to 13, TelosB", BOARD, paper.TELOSB),
        ("Tables 14 to 25, Edison and this machine", "edison", paper.EDISON),
    ):
        own = paper.of(study.papers, board)
        notes = [(f"note {n}", text) for n, text in enumerate(paper.reasons(own), 1)]
        found.append(Section(title, own, columns, paper.answer(own), notes, files=("paper.json",)))
    return found + [Section(one.caption, figure=drawn[one.number]) for one in figures()]


def write(folder: Path, study: Study, conditions: Sequence[tuple[str, str]]) -> list[Path]:
    """Writes the figures, the rows and last the page, so that a page has all its files."""
    drawn = {
        figure.number: draw(figure, study.rows, study.timed, study.events) for figure in figures()
    }
    files = {f"figure-{number}.svg": svg for number, svg in drawn.items()}
    tables: dict[str, Sequence[Any]] = {
        "paper": study.papers,
        "best": study.choices,
        "crossings": study.crossings,
        "smallest": study.smallest,
        "recommendations": study.recommendations,
        "ascon": study.ascon,
        "claims": study.claims,
        "events": study.events,
    }
    for name, rows in tables.items():
        files |= {f"{name}.csv": to_csv(rows), f"{name}.json": to_json(rows)}
    files["primitives.html"] = rendered(
        "primitives/page.html.j2",
        title="Which primitive should I use?",
        pages=[(name, f"../{place}") for name, place in PAGES],
        here=f"../{PRIMITIVES}",
        files=list(files),
        answer=paper.answer(study.papers),
        needs=Markup(embedded(needs.data_of(study.rows))),
        key_bits=USUAL_KEY_BITS,
        conditions=conditions,
        sections=sections(study, drawn),
    )
    for name, text in files.items():
        write_atomically(folder / name, text.encode())
    return [folder / name for name in files]
