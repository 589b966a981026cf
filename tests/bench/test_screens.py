# SPDX-License-Identifier: BSD-3-Clause
"""The output of every command at 80, 100 and 140 columns equals the files in tests/bench/screens.

Rows are fixed, so that measurements do not change the screens. `WARDMOTE_SCREENS=write` writes them
anew: look at them before they are committed."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.bench.frame.captures import pcap, tap
from tests.bench.frame.network import KEY, data_frame, in_clear, on_air
from wardmote import cli
from wardmote.boot.rows import MoteRow
from wardmote.commands import trace
from wardmote.commands.register import verbs
from wardmote.measurements.system.rows import Parts
from wardmote.rows import SlotRow
from wardmote.study.account import AccountRow
from wardmote.study.compare import compare as compare_rows
from wardmote.study.primitives.recommend import Need, RecommendedRow
from wardmote.views import account, boot, compare, footprint, measure, slot, sweep, system
from wardmote.views.folder import from_json
from wardmote.views.primitives import recommend
from wardmote.views.primitives import table as primitives
from wardmote.views.show import show, show_table, show_text
from wardmote.views.words import answer, conditions

SCREENS = Path(__file__).parent / "screens"
WIDTHS = (80, 100, 140)
ROWS = json.loads((SCREENS / "rows.json").read_text(encoding="utf-8"))
PARTS = Parts("telosb", 8_000_000, 127, 73.0, 90.0, 2218.0, 60.0, 28.0)


def loose(name: str) -> Any:
    """The fixed rows of a command, as objects whose fields a view reads."""
    text = json.dumps(ROWS[name])
    return json.loads(text, object_hook=lambda fields: SimpleNamespace(**fields))


def show_measure() -> None:
    """Rows of `measure`, which know what holds."""
    rows = loose("measure")
    for row in rows:
        row.secrets = ()
    answer, said = measure.answer(rows), measure.conditions(rows)
    show([(rows, measure.COLUMNS)], "table", conditions=said, answer=answer)


def show_footprint() -> None:
    """Rows of `footprint`."""
    rows = loose("footprint")
    answer, said = footprint.answer(rows), footprint.conditions(rows)
    show([(rows, footprint.COLUMNS)], "table", conditions=said, answer=answer)


def show_sweep() -> None:
    """Rows of `sweep`."""
    rows = [SlotRow.from_dict(row) for row in ROWS["sweep"]]
    said, answer = conditions(rows), sweep.answer(rows)
    show([(rows, sweep.COLUMNS)], "table", conditions=said, answer=answer)


def show_system() -> None:
    """Rows of `system`."""
    result: Any = SimpleNamespace(rows=loose("system"), parts=(PARTS,))
    said, answer = system.conditions(result), system.answer(result)
    show([(result.rows, system.COLUMNS)], "table", conditions=said, answer=answer)


def show_primitives() -> None:
    """Rows of `primitives`."""
    rows = loose("primitives")
    for row in rows:
        row.constant_time = row.constant_cycles and row.no_secret_branch and row.no_secret_address
    result: Any = SimpleNamespace(rows=rows, host32_rows=(), measured=len(rows), reused=0)
    primitives.show(result, "table")


def show_slot() -> None:
    """Rows of `slot`."""
    rows = from_json(json.dumps(ROWS["slot"]))
    said = conditions(rows)
    show([(rows, slot.COLUMNS)], "table", conditions=said, answer=answer(rows), group=slot.case)


def show_account() -> None:
    """Rows of `account`."""
    rows = [AccountRow(**row) for row in ROWS["account"]]
    said, text = account.conditions(rows), account.answer(rows)
    show([(rows, account.COLUMNS)], "table", conditions=said, answer=text, group=account.case)


def show_compare() -> None:
    """Every figure of `compare`."""
    slots = from_json(json.dumps(ROWS["slot"]))
    rows = compare_rows(slots, loose("footprint"))
    said, text = conditions(slots), compare.answer(rows)
    show([(rows, compare.COLUMNS)], "table", conditions=said, answer=text)


def show_trace() -> None:
    """What `trace` says of the files that it has written."""
    traced: Any = SimpleNamespace(charge_uc={"sender": 155.21, "receiver": 174.9}.get)
    title = (
        "TelosB at 8 MHz at 3.6 V, hardware, level 5, frame of 127 octets, deployable, "
        "TsSlotDuration 9.98 ms"
    )
    show_text(trace.said("build/trace/telosb-hardware-level5.csv, .svg, .png", title, traced))


def show_run() -> None:
    """What is left of two motes that `run` booted."""
    one = MoteRow("mote 1", "telosb", "sender.elf", 10.0, 5.25, 0.525, 120, 40, 1, 0, 1)
    two = replace(one, mote="mote 12", board="openmote-cc2538", frames=None)
    show_table([one, two], boot.COLUMNS)


def show_recommend() -> None:
    """Rows of `recommend`: some that meet the need, and some that do not."""
    need, rows = Need("aead", "avr", 12, 4500), [RecommendedRow(**row) for row in ROWS["recommend"]]
    said, text = recommend.conditions(rows, need), recommend.answer(rows, need)
    show([(rows, recommend.COLUMNS)], "table", conditions=said, answer=text)


MEASURED: dict[str, Callable[[], None]] = {
    "slot": show_slot,
    "account": show_account,
    "compare": show_compare,
    "trace": show_trace,
    "measure": show_measure,
    "footprint": show_footprint,
    "sweep": show_sweep,
    "system": show_system,
    "primitives": show_primitives,
    "recommend": show_recommend,
    "run": show_run,
}
SHOWN = ("report", "energy", "throughput")
SCREENS_OF = (*SHOWN, *MEASURED, "frame", "frame-one")
WITHOUT_ROWS = {"ahead", "assumptions", "battery", "border", "policy", "shortest"}
"""Verbs of whose tables no fixed rows are kept yet."""


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report folder with the fixed rows, named as a user would."""
    monkeypatch.chdir(tmp_path)
    Path("report").mkdir()
    (tmp_path / "report/rows.json").write_text(json.dumps(ROWS["slot"]), encoding="utf-8")
    capture = pcap([tap(on_air(data_frame(), 5), 5), tap(in_clear(data_frame()))])
    (tmp_path / "capture.pcap").write_bytes(capture)
    return Path("report")


