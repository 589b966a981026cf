# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote report --baseline`: what got better or worse is told, with an exit code, from a folder, a
file, a git revision and printed figures."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.refusals import check_refused, output
from wardmote.changes import is_worse, percent_of
from wardmote.errors import UsageError
from wardmote.study.baseline import compare, printed

ROWS = json.loads((Path(__file__).parents[1] / "screens/rows.json").read_text(encoding="utf-8"))
SLOT = {**ROWS["sweep"][0], "schema": "SlotRow 5"}
MADE = {
    "board": "b",
    "way": "w",
    "data_octets": 8,
    "air_ms": 2.0,
    "kbps": 5.0,
    "schema": "AnyRow 1",
}
Change = Callable[..., Path]


def one(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Rows of one schema."""
    return {rows[0]["schema"]: rows}


@pytest.fixture
def saved(tmp_path: Path) -> Change:
    """Writes a report folder with one slot, changed."""

    def write(name: str = "now", **changed: object) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "rows.json").write_text(json.dumps([SLOT | changed]))
        return folder

    return write


@pytest.mark.parametrize(
    ("old", "new", "tolerance", "more", "worse"),
    [
        (100, 100, 0, False, False),
        (100, 101, 0, False, True),
        (100, 102, 2, False, False),
        (100, 102.1, 2, False, True),
        (100, 99, 0, False, False),
        (100, 99, 0, True, True),
        (100, 98, 2, True, False),
        (100, 97.9, 2, True, True),
        (0, 1, 50, False, True),
        (0, 0, 0, False, False),
        (100, None, 50, False, True),
        (None, 100, 0, False, False),
    ],
)
def test_worse_by_hand(
    old: float | None, new: float | None, tolerance: float, more: bool, worse: bool
) -> None:
    """More than the tolerance, in the direction that is bad."""
    assert is_worse(old, new, tolerance, more_is_better=more) is worse


def test_percent_by_hand() -> None:
    """Of the old value; none of nothing."""
    assert (percent_of(100, 103), percent_of(4, 3)) == (3, -25)
    assert percent_of(0, 1) is percent_of(None, 1) is percent_of(1, None) is None


def test_rows_of_any_class_are_compared() -> None:
    """Milliseconds may not grow and kbit/s may not shrink; octets of data say which case it is."""
    old = [MADE, {**MADE, "data_octets": 16}]
    found = compare(one(old), one([{**MADE, "air_ms": 2.5}, old[1]]), "then", 0)
    [change] = found.changes
    assert (change.rows, change.case, change.quantity) == (
        "AnyRow",
        "b, w, data_octets 8",
        "air_ms",
    )
    assert (change.old, change.new, change.percent) == (2.0, 2.5, 25.0)
    assert (change.worse, change.better, found.compared) == (True, False, 4)
    assert (found.worse, found.better) == ((change,), ())
    assert (found.baseline, found.tolerance_percent) == ("then", 0)
    [faster] = compare(one(old), one([{**MADE, "kbps": 6.0}, old[1]]), "then", 0).changes
    assert (faster.quantity, faster.better, faster.worse) == ("kbps", True, False)
    [slower] = compare(one(old), one([{**MADE, "kbps": 4.0}, old[1]]), "then", 0).changes
    assert (slower.better, slower.worse) == (False, True)


def test_rows_on_one_side_alone() -> None:
    """They are named. Cases that no word tells apart are not compared if their number changed."""
    other = {**MADE, "way": "x"}
    found = compare(one([MADE, other]), one([MADE, {**MADE, "board": "c"}]), "then", 0)
    assert found.missing == ("AnyRow: b, x, data_octets 8",)
    assert found.added == ("AnyRow: c, w, data_octets 8",)
    found = compare(one([MADE, MADE, other]), one([MADE, other]), "then", 0)
    assert (found.compared, found.missing) == (2, ("AnyRow: b, w, data_octets 8",))
    twice = [MADE, {**MADE, "air_ms": 3.0}]
    assert compare(one(twice), one(twice), "then", 0).changes == ()
    with pytest.raises(UsageError, match="then has no row to compare: it has AnyRow 1"):
        compare(one([MADE]), one([other]), "then", 0)


def test_another_version_is_left_out() -> None:
    """And told."""
    old = one([MADE]) | one([{**SLOT, "schema": "SlotRow 3"}])
    found = compare(old, one([MADE]) | one([SLOT]), "then", 0)
    assert found.left_out == ("SlotRow 3 (now SlotRow 5)",)
    assert found.compared == 2


def test_printed_figures_become_rows() -> None:
    """A slot's milliseconds, and every `paper_` figure that has one of ours beside it."""
    slot = {**SLOT, "published_ms": 88}
    [row] = printed(one([slot, {**SLOT, "level": 1}]))["SlotRow 5"]
    assert row["ts_slot_duration_us"] == 88_000
    assert (row["board"], row["strategy"]) == (SLOT["board"], SLOT["strategy"])
    own = {**MADE, "paper_air_ms": 1.5, "paper_kbps": None, "paper_other_ms": 9.0}
    [row] = printed(one([own]))["AnyRow 1"]
    assert row == {"board": "b", "way": "w", "data_octets": 8, "air_ms": 1.5}
    [change] = compare(printed(one([own])), one([own]), "published", 0).changes
    assert (change.old, change.new, change.worse) == (1.5, 2.0, True)


def test_exit_codes_and_verdict(capsys: pytest.CaptureFixture[str], saved: Change) -> None:
    """0 if nothing is worse by more than the tolerance, else 1, with the figure and the verdict."""
    now, then = saved(), saved("then", sec1_cycles=SLOT["sec1_cycles"] - 1)
    same = output(capsys, "report", str(now), "--baseline", str(now))
    assert same[0] == 0
    assert same[1].endswith("VERDICT: nothing is worse\n")
    code, out, err = output(
        capsys, "report", str(now), "--baseline", str(then / "rows.json"), "--format", "json"
    )
    assert code == 1
    assert err.endswith("VERDICT: worse\n")
    assert f"{SLOT['sec1_cycles'] - 1:.0f} then, {SLOT['sec1_cycles']:.0f} now" in err
    [row] = json.loads(out)
    assert (row["quantity"], row["worse"]) == ("sec1_cycles", True)
    wide = ("report", str(now), "--baseline", str(then), "--tolerance", "1%", "--columns", "all")
    code, out, _ = output(capsys, *wide)
    assert code == 0
    assert "within tolerance" in " ".join(out.split())
    assert output(capsys, "report", str(then), "--baseline", str(now))[0] == 0


def test_a_git_revision_is_a_baseline(
    capsys: pytest.CaptureFixture[str], saved: Change, tmp_path: Path
) -> None:
    """The same folder as it was in that commit."""
    folder = saved()
    for words in (
        ("init", "-q"),
        ("add", "now"),
        ("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one"),
    ):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    saved(ts_slot_duration_us=SLOT["ts_slot_duration_us"] * 1.5)
    code, out, err = output(capsys, "report", str(folder), "--baseline", "HEAD", "--columns", "all")
    assert (code, "+50.0" in out) == (1, True), err
    saved("other")
    says = "HEAD has no other: keep the report in git"
    check_refused(capsys, says, "report", str(tmp_path / "other"), "--baseline", "HEAD")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--baseline", "nonsuch"), "no baseline 'nonsuch': give a report folder, a file of rows"),
        (("--baseline", ""), "no baseline ''"),
        (("--baseline", "-x"), "no baseline '-x'"),
        (("--baseline", "published", "--tolerance", "x"), "no tolerance 'x'"),
        (("--tolerance", "1%"), "--tolerance is that of a --baseline"),
    ],
)
def test_baselines_that_cannot_be(
    capsys: pytest.CaptureFixture[str], saved: Change, words: tuple[str, ...], says: str
) -> None:
    """Each ends with 2 and one line."""
    check_refused(capsys, says, "report", str(saved()), *words)


