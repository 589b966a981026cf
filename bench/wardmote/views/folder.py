# SPDX-License-Identifier: BSD-3-Clause
"""Writes and reads a report folder: all views of the same rows, and one capture."""

import json
from collections.abc import Sequence
from pathlib import Path

from wardmote.errors import UsageError
from wardmote.paths import write_atomically
from wardmote.rows import SlotRow
from wardmote.schemas import read
from wardmote.study.explored import Explored
from wardmote.views.case_place import EXPLORER
from wardmote.views.data import to_csv, to_json
from wardmote.views.explorer.page import to_data, to_explorer
from wardmote.views.figure import slot_figure
from wardmote.views.html import PAGE, to_html
from wardmote.views.sections import Capture, Section
from wardmote.views.slot import COLUMNS
from wardmote.views.table import to_markdown
from wardmote.views.text import facts
from wardmote.views.words import conditions

ROWS = "rows.json"
EXPLORED = "explorer.json"
"""Rows, traces and charges of the explorer."""


def write_report(
    folder: Path,
    rows: Sequence[SlotRow],
    capture: Capture,
    sections: Sequence[Section] = (),
    experiments: Sequence[Section] = (),
    explored: Sequence[Explored] = (),
) -> None:
    """Writes all files of a report, and last `rows.json`, so that a folder with it is complete."""
    figure = slot_figure(rows)
    write_atomically(folder / capture.name, capture.pcap)
    write_atomically(folder / "slots.svg", figure.encode())
    page = to_html(rows, figure, capture, sections, experiments)
    write_atomically(folder / PAGE, page.encode())
    data = json.dumps(to_data(rows, explored)) + "\n"
    write_atomically(folder / EXPLORED, data.encode())
    files = (ROWS, "rows.csv", EXPLORED, capture.name)
    write_atomically(folder / EXPLORER, to_explorer(rows, explored, files).encode())
    write_atomically(folder / "rows.csv", to_csv(rows).encode())
    table = f"{facts(conditions(rows))}\n{to_markdown(rows, COLUMNS)}"
    write_atomically(folder / "table.md", table.encode())
    write_atomically(folder / ROWS, to_json(rows).encode())


def from_json(text: str) -> list[SlotRow]:
    """The rows of `to_json`; raises UsageError if the text holds something else."""
    try:
        values = json.loads(text)
        rows = (
            [SlotRow.from_dict(read(one, SlotRow)) for one in values]
            if isinstance(values, list)
            else []
        )
    except (ValueError, TypeError, KeyError, RecursionError, UsageError) as error:
        raise UsageError(f"no rows of `wardmote slot` of this version: {error}") from error
    if not rows:
        raise UsageError("no rows of `wardmote slot`: an empty list, or none at all")
    return rows


def read_report(folder: Path) -> list[SlotRow]:
    """The rows of a report folder; raises UsageError if it cannot be read."""
    path = folder / ROWS
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"no report in {folder}: it is a file, and a report is a folder")
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"no report in {folder}: {path} cannot be read; `wardmote slot --report {folder}` writes "
            "one"
        ) from error
