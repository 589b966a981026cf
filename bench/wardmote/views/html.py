# SPDX-License-Identifier: BSD-3-Clause
"""Rows as one page that needs no other file: it has no script and requests nothing."""

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from wardmote.rows import SlotRow
from wardmote.views.sections import Section
from wardmote.views.slot import COLUMNS
from wardmote.views.words import USUAL_LEVEL, answer, conditions


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
    )


def _line(row: SlotRow, *, first: bool) -> dict[str, object]:
    classes = ["first"] * first + ["usual"] * (row.level == USUAL_LEVEL)
    return {
        "classes": " ".join(classes),
        "cells": [(column.cell(row), column.text) for column in COLUMNS],
    }
