# SPDX-License-Identifier: BSD-3-Clause
"""What `make report` runs: every experiment but those of minutes, and with FULL=1 those too."""

from collections.abc import Sequence

import pytest

from wardmote.experiments import placed
from wardmote.experiments.__main__ import run

LONG = {place.name for place, one in placed().items() if one.takes_minutes}
EVERY = {place.name for place in placed()}


@pytest.mark.parametrize(("options", "wanted"), [([], EVERY - LONG), (["--full"], EVERY)])
def test_experiments_that_run(
    options: list[str], wanted: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each once, into the folder; those that are left out are named."""
    found: list[Sequence[str]] = []

    def command(words: Sequence[str]) -> int:
        found.append(words)
        return 1 if "policy" in words else 0

    assert run(["folder", *options], command) == 1
    assert [words[-2:] for words in found] == [["--report", "folder"]] * len(wanted)
    assert {"-".join(words[:-2]) for words in found} == wanted
    assert LONG
    told = capsys.readouterr().err
    assert all((name in told) == (not options) for name in LONG)
