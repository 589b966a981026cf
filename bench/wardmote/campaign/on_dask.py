# SPDX-License-Identifier: BSD-3-Clause
"""The engine of several machines: a Dask cluster. Its workers need this package and no checkout."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wardmote.campaign.cases import Artefacts, Figures, measured
from wardmote.campaign.engine import Request
from wardmote.campaign.identity import code_of
from wardmote.errors import UsageError, WardmoteError, WorkerError

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10
_one_at_a_time = threading.Lock()
"""A worker with several threads measures one case at a time: measurements share what they load."""


@dataclass(frozen=True, slots=True)
class Dask:
    """Measures on the cluster of a scheduler, or on one of this machine's own."""

    address: str | None
    jobs: int
    """Workers of the cluster of its own."""

    def results(
        self, requests: Sequence[Request], contents: Mapping[str, bytes]
    ) -> Iterator[tuple[Request, str]]:
        """See Engine. A case whose worker is lost is measured by another."""
        from distributed import as_completed

        with self._client() as client:
            # Not scattered: what a task gives can be had again when the worker that holds it dies.
            held = {
                digest: client.submit(bytes, contents[digest], key=f"artefact-{digest}")
                for digest in dict.fromkeys(d for one in requests for d in one.artefacts.values())
            }
            futures = {
                client.submit(
                    _measured_there,
                    one.measure,
                    one.case,
                    {name: held[digest] for name, digest in one.artefacts.items()},
                    code_of(one.measure),
                    key=f"case-{one.identity}",
                ): one
                for one in requests
            }
            try:
                for future in as_completed(futures):
                    request = futures[future]
                    error = future.exception()
                    if error is not None:
                        raise _explained(request, error)
                    yield request, future.result()
            finally:
                client.cancel(list(futures))

    @contextmanager
    def _client(self) -> Iterator["Client"]:
        """A client of the scheduler, or of a cluster that ends with it."""
        from distributed import Client, LocalCluster

        if self.address is None:
            with (
                LocalCluster(
                    n_workers=self.jobs, threads_per_worker=1, dashboard_address=None
                ) as cluster,
                Client(cluster) as client,
            ):
                yield client
            return
        try:
            client = Client(self.address, timeout=CONNECT_S)
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {self.address}") from error
        with client:
            yield client


def _measured_there(
    measure: Callable[[Any, Artefacts], Figures], case: Any, artefacts: Artefacts, code: str
) -> str:
    """Measures a case on a worker, which must have the same code as the client."""
    if code_of(measure) != code:
        from distributed import get_worker

        raise UsageError(
            f"the worker at {get_worker().address} has another wardmote: install the same wheel"
        )
    with _one_at_a_time:
        return measured(measure, case, artefacts)


def _explained(request: Request, error: BaseException) -> BaseException:
    """An error of a worker as one line."""
    from distributed import KilledWorker

    if isinstance(error, WardmoteError):
        return error
    if isinstance(error, KilledWorker):
        return WorkerError(f"{request.case.label}: the workers that measured it were all lost")
    if isinstance(error, ModuleNotFoundError):
        return UsageError(f"a worker has no module {error.name}: install wardmote's wheel there")
    error.add_note(f"case: {request.case.label}")
    return error
