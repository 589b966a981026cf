# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote primitives --anchors`, `--forms` and the document that shows both."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from wardmote.campaign.runner import Runner
from wardmote.commands.primitives_study import Asked, told
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.measurements.primitives.campaign import Selection, run_cases
from wardmote.measurements.primitives.rows import Result
from wardmote.paths import write_atomically
from wardmote.study.primitives.anchors import (
    Anchor,
    AnchorRow,
    Figure,
    FormRow,
    anchors,
    compare,
    figures,
    forms,
    forms_selection,
    frame_cases,
    frame_figures,
    selections,
)
from wardmote.views.primitives import anchors as anchors_view
from wardmote.views.primitives import table as view

RUNS = 2
"""Sets of secrets: what a figure is compared with is cycles."""


def show_anchors(asked: Asked) -> int:
    """What others say their code takes, beside ours."""
    selection = _selection(asked, "--anchors")
    rows, result = anchor_rows(selection, asked)
    if not rows:
        raise UsageError(
            f"no figure of others is known for {_named(selection)} on {', '.join(selection.cpus)}"
        )
    answer = anchors_view.answer(rows)
    if asked.shown.form == "table":
        answer = anchors_view.reasons(rows) + answer
    conditions = anchors_view.conditions(view.conditions(result))
    asked.shown.show(rows, anchors_view.ANCHORS, conditions, answer)
    return told(result)


def show_forms(asked: Asked) -> int:
    """The fast form of each primitive beside the small one."""
    selection = _selection(asked, "--forms")
    rows, result = form_rows(selection, asked)
    if not rows:
        raise UsageError(f"there is no small form of {_named(selection)}")
    conditions = anchors_view.forms_conditions(view.conditions(result))
    asked.shown.show(rows, anchors_view.FORMS, conditions, anchors_view.forms_answer(rows))
    return told(result)


def fill(asked: Asked, document: Path, text: str) -> int:
    """The document's blocks, of all CPUs and primitives that were asked for."""
    selection = _selection(asked, "this document")
    rows, at_anchors = anchor_rows(selection, asked)
    both, of_forms = form_rows(selection, asked)
    compared = anchors_view.Compared(tuple(rows), tuple(both))
    write_atomically(document, anchors_view.BLOCKS.filled(text, compared).encode())
    return told(at_anchors) | told(of_forms)


def anchor_rows(selection: Selection, asked: Asked) -> tuple[list[AnchorRow], Result]:
    """Measures what anchors need, and compares."""
    found = _wanted(selection)
    results = [asked.measure(one) for one in selections(selection, found)]
    ours = [
        *figures(row for result in results for row in result.rows),
        *frames(selection, found, asked.runner),
    ]
    return compare(found, ours), _together(results)


def frames(selection: Selection, found: Sequence[Anchor], runner: Runner) -> list[Figure]:
    """Measures the frames that anchors need."""
    cases = frame_cases(selection, found)
    return frame_figures(cases, run_cases(cases, runner).figures)


def form_rows(selection: Selection, asked: Asked) -> tuple[list[FormRow], Result]:
    """Measures both forms of what has two."""
    needed = forms_selection(selection)
    if not needed.primitives:
        return [], _together([])
    result = asked.measure(needed)
    return forms(result.rows, selection.cpus), result


def _selection(asked: Asked, what: str) -> Selection:
    """What was selected, on emulated CPUs."""
    cpus = tuple(cpu for cpu in asked.selection.cpus if cpu in CPU_NAMES)
    if not cpus:
        raise UsageError(
            f"{what} has no {', '.join(asked.selection.cpus)}: possible are {', '.join(CPU_NAMES)}"
        )
    if asked.sizes_given:
        raise UsageError(f"lengths are those of the figures: give no --size with {what}")
    return replace(asked.selection, cpus=cpus, runs=min(asked.selection.runs, RUNS))


def _wanted(selection: Selection) -> list[Anchor]:
    names = {one.name for one in selection.primitives}
    return [one for one in anchors() if one.cpu in selection.cpus and one.primitive in names]


def _named(selection: Selection) -> str:
    return ", ".join(dict.fromkeys(one.name for one in selection.primitives))


def _together(results: Sequence[Result]) -> Result:
    return Result(
        rows=tuple(row for result in results for row in result.rows),
        missing=tuple(dict.fromkeys(lack for result in results for lack in result.missing)),
        reused=sum(result.reused for result in results),
        measured=sum(result.measured for result in results),
    )
