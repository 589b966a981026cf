# SPDX-License-Identifier: BSD-3-Clause
"""A report folder: every view of the same rows, and one capture."""

from collections.abc import Sequence
from pathlib import Path

from wardmote.errors import UsageError
from wardmote.paths import write_atomically
from wardmote.rows import SlotRow
from wardmote.views.data import from_json, to_csv, to_json
from wardmote.views.figure import slot_figure
from wardmote.views.html import to_html
from wardmote.views.sections import Section
from wardmote.views.table import to_markdown

ROWS = "rows.json"


def write_report(
    folder: Path,
    rows: Sequence[SlotRow],
    capture: str,
    pcap: bytes,
    decryption: str,
    sections: Sequence[Section] = (),
) -> None:
    """Writes all files of a report; `rows.json` last, so that it is there only if all are."""
    figure = slot_figure(rows)
    if capture:
        write_atomically(folder / capture, pcap)
    write_atomically(folder / "slots.svg", figure.encode())
    write_atomically(
        folder / "index.html", to_html(rows, figure, capture, decryption, sections).encode()
    )
    write_atomically(folder / "rows.csv", to_csv(rows).encode())
    write_atomically(folder / "table.md", to_markdown(rows).encode())
    write_atomically(folder / ROWS, to_json(rows).encode())


def read_report(folder: Path) -> list[SlotRow]:
    """The rows of a report folder; raises UsageError if it is none."""
    path = folder / ROWS
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"no report in {folder}: {path} cannot be read; `make report` writes one"
        ) from error
