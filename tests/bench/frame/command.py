# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame` as a command, for tests."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did."""

    code: int
    """Its exit code."""
    out: bytes
    """What it wrote to stdout, which may be a capture."""
    err: str
    """What it wrote to stderr."""

    @property
    def lines(self) -> list[str]:
        """Its stdout as text."""
        return self.out.decode().splitlines()


def run(*words: str | Path, given: bytes = b"") -> Done:
    """`wardmote frame` in a process of its own, with `given` on stdin."""
    command = [sys.executable, "-m", "wardmote", "frame", *map(str, words)]
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr.decode())


def refused(*words: str | Path, given: bytes = b"") -> str:
    """The one line with which a command is refused, before it wrote anything."""
    done = run(*words, given=given)
    assert (done.code, done.out) == (2, b""), done
    [line] = done.err.splitlines()
    assert line.startswith("wardmote: ")
    return line
