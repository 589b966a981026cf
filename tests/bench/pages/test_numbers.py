# SPDX-License-Identifier: BSD-3-Clause
"""Every number that a page shows is that of its row, what papers printed is that of published/, and
what the explorer computes is what Python computes."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.pages.conftest import Opened
from wardmote.batteries import DEFAULT_BATTERY
from wardmote.errors import UsageError
from wardmote.published import slot_durations
from wardmote.rows import SlotRow
from wardmote.study.definition import headline, of_the_paper
from wardmote.study.explored import Explored
from wardmote.study.payload import UPPER_OCTETS, application_bits, payload_octets
from wardmote.study.throughput import Schedule, throughput_rows
from wardmote.views.case_place import CHOICES, place
from wardmote.views.folder import read_report
from wardmote.views.slot import COLUMNS

pytestmark = pytest.mark.xdist_group("browser")
USES = ((1, 1, 1.0), (1, 20, 0.3), (3, 7, 1.0), (4, 4000, 0.5), (12, 1, 0.01))
"""Cells, cells from frame to frame, and the payload as a part of the longest."""
Opens = Callable[..., Opened]


@pytest.fixture(scope="module")
def rows(report: Path) -> list[SlotRow]:
    """The rows of the report."""
    return read_report(report)


def test_the_explorer_has_every_row(rows: list[SlotRow], shown: list[dict[str, Any]]) -> None:
    """All fields of rows.json are in the page as they are, and the rows that follow were measured
    for the explorer alone. Each deployable template holds in a slotframe, with frames of any length
    too."""
    assert len(shown) > len(rows)
    for row, values in zip(rows, shown, strict=False):
        for name, value in row.as_dict().items():
            if not isinstance(value, list | tuple | dict):
                assert values[name] == value, name
        assert values["trace"]["slot_us"] == pytest.approx(row.ts_slot_duration_us, abs=0.01)
        assert values["limit_us"] < row.ts_slot_duration_us
        if row.definition == "deployable":
            own = {kind for _, kind, octets, *_ in values["kinds"] if octets == row.frame_octets}
            assert own >= {"beacon", "data", "no data", "empty"}
            assert values["refused"] == []
    assert all(one["proof"].endswith(" ok") for one in shown)


def test_the_first_screen_shows_the_rows(report: Path, rows: list[SlotRow], opened: Opens) -> None:
    """Each line of the table: the slot, the same by the paper's definition, what the paper printed
    for exactly this board and strategy, and the factor. All printed slots are there."""
    page = opened((report / "index.html").as_uri()).page
    lines = page.locator(".opening tr:has(td)").evaluate_all(
        "(rows) => rows.map((row) => [row.querySelector('a').getAttribute('href'),"
        " ...[...row.querySelectorAll('td')].map((cell) => cell.textContent)])"
    )
    by_place = {place(row): row for row in headline(rows)}
    papers = {key(row): row for row in of_the_paper(rows)}
    printed = []
    for href, slot, by_paper, published, factor in lines:
        row = by_place[href]
        paper = papers[key(row)]
        assert float(slot) == round(row.ts_slot_duration_ms, 2)
        assert float(by_paper) == round(paper.ts_slot_duration_ms, 2)
        found = {one.strategy: one.slot_ms for one in slot_durations(row.board)}
        wanted = found.get(row.strategy) if row.level == 5 else None
        assert (float(published) if published else None) == wanted
        if wanted:
            printed.append(wanted)
            ours = paper.ts_slot_duration_ms
            assert float(factor.split()[0]) == pytest.approx(wanted / ours, abs=0.051)
    boards = {row.board for row in rows}
    assert sorted(printed) == sorted(one.slot_ms for name in boards for one in slot_durations(name))


def key(row: SlotRow) -> tuple[object, ...]:
    """A case without its definition."""
    return row.board, row.strategy, row.level, row.clock_hz


def test_the_table_of_all_cases_shows_the_rows(report: Path, rows: list[SlotRow]) -> None:
    """Each cell is what its column makes of its row."""
    page = (report / "index.html").read_text(encoding="utf-8")
    table = page[page.index('<section id="cases"') :].partition("</section>")[0]
    lines = [
        [html.unescape(cell) for cell in re.findall(r"<td[^>]*>([^<]*)</td>", line)]
        for line in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
    ]
    shown = [cells for cells in lines if cells]
    assert shown == [[column.cell(row) for column in COLUMNS] for row in rows]


def test_every_number_of_the_explorer_is_of_its_row(
    report: Path, shown: list[dict[str, Any]], opened: Opens
) -> None:
    """Every case by its address: the page shows that row, and each number that names a field is that
    field to the digits shown."""
    page = opened((report / "explorer.html").as_uri()).page
    cases = page.evaluate(
        """async (choices) => {
          const found = [];
          for (const row of wardmote.data.rows) {
            const words = Object.entries(choices).map(([word, field]) => [word, row[field]]);
            location.hash = new URLSearchParams(words);
            await new Promise((done) => setTimeout(done, 0));
            found.push([...document.querySelectorAll("[data-field]")].map((cell) => [
              Number(cell.dataset.row), cell.dataset.field, cell.textContent,
              Number(cell.dataset.scale), Number(cell.dataset.digits)]));
          }
          return found;
        }""",
        CHOICES,
    )
    assert len(cases) == len(shown)
    for number, cells in enumerate(cases):
        assert len(cells) > 12
        for at, field, text, scale, digits in cells:
            value = shown[number][field]
            assert at == number
            if value is None:
                assert text == "–", field
            else:
                assert float(text) == pytest.approx(scale * value, abs=0.5000001 * 10**-digits)
                assert text.partition(".")[2] == "" or len(text.partition(".")[2]) == digits


@pytest.mark.turns(4, "numbers")
def test_what_is_computed_is_what_python_computes(
    report: Path, explored: list[Explored], opened: Opens
) -> None:
    """Charge of a slotframe, average, current and life of the battery, and the throughput bound, of
    every row in five uses, of which four send seldom, or payloads between measured ones."""
    page = opened((report / "explorer.html").as_uri()).page
    cases = [
        [at, cells, apart, max(1, round(part * payload(one)))]
        for at, one in enumerate(explored)
        for cells, apart, part in USES
    ]
    found = page.evaluate(
        """([cases, battery]) => cases.map(([at, cells, apart, payload]) => {
          const { data, model } = wardmote;
          const row = data.rows[at];
          const use = { cells, apart, payload, battery, mah: data.batteries[battery].charge_mah };
          const lives = model.NODES.map((node) => model.life(row, use, node));
          return [model.rate(row, use), ...lives.map((one) =>
            one && [one.everyS, one.slotframeUc, one.averageMa, one.batteryMa, one.days])];
        })""",
        [cases, DEFAULT_BATTERY.name],
    )
    lived = 0
    for (at, cells, apart, octets), (rate, *lives) in zip(cases, found, strict=True):
        one = explored[at]
        assert rate == pytest.approx(bound(one, cells, octets), rel=1e-5, abs=1e-3)
        if not one.kinds:
            assert lives == [None, None]
            continue
        try:
            rows = one.lives(cells, apart, octets, DEFAULT_BATTERY)
        except UsageError:
            assert None in lives
            continue
        for life, row in zip(lives, rows, strict=True):
            assert life is not None
            lived += 1
            assert life[0] == pytest.approx(row.every_s, abs=1e-5)
            assert life[1] == pytest.approx(row.slotframe_uc, abs=1e-5)
            assert life[2] == pytest.approx(row.average_ma, abs=1e-6)
            assert life[3] == (row.battery_ma and pytest.approx(row.battery_ma, abs=1e-6))
            assert life[4] == (row.battery_days and pytest.approx(row.battery_days, abs=0.0501))
    assert lived > 500


def payload(one: Explored) -> int:
    """The longest payload of a row."""
    return payload_octets(one.row.level, one.row.ash_octets, one.row.frame_octets)


def bound(one: Explored, cells: int, octets: int) -> float:
    """Eq. 2 with a payload of so many octets."""
    frame = one.row.frame_octets - payload(one) + octets
    [row] = throughput_rows([one.row], Schedule(n_i=cells, n_ts=101))
    bits = application_bits(one.row.level, one.row.ash_octets, frame, UPPER_OCTETS)
    return (row.rate_bps or 0) * bits / row.a_bits if row.a_bits else 0.0
