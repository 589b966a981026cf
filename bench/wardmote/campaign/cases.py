# SPDX-License-Identifier: BSD-3-Clause
"""Cases, campaigns and figures: what is measured, and in which form the answer comes."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from wardmote.errors import ImageError, WardmoteError

Figures = dict[str, Any]
"""What one case gave, as plain values. Nothing in it says when or by which commit."""
Artefacts = Mapping[str, bytes]
"""Contents of the files that a case needs, by the names that its measurement uses."""
IMAGE = "image"
"""The name where that is the image of a node."""


class Case(Protocol):
    """All that one measurement depends on besides artefacts and code: a frozen dataclass of plain
    values."""

    @property
    def label(self) -> str:
        """How messages name the case."""


C = TypeVar("C", bound=Case)


@dataclass(frozen=True, slots=True)
class Campaign(Generic[C]):
    """Cases of one kind, and how one of them is measured."""

    measure: Callable[[C, Artefacts], Figures]
    """A function of a module, so that other processes find it by its name."""
    cases: Sequence[C]
    artefacts: Callable[[C], Mapping[str, Path]]
    """Files that a case needs. Those of several cases are made at a time, where they must be made
    first."""
    timed: Callable[[C], bool] = lambda _: False
    """Whether this machine's own clock is read: then nothing else may run beside it."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Files that were read once, by the digest of what they hold."""

    octets: dict[str, bytes]
    digests: dict[Path, str]

    def digest(self, path: Path) -> str:
        """Digest of a file; raises ImageError if it cannot be read."""
        if path not in self.digests:
            try:
                octets = path.read_bytes()
            except OSError as error:
                raise ImageError(f"{path}: {error.strerror}") from error
            self.digests[path] = hashlib.sha256(octets).hexdigest()
            self.octets[self.digests[path]] = octets
        return self.digests[path]


def canonical(figures: Figures) -> str:
    """The one text of these figures."""
    return json.dumps(figures, sort_keys=True, separators=(",", ":"), allow_nan=False)


def measured(measure: Callable[[C, Artefacts], Figures], case: C, artefacts: Artefacts) -> str:
    """Measures one case, on any engine; an error names the case."""
    try:
        return canonical(measure(case, artefacts))
    except WardmoteError as error:
        raise type(error)(f"{case.label}: {error}") from error
