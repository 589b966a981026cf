# SPDX-License-Identifier: BSD-3-Clause
"""The bar of long campaigns: its counts and the time left fit into 80 columns."""

import io
import re
from typing import Any

import pytest
from rich.console import Console

from wardmote.commands import running

LABEL = "timing.cc2420.lock_preamble_octets of openmote-cc2538, software, ENC-MIC-32"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def test_the_time_left_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The label is cut instead, however long it is."""
    screen = io.StringIO()

    def terminal(**_: Any) -> Console:
        return Console(file=screen, force_terminal=True, width=80)

    monkeypatch.setattr(running, "Console", terminal)
    with running.bar(1066, 1000) as told:
        for _ in range(60):
            told(LABEL)
    lines = [line for line in re.split(r"[\r\n]", CODES.sub("", screen.getvalue())) if line.strip()]
    assert lines
    assert max(map(len, lines)) <= 80
    last = lines[-1]
    assert last.startswith(LABEL[:20])
    assert re.search(r" 1060/1066 \d:\d\d:\d\d left: (\d|-):..:..$", last.rstrip())
