# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote system`: output, refusals, and the document."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.bench import refusals
from tests.bench.refusals import check_refused
from wardmote.boards import EVENT_BOARDS
from wardmote.campaign.runner import Runner
from wardmote.commands.system import Around, situations
from wardmote.measurements.system.campaign import Selection, measure
from wardmote.measurements.system.situation import USUAL, Situation
from wardmote.views import document
from wardmote.views import system as view

DOCUMENT = "docs/what-does-an-operating-system-cost.md"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
TOLERANCE = 0.05
"""Another compiler moves figures a little; a document need not follow."""
DOCUMENT_SECONDS = 5.0
"""As mk/report.mk asks for."""
QUICK = ("--only", "aes128", "--tick", "128", "--frames", "50", "--seconds", "0.1", "--jobs", "1")


def output(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `wardmote system`."""
    return refusals.output(capsys, "system", *words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--board", "atmega128"], "no board 'atmega128': possible are telosb, openmote-cc2538"),
        (["--clock", "32MHz"], "no clock '32MHz': possible are 8MHz, 6.7MHz, 4.19MHz"),
        (["--only", "des"], "no operation 'des': possible are aes128"),
        (["--tick", "100"], "no tick '100': possible are 0, 2, 4"),
        (
            ["--frames", "205"],
            "no frames '205': possible are off and 0 to 204 of 127 octets a second",
        ),
        (["--frames", "many"], "no frames 'many'"),
        (["--frames", "1", "--to", "me"], "no receiver 'me': possible are us, others, filtered"),
        (["--frames", "1", "--read", "dma"], "no reader 'dma': possible are handler, loop"),
        (
            ["--frames", "off,0", "--read", "loop"],
            "--to, --read and --stamped are about frames that arrive",
        ),
        (["--frame-octets", "10"], "no frame-octets 10: possible are 11 to 127"),
        (["--seconds", "0"], "no duration of 0 s"),
        (["--jobs", "0"], "no number of jobs 0"),
        (["--tick", ""], "no tick ''"),
        (["--frames", ""], "no frames ''"),
        (["--frames", "1", "--to", ""], "no receiver ''"),
        (["--frames", "1", "--read", ""], "no reader ''"),
        (["--max-overhead", "nan"], "no overhead of nan %: possible are 0 to 1000"),
        (["--max-overhead", "-1"], "no overhead of -1 %"),
        (["--format", "xml"], "no format 'xml'"),
        (["--document", "no/such.md"], "no/such.md: cannot be read"),
    ],
)
def test_refusals(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An impossible request gives one line on stderr, exit code 2, and no output on stdout."""
    check_refused(capsys, says, "system", *words)


def test_formats_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON, CSV, Markdown and the table hold the same row; data alone is on stdout."""
    code, text, err = output(capsys, *QUICK, "--format", "json")
    (row,) = json.loads(text)
    assert code == 0
    assert "a tick costs" in err
    assert (row["operation"], row["tick_hz"], row["frames_per_s"]) == ("aes128", 128, 50)
    assert row["parts"]["cycles_per_tick"] > 0
    (line,) = csv.DictReader(io.StringIO(output(capsys, *QUICK, "--format", "csv")[1]))
    assert float(line["overhead_percent"]) == row["overhead_percent"]
    assert line["situation"] == "tick 128 Hz, 50 frames/s"
    markdown = output(capsys, *QUICK, "--format", "markdown")[1]
    table = output(capsys, *QUICK)[1]
    for shown in (markdown, table):
        assert f"{row['overhead_percent']:.2f}" in shown
        assert "tick 128 Hz, 50 frames/s" in shown
    assert "a tick costs" in table


def test_threshold_sets_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    """An operation whose average exceeds the threshold gives exit code 1. The rows are still
    printed."""
    code, out, said = output(capsys, *QUICK, "--format", "json", "--max-overhead", "0.01")
    (row,) = json.loads(out)
    assert f"{row['overhead_percent']:.2f} % of overhead, more than --max-overhead 0.01" in said
    assert (code, row["overhead_percent"] > 0.01) == (1, True)
    assert output(capsys, *QUICK, "--max-overhead", str(row["overhead_percent"]))[0] == 0


def test_usual_situations() -> None:
    """Asked for nothing, the usual ones; asked for something, that alone."""
    assert situations(Around()) == USUAL
    assert [one.psdu_octets for one in situations(Around(frame_octets=40))] == [40] * len(USUAL)
    assert [
        one.words for one in situations(Around(tick="0,128", frames="off,10", read="loop"))
    ] == [
        "loop alone",
        "10 frames/s, read in the loop",
        "tick 128 Hz",
        "tick 128 Hz, 10 frames/s, read in the loop",
    ]


def test_document_is_filled_between_its_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Between marks the figures are new, around them nothing changes; an unknown block is refused
    before measuring."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- system: parts -->\nold\n<!-- system: end -->\nafter\n")
    assert output(capsys, *QUICK, "--document", str(page))[0] == 0
    text = page.read_text()
    assert text.startswith("before\n<!-- system: parts -->\n| board |")
    assert text.endswith("<!-- system: end -->\nafter\n")
    assert "old" not in text
    page.write_text("<!-- system: figures -->\n<!-- system: end -->\n")
    code, out, err = output(capsys, *QUICK, "--document", str(page))
    assert (code, out) == (2, "")
    assert "no block 'figures' of `wardmote system`: possible are answer" in err


def cells(block: str, start: str) -> dict[str, list[float]]:
    """Numbers of the row that begins with `start`, by column."""
    header = block.splitlines()[0].split("|")
    (line,) = (line for line in block.splitlines() if line.startswith(start))
    named = zip(header, line.split("|"), strict=True)
    return {name.strip(): [float(text) for text in NUMBER.findall(cell)] for name, cell in named}


@pytest.mark.document
@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_document_figures_are_fresh(board: str, root: Path) -> None:
    """What each interrupt costs, and what AES-128 pays in some situations, is in the document as it
    is measured now."""
    text = (root / DOCUMENT).read_text()
    blocks = document.texts(text, view.BLOCKS.kind)
    assert set(blocks) == set(view.BLOCKS.makes)
    tried = (Situation(tick_hz=1024), Situation(frames_per_s=200))
    result = measure(
        Selection({board: EVENT_BOARDS[board].clock_hz}, ("aes128",), tried, DOCUMENT_SECONDS, 1),
        Runner(),
    )
    for name in ("parts", f"overhead-{board}", f"share-{board}"):
        start = f"| {board} |" if name == "parts" else "| aes128 |"
        have, want = cells(blocks[name], start), cells(view.BLOCKS.makes[name](result), start)
        assert set(want) <= set(have)
        for column, fresh in want.items():
            for old, new in zip(have[column], fresh, strict=True):
                assert abs(old - new) <= max(0.11, TOLERANCE * new), (name, column)
