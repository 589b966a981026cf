# SPDX-License-Identifier: BSD-3-Clause
"""How a command of the bench refuses, in the process of the test."""

import pytest

from wardmote.cli import main


def output(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `wardmote` with these words."""
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def check_refused(capsys: pytest.CaptureFixture[str], says: str, *words: str) -> None:
    """The command says so in one line on stderr, with exit code 2 and nothing on stdout."""
    code, out, err = output(capsys, *words)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