@pytest.mark.parametrize("text", ["", "no rows", "[" * 5000, "[]", "{}", '[{"schema": 1}]', "[1]"])
def test_files_without_rows(
    capsys: pytest.CaptureFixture[str], saved: Change, tmp_path: Path, text: str
) -> None:
    """Each ends with 2 and one line, and so does a folder of them."""
    then = tmp_path / "then"
    then.mkdir()
    (then / "rows.json").write_text(text)
    for place in (then, then / "rows.json"):
        code, out, err = output(capsys, "report", str(saved()), "--baseline", str(place))
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_workflow_file_runs_commands_that_there_are(
    capsys: pytest.CaptureFixture[str], root: Path, saved: Change
) -> None:
    """The comparison of the document's workflow works, with the folders of the test; its other
    command has only options that there are."""
    text = (root / "docs/how-do-i-guard-figures-in-my-ci.md").read_text(encoding="utf-8")
    block = " ".join(text.partition("```yaml\n")[2].partition("```")[0].split())
    runs = [part.split(" - ")[0].split(" >>")[0] for part in block.split("/bin/wardmote ")[1:]]
    assert [run.split()[0] for run in runs] == ["slot", "report"]
    folders = {"now": str(saved()), "figures": str(saved("then"))}
    words = [folders.get(word, word) for word in runs[1].split()]
    assert output(capsys, *words)[0] == 0
    saved("then", ts_slot_duration_us=1.0)
    assert output(capsys, *words)[0] == 1
    code, _, err = output(capsys, *runs[0].split())
    assert code in (2, 5)
    assert "build/app.elf" in err
