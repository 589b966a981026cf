# SPDX-License-Identifier: BSD-3-Clause
"""Calls on this machine's own CPU, each in a process of its own: what a function breaks there breaks nothing here.

`python -m wardmote.measure.host JOB RESULT` is the process that forks one child a call.
"""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.call import CallError, HostTarget
from wardmote.errors import WardmoteError
from wardmote.measure.inputs import Inputs
from wardmote.prototypes import Prototypes

LIMIT_SECONDS = 3


@dataclass(frozen=True, slots=True)
class Job:
    """A library, and the calls to make."""

    library: Path
    prototypes: Prototypes
    function: str
    inputs: tuple[Inputs, ...]


Answer = tuple[int, tuple[bytes, ...]]
"""The result, and the contents of every buffer after the call."""


def call_all(job: Job) -> list[Answer]:
    """Makes the calls; raises CallError with the first that fails."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "job"), Path(folder, "result")
        asked.write_bytes(pickle.dumps(job))
        words = [sys.executable, "-m", "wardmote.measure.host", str(asked), str(answered)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode or not answered.is_file():
            last = (done.stderr.strip().splitlines() or ["no reason"])[-1]
            raise CallError(f"{job.function} on host: the calls could not be made: {last}")
        answers: list[Answer | str] = pickle.loads(answered.read_bytes())
    good: list[Answer] = []
    for answer in answers:
        if isinstance(answer, str):
            raise CallError(answer)
        good.append(answer)
    return good


def _serve(asked: Path, answered: Path) -> None:
    job: Job = pickle.loads(asked.read_bytes())
    answers: list[Answer | str] = []
    for inputs in job.inputs:
        answers.append(_in_child(job, inputs))
        if isinstance(answers[-1], str):
            break
    answered.write_bytes(pickle.dumps(answers))


def _in_child(job: Job, inputs: Inputs) -> Answer | str:
    """Forks, so that static variables begin anew, and a crash is one call's."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT_SECONDS)
        with os.fdopen(sink, "wb") as pipe:
            pipe.write(pickle.dumps(_call(job, inputs)))
        os._exit(0)
    os.close(sink)
    with os.fdopen(source, "rb") as pipe:
        octets = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGALRM:
        return f"{job.function} on host: no return within {LIMIT_SECONDS} s"
    if status < 0:
        return (
            f"{job.function} on host: stopped by {signal.Signals(-status).name}: it reached memory that is not its own"
        )
    answer: Answer | str = pickle.loads(octets)
    return answer


def _call(job: Job, inputs: Inputs) -> Answer | str:
    try:
        target = HostTarget(job.library, job.prototypes)
        outcome = target.call(job.function, *argument_list(job.function, job.prototypes, inputs))
    except WardmoteError as error:
        return str(error)
    return outcome.value, outcome.buffers


def argument_list(function: str, prototypes: Prototypes, inputs: Inputs) -> Sequence[int | bytes]:
    """Values in the order of the parameters."""
    return [inputs[parameter.name] for parameter in prototypes.function(function).parameters]


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), Path(sys.argv[2]))