def kept(name: str, width: int, text: str) -> None:
    """The screen equals the kept one, and no line is wider than the terminal."""
    path = SCREENS / f"{name}-{width}.txt"
    text = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    if os.environ.get("WARDMOTE_SCREENS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    wide = [line for line in text.splitlines() if len(line) > width and " " in line.strip()]
    assert wide == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCREENS_OF)
def test_screen(
    name: str,
    width: int,
    report: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On a terminal of usual width the table fits, and says which columns it leaves out."""
    monkeypatch.setenv("COLUMNS", str(width))
    if name in MEASURED:
        MEASURED[name]()
    elif name in SHOWN:
        assert cli.main([name, str(report)]) == 0
    elif name == "frame":
        assert cli.main(["frame", "show", "capture.pcap"]) in (0, 1)
    else:
        words = ["frame", "unsecure", "capture.pcap", "--key", KEY, "-o", "out.pcap"]
        assert cli.main(words) in (0, 1)
    done = capsys.readouterr()
    kept(name, width, done.out)


def test_every_verb_has_its_screens() -> None:
    """A new verb needs screens of its own."""
    assert {one.words for one in verbs() if not one.group} == {*SHOWN, *MEASURED} | WITHOUT_ROWS


@pytest.mark.parametrize("name", [one.words for one in verbs()])
def test_help(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command explains itself in 80 columns, with -h as with --help."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    words = name.split()
    assert cli.main([*words, "-h"]) == 0
    brief = capsys.readouterr().out
    assert cli.main([*words, "--help"]) == 0
    assert capsys.readouterr().out == brief
    kept(f"help-{'-'.join(words)}", 80, brief)
