# SPDX-License-Identifier: BSD-3-Clause
"""Views say what the rows say: in words, in the table, in the figure; and a row survives its own
JSON."""

import dataclasses
import json
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.bench.study.test_made_up_rows import slot as made
from wardmote.batteries import DEFAULT_BATTERY
from wardmote.boards import BOARDS
from wardmote.errors import UsageError
from wardmote.experiments import section as experiments
from wardmote.rows import SlotKind, SlotRow
from wardmote.study import energy as study_energy
from wardmote.study.battery import Slotframe, battery_rows
from wardmote.study.compare import usual
from wardmote.study.definition import headline
from wardmote.study.throughput import Schedule, throughput_rows
from wardmote.views import energy, measure, slot, sweep, throughput
from wardmote.views.columns import Fields
from wardmote.views.data import scalars, to_csv, to_json
from wardmote.views.figure import slot_figure
from wardmote.views.folder import from_json, read_report
from wardmote.views.sections import LONG, Report, Section, sections
from wardmote.views.slot import COLUMNS, verdict
from wardmote.views.table import Column, band, chosen, table, to_markdown
from wardmote.views.words import answer, conditions, ends_text


@pytest.fixture(scope="module")
def rows(root: Path) -> list[SlotRow]:
    """The rows of build/report."""
    return read_report(root / "build/report")


def test_json_round_trip(rows: list[SlotRow]) -> None:
    """Rows read back from JSON are the rows that were written."""
    assert from_json(to_json(rows)) == rows


@pytest.mark.parametrize("text", ["", "{}", "[{}]", "[1]", '[{"board": "telosb"}]', "null", "[]"])
def test_other_json_is_refused(text: str) -> None:
    """JSON that holds no rows is refused in one line."""
    with pytest.raises(UsageError, match="no rows of `wardmote slot`"):
        from_json(text)


def test_csv_has_every_scalar(rows: list[SlotRow]) -> None:
    """The first line of CSV names the scalars of a row; there is one line a row more."""
    lines = to_csv(rows).splitlines()
    assert lines[0].split(",") == list(scalars(rows[0]))
    assert len(lines) == 1 + len(rows)
    assert to_csv([]) == "\n"


def test_answer_names_the_usual_level(rows: list[SlotRow]) -> None:
    """With all levels at hand the answer is about ENC-MIC-32; with one level it is about that
    one."""
    assert "a secured slot at ENC-MIC-32" in answer(rows)
    assert "an unsecured slot" in answer([row for row in rows if row.level == 0])
    assert "at MIC-64" in answer([row for row in rows if row.level == 2])
    assert answer([]) == "Nothing was measured."


def test_unproven_rows_show(rows: list[SlotRow]) -> None:
    """A row with losses, missed deadlines or slack is called so, and not counted as proven."""
    rows = headline(rows)
    lossy = dataclasses.replace(rows[5], lost=3)
    late = dataclasses.replace(rows[5], late=2)
    loose = dataclasses.replace(rows[5], tx_ack_delay_minus_1_fails=False)
    assert [verdict(row) for row in (lossy, late, loose)] == ["3 lost", "2 late", "not tight"]
    assert not any(row.verified for row in (lossy, late, loose))
    assert "26 of 27 cases proven. A TelosB (6.7 MHz at 3 V)" in answer(
        [*rows[:5], lossy, *rows[6:]]
    )


def test_a_clock_beyond_the_data_sheet_is_marked_in_every_table(rows: list[SlotRow]) -> None:
    """In the table of slots, of charges and of throughput, in the answer, and in the conditions
    with its meaning. The paper is not compared with it."""
    beyond = dataclasses.replace(rows[5], supply_v=3.0, clock_allowed=False)
    mark, meaning = "8 MHz at 3 V (beyond)", "do not allow this clock at this supply"
    energies = study_energy.energy_rows([beyond])
    schedule = Schedule(n_i=1, n_ts=101)
    throughputs = throughput_rows([beyond], schedule)
    tables = (
        to_markdown([beyond], slot.COLUMNS),
        to_markdown([beyond], sweep.COLUMNS),
        to_markdown(energies, energy.COLUMNS),
        to_markdown(throughputs, throughput.COLUMNS),
    )
    for text in tables:
        assert all(mark in line for line in text.splitlines()[2:])
    for said in (
        conditions([beyond]),
        energy.conditions(energies),
        throughput.conditions(throughputs, schedule),
    ):
        assert any(meaning in value for _, value in said)
    assert mark in answer([beyond])
    assert mark in energy.figure(energies)
    assert usual([beyond], BOARDS["telosb"], "software") is None
    assert not any(meaning in value for _, value in conditions(rows))


def test_no_figure_without_conditions(rows: list[SlotRow], root: Path) -> None:
    """Every table has its conditions above it; a condition that differs between rows is named in
    full."""
    names = {name for name, _ in conditions(rows)}
    assert {"clock", "compiler", "flags", "commit", "seed", "timing", "data frame"} <= names
    other = dataclasses.replace(
        rows[0], provenance=dataclasses.replace(rows[0].provenance, seed=99)
    )
    assert dict(conditions([*rows[1:], other]))["seed"].endswith("; 99")
    text = (root / "build/report/table.md").read_text(encoding="utf-8")
    assert text.index("* compiler:") < text.index("| strategy |")


def test_an_empty_line_parts_groups_of_several_rows(rows: list[SlotRow]) -> None:
    """The rows of a group stay together. Where every group is a single row, nothing parts them."""
    rows = headline(rows)
    lines, _ = table(rows[:4], COLUMNS, 200, "board,level", group=lambda row: row.level > 1)
    assert [n for n, line in enumerate(lines) if not line] == [4]
    lines, _ = table(rows[:4], COLUMNS, 200, "board,level", group=lambda row: row.level)
    assert "" not in lines


