# SPDX-License-Identifier: BSD-3-Clause
"""Rows as one self-contained page: no script, no request to anywhere."""

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from wardmote.rows import SlotRow
from wardmote.views.sections import Section
from wardmote.views.slot import COLUMNS
from wardmote.views.words import USUAL_LEVEL, answer, conditions


def to_html(
    rows: Sequence[SlotRow],
    figure: str,
    capture: str,
    decryption: str,
    sections: Sequence[Section] = (),
) -> str:
    """The page; `figure` is SVG, `capture` the name of a pcap file or empty, `decryption` tshark's
    options for it."""
    environment = Environment(
        loader=PackageLoader("wardmote.views", "."), autoescape=True, undefined=StrictUndefined
    )
    usual = [row for row in rows if row.level == USUAL_LEVEL]
    example = (usual or list(rows))[0]
    return environment.get_template("report.html.j2").render(
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
