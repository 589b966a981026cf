# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables: every figure is there and meets the right rows of ours, and each missed limit
has a reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives import host32
from wardmote.measurements.primitives.campaign import Selection, measure
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.published import load
from wardmote.study.primitives.curves import figures
from wardmote.study.primitives.paper import (
    PaperRow,
    compared,
    datasheet_currents_ma,
    entries,
    entries_of,
    printed_currents_ma,
    printed_figures,
)
from wardmote.study.primitives.paper_why import NOTES, WHY, Totals, keccak_floor, reason
from wardmote.views.primitives import paper as view

RUNNER = Runner(Local(2))
"""Two processes, and figures of earlier runs."""
FIGURES_OF_TABLE = {
    **{3: 6, 4: 2, 5: 8, 6: 8, 7: 2, 8: 2, 9: 6, 10: 2, 11: 4, 12: 20, 13: 20},
    **{14: 4, 15: 4, 16: 2, 17: 2, 18: 2, 19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 4, 25: 4},
}
"""As counted in the paper."""
LENGTHS = (12, 16, 32, 36, 60, 64, 84, 96, 108, 128)


def rows_of(*cpus: str) -> tuple[tuple[PrimitiveRow, ...], tuple[Host32Row, ...]]:
    """Rows of the paper's entries at its lengths, without times."""
    boarded = boards((), [cpu for cpu in cpus if cpu != host32.CPU])
    selection = Selection(cpus, entries(), LENGTHS, boarded, runs=2, seed=1, timed=False)
    result = measure(selection, RUNNER)
    return result.rows, result.host32_rows


def test_every_table_is_parsed() -> None:
    """Tables 3 to 25 have as many figures as in the paper, each with its error, and every figure of
    the paper's 13 is listed."""
    figures_ = printed_figures()
    assert dict(Counter(one.table for one in figures_)) == FIGURES_OF_TABLE
    assert all(one.value > 0 and 0 <= one.error < one.value for one in figures_)
    assert [one.number for one in figures()] == list(range(1, 14))
    assert {one.table for one in figures()} == {None, 5, 9, 13}


def test_figures_are_read_as_printed() -> None:
    """One of each kind of table: by mode, one figure, by length, by name and length, joules of
    many."""
    found = {(one.table, one.name, one.operation, one.octets): one for one in printed_figures()}
    assert found[3, "aes_cbc", "decrypt", 16].value == 2.82
    assert found[3, "aes_ctr", "init", 0].error == 0.01
    assert found[5, "keccak", "update", 96].value == 226.1
    assert found[9, "hmac_sha256", "update", 128].value == 28.37
    assert found[10, "marvin", "final", 108].value == 7.04
    assert found[13, "ketje", "seal", 84].error == 3.0
    assert found[13, "ketje", "seal", 84].associated
    joules = found[19, "keccak", "final", 128]
    assert (joules.value, joules.repeats, joules.unit) == (0.01, 80000, "j")


def test_joules_fit_the_times() -> None:
    """Energy over time of one operation is what the board draws: the N that the energy is of is the
    right one. Of one figure with a single digit nothing can be said."""
    published = load("primitives")
    least, most = (
        published["platform_power_mw"]["edison"][name] / 1000 for name in ("idle", "processing")
    )
    times = {
        (one.section.rpartition("_")[0], one.name): one
        for one in printed_figures()
        if one.unit == "us"
    }
    for one in printed_figures():
        if one.unit == "j" and one.value > 0.1:
            us = times[one.section.rpartition("_")[0], one.name].value
            assert least <= one.value / one.repeats / us * 1e6 <= 1.2 * most, one


def test_every_figure_has_an_entry() -> None:
    """Each printed name selects entries of the table. A name that no entry has selects none."""
    assert {one.name for one in printed_figures() if not entries_of(one)} == set()
    odd = replace(printed_figures()[0], name="rijndael")
    assert entries_of(odd) == []


def test_limits() -> None:
    """Every time of the TelosB's Tables 3 to 13 is judged; one that is not met has its written
    reason."""
    rows, hosts = rows_of("msp430")
    found = compared(rows, hosts)
    assert len(found) == sum(FIGURES_OF_TABLE.values())
    judged = [row for row in found if row.met is not None]
    assert len(judged) == sum(FIGURES_OF_TABLE[n] for n in (*range(3, 6), *range(7, 14)))
    assert {row.table for row in judged} == {*range(3, 6), *range(7, 14)}
    for row in judged:
        assert row.ratio_8mhz is not None
        assert row.ratio_4_19mhz is not None
        assert row.met == (row.ratio_8mhz >= 2 and row.ratio_4_19mhz >= 1)
    assert [row for row in judged if not row.met and not row.why] == []
    noted = {
        (row.table, row.name)
        for row in found
        if row.why and row.board == "telosb" and row.met is not False
    }
    assert noted == set(NOTES)
    assert all(
        "Init, update and final together" in row.why
        for row in found
        if (row.table, row.name) in NOTES
    )
    assert all(row.why for row in found if row.board == "edison")
    energy = [row for row in found if row.table == 6]
    assert all(row.ours_8mhz and row.met is None for row in energy)


