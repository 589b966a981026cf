# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial: its commands say today what stands below them, and README asks the same questions
by the same commands."""

import json
import re
import shlex
import time
from pathlib import Path

import pytest

from scripts import update_tutorial
from scripts.outputs import said
from tests.bench.refusals import check_refused
from wardmote import cli

MOST_S = 60
"""An answer comes within a minute."""


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    """The tutorial."""
    return (root / "docs/tutorial.md").read_text(encoding="utf-8")


def questions(text: str) -> dict[str, list[str]]:
    """The commands below each heading."""
    parts = [part.partition("\n") for part in text.split("\n## ")[1:]]
    return {head: re.findall(r"^    wardmote (.*)$", body, re.MULTILINE) for head, _, body in parts}


@pytest.mark.early
def test_outputs_are_todays(text: str) -> None:
    """The same words, and numbers within 5 per cent."""
    assert text.count("<!-- run -->") == len(update_tutorial.BLOCK.findall(text)) == 6
    begin = time.monotonic()
    assert update_tutorial.stale(text) == []
    assert time.monotonic() - begin < 6 * MOST_S


def test_another_output_is_seen(text: str) -> None:
    """Another word, and a number that is further off."""
    assert len(update_tutorial.stale(text, lambda _: "```text\nelse\n```\n")) == 6
    own = "    wardmote a\n\n<!-- run -->\nit takes 100 us\n<!-- end -->"
    assert update_tutorial.stale(own, lambda _: "it takes\n 104 us\n") == []
    assert update_tutorial.stale(own, lambda _: "it takes 106 us\n") == ["a"]
    assert update_tutorial.stale(own, lambda _: "it takes 100 ms\n") == ["a"]
    assert "it takes 7 us" in update_tutorial.filled(own, lambda _: "it takes 7 us\n")


def test_readme_asks_the_same(text: str, root: Path) -> None:
    """Five questions, each with the tutorial's command, without the columns."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    asked = dict(re.findall(r"^\| ([^|]*\?) \| `wardmote ([^`]*)` \|$", readme, re.MULTILINE))
    told = {head: commands[0] for head, commands in questions(text).items() if commands}
    assert len(asked) == 5
    for question, words in asked.items():
        assert shlex.split(told[question])[: len(words.split())] == words.split(), question


def test_each_answer_holds_what_was_asked() -> None:
    """Milliseconds of a slot at 3 V; what hardware saves; milliampere hours; a primitive; two
    levels to compare."""
    for words, wanted in (
        ("slot --supply 3V --level 5 --definition deployable", r"hardware \d+\.\d"),
        ("energy --board telosb --level 5", r"hardware saves the sender up to \d+ %"),
        ("battery --payload 80 --every 60 --days 730", r"software: \d+ mAh"),
        ("recommend --need aead --cpu avr --octets 12", r"Use \w+ .*: \d+ cycles"),
        ("throughput --level ENC,ENC-MIC-64", r"ENC-MIC-64 .*\b392\b"),
    ):
        assert re.search(wanted, " ".join(said(words, 100).split())), words


def test_charge_for_so_many_days(capsys: pytest.CaptureFixture[str]) -> None:
    """A battery of exactly the charge that is said lasts the days that were asked for, in the case
    of each board that needs least."""
    words = ["battery", "--payload", "80", "--every", "60"]
    assert cli.main([*words, "--days", "100", "--format", "json"]) == 0
    printed = capsys.readouterr()
    rows = [row for row in json.loads(printed.out) if row["node"] == "sender"]
    told = re.findall(r"(software|hybrid|hardware): (\d+) mAh", printed.err)
    assert len(told) == 2
    for (strategy, mah), board in zip(told, ("telosb", "openmote-cc2538"), strict=True):
        own = [row for row in rows if row["board"] == board and row["battery_ma"]]
        least = min(own, key=lambda row: row["battery_ma"])
        assert strategy == least["strategy"]
        assert int(mah) == pytest.approx(least["battery_ma"] * 2400, abs=0.51)
    for days in ("0", "-1", "nan", "40000"):
        check_refused(capsys, "days", *words, "--days", days)


def test_energy_of_a_board_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Only rows that were asked for, the same as among all."""
    assert cli.main(["energy", "--format", "json"]) == 0
    every = json.loads(capsys.readouterr().out)
    words = ["energy", "--board", "telosb", "--level", "5,7", "--format", "json"]
    assert cli.main(words) == 0
    some = json.loads(capsys.readouterr().out)
    assert some == [row for row in every if row["board"] == "telosb" and row["level"] in (5, 7)]
    assert len(some) > 8
    check_refused(capsys, "no board 'telos'", "energy", "--board", "telos")
    check_refused(capsys, "no level '9'", "energy", "--level", "9")
