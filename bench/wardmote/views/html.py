# SPDX-License-Identifier: BSD-3-Clause
"""Rows as one page that needs no other file: it has no script and requests nothing."""

from collections.abc import Sequence

from wardmote.errors import UsageError
from wardmote.rows import SlotRow
from wardmote.study.definition import headline
from wardmote.views.sections import Capture, Section
from wardmote.views.slot import COLUMNS
from wardmote.views.templates import rendered
from wardmote.views.words import USUAL_LEVEL, answer, conditions

BEGIN, END = "<!-- experiments -->", "<!-- end of experiments -->"
"""What stands around the sections of experiments in the page."""


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
    return rendered(
        "report.html.j2",
        answer=answer(rows),
        conditions=conditions(rows),
        figure=figure,
        columns=COLUMNS,
        rows=rows,
        usual_level=USUAL_LEVEL,
        energy_slots=example.energy_slots,
        energy_of=f"{example.strategy} {example.level_name}, {example.definition}",
        states=example.states,
        capture=capture,
        sections=sections,
        experiments=experiments,
    )


def with_experiments(page: str, experiments: Sequence[Section]) -> str:
    """The page with these sections in the place of experiments. Raises UsageError if the page has
    no such place."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise UsageError("the page of the report has no place for experiments: make it again")
    middle = "".join(rendered("section.html.j2", section=one) for one in experiments)
    return before + begin + middle + end + after
