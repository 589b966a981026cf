# SPDX-License-Identifier: BSD-3-Clause
"""Rows as one page that needs no other file: it has no script and requests nothing."""

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from wardmote.errors import UsageError
from wardmote.rows import SlotRow
from wardmote.views.sections import Section
from wardmote.views.slot import COLUMNS
from wardmote.views.words import USUAL_LEVEL, answer, conditions

BEGIN, END = "<!-- experiments -->", "<!-- end of experiments -->"
"""What stands around the sections of experiments in the page."""


def rendered(template: str, **values: Any) -> str:
    """A page from a template of this folder."""
    environment = Environment(
        loader=PackageLoader("wardmote.views", "."), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template(template).render(**values)


def to_html(
    rows: Sequence[SlotRow],
    figure: str,
    capture: str,
    decryption: str,
    sections: Sequence[Section] = (),
    experiments: Sequence[Section] = (),
) -> str:
    """The page. `figure` is SVG, `capture` the name of a pcap file or empty, and `decryption` has
    tshark's options for the capture."""
    usual = [row for row in rows if row.level == USUAL_LEVEL]
    example = (usual or list(rows))[0]
    return rendered(
        "report.html.j2",
        answer=answer(rows),
        conditions=conditions(rows),
        figure=figure,
        columns=COLUMNS,
        lines=[
            _line(
                row,
                first=i > 0
                and (rows[i - 1].board, rows[i - 1].strategy) != (row.board, row.strategy),
            )
            for i, row in enumerate(rows)
        ],
        energy_slots=example.energy_slots,
        energy_of=f"{example.strategy} {example.level_name}",
        states=example.states,
        capture=capture,
        decryption=decryption,
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


def _line(row: SlotRow, *, first: bool) -> dict[str, object]:
    classes = ["first"] * first + ["usual"] * (row.level == USUAL_LEVEL)
    return {
        "classes": " ".join(classes),
        "cells": [(column.cell(row), column.text) for column in COLUMNS],
    }
