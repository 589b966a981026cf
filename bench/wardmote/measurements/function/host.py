# SPDX-License-Identifier: BSD-3-Clause
"""Calls on this machine's own CPU, in a process of their own: `host_server.py`."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from wardmote.call import CallError, Outcome, TraceMode
from wardmote.errors import WardmoteError
from wardmote.measurements.function.inputs import Inputs
from wardmote.prototypes import Prototypes


@dataclass(frozen=True, slots=True)
class Job:
    """A library, and the function to call."""

    library: Path
    prototypes: Prototypes
    function: str


@dataclass(frozen=True, slots=True)
class Request:
    """One call. Without a limit of instructions it just runs."""

    inputs: Inputs
    limit: int | None
    trace: TraceMode


class Host:
    """The process that makes the calls, from the first one to the end of `with`."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def call(self, inputs: Inputs, limit: int | None = None, trace: TraceMode = "off") -> Outcome:
        """Makes a call: at most `limit` instructions, which are followed, or as it comes. Raises
        CallError if it does not return, StepError if it cannot be followed."""
        asked, answered = self._pipes()
        try:
            pickle.dump(Request(inputs, limit, trace), asked)
            asked.flush()
            answer: Outcome | WardmoteError = pickle.load(answered)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as error:
            raise CallError(
                f"{self.job.function} on host: the calls could not be made: {self._last_words()}"
            ) from error
        if isinstance(answer, WardmoteError):
            raise answer
        return answer

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            words = [sys.executable, "-m", "wardmote.measurements.function.host_server"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
            assert self._process.stdin is not None
            pickle.dump(self.job, self._process.stdin)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _last_words(self) -> str:
        assert self._process is not None
        assert self._process.stderr is not None
        self._process.kill()
        return (
            self._process.stderr.read().decode(errors="replace").strip().splitlines()
            or ["no reason"]
        )[-1]


def argument_list(function: str, prototypes: Prototypes, inputs: Inputs) -> Sequence[int | bytes]:
    """Values in the order of the parameters."""
    return [inputs[parameter.name] for parameter in prototypes.function(function).parameters]
