# SPDX-License-Identifier: BSD-3-Clause
"""Rows as one page that needs no other file and requests nothing."""

from collections.abc import Sequence

from markupsafe import Markup

from wardmote.errors import UsageError
from wardmote.rows import SlotRow
from wardmote.study.definition import headline
from wardmote.views.case_place import EXPLORER, place
from wardmote.views.opening import opening
from wardmote.views.sections import Capture, Section
from wardmote.views.slot import COLUMNS
from wardmote.views.templates import rendered
from wardmote.views.words import USUAL_LEVEL, answer, conditions

PAGE = "index.html"
PRIMITIVES = "primitives/primitives.html"
PAGES = (
    ("Report", PAGE),
    ("Slot explorer", EXPLORER),
    ("Primitives", PRIMITIVES),
    ("Contents", f"{PAGE}#contents"),
    ("Conditions", f"{PAGE}#conditions"),
)
"""What the bar of every page leads to, within the folder of a report."""
CONDITIONS = "#conditions"
TITLES = "<!-- titles of experiments -->", "<!-- end of titles -->"
EXPERIMENTS = "<!-- experiments -->", "<!-- end of experiments -->"
"""What stands around the sections of experiments in the page, and around their titles."""


def to_html(
    rows: Sequence[SlotRow],
    figure: str,
    capture: Capture,
    sections: Sequence[Section] = (),
    experiments: Sequence[Section] = (),
) -> str:
    """The page; `figure` is SVG."""
    shortest = headline(rows)
    example = ([row for row in shortest if row.level == USUAL_LEVEL] or shortest)[0]
    page = rendered(
        "report.html.j2",
        title="How short can a secured timeslot be?",
        pages=PAGES,
        here=PAGE,
        opening=opening(rows),
        explorer=EXPLORER,
        place=place,
        answer=answer(rows),
        conditions=conditions(rows),
        conditions_at=CONDITIONS,
        figure=figure,
        columns=COLUMNS,
        rows=rows,
        usual_level=USUAL_LEVEL,
        energy_slots=example.energy_slots,
        energy_of=f"{example.strategy} {example.level_name}, {example.definition}",
        states=example.states,
        capture=capture,
        sections=sections,
        contents_of_experiments=Markup("".join(TITLES)),
        experiments=Markup("".join(EXPERIMENTS)),
    )
    return with_experiments(page, experiments)


def with_experiments(page: str, experiments: Sequence[Section]) -> str:
    """The page with these sections, and their titles in its contents, in the place of experiments.
    Raises UsageError if the page has no such place."""
    titles = "".join(rendered("page/title.html.j2", section=one) for one in experiments)
    bodies = "".join(
        rendered("section.html.j2", section=one, conditions_at=CONDITIONS) for one in experiments
    )
    return _placed(_placed(page, TITLES, titles), EXPERIMENTS, bodies)


def _placed(page: str, around: tuple[str, str], text: str) -> str:
    before, begin, rest = page.partition(around[0])
    _, end, after = rest.partition(around[1])
    if not end:
        raise UsageError("the page of the report has no place for experiments: make it again")
    return before + begin + text + end + after
