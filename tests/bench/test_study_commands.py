# SPDX-License-Identifier: BSD-3-Clause
"""The commands of the slot study write what they say, in every format, and the same data in all of
them."""

import csv
import io
import json
import struct
from pathlib import Path

import pytest

from wardmote import cli
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.setting import STRATEGIES
from wardmote.study.definition import headline
from wardmote.views.folder import read_report


@pytest.fixture(scope="module")
def report(root: Path) -> str:
    """The folder of build/report."""
    return str(root / "build/report")


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that works writes to stdout."""
    capsys.readouterr()
    assert cli.main(words) == 0
    return capsys.readouterr().out


def test_energy_in_every_format(
    capsys: pytest.CaptureFixture[str], report: str, tmp_path: Path
) -> None:
    """Two rows a case, the same charge in JSON and CSV; the figure has every bar's total."""
    figure = tmp_path / "energy.svg"
    rows = json.loads(output(capsys, "energy", report, "--format", "json", "--figure", str(figure)))
    lines = list(csv.DictReader(io.StringIO(output(capsys, "energy", report, "--format", "csv"))))
    assert len(rows) == len(lines) == 2 * len(headline(read_report(Path(report))))
    assert [row["charge_uc"] for row in rows] == pytest.approx(
        [float(line["charge_uc"]) for line in lines]
    )
    svg = figure.read_text()
    assert all(f"> {row['charge_uc']:.0f}<" in svg for row in rows)
    assert "| sender |" in output(capsys, "energy", report, "--format", "markdown")
    table = output(capsys, "energy", report)
    assert "hardware saves the sender up to" in table.splitlines()[-1]


def test_throughput_with_a_schedule(capsys: pytest.CaptureFixture[str], report: str) -> None:
    """Options reach the equation: in 10 ms, three of fifty slots carry three fiftieths of a frame's
    bits each 10 ms."""
    words = (
        "throughput",
        report,
        "--n-i",
        "3",
        "--n-ts",
        "50",
        "--slot",
        "10ms",
        "--level",
        "5",
        "--format",
        "json",
    )
    rows = json.loads(output(capsys, *words))
    assert {row["level"] for row in rows} == {5}
    for row in rows:
        assert row["fits"] == (row["rate_bps"] is not None)
        if row["fits"]:
            assert row["rate_bps"] == pytest.approx(3 * row["a_bits"] / (50 * 0.010))
    more = json.loads(output(capsys, *words, "--upper-octets", "0"))
    assert [row["a_bits"] - few["a_bits"] for row, few in zip(more, rows, strict=True)] == [
        8 * 33
    ] * len(rows)


def test_footprint_and_its_modules(capsys: pytest.CaptureFixture[str]) -> None:
    """A row a board and strategy; modules are in JSON, and are the rows of the other table."""
    rows = json.loads(output(capsys, "footprint", "--format", "json"))
    assert [(row["board"], row["strategy"]) for row in rows] == [
        (p, s) for p in SLOT_BOARDS for s in STRATEGIES
    ]
    text = output(capsys, "footprint", "--board", "telosb", "--modules", "--format", "markdown")
    telosb = [row for row in rows if row["board"] == "telosb"]
    named = {module["module"] for row in telosb for module in row["modules"]}
    first = {line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")}
    assert first == named | {"module", "---"}


def test_compare_has_a_sentence_for_each_that_differs(
    capsys: pytest.CaptureFixture[str], report: str
) -> None:
    """In JSON every row has its ratio; what differs has a sentence, in the table too."""
    rows = json.loads(output(capsys, "compare", report, "--format", "json"))
    assert any(row["differs"] for row in rows)
    assert all(bool(row["why"]) == row["differs"] for row in rows)
    text = output(capsys, "compare", report, "--format", "markdown")
    assert all(row["why"] in text for row in rows)


def test_trace_writes_three_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """CSV, SVG and PNG of the board, strategy and level asked for."""
    text = output(
        capsys, "trace", str(tmp_path), "--strategy", "hybrid", "--level", "6", "--ash", "6tisch"
    )
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"telosb-hybrid-level6.{suffix}" for suffix in ("csv", "png", "svg")]
    assert "sender: " in text
    png = (tmp_path / "telosb-hybrid-level6.png").read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert (png[:8], width > 1000, height > 500) == (b"\x89PNG\r\n\x1a\n", True, True)


def test_sweep_over_forms_and_lengths(capsys: pytest.CaptureFixture[str]) -> None:
    """All products, each proven; less frame is less slot, and the ASH takes its octets from the
    payload."""
    words = (
        "sweep",
        "--board",
        "telosb",
        "--strategy",
        "software",
        "--exchanges",
        "150",
        "--format",
        "json",
    )
    rows = json.loads(output(capsys, *words, "--key-id-mode", "0,3", "--frame-octets", "64,127"))
    assert len(rows) == 8
    assert {(row["ash_octets"], row["frame_octets"]) for row in rows} == {
        (ash, length) for ash in (1, 10, 5, 14) for length in (64, 127)
    }
    for short, long in ((a, b) for a in rows for b in rows if a["ash_octets"] == b["ash_octets"]):
        if short["frame_octets"] < long["frame_octets"]:
            assert short["ts_slot_duration_us"] < long["ts_slot_duration_us"]
            assert short["energy_uj"] < long["energy_uj"]
            assert short["published_ms"] is None


def test_a_band_is_printed_with_both_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """On the OpenMote figures have two ends, at both of its clocks; half the clock asks for a
    longer slot."""
    words = (
        "slot",
        "--board",
        "openmote-cc2538",
        "--strategy",
        "software",
        "--level",
        "5",
        "--exchanges",
        "60",
    )
    fast, slow = (
        json.loads(output(capsys, *words, "--clock", clock, "--format", "json"))[0]
        for clock in ("32MHz", "16MHz")
    )
    for row in (fast, slow):
        assert (
            row["ts_slot_duration_us_low"]
            < row["ts_slot_duration_us_high"]
            == row["ts_slot_duration_us"]
        )
        assert row["late_low"] == row["lost_low"] == 0
    assert (
        fast["ts_slot_duration_us"]
        < slow["ts_slot_duration_us"]
        < 1.5 * fast["ts_slot_duration_us"]
    )
    assert "–" in output(capsys, *words)
