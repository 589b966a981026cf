# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: variants of builds on CPUs, and the executable of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote import __version__
from wardmote.errors import WardmoteError
from wardmote.measurements.function import kept
from wardmote.measurements.function.build import Order
from wardmote.measurements.function.files import sort_files
from wardmote.measurements.function.profile import Profile
from wardmote.measurements.function.prototype import NAME
from wardmote.measurements.libraries.builds import Build
from wardmote.measurements.libraries.kinds import Primitive
from wardmote.measurements.libraries.sources import KEPT, fetch
from wardmote.measurements.libraries.variants import Variant
from wardmote.paths import BUILD, ROOT

ADAPTERS = ROOT / "bench" / "libraries"
STACK = ROOT / "stack" / "src"
OURS_IN_C = "cipher/aes128_[est]*.c mode/ccm.c util/*.c"
LIBRARY = {False: "libwardmote.a", True: "libwardmote-small.a"}
EXECUTABLE = "executable"
"""Name of the artefact of every case."""
Say = Callable[[str], object]
"""Hears what is fetched."""


class WrongAnswerError(WardmoteError):
    """A library, as it is built here, computes something else."""


@dataclass(frozen=True, slots=True)
class LibraryCase:
    """One primitive of one library, built one way, on one CPU."""

    cpu: str
    library: str
    variant: str
    primitive: Primitive

    @property
    def label(self) -> str:
        """Names the case."""
        return f"{self.primitive.title} of {self.library} {self.variant} on {self.cpu}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One variant of one build on one CPU, which may be known to fail."""

    build: Build
    variant: Variant
    cpu: str
    folder: Path | None
    """Folder of the library's files; None for our own."""

    @property
    def case(self) -> LibraryCase:
        """What is measured if it can be built."""
        one = self.build
        return LibraryCase(self.cpu, one.library, self.variant.name, one.primitive)

    @property
    def reason(self) -> str | None:
        """Why it is known to fail."""
        return self.build.fails.get(self.cpu)

    @property
    def facts(self) -> dict[str, Any]:
        """What rows of every kind say of it."""
        source = self.build.source
        return {
            "cpu": self.cpu,
            "library": self.build.library,
            "version": source.version if source else __version__,
            "variant": self.variant.name,
            "source": source.origin if source else "this repository",
        }

    @property
    def order(self) -> Order:
        """The sources of its executable. Warnings in library code are not ours to judge."""
        call = self.build.primitive.kind.call
        named = NAME.search(call)
        assert named is not None
        words = f"{self.build.flags} {self.variant.flags} -w".split()
        return Order(sort_files(self._files()), named[1], tuple(words), self._include(), call)

    def _files(self) -> list[Path]:
        """The adapter, all that it needs, and the files or the archive of the library."""
        beside = self.build.primitive.kind.files.format(self.build.adapter).split()
        files = [ADAPTERS / name for name in beside]
        if self.build.memory:
            files.append(ADAPTERS / "primitives" / "memory.c")
        if self.folder is None and self.variant.archive:
            return [*files, BUILD / "stack" / self.cpu / LIBRARY[self.variant.small]]
        patterns = (OURS_IN_C if self.folder is None else self.build.patterns).split()
        folder = self.folder or STACK
        return files + [path for pattern in patterns for path in sorted(folder.glob(pattern))]

    def _include(self) -> tuple[Path, ...]:
        """Folders of headers: the adapter's, those that replace a C library's, the library's own."""
        folders = ((ADAPTERS / self.build.adapter).parent, ADAPTERS / "include")
        return (*folders, *(self.folder / name for name in self.build.include if self.folder))

    def executable(self) -> Path:
        """It is built where it is not there yet; raises BuildError where it cannot be."""
        return kept.executable(self.cpu, self.order, KEPT, ADAPTERS)


def attempts_of(builds: Sequence[Build], cpus: Sequence[str], say: Say) -> list[Attempt]:
    """Every variant of the builds on every CPU for which it is meant; fetches the sources."""
    folders = {one.source: fetch(one.source, say) for one in builds if one.source is not None}
    return [
        Attempt(one, variant, cpu, None if one.source is None else folders[one.source])
        for one in builds
        for variant in one.variants
        for cpu in variant.cpus
        if cpu in cpus
    ]


def cycles_of(profile: Profile, function: str) -> int:
    """Cycles of a function with all it calls and its return."""
    found = next((cost for cost in profile.functions if cost.function == function), None)
    if found is None:
        raise WrongAnswerError(f"{profile.operation} on {profile.cpu} never calls {function}")
    return found.cycles_with_callees
