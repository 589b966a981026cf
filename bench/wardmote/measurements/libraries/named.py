# SPDX-License-Identifier: BSD-3-Clause
"""Measures what other libraries have in place of primitives of the stack, of the libraries whose
sources are here already."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.campaign.runner import Runner
from wardmote.measurements.libraries.builds import BUILDS, LIBRARIES, Build
from wardmote.measurements.libraries.campaign import primitive_rows
from wardmote.measurements.libraries.kinds import PRIMITIVES
from wardmote.measurements.libraries.measure import library_rows
from wardmote.measurements.libraries.rows import OURS, LibraryPrimitiveRow, LibraryRow


@dataclass(frozen=True, slots=True)
class Named:
    """Builds of libraries that do what some primitives of the stack do."""

    builds: tuple[Build, ...]
    """Those whose sources are here, and our own, which the others' results are compared with."""
    missing: tuple[str, ...]
    """Libraries whose sources are not here."""

    @property
    def has_others(self) -> bool:
        """Whether there is anything to set beside ours."""
        return any(one.source is not None for one in self.builds)

    def rows(
        self, cpus: Sequence[str], runner: Runner
    ) -> tuple[list[LibraryRow], list[LibraryPrimitiveRow]]:
        """Rows of other libraries: AES-128 with CCM*, and other primitives. Nothing is fetched."""
        frames = [one for one in self.builds if one in LIBRARIES]
        of = [one for one in PRIMITIVES if any(build.primitive is one for build in self.builds)]
        first = library_rows(frames, cpus, _say, runner) if frames else []
        second = primitive_rows(cpus, _say, runner, self.builds, of) if of else []
        others = [row for row in second if row.library != OURS and row.cycles]
        return [row for row in first if row.library != OURS], others


def named(names: Sequence[str]) -> Named:
    """The builds for these primitives of the stack."""
    of = [one for one in (*LIBRARIES, *BUILDS) if set(one.primitive.stack) & set(names)]
    here = [one for one in of if one.source is None or one.source.folder.is_dir()]
    away = dict.fromkeys(one.library for one in of if one not in here)
    with_others = {one.primitive.title for one in here if one.source is not None}
    builds = tuple(one for one in here if one.primitive.title in with_others)
    return Named(builds, tuple(away))


def _say(_text: str) -> None:
    """Nothing is fetched, so there is nothing to say."""
