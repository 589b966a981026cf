# SPDX-License-Identifier: BSD-3-Clause
"""The engine of one machine: processes, one case at a time in each."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait

from wardmote.campaign.cases import measured
from wardmote.campaign.engine import Request
from wardmote.errors import WorkerError

_contents: dict[str, bytes] = {}
"""Artefacts of a worker process."""


@dataclass(frozen=True, slots=True)
class Local:
    """Measures on this machine."""

    jobs: int

    def results(
        self, requests: Sequence[Request], contents: Mapping[str, bytes]
    ) -> Iterator[tuple[Request, str]]:
        """See Engine. A single worker is this process itself."""
        workers = min(self.jobs, len(requests))
        if workers > 1:
            yield from _in_processes(requests, contents, workers)
            return
        for request in requests:
            yield request, measured(request.measure, request.case, request.with_octets(contents))


def _in_processes(
    requests: Sequence[Request], contents: Mapping[str, bytes], workers: int
) -> Iterator[tuple[Request, str]]:
    others = set(multiprocessing.active_children())
    # Starts fresh processes instead of forking, because this process may have threads, such as that
    # of a progress bar.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin, (dict(contents),)) as pool:
        futures = {pool.submit(_measured, request): request for request in requests}
        ended = False
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
            ended = True
        except BrokenProcessPool as error:
            raise WorkerError("a process that measured was killed; what is done is kept") from error
        finally:
            if not ended:
                _end(set(multiprocessing.active_children()) - others)


def _end(processes: set[multiprocessing.process.BaseProcess]) -> None:
    """Ends workers in the middle of a case."""
    # The pool is meant to break here; silence its thread, which would report it.
    threading.excepthook = lambda _: None
    for process in processes:
        process.terminate()


def _begin(contents: dict[str, bytes]) -> None:
    """Sets up a worker: an interrupt is for the process that began it, whose end is the worker's
    end too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _contents.update(contents)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _measured(request: Request) -> str:
    return measured(request.measure, request.case, request.with_octets(_contents))
