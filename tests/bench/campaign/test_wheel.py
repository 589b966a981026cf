# SPDX-License-Identifier: BSD-3-Clause
"""The wheel answers without checkout and compiler, with the rows of the checkout."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.campaign.installed import COLUMNS, Installed
from wardmote.errors import MISSING

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.turns(3, "wheel")]
QUICK = ("--board", "telosb", "--strategy", "hardware")


def here(*words: str) -> str:
    """What the checkout writes to stdout."""
    command = [sys.executable, "-m", "wardmote", *words]
    environment = os.environ | {"COLUMNS": COLUMNS}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def there(installed: Installed, *words: str) -> str:
    """What the wheel writes to stdout."""
    done = installed.wardmote(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(text: str) -> list[dict[str, object]]:
    """Rows without the commit: the wheel says the one it was built from, which may be another."""
    found = json.loads(text)
    for row in found:
        row.pop("commit", None)
        row.get("provenance", {}).pop("commit", None)
    assert found
    return list(found)


@pytest.mark.parametrize(
    "words",
    [
        ("slot", *QUICK, "--level", "5", "--exchanges", "40"),
        ("sweep", *QUICK, "--key-id-mode", "1", "--exchanges", "40"),
        ("footprint",),
        ("system", "--only", "aes128", "--tick", "128", "--frames", "off", "--seconds", "0.1"),
    ],
    ids=lambda words: words[0],
)
def test_the_wheel_gives_the_rows_of_the_checkout(
    words: tuple[str, ...], installed: Installed
) -> None:
    """What measures: the same rows, octet for octet, in an empty folder without any program."""
    assert rows(there(installed, *words, "--format", "json")) == rows(
        here(*words, "--format", "json")
    )


def test_studies_and_files_of_the_wheel(installed: Installed, tmp_path: Path) -> None:
    """Verbs that read a report or write files work without a checkout, with the same output."""
    report = str(tmp_path / "report")
    there(installed, "slot", *QUICK, "--level", "5", "--exchanges", "40", "--report", report)
    for verb in ("energy", "throughput", "compare", "report"):
        words = (verb, report, "--format", "csv")
        assert there(installed, *words) == here(*words)
    traces = {}
    for name, run in (("here", here), ("there", lambda *words: there(installed, *words))):
        run("trace", str(tmp_path / name))
        traces[name] = (tmp_path / name / "telosb-hardware-level5.csv").read_bytes()
    assert traces["here"] == traces["there"]
    capture = str(tmp_path / "report/telosb-hardware-level5.pcap")
    shown = ("frame", "show", capture)
    assert there(installed, *shown) == here(*shown) != ""


@pytest.mark.parametrize(
    "words", [("measure", "f.c", "--call", "int f(void)"), ("primitives",)], ids=lambda w: w[0]
)
def test_what_needs_a_checkout_says_so(words: tuple[str, ...], installed: Installed) -> None:
    """One line, the exit code of a missing tool, nothing on stdout."""
    done = installed.wardmote(*words)
    assert (done.returncode, done.stdout) == (MISSING, "")
    assert done.stderr == (
        f"wardmote: {words[0]} needs compilers and a checkout of wardmote: this is only its wheel\n"
    )
