# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote primitives --paper`, `--best`, `--report` and the document that shows all of it."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from wardmote.boards import EVENT_BOARDS
from wardmote.campaign.runner import Runner
from wardmote.commands.shared import Shown
from wardmote.errors import UsageError
from wardmote.measurements.primitives.campaign import PLACES, Selection, measure
from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32 import CPU as HOST32
from wardmote.measurements.primitives.printed import BOARD, CPU
from wardmote.measurements.primitives.rows import Result
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.system import campaign as system
from wardmote.measurements.system.lengths import AT_LENGTHS, SITUATION
from wardmote.measurements.system.rows import SystemRow
from wardmote.paths import write_atomically
from wardmote.study.primitives import choice
from wardmote.study.primitives.curves import BESIDE, CIPHERS, INVERSE
from wardmote.study.primitives.paper import compared, entries
from wardmote.study.primitives.paper_study import Study, study
from wardmote.views import claims as claims_view
from wardmote.views.primitives import choice as choice_view
from wardmote.views.primitives import page as page
from wardmote.views.primitives import paper as paper_view
from wardmote.views.primitives import table as view
from wardmote.views.show import show_conditions, show_table, show_text
from wardmote.views.table import to_markdown

COMPARED = (CPU, HOST32)
"""CPUs that stand for the paper's."""
LOOP_SECONDS = 1.0
"""How long each operation runs under the event loop."""
LEAST_RUNS = 3
"""Sets of secrets at each of many lengths: a tag is wrong in three ways."""


class Asked(NamedTuple):
    """What the command was given."""

    selection: Selection
    runner: Runner
    shown: Shown
    sizes_given: bool

    def measure(self, selection: Selection) -> Result:
        """Measures this instead of the whole selection."""
        return measure(selection, self.runner)


def told(result: Result) -> int:
    """Says what could not be measured; the exit code."""
    for lack in result.missing:
        sys.stderr.write(f"wardmote: not measured: {view.missing(lack)}\n")
    return 1 if result.missing else 0


def show_paper(asked: Asked) -> int:
    """Every figure of the paper's tables beside ours."""
    cpus = tuple(cpu for cpu in asked.selection.cpus if cpu in COMPARED)
    if not cpus:
        raise UsageError(
            f"the paper has no {', '.join(asked.selection.cpus)}: possible are {', '.join(COMPARED)}"
        )
    if asked.sizes_given:
        raise UsageError("the paper's lengths are its own: give no --size with --paper")
    result = asked.measure(replace(asked.selection, cpus=cpus, primitives=entries()))
    boards = {CPU: BOARD, HOST32: "edison"}
    rows = [
        row
        for cpu in cpus
        for row in paper_view.of(compared(result.rows, result.host32_rows), boards[cpu])
    ]
    if asked.shown.form in ("json", "csv"):
        asked.shown.show(rows, paper_view.TELOSB, (), paper_view.answer(rows))
        return told(result)
    conditions = view.conditions(result)
    if asked.shown.form == "table":
        show_conditions(conditions)
    else:
        sys.stdout.write("".join(f"* {name}: {value}\n" for name, value in conditions))
    for title, board, columns in (
        ("Tables 3 to 13: TelosB", BOARD, paper_view.TELOSB),
        ("Tables 14 to 25: Edison, and this machine", "edison", paper_view.EDISON),
    ):
        own = paper_view.of(rows, board)
        if own:
            if asked.shown.form == "table":
                show_table(own, columns, title, names=asked.shown.columns)
            else:
                sys.stdout.write(f"\n{title}\n\n{to_markdown(own, columns)}\n")
            show_text("\n".join(f"* {line}" for line in paper_view.reasons(own)))
    show_text(paper_view.answer(rows))
    return told(result)


def at_all_lengths(selection: Selection, sizes: tuple[int, ...]) -> Selection:
    """The measurement for choices: fewer secrets, no time of this machine, and only operations that
    a choice uses."""
    return replace(
        selection,
        sizes=sizes,
        runs=min(selection.runs, LEAST_RUNS),
        timed=False,
        operations=choice.NEEDED,
    )


def show_best(asked: Asked) -> int:
    """The cheapest candidate, by kind, CPU and size."""
    if not any(map(choice.kind_of, asked.selection.primitives)):
        names = ", ".join(dict.fromkeys(one.name for one in asked.selection.primitives))
        raise UsageError(
            f"nothing to choose of {names}: a block cipher alone has no use, name its modes"
        )
    sizes = asked.selection.sizes if asked.sizes_given else choice.SIZES
    # A mode that pads a message to whole blocks has rows for whole blocks only.
    measured = tuple(
        sorted(
            {
                -(-size // one.granule) * one.granule
                for one in asked.selection.primitives
                for size in sizes
            }
        )
    )
    result = asked.measure(at_all_lengths(asked.selection, tuple(sorted({*sizes, *measured}))))
    rows = choice.choices(choice.candidates((*result.rows, *result.host32_rows), sizes))
    conditions = [*choice_view.conditions(), *view.conditions(result)]
    asked.shown.show(rows, choice_view.CHOICES, conditions, choice_view.answer(rows))
    return told(result)


def measured_study(asked: Asked) -> tuple[Study, Result, Result]:
    """Both measurements and what follows."""
    at_papers = asked.measure(replace(asked.selection, cpus=COMPARED, primitives=_of_paper()))
    at_all = asked.measure(at_all_lengths(replace(asked.selection, cpus=PLACES), choice.SIZES))
    return study(at_papers, at_all, under_loop(asked)), at_papers, at_all


def under_loop(asked: Asked) -> tuple[SystemRow, ...]:
    """The operations of the figures under Contiki, by length, under an event loop."""
    wanted = system.Selection(
        {BOARD: EVENT_BOARDS[BOARD].clock_hz},
        tuple(AT_LENGTHS),
        (SITUATION,),
        LOOP_SECONDS,
        asked.selection.seed,
    )
    return system.measure(wanted, asked.runner).rows


def _of_paper() -> tuple[Primitive, ...]:
    """The paper's entries, and those that stand beside them in its figures."""
    beside = {place for places in (*BESIDE.values(), CIPHERS, INVERSE.values()) for place in places}
    labels = {one.label for one in entries()}
    return tuple(
        one for one in PRIMITIVES if one.label in labels or (one.name, one.variant) in beside
    )


def show_claims(asked: Asked) -> int:
    """Every claim of the paper with our verdict."""
    found, at_papers, at_all = measured_study(asked)
    conditions = view.conditions(at_papers)
    rows = found.claims
    asked.shown.show(rows, claims_view.COLUMNS, conditions, claims_view.answer(rows))
    return told(at_papers) | told(at_all)


def write_page(asked: Asked, folder: Path) -> int:
    """The page and the figures."""
    found, at_papers, at_all = measured_study(asked)
    for path in page.write(folder, found, [*choice_view.conditions(), *view.conditions(at_papers)]):
        sys.stdout.write(f"{path}\n")
    return told(at_papers) | told(at_all)


def fill(asked: Asked, document: Path, text: str) -> int:
    """The document's blocks, this machine's times included."""
    found, at_papers, at_all = measured_study(asked)
    write_atomically(document, page.BLOCKS.filled(text, found).encode())
    return told(at_papers) | told(at_all)
