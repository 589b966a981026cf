# SPDX-License-Identifier: BSD-3-Clause
"""Every table of every page: each number is that of its row, and what papers printed is that of
published/. The pages are read as text, and the files beside them as plain JSON and TOML."""

import html
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.bench.pages.test_pages import present
from wardmote.batteries import DEFAULT_BATTERY
from wardmote.commands.battery import Use, measured
from wardmote.experiments import section as experiments
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.slot.setting import STRATEGIES
from wardmote.study.definition import at_once, headline
from wardmote.views.folder import read_report
from wardmote.views.sections import Report, Section, sections
from wardmote.views.words import USUAL_LEVEL

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.turns(4, "tables")]
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
"""A number in a cell, but not in a name such as sha256, AES-128 or 0x80."""
SCALES = (1, 100, 1000, 1e-3, 1e6, 1e-6)
"""A column shows its field in another unit: per cent, or a prefix of the SI."""
PRINTED = re.compile(r"published|printed|paper ", re.IGNORECASE)
"""Heads of columns that hold what papers printed."""
COMPUTED = {
    "R with published A_j",
    "to the first: printed",
    "the paper says",
    "the paper recommends",
}
"""Heads of columns that hold what follows from printed numbers, or sentences about them."""
DIFFERENCES = {"energy %", "battery %", "slot %"}
"""Of assumptions: two differences in one cell, which only the column computes."""
WHOLE = re.compile(r"(?<=\d) of \d+$")
"""Behind a count: how many motes the arrangement has, which is no figure."""
SUM = re.compile(r"\w+ all [^;]*")
"""What a claim adds up: init, update and final of a printed hash."""


class Table(NamedTuple):
    """One table of a page."""

    section: str
    heads: list[str]
    rows: list[list[str]]
    file: Path | None
    """Its data, which the section links."""


def tables(page: Path) -> Iterator[Table]:
    """The first table of each section that has one with rows."""
    text = page.read_text(encoding="utf-8")
    for name, body in re.findall(r'<section id="([^"]+)"[^>]*>(.*?)</section>', text, re.DOTALL):
        found = re.search(r"<table.*?</table>", body, re.DOTALL)
        lines = re.findall(r"<tr[^>]*>(.*?)</tr>", found[0], re.DOTALL) if found else []
        rows = [own for line in lines if (own := _texts("td", line))]
        files = re.findall(r'href="([^"]+\.json)"', body)
        if found and rows:
            place = page.parent / files[0] if files else None
            yield Table(name, _texts("th", found[0]), rows, place)


def _texts(tag: str, text: str) -> list[str]:
    cells = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", text, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in cells]


def numbers(value: Any) -> Iterator[float]:
    """All numbers in a value of JSON or TOML, those in its words too."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers(one)
    elif isinstance(value, str):
        yield from (float(one) for one in NUMBER.findall(value))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield abs(float(value))


def is_there(shown: str, known: set[float]) -> bool:
    """Whether a number is one of these to the digits that it shows."""
    most = 0.5000001 * 10.0 ** -len(shown.partition(".")[2])
    return any(abs(float(shown) - scale * one) <= most for one in known for scale in SCALES)


def test_every_number_is_of_the_file_beside_its_table(report: Path) -> None:
    """The table has a line for each row of the file that its section links, in that order, and each
    of its numbers is in that row."""
    seen = 0
    for page in (report / name for name in present(report)):
        for table in tables(page):
            if table.file is None:
                continue
            entries = json.loads(table.file.read_text(encoding="utf-8"))
            if len(entries) != len(table.rows):  # One file has the tables of two boards.
                board = "edison" if "edison" in table.section else "telosb"
                entries = [one for one in entries if one["board"] == board]
            assert len(entries) == len(table.rows), table.section
            for cells, entry in zip(table.rows, entries, strict=True):
                known = set(numbers(entry))
                for head, cell in zip(table.heads, cells, strict=False):
                    for shown in (
                        NUMBER.findall(WHOLE.sub("", cell)) if head not in DIFFERENCES else ()
                    ):
                        seen += 1
                        assert is_there(shown, known), (table.section, head, cell)
    assert seen > 3000


def test_every_table_is_of_its_rows(report: Path) -> None:
    """Tables of the first page without a file of their own are what the rows of the report give
    anew, cell by cell; those of experiments are what their rows give."""
    rows = read_report(report)
    boards = list(dict.fromkeys(row.board for row in rows))
    usual = [row for row in at_once(headline(rows)) if row.level == USUAL_LEVEL]
    seed = rows[0].provenance.seed
    have = {name: {row.strategy for row in usual if row.board == name} for name in boards}
    made = Report(
        rows,
        [
            one
            for name in boards
            for one in measure(name, [kind for kind in STRATEGIES if kind in have[name]], seed)
        ],
        [],
        [one for row in usual for one in measured(row, Use(), DEFAULT_BATTERY, seed)],
    )
    shown = {table.section: table for table in tables(report / "index.html")}
    wanted: list[Section] = [*sections(made), *experiments.sections(report)]
    named = {one.name for one in wanted if one.rows and one.columns}
    assert named == set(shown) - {"cases", "states"}
    for one in wanted:
        if one.name in named:
            cells = [[column.cell(row) for column in one.columns] for row in one.rows]
            assert shown[one.name].rows == cells, one.name


def test_what_papers_printed_is_in_published(report: Path, root: Path) -> None:
    """Each number in a column of printed figures, on all pages, is in published/, to the digits
    shown."""
    known = {
        number
        for file in (root / "published").glob("*.toml")
        for number in numbers(tomllib.loads(file.read_text(encoding="utf-8")))
    }
    assert not is_there("123456.7", known)
    seen = 0
    for page in (report / name for name in present(report)):
        for table in tables(page):
            for at, head in enumerate(table.heads):
                if not PRINTED.search(head) or head in COMPUTED:
                    continue
                for cells in table.rows:
                    for shown in NUMBER.findall(SUM.sub("", cells[at])):
                        seen += 1
                        assert is_there(shown, known), (table.section, head, cells[at])
    assert seen > 400