def test_a_band_without_width_is_one_figure(rows: list[SlotRow]) -> None:
    """Ends that are equal as printed are printed once."""
    row = next(row for row in rows if row.low is not None)
    assert row.low is not None
    same = dataclasses.replace(row, ts_slot_duration_us=row.low.ts_slot_duration_us + 0.01)
    assert ends_text(same, "ts_slot_duration_us") == f"{row.low.ts_slot_duration_us:.0f}"
    assert " to " not in answer([same])
    wide = dataclasses.replace(row, ts_slot_duration_us=row.low.ts_slot_duration_us + 1000)
    assert "–" in ends_text(wide, "ts_slot_duration_us")
    assert " to " in answer([wide])
    assert band(449.4, 446.6) == "447–449"


def test_figure_is_svg_and_repeatable(rows: list[SlotRow]) -> None:
    """The figure is well-formed SVG with a bar's length for every row, and the same rows draw the
    same octets."""
    text = slot_figure(rows)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert slot_figure(rows) == text
    for row in headline(rows):
        assert f" {row.ts_slot_duration_ms:.1f}<" in text
    assert "published 88" not in slot_figure(headline(rows))
    assert "published 88" in text


def test_sections_register_themselves(rows: list[SlotRow]) -> None:
    """The page has every section that a view decorates, in its order; without built images there is
    neither footprint nor trace."""
    made = [one.title for one in sections(Report(rows, (), ()))]
    assert made == [
        "Charge of a slot by phase",
        "Throughput",
        "What is assumed",
        "Every published figure beside ours",
        "What the paper claims, and our verdicts",
    ]


def test_the_battery_section_has_its_conditions(rows: list[SlotRow]) -> None:
    """A report that simulated slotframes has the section, with the battery, the beacons, and what the
    sleeping states take."""
    kinds = (
        SlotKind("sender", "data", 100.0, 12, 1.0),
        SlotKind("receiver", "data", 90.0, 12, 1.0),
    )
    frame = Slotframe(10_000.0, 101, 1, 127, 83, 1.01, False, False, kinds)
    lives = battery_rows(headline(rows)[0], frame, DEFAULT_BATTERY)
    made = {one.title: one for one in sections(Report(rows, (), (), lives))}
    section = made["Life of a battery over a slotframe"]
    assert list(section.rows) == lives
    assert f"{lives[0].battery_days:.0f} days" in section.text
    said = " ".join(text for _, text in section.notes)
    assert DEFAULT_BATTERY.title in said
    assert "lpm3" in said
    assert "beacon" in said


def test_a_column_of_no_field_is_refused() -> None:
    """A view whose column names a field that its rows do not have cannot be imported."""
    of = Fields(SlotRow)
    assert of.word("board").text
    with pytest.raises(AttributeError, match="SlotRow has no field 'bored'"):
        of.word("bored")
    with pytest.raises(AttributeError, match="no field 'level_low'"):
        of.band("level")


@pytest.mark.parametrize(
    ("names", "first"), [("all", ["board"]), ("ALL", ["board"]), ("level, all", ["level", "board"])]
)
def test_all_columns_stand_for_the_rest(names: str, first: list[str]) -> None:
    """`all` beside names gives the columns that they leave."""
    found = [column.name for column in chosen(COLUMNS, names)]
    assert found[: len(first)] == first
    assert sorted(found) == sorted(column.name for column in COLUMNS)


def test_digits_of_times_and_energies() -> None:
    """Two decimals below 10, one below 100, none above; both ends of a band where they differ."""
    cases = {9.994: "9.99", 10.04: "10.0", 99.94: "99.9", 100.4: "100", 1234.6: "1235"}
    for value, shown in cases.items():
        assert measure._real(value, None) == shown
        assert measure._real(value, value) == shown
    assert measure._real(100.4, 9.994) == "9.99–100"
    assert measure._real(None, None) == ""


def test_a_level_without_software_is_left_out() -> None:
    """Of two levels one can be compared: the sentence is of that."""
    rows = [made("software", 10_000.0), made("hardware", 2_500.0), made("hardware", 1.0, level=6)]
    found = study_energy.energy_rows(rows)
    assert "hardware saves the sender up to 19 % of a slot's energy" in energy.answer(found)
    assert "and up to 75 % of what the CPU takes of it" in energy.answer(found)
    assert energy.answer(found[4:]).startswith("Nothing to compare")


def test_rows_of_another_commit_are_told(root: Path, tmp_path: Path) -> None:
    """An experiment on the page of slots of another commit says so; of the same it does not."""
    folder = Path(shutil.copytree(root / "build/report", tmp_path / "report"))
    slots, one = folder / "rows.json", folder / "tinysec-energy.json"
    commit = json.loads(one.read_text())[0]["commit"]
    for other, told in ((commit, False), ("0123abc", True)):
        rows = json.loads(slots.read_text())
        rows[0]["provenance"]["commit"] = other
        slots.write_text(json.dumps(rows))
        texts = [made.text for made in experiments.sections(folder) if one.name in made.files]
        assert ["of commit" in text and "0123abc" in text for text in texts] == [told]


@pytest.mark.parametrize("cells", [("none", "x" * 41), ("none", "x" * 40)])
def test_long_texts_break_their_lines(cells: tuple[str, ...]) -> None:
    """A column of short words takes no more room than they need."""
    column = Column("name", str, text=True)
    [(_, looks)] = Section("t", list(cells), [column]).looks
    assert looks == ("text wrap" if max(map(len, cells)) > LONG else "text")
