# SPDX-License-Identifier: BSD-3-Clause
"""A shell completes commands, options and their values; a misspelt value gets a suggestion."""

import os
import subprocess
import sys

import pytest

from wardmote import cli
from wardmote.commands.records import completion


def completed(*words: str) -> list[str]:
    """What bash offers for the last of these words."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from wardmote.commands.app import application\napplication()(prog_name='wardmote')",
        ],
        env={
            **os.environ,
            "_WARDMOTE_COMPLETE": "complete_bash",
            "COMP_WORDS": " ".join(["wardmote", *words]),
            "COMP_CWORD": str(len(words)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("thr",), ["throughput"]),
        (("slot", "--max"), ["--max-slot"]),
        (
            ("slot", "--strategy", "h"),
            ["hybrid", "hardware", "hybrid-fine", "hardware-fine"],
        ),
        (("slot", "--strategy", "software,hy"), ["software,hybrid", "software,hybrid-fine"]),
        (("slot", "--board", "open"), ["openmote-cc2538"]),
        (("sweep", "--counter", "e"), ["elided"]),
        (("system", "--to", "f"), ["filtered"]),
        (("system", "--only", "sha2"), ["sha256"]),
        (("primitives", "--only", "cmac,ascon_h"), ["cmac,ascon_hash256"]),
        (("measure", "--cpu", "host3"), ["host32"]),
        (("report", "--format", "j"), ["json"]),
        (("slot", "--strategy", "z"), []),
    ],
)
def test_a_shell_completes(words: tuple[str, ...], offered: list[str]) -> None:
    """Commands, options and values, behind a comma too."""
    assert completed(*words) == offered


def test_a_list_is_completed_at_its_end() -> None:
    """The text before the last comma stays unchanged."""
    found = completion("none", "MIC-32", "MIC-64")
    assert found("5,MIC-3") == ["5,MIC-32"]
    assert found("") == ["none", "MIC-32", "MIC-64"]
    assert found("5,x") == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("slot", "--strategy", "softwar"), "no strategy 'softwar': did you mean software?"),
        (("slot", "--board", "telosc"), "no board 'telosc': did you mean telosb?"),
        (("sweep", "--counter", "elide"), "no counter 'elide': did you mean elided?"),
        (("slot", "--level", "ENC-MIC-23"), "did you mean ENC-MIC-32?"),
        (("report", "--format", "jsn"), "no format 'jsn': did you mean json?"),
        (("system", "--only", "sha257"), "did you mean sha256?"),
        (("primitives", "--only", "xcmac"), "did you mean cmac?"),
    ],
)
def test_a_misspelt_value_gets_a_suggestion(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The nearest possible value, and all that are possible."""
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err
    assert "possible are" in err


def test_a_number_is_not_misspelt(capsys: pytest.CaptureFixture[str]) -> None:
    """8 is no way to write 7."""
    assert cli.main(["slot", "--level", "8"]) == 2
    assert "did you mean" not in capsys.readouterr().err
