# SPDX-License-Identifier: BSD-3-Clause
"""Runs a campaign: takes kept figures, measures the other cases, and keeps each when it is done."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from wardmote.campaign.cases import C, Campaign, Case, Contents, Figures
from wardmote.campaign.engine import Engine, Request
from wardmote.campaign.identity import identity
from wardmote.campaign.local import Local
from wardmote.campaign.store import Store
from wardmote.errors import StoppedError
from wardmote.together import together


class Told(Protocol):
    """Hears of each case that is done."""

    def __call__(self, label: str) -> None:
        """The case of this label is done."""


Watch = Callable[[int, int], AbstractContextManager[Told]]
"""Watches one campaign: so many cases, of which so many are known."""


@contextmanager
def unwatched(_cases: int, _known: int) -> Iterator[Told]:
    """Nobody watches."""
    yield lambda label: None


@dataclass(frozen=True, slots=True)
class Answers:
    """Figures in the order of the cases."""

    figures: tuple[Figures, ...]
    reused: int
    """How many were kept from an earlier run."""


@dataclass(frozen=True, slots=True)
class Runner:
    """The engine that measures cases, the store that keeps figures, and the observer of
    progress."""

    engine: Engine = field(default_factory=lambda: Local(1))
    store: Store = field(default_factory=Store)
    watch: Watch = unwatched

    def keeps(self, campaign: Campaign[C]) -> tuple[bool, ...]:
        """Whether each case has figures of an earlier run."""
        return tuple(
            self.store.get(request.identity) is not None
            for request in _requests(campaign, Contents({}, {}))
        )

    def run(self, campaign: Campaign[C]) -> Answers:
        """Figures of all cases. The first failure or an interrupt ends it; figures measured until
        then are kept."""
        contents = Contents({}, {})
        requests = _requests(campaign, contents)
        known = {
            request.identity: figures
            for request in requests
            if (figures := self.store.get(request.identity)) is not None
        }
        wanted = {one.identity: one for one in requests if one.identity not in known}
        reused = sum(request.identity in known for request in requests)
        with self.watch(len(requests), len(requests) - len(wanted)) as told:
            timed = [one for one in wanted.values() if campaign.timed(one.case)]
            others = [one for one in wanted.values() if not campaign.timed(one.case)]
            try:
                for engine, part in ((self.engine, others), (Local(1), timed)):
                    for request, text in engine.results(part, contents.octets) if part else ():
                        self.store.put(request.identity, text)
                        known[request.identity] = json.loads(text)
                        told(request.case.label)
            except KeyboardInterrupt as error:
                done = sum(request.identity in known for request in requests)
                raise StoppedError(
                    f"interrupted; {done} of {len(requests)} cases are kept, and the same command "
                    "goes on with the others"
                ) from error
        return Answers(tuple(known[request.identity] for request in requests), reused)


def _requests(campaign: Campaign[Any], contents: Contents) -> list[Request]:
    files = together(campaign.artefacts, campaign.cases)
    return [
        _request(campaign, case, paths, contents)
        for case, paths in zip(campaign.cases, files, strict=True)
    ]


def _request(
    campaign: Campaign[Any], case: Case, paths: Mapping[str, Path], contents: Contents
) -> Request:
    artefacts = {name: contents.digest(path) for name, path in paths.items()}
    return Request(identity(campaign.measure, case, artefacts), campaign.measure, case, artefacts)
