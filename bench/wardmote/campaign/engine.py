# SPDX-License-Identifier: BSD-3-Clause
"""Defines an engine: it measures cases and reports each one as soon as it is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from wardmote.campaign.cases import Artefacts, Figures


@dataclass(frozen=True, slots=True)
class Request:
    """One case to be measured, with its artefacts by digest."""

    identity: str
    measure: Callable[[Any, Artefacts], Figures]
    case: Any
    artefacts: Mapping[str, str]

    def with_octets(self, contents: Mapping[str, bytes]) -> dict[str, bytes]:
        """The artefacts themselves."""
        return {name: contents[digest] for name, digest in self.artefacts.items()}


class Engine(Protocol):
    """Measures cases somewhere."""

    def results(
        self, requests: Sequence[Request], contents: Mapping[str, bytes]
    ) -> Iterator[tuple[Request, str]]:
        """The canonical figures of each case as they come; the first failure ends it, and so does
        leaving the iteration. Nothing runs afterwards."""
