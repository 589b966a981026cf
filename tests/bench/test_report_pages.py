# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote report --open` and `--serve`, and an experiment of ten lines in the report's page."""

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wardmote import cli
from wardmote.errors import INTERRUPTED, OUTPUT, USAGE
from wardmote.experiments import Place
from wardmote.experiments import section as kept
from wardmote.experiments.experiment import BoardCase, Experiment
from wardmote.rows import SlotRow
from wardmote.views.columns import Fields
from wardmote.views.folder import read_report, write_report
from wardmote.views.html import PAGE
from wardmote.views.sections import Capture


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a few rows of build/report."""
    made = tmp_path_factory.mktemp("report")
    rows: list[SlotRow] = read_report(root / "build/report")[:6]
    write_report(made, rows, Capture("a.pcap", b"pcap", "-o x"))
    return made


def test_open_hands_the_page_to_a_browser(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address of the page; where no browser is found, one line has it."""
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: not asked.append(url))  # type: ignore[func-returns-value]
    assert cli.main(["report", str(folder), "--open"]) == 0
    assert asked == [(folder / PAGE).resolve().as_uri()]
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert cli.main(["report", str(folder), "--open"]) == OUTPUT
    assert asked[0] in capsys.readouterr().err


def test_serve_serves_the_folder_alone(folder: Path) -> None:
    """Every page over HTTP on this machine's own address, nothing above the folder, until Ctrl-C."""
    command = [sys.executable, "-m", "wardmote", "report", str(folder), "--serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.match(r"(http://127\.0\.0\.1:\d+/) ", server.stdout.readline())
        assert found
        for name in ("", PAGE, "explorer.html", "rows.json"):
            with urllib.request.urlopen(found[1] + name, timeout=10) as answer:
                assert answer.read() == (folder / (name or PAGE)).read_bytes()
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(found[1] + "..%2f..%2fetc/passwd", timeout=10)
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == INTERRUPTED


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--serve", "--port", "65536"], "no port 65536"),
        (["--serve", "--port", "-1"], "no port -1"),
        (["--port", "8001"], "--port is that of --serve"),
    ],
)
def test_a_wrong_port_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    """What is wrong and what is possible."""
    assert cli.main(["report", str(folder), *options]) == USAGE
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_no_page_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a report says how to make one."""
    for options in (["--open"], ["--serve", "--port", "0"]):
        assert cli.main(["report", str(tmp_path), *options]) == USAGE
        assert "make report" in capsys.readouterr().err


# An experiment of ten lines.
@dataclass(frozen=True, slots=True)
class Leap:
    """A row."""

    board: str
    answer_us: float


_of = Fields(Leap)
LEAP: Experiment[Any, Leap] = Experiment(
    "How far does a mote leap?", "slot", lambda board, seed: [BoardCase(board.name, seed)],
    lambda _: {}, lambda *_: {"answer_us": 41.5}, Leap, (_of.word("board"), _of.number("answer us", digits=1)),
    lambda rows: f"{len(rows)} leapt.", lambda _: "<svg viewBox='0 0 9 9'></svg>",
)  # fmt: skip


def test_an_experiment_appears_without_a_line_of_the_report(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its question is a section and an entry of the contents, with answer, figure, table, rows as a
    file, and the place at which page.js puts the buttons that save it. Once only, however often its
    rows are written."""
    place = Place("leap")
    monkeypatch.setattr(kept, "placed", lambda: {place: LEAP})
    monkeypatch.setattr(Experiment, "read", lambda *_: [Leap("telosb", 41.5)])
    for _ in range(2):
        kept.keep(folder, place.name, LEAP, [])
    page = (folder / PAGE).read_text(encoding="utf-8")
    assert page.count("How far does a mote leap?") == 3
    [section] = re.findall(r'<section id="how-far-does-a-mote-leap".*?</section>', page, re.DOTALL)
    for part in (
        "<h2>How far",
        "<p>1 leapt.</p>",
        "<svg",
        ">41.5</td>",
        'href="leap.json"',
        "exports",
    ):
        assert part in section, part
    assert page.count('<li><a href="#how-far-does-a-mote-leap">') == 1
    assert (folder / "leap.json").is_file()
