# SPDX-License-Identifier: BSD-3-Clause
"""Measures every primitive of every library on every CPU and compares its results with ours."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wardmote.campaign.cases import Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.cpus import CPUS
from wardmote.errors import WardmoteError
from wardmote.measurements.function.build import BuildError
from wardmote.measurements.function.inputs import draw
from wardmote.measurements.function.profile import profile_of
from wardmote.measurements.function.question import question_of
from wardmote.measurements.function.run import MODELS, Emulated
from wardmote.measurements.libraries.attempts import (
    EXECUTABLE,
    Attempt,
    LibraryCase,
    Say,
    WrongAnswerError,
    attempts_of,
    cycles_of,
)
from wardmote.measurements.libraries.builds import BUILDS, SOMETHING_ELSE, Build
from wardmote.measurements.libraries.kinds import PARTS, PRIMITIVES, Primitive
from wardmote.measurements.libraries.rows import OURS, LibraryPrimitiveRow
from wardmote.measurements.slot.provenance import compiler_of
from wardmote.paths import as_file
from wardmote.together import together

PATH = re.compile(r"\S*/(?=[^/\s])")
"""A folder in a message of the compiler."""
Results = Mapping[str, Mapping[str, str]]
"""Results in hex, by size of the message and by parameter."""


def primitive_rows(
    cpus: Sequence[str],
    say: Say,
    runner: Runner,
    builds: Sequence[Build] = BUILDS,
    primitives: Sequence[Primitive] = PRIMITIVES,
) -> list[LibraryPrimitiveRow]:
    """Rows by CPU and primitive, fastest first. A row without figures has the reason."""
    wanted = [one for one in builds if one.primitive in primitives]
    attempts = attempts_of(wanted, cpus, say)
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
        path = attempt.executable()
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


def figures_of(case: LibraryCase, artefacts: Artefacts) -> Figures:
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


def _row(attempt: Attempt, why: str = "", **figures: Any) -> LibraryPrimitiveRow:
    """The row of an attempt; without figures it says why."""
    primitive = attempt.build.primitive
    nothing = {"cycles": (), "flash_octets": None, "stack_octets": None, "compiler": ""}
    return LibraryPrimitiveRow(
        **attempt.facts,
        **nothing | figures,
        primitive=primitive.title,
        of=primitive.kind.figures,
        ratio=None,
        why=why,
    )
