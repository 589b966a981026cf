# SPDX-License-Identifier: BSD-3-Clause
"""The process that makes the host's calls, each in a child: what a function breaks there breaks
nothing here.

All children are alike: library, stack and buffers have the same addresses in each, so that their
traces can be compared. A child only runs; the steps are in memory that it shares with its parent,
who decodes them, every instruction once for all calls.
"""

import mmap
import os
import pickle
import signal
import sys
from collections.abc import Callable
from ctypes import addressof, c_char, memmove, string_at
from pathlib import Path

from wardmote.call import Arena, CallError, HostTarget, Outcome, TraceMode
from wardmote.call.steps.stepper import Region, open_stepper
from wardmote.call.steps.trace import Tracer
from wardmote.call.steps.traced import run, with_trace
from wardmote.errors import WardmoteError
from wardmote.measurements.function.host import Job, Request, argument_list
from wardmote.prototypes import Function, Prototypes

LIMIT_SECONDS = 3
"""Of a call that nobody follows."""
STEPPED_SECONDS = 120
"""Of one that is followed: it is for a function that sleeps, since others meet the limit of
instructions."""
POOL_OCTETS = 1 << 20
POOL_NUMBER = 0x6000_0000
"""Under which the first octet of the buffers is reported."""


class PinnedTarget(HostTarget):
    """A library whose buffers lie at the same addresses in every child; `limit` says how calls are
    made."""

    limit: int | None = None

    def __init__(self, library: Path, prototypes: Prototypes) -> None:
        """Loads it, and maps the memory for buffers."""
        super().__init__(library, prototypes)
        self._memory = mmap.mmap(-1, POOL_OCTETS)
        start = addressof(c_char.from_buffer(self._memory))
        self.pool = Region(start, start + POOL_OCTETS, POOL_NUMBER)

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        length, start = len(arena.image), self.pool.start
        if length > POOL_OCTETS:
            raise CallError(f"{length} octets of memory wanted, there are {POOL_OCTETS}")
        memmove(start, bytes(arena.image), length)
        return start, lambda: string_at(start, length), lambda at, octets: _move(start + at, octets)

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        if self.limit is None:
            return super()._run(function, values, "off")
        entry = self.address_of(function.name)
        return Outcome(
            run(open_stepper(), entry, function.name, values, self.limit, (self.pool,)), ()
        )


def _move(to: int, octets: bytes) -> None:
    memmove(to, octets, len(octets))


class Server:
    """Forks a child for each request, so that static variables begin anew, and a crash is one
    call's."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.target = PinnedTarget(job.library, job.prototypes)
        self._tracer: Tracer | None = None

    def answer(self, request: Request) -> Outcome | WardmoteError:
        """Makes the call, and adds its trace."""
        try:
            stepper = open_stepper() if request.limit is not None else None
            outcome = self._in_child(request)
            if stepper is None:
                return outcome
            self._tracer = self._tracer or Tracer(stepper)
            regions = (
                stepper.object_of(self.target.address_of(self.job.function)),
                self.target.pool,
            )
            return with_trace(outcome, self._tracer, regions, request.trace)
        except WardmoteError as error:
            return error

    def _in_child(self, request: Request) -> Outcome:
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(LIMIT_SECONDS if request.limit is None else STEPPED_SECONDS)
            with os.fdopen(sink, "wb") as pipe:
                pipe.write(pickle.dumps(self._call(request)))
            os._exit(0)
        os.close(sink)
        with os.fdopen(source, "rb") as pipe:
            octets = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        where = f"{self.job.function} on host"
        if status == -signal.SIGALRM:
            seconds = LIMIT_SECONDS if request.limit is None else STEPPED_SECONDS
            raise CallError(f"{where}: no return within {seconds} s")
        if status < 0:
            name = signal.Signals(-status).name
            raise CallError(f"{where}: stopped by {name}: it reached memory that is not its own")
        if status or not octets:
            raise CallError(f"{where}: it ended its process instead of returning")
        answer: Outcome | WardmoteError = pickle.loads(octets)
        if isinstance(answer, WardmoteError):
            raise answer
        return answer

    def _call(self, request: Request) -> Outcome | WardmoteError:
        function = self.job.function
        self.target.limit = request.limit
        try:
            return self.target.call(
                function, *argument_list(function, self.job.prototypes, request.inputs)
            )
        except WardmoteError as error:
            return error


def serve() -> None:
    """Answers until nobody asks any longer. What the function prints does not come between the
    answers."""
    asked, answered = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job: Job = pickle.load(asked)
    try:
        server: Server | WardmoteError = Server(job)
    except WardmoteError as error:
        server = error
    while True:
        try:
            request: Request = pickle.load(asked)
        except EOFError:
            return
        pickle.dump(
            server if isinstance(server, WardmoteError) else server.answer(request), answered
        )
        answered.flush()


if __name__ == "__main__":
    serve()
