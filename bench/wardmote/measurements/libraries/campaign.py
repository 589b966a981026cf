# SPDX-License-Identifier: BSD-3-Clause
"""Measures every primitive of every library on every CPU and compares its results with ours."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote import __version__
from wardmote.campaign.cases import Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.cpus import CPUS
from wardmote.errors import WardmoteError
from wardmote.measurements.function.build import BuildError, Order
from wardmote.measurements.function.inputs import draw
from wardmote.measurements.function.profile import profile_of
from wardmote.measurements.function.question import question_of
from wardmote.measurements.function.run import MODELS, Emulated
from wardmote.measurements.libraries.builds import BUILDS, SOMETHING_ELSE, Build
from wardmote.measurements.libraries.executable import (
    ADAPTERS,
    EXECUTABLE,
    executable,
    order_of,
)
from wardmote.measurements.libraries.kinds import PARTS, PRIMITIVES, Primitive
from wardmote.measurements.libraries.measure import Say, WrongAnswerError, cycles_of
from wardmote.measurements.libraries.rows import OURS, LibraryPrimitiveRow
from wardmote.measurements.libraries.sources import fetch
from wardmote.measurements.libraries.variants import Variant
from wardmote.measurements.slot.provenance import compiler_of
from wardmote.paths import BUILD, as_file
from wardmote.together import together

FOLDER = ADAPTERS / "primitives"
LIBRARY = {False: "libwardmote.a", True: "libwardmote-small.a"}
PATH = re.compile(r"\S*/(?=[^/\s])")
"""A folder in a message of the compiler."""
Results = Mapping[str, Mapping[str, str]]
"""Results in hex, by size of the message and by parameter."""


@dataclass(frozen=True, slots=True)
class LibraryPrimitiveCase:
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
    def case(self) -> LibraryPrimitiveCase:
        """What is measured if it can be built."""
        one = self.build
        return LibraryPrimitiveCase(self.cpu, one.library, self.variant.name, one.primitive)

    @property
    def reason(self) -> str | None:
        """Why it is known to fail."""
        return self.build.fails.get(self.cpu)

    @property
    def order(self) -> Order:
        """What its executable is made from."""
        call = self.build.primitive.kind.call
        flags = (self.build.flags, self.variant.flags)
        return order_of(call, files_of(self), include_of(self), *flags)


def primitive_rows(
    cpus: Sequence[str],
    say: Say,
    runner: Runner,
    builds: Sequence[Build] = BUILDS,
    primitives: Sequence[Primitive] = PRIMITIVES,
) -> list[LibraryPrimitiveRow]:
    """Rows by CPU and primitive, fastest first. A row without figures has the reason."""
    folders = {b.source: fetch(b.source, say) for b in builds if b.source is not None}
    attempts = [
        Attempt(one, variant, cpu, None if one.source is None else folders[one.source])
        for primitive in primitives
        for one in builds
        if one.primitive is primitive
        for variant in one.variants
        for cpu in cpus
        if cpu in variant.cpus
    ]
    labels = [one.case.label for one in attempts]
    built = list(zip(labels, together(built_or_why, attempts), strict=True))
    paths = {label: path for label, path in built if isinstance(path, Path)}
    cases = [one.case for one in attempts if one.case.label in paths]
    answers = runner.run(Campaign(figures_of, cases, lambda case: {EXECUTABLE: paths[case.label]}))
    got: dict[str, Figures | str] = {label: why for label, why in built if isinstance(why, str)}
    got |= dict(zip(paths, answers.figures, strict=True))
    found = [(one, got[label]) for one, label in zip(attempts, labels, strict=True)]
    rows: list[LibraryPrimitiveRow] = []
    for primitive in primitives:
        rows += _compared(_checked([one for one in found if one[0].build.primitive is primitive]))
    order = {primitive.title: n for n, primitive in enumerate(primitives)}
    return sorted(
        rows,
        key=lambda row: (
            CPUS[row.cpu].order,
            order[row.primitive],
            not row.cycles,
            row.cycles[-1:],
        ),
    )


def built_or_why(attempt: Attempt) -> Path | str:
    """The executable, or why it is known not to be there. Another failure, and one that went away,
    are errors."""
    try:
        path = executable(attempt.cpu, attempt.order)
    except BuildError as error:
        said = PATH.sub("", str(error).split("failed: ", 1)[-1])
        if attempt.reason is None or attempt.reason not in said:
            raise WardmoteError(f"{attempt.case.label}: {said}") from error
        return said
    if attempt.reason not in (None, SOMETHING_ELSE):
        raise WardmoteError(
            f"{attempt.case.label} can be had after all, though it is said to fail: "
            f"{attempt.reason}"
        )
    return path


def _checked(found: Sequence[tuple[Attempt, Figures | str]]) -> list[LibraryPrimitiveRow]:
    """Compares all results with those of our first variant. A build that computes something else has
    no figures if its record says so; else WrongAnswerError is raised."""
    ours = next(
        figures["results"]
        for one, figures in found
        if one.build.library == OURS and isinstance(figures, dict)
    )
    rows: list[LibraryPrimitiveRow] = []
    for attempt, figures in found:
        if isinstance(figures, str):
            rows.append(_row(attempt, why=figures))
            continue
        different = _difference(figures["results"], ours)
        if (different is None) == (attempt.reason == SOMETHING_ELSE):
            raise WrongAnswerError(
                f"{attempt.case.label}: {different or 'computes the right thing after all'}"
            )
        if different is not None:
            rows.append(_row(attempt, why=SOMETHING_ELSE))
            continue
        measured = {name: value for name, value in figures.items() if name != "results"}
        rows.append(_row(attempt, **measured | {"cycles": tuple(figures["cycles"])}))
    return rows


def _difference(results: Results, ours: Results) -> str | None:
    """The first output that differs from ours; None if there is none."""
    for size, outputs in results.items():
        for name, octets in outputs.items():
            if octets != ours[size][name]:
                return f"{name} is {octets} and not {ours[size][name]}"
    return None


def _compared(rows: Sequence[LibraryPrimitiveRow]) -> list[LibraryPrimitiveRow]:
    """Adds the ratio to our fastest variant on that CPU, for a long message or for a block."""
    best = {
        cpu: min(row.cycles[-1] for row in rows if row.cpu == cpu and row.library == OURS)
        for cpu in {row.cpu for row in rows}
    }
    return [
        dataclasses.replace(row, ratio=row.cycles[-1] / best[row.cpu]) if row.cycles else row
        for row in rows
    ]


def figures_of(case: LibraryPrimitiveCase, artefacts: Artefacts) -> Figures:
    """Cycles of every length, or of a key and a block, and what the calls leave."""
    primitive, kind = case.primitive, case.primitive.kind
    results: dict[str, dict[str, str]] = {}
    cycles: list[int] = []
    flash = stack = 0
    with as_file(artefacts[EXECUTABLE]) as elf:
        for size in kind.sizes or (None,):
            question = question_of(
                elf, kind.call, {"args": primitive.arguments(size), "cpus": case.cpu}
            )
            assignment = question.assignments[0]
            emulated = Emulated(case.cpu, elf, assignment, question.cycle_limit)
            inputs = draw(assignment, MODELS[case.cpu], f"{primitive.title}/{size}")
            measured = emulated.measure([inputs])
            outputs = measured.answers[0].buffers
            results[str(size)] = {name: octets.hex() for name, octets in outputs.items()}
            if size is None:
                profile = profile_of(emulated, inputs)
                cycles = [cycles_of(profile, part) for part in PARTS]
            else:
                cycles.append(measured.cycles[0])
            flash = measured.sizes[0] if measured.sizes else 0
            stack = max(stack, measured.stack_octets or 0)
    return {
        "cycles": cycles,
        "flash_octets": flash,
        "stack_octets": stack,
        "compiler": compiler_of(artefacts[EXECUTABLE]),
        "results": results,
    }


def files_of(attempt: Attempt) -> list[Path]:
    """The adapter, all that it needs, and the files or the archive of the library."""
    build_ = attempt.build
    files = [FOLDER / "primitives.h", FOLDER / build_.adapter]
    if not build_.primitive.kind.sizes:
        files.append(FOLDER / "block.c")
    if build_.memory:
        files.append(FOLDER / "memory.c")
    if attempt.folder is None:
        return [*files, BUILD / "stack" / attempt.cpu / LIBRARY[attempt.variant.small]]
    found = [path for pattern in build_.patterns for path in sorted(attempt.folder.glob(pattern))]
    return files + found


def include_of(attempt: Attempt) -> list[Path]:
    """Folders of headers: the adapter's, those that replace a C library's, the library's own."""
    folders = [(FOLDER / attempt.build.adapter).parent, ADAPTERS / "include"]
    return folders + [
        attempt.folder / name for name in attempt.build.include if attempt.folder is not None
    ]


def _row(attempt: Attempt, why: str = "", **figures: Any) -> LibraryPrimitiveRow:
    """The row of an attempt; without figures it says why."""
    source, primitive = attempt.build.source, attempt.build.primitive
    nothing = {"cycles": (), "flash_octets": None, "stack_octets": None, "compiler": ""}
    return LibraryPrimitiveRow(
        cpu=attempt.cpu,
        primitive=primitive.title,
        library=attempt.build.library,
        version=source.version if source else __version__,
        variant=attempt.variant.name,
        of=primitive.kind.figures,
        ratio=None,
        why=why,
        source=source.origin if source else "this repository",
        **nothing | figures,
    )