def test_the_host_is_compared_by_relation() -> None:
    """Edison's figures are given relative to the first of their table, as our instructions are.
    Joules have no counterpart here."""
    rows, hosts = rows_of(host32.CPU)
    found = {(row.table, row.name): row for row in compared(rows, hosts) if row.board == "edison"}
    first, second = found[16, "blake2s"], found[16, "keccak"]
    assert (first.printed_relative, first.instructions_relative) == (1.0, 1.0)
    assert second.printed_relative == pytest.approx(27.23 / 5.95, abs=0.001)
    assert first.instructions
    assert second.instructions
    assert second.instructions_relative == pytest.approx(
        second.instructions / first.instructions, abs=0.001
    )
    assert second.ours_us is None
    joule = found[21, "marvin"]
    assert joule.printed_uj == pytest.approx(11.32 / 500000 * 1e6)
    assert "no energy to compare" in joule.why


def test_reasons_are_counted() -> None:
    """The count of Keccak's reason is over both limits, so that it is one; it is over the printed time
    at the lower clock alone, and the reason says so. Without rows it leaves the sum out."""
    assert keccak_floor() > 4.1e-3 * 8_000_000 / 2
    assert 4.1e-3 * 4_194_304 < keccak_floor() < 4.1e-3 * 8_000_000
    said = reason(7, "keccak", Totals(()))
    assert str(keccak_floor()) in said
    assert "too short for that at 4.19 MHz (17197 cycles), not at 8 MHz (32800;" in said
    assert "ours at 8 MHz" not in reason(7, "keccak", Totals(()))
    assert reason(4, "keccak", Totals(())) == ""
    assert reason(7, "keccak", Totals(()), met=True) == ""
    assert reason(5, "blake2s", Totals(()), met=True) == ""
    tables = {one.table for one in printed_figures()}
    assert {table for table, _ in WHY} <= tables


def test_the_printed_current_is_of_the_lower_clock() -> None:
    """What the document says of it: energy over time is nearer to the current at 4.19 MHz."""
    printed, ours = printed_currents_ma(), datasheet_currents_ma()
    assert printed == {"blake2s": 1.953, "keccak": 1.872}
    assert ours == pytest.approx({(8.0, 3.6): 5.02, (4.19, 3.0): 2.097152})
    for ma in printed.values():
        assert min(ours, key=lambda clock: abs(ours[clock] - ma)) == (4.19, 3.0)


def test_words() -> None:
    """The answer counts what is met and names what is not; reasons are said once."""
    base = dict.fromkeys(PaperRow.__slots__)
    common = base | {
        "board": "telosb",
        "table": 7,
        "operation": "final",
        "variant": "",
        "a_octets": 0,
        "octets": 128,
    }
    met = PaperRow(**common | {"name": "blake2s", "primitive": "blake2s", "met": True, "why": ""})  # type: ignore[arg-type]
    wrong = {"name": "keccak", "primitive": "sha3_256", "met": False, "why": "So it is."}
    late = PaperRow(**common | wrong)  # type: ignore[arg-type]
    text = view.answer([met, late])
    assert "2 printed figures" in text
    assert "Of 2 times of a TelosB, 1 are at most half" in text
    assert "not: sha3_256 final (Table 7)" in text
    assert "prove nothing" not in text
    idle, whole = (
        PaperRow(**common | {"name": name, "operation": "update", "octets": octets, "met": True})  # type: ignore[arg-type]
        for name, octets in (("blake2s", 64), ("blake2s", 96))
    )
    assert "\n1 of them prove nothing" in view.answer([met, idle, whole])
    assert view.reasons([met, late, late]) == ["Table 7 keccak: So it is."]


def test_commands_refuse(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be compared is one line, exit code 2, nothing on stdout."""
    from wardmote.cli import main

    for words, says in (
        (["--paper", "--cpu", "avr"], "the paper has no avr: possible are msp430, host32"),
        (["--paper", "--size", "16"], "give no --size with --paper"),
        (
            ["--paper", "--only", "aes128"],
            "--paper has primitives of its own: give no --only with it",
        ),
        (
            ["--report", "x", "--cpu", "avr"],
            "--report has CPUs, primitives and lengths of its own: give no --cpu",
        ),
        (
            ["--report", "x", "--only", "eax", "--size", "16"],
            "give no --only and no --size with it",
        ),
        (
            ["--best", "--only", "aes128"],
            "nothing to choose of aes128: a block cipher alone has no use",
        ),
        (["--paper", "--best"], "--paper and --best are different things: give one"),
        (["--best", "--document", "x.md"], "--best and --document are different things"),
    ):
        assert main(["primitives", *words]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert says in captured.err
        assert captured.err.count("\n") == 1
