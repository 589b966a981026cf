# SPDX-License-Identifier: BSD-3-Clause
"""The runner: order, what is kept and when it is not used, failures, kills, two runs at once."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench.campaign.measurement import HOLD, SumCase, campaign, measured, slow_cases, sum_of
from wardmote import _motes, cli
from wardmote.campaign import identity
from wardmote.campaign.local import Local
from wardmote.campaign.runner import Answers, Runner
from wardmote.campaign.store import Store
from wardmote.errors import INTERRUPTED, ImageError, WorkerError
from wardmote.measurements.slot import campaign as slot

SUMS = [6 * n for n in range(48)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the artefact, in which figures are kept."""
    (tmp_path / "octets").write_bytes(bytes([1, 2, 3]))
    return tmp_path


def run(folder: Path, cases: list[SumCase], workers: int = 1) -> Answers:
    """Runs cases with what is kept in the folder."""
    return Runner(Local(workers), Store(folder / "store")).run(campaign(folder, cases))


def few(folder: Path, count: int = 3) -> list[SumCase]:
    """Cases that take no time."""
    return [SumCase(n, str(folder / "log")) for n in range(count)]


def start_held(folder: Path) -> subprocess.Popen[str]:
    """The same, of which the last do not end before `group_is_gone`."""
    (folder / HOLD).touch()
    return start(folder)


def start(folder: Path) -> subprocess.Popen[str]:
    """The 48 cases in a process group of their own."""
    command = [sys.executable, "-m", "tests.bench.campaign.measurement", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)


def until_measured(folder: Path, count: int) -> None:
    """Waits until `count` cases are kept."""
    while len(list((folder / "store").rglob("[!.]*.json"))) < count:
        time.sleep(0.005)


def group_is_gone(folder: Path, leader: int) -> None:
    """Waits until no process of a group is left; the test's own time limit is the limit."""
    while True:
        try:
            os.killpg(leader, 0)
        except ProcessLookupError:
            (folder / HOLD).unlink()
            return
        time.sleep(0.02)


def test_rows_are_in_the_order_of_the_cases(folder: Path) -> None:
    """The first cases take longest, and still come first."""
    answers = run(folder, slow_cases(folder), workers=3)
    assert [one["sum"] for one in answers.figures] == SUMS
    assert measured(folder) != sorted(measured(folder))


def test_what_is_kept_is_not_measured_again(folder: Path) -> None:
    """A second run measures nothing; a case, an artefact or a measurement that changed is measured
    again; a case that is asked for twice is measured once."""
    cases = few(folder)
    first = run(folder, [*cases, cases[0]])
    again = run(folder, [*cases, cases[0]])
    assert (first.reused, again.reused) == (0, 4)
    assert first.figures == again.figures
    assert measured(folder) == [0, 1, 2]
    assert run(folder, [dataclasses.replace(cases[0], seconds=0.001)]).reused == 0
    (folder / "octets").write_bytes(bytes([4]))
    assert [one["sum"] for one in run(folder, cases).figures] == [0, 4, 8]
    assert (
        Runner(store=Store(folder / "store", fresh=True)).run(campaign(folder, cases)).reused == 0
    )


