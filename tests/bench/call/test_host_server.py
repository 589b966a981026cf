# SPDX-License-Identifier: BSD-3-Clause
"""The server that makes calls on this machine, when it does not do its part."""

import time
from pathlib import Path

import pytest

from wardmote.call import CallError, Host32
from wardmote.call.host.machine import ANSWER, BATCH, MOST_BATCHES, READ, RUN
from wardmote.paths import ROOT
from wardmote.prototypes import read_public

GREETING = f"printf '\\001'; head -c {ANSWER.size + BATCH.size * MOST_BATCHES - 1} /dev/zero"
PATIENCE_S = 1


class Impatient(Host32):
    """A machine that waits for a second."""

    seconds = 0
    patience = PATIENCE_S


def server(folder: Path, *lines: str) -> Impatient:
    """A server that does what the lines of a shell say."""
    path = folder / "server"
    path.write_text("\n".join(("#!/bin/sh", *lines)) + "\n", encoding="utf-8")
    path.chmod(0o700)
    return Impatient(path, read_public(ROOT))


@pytest.mark.parametrize(
    ("lines", "octets"),
    [
        (("exec sleep 1000",), 0),
        ((GREETING, "exec sleep 1000"), 0),
        ((GREETING, "exec sleep 1000"), 1 << 20),
        ((GREETING, "exec cat /dev/zero"), 1 << 20),
    ],
    ids=["no greeting", "no answer", "it does not read", "it only writes"],
)
def test_a_server_that_does_not_answer_is_given_up(
    lines: tuple[str, ...], octets: int, tmp_path: Path
) -> None:
    """One line says for how long it was waited; the server is gone."""
    machine = server(tmp_path, *lines)
    begun = time.monotonic()
    with pytest.raises(CallError, match=r"^server: its server does not answer within 1 s$"):
        machine._ask(RUN, 0, memory=bytes(octets))
    assert time.monotonic() - begun < 30 * PATIENCE_S
    assert machine._process is None


def test_a_server_that_ends_is_named_at_once(tmp_path: Path) -> None:
    """The server ends before its greeting, or after it. The error says how it ended."""
    for lines in (("exit 7",), (GREETING, "exit 7")):
        with (
            server(tmp_path, *lines) as machine,
            pytest.raises(CallError, match=r"^server: its server ended with 7$"),
        ):
            machine._ask(READ, 0, octets=4)
