# SPDX-License-Identifier: BSD-3-Clause
"""What commands of wardmote print, for documents and for the site."""

import io
import os
import shlex
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from wardmote import cli
from wardmote.errors import DONE, FAILED
from wardmote.views.show import USUAL_WIDTH


class OutputError(Exception):
    """Something cannot be shown: one line says what."""


def said(words: str, width: int) -> str:
    """What `wardmote WORDS` prints. Raises OutputError if it ends with more than a missed
    threshold."""
    return printed(lambda: cli.main(shlex.split(words)), words, width)


def printed(run: Callable[[], int], words: str, width: int) -> str:
    """What is printed on a terminal of this width."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    # A help text always has the usual width: typer keeps the first that it meets.
    terminal = {"COLUMNS": str(width), "TERMINAL_WIDTH": str(USUAL_WIDTH)}
    with patch.dict(os.environ, terminal), redirect_stdout(out), redirect_stderr(err):
        code = run()
    if code not in (DONE, FAILED):
        raise OutputError(f"wardmote {words}: exit code {code}: {err.getvalue().strip()}")
    out.flush()
    text = out.buffer.getvalue().decode("utf-8")
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