def test_identity_names_the_code_that_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds what the measurement imports, directly or not, the instrument and the headers, and
    no view; other Rust sources are another identity."""
    modules = identity.imported(slot.__name__)
    assert {"wardmote.measurements.slot.network", "wardmote.prototypes.parse"} <= modules.keys()
    assert not [name for name in modules if name.startswith(("wardmote.views", "wardmote.cli"))]
    before = identity.identity(sum_of, 1, {})
    assert identity.identity(sum_of, 1, {"image": "00"}) != before
    identity._code_of.cache_clear()
    monkeypatch.setattr(_motes, "SOURCES", "others")
    changed = identity.identity(sum_of, 1, {})
    identity._code_of.cache_clear()
    assert changed != before


@pytest.mark.parametrize("octets", [b"", b"{", b"[]", b'{"sha256":"00","figures":{"sum":7}}', None])
def test_a_corrupt_file_is_measured_again(folder: Path, octets: bytes | None) -> None:
    """Cut, of another form, or with one digit changed: nothing of it comes into a row."""
    first = run(folder, few(folder))
    for path in (folder / "store").rglob("*.json"):
        changed = path.read_bytes().replace(b'"sum":', b'"sum":1') if octets is None else octets
        path.write_bytes(changed)
    again = run(folder, few(folder))
    assert (again.figures, again.reused) == (first.figures, 0)
    assert run(folder, few(folder)).reused == 3


@pytest.mark.parametrize("workers", [1, 2])
def test_the_first_failure_names_its_case(folder: Path, workers: int) -> None:
    """It ends the campaign; cases measured before it are kept."""
    cases = [*few(folder), SumCase(9, str(folder / "log"), ends="failed")]
    cases += [SumCase(10 + n, str(folder / "log"), seconds=0.1) for n in range(20)]
    with pytest.raises(ImageError, match=r"^sum 9: cannot be summed$"):
        run(folder, cases, workers)
    assert len(measured(folder)) < len(cases)
    if workers == 1:  # Several finish in an order of their own: a failure may come first.
        assert run(folder, few(folder)).reused == 3


def test_killed_and_resumed(folder: Path) -> None:
    """After kill -9 in the middle no process is left, and a second run measures only the rest."""
    with start_held(folder) as process:
        until_measured(folder, 12)
        process.kill()
    group_is_gone(folder, process.pid)
    kept = len(list((folder / "store").rglob("[!.]*.json")))
    before = len(measured(folder))
    answers = run(folder, slow_cases(folder))
    assert [one["sum"] for one in answers.figures] == SUMS
    assert 12 <= answers.reused == kept < 48
    assert len(measured(folder)) - before == 48 - kept


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nobody_behind(folder: Path, number: signal.Signals) -> None:
    """Workers end with the process that began them, and finished cases are kept."""
    with start_held(folder) as process:
        until_measured(folder, 4)
        process.send_signal(number)
    group_is_gone(folder, process.pid)
    assert process.returncode != 0
    assert 4 <= run(folder, slow_cases(folder)).reused < 48


def test_an_interrupt_says_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line says how many cases need not be measured again, and what to do."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "put", interrupted)
    words = ["primitives", "--cpu", "msp430", "--only", "sha1", "--size", "12", "--fresh"]
    assert cli.main(words) == INTERRUPTED
    assert capsys.readouterr().err.splitlines()[-1] == (
        "wardmote: interrupted; 0 of 2 cases are kept, and the same command goes on with the others"
    )


def test_a_killed_worker_is_one_line(folder: Path) -> None:
    """A process killed while it measures is reported, and finished cases are kept."""
    kill = SumCase(99, str(folder / "log"), seconds=0.5, ends="killed")
    with pytest.raises(WorkerError, match="what is done is kept"):
        run(folder, [*few(folder, 8), kill], workers=2)
    assert run(folder, few(folder, 8)).reused == 8


def test_two_runs_at_once_use_one_store(folder: Path) -> None:
    """Both come to the same rows, and every file that they leave is whole."""
    processes = [start(folder) for _ in range(2)]
    answers = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert answers == [f"{SUMS}\n"] * 2
    assert run(folder, slow_cases(folder)).reused == 48
    assert not list((folder / "store").rglob(".*"))


def test_rows_from_the_store_carry_todays_commit(
    slot_images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Provenance is that of the run that makes the rows. Kept figures carry none."""
    from wardmote.measurements.slot import provenance
    from wardmote.measurements.slot.definition import DEFINITIONS
    from wardmote.measurements.slot.setting import ASH_FORMS, Setting

    store = Store(tmp_path)
    setting = Setting("telosb", "hardware", 0, ASH_FORMS["paper"], 8_000_000)
    case = slot.SlotCase(setting, (DEFINITIONS["paper"],), 20, 1)
    rows = []
    for commit in ("one", "other"):
        monkeypatch.setattr(provenance, "commit", lambda said=commit: said)
        rows += slot.slot_rows([case], Runner(store=store))
    assert [row.provenance.commit for row in rows] == ["one", "other"]
    assert len({json.dumps(row.as_dict() | {"provenance": None}) for row in rows}) == 1
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_a_definition_alone_is_that_measured_with_others(
    slot_images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a report measured together answers a question about one definition, with equal rows and
    without another measurement; what nobody measured is measured alone."""
    from wardmote.measurements.slot.definition import DEFINITIONS, MEASURED_USUALLY
    from wardmote.measurements.slot.setting import ASH_FORMS, Setting

    setting = Setting("telosb", "hardware", 0, ASH_FORMS["paper"], 8_000_000)
    cases = [slot.SlotCase(setting, (DEFINITIONS[name],), 20, 1) for name in MEASURED_USUALLY]
    alone = Store(tmp_path / "alone")
    own = [row for case in cases for row in slot.slot_rows([case], Runner(store=alone))]
    assert len(list(alone.folder.rglob("*.json"))) == len(cases)
    together = Runner(store=Store(tmp_path / "together"))
    assert slot.slot_rows(cases, together) == own
    monkeypatch.setattr(together.engine.__class__, "results", lambda *_: pytest.fail("measured"))
    assert [row for case in cases for row in slot.slot_rows([case], together)] == own
