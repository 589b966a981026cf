# SPDX-License-Identifier: BSD-3-Clause
"""Measures every primitive of every library on every CPU and compares its results with ours."""

import dataclasses
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from wardmote import __version__
from wardmote.cpus import CPUS
from wardmote.errors import WardmoteError
from wardmote.measurements.function.build import BuildError, build
from wardmote.measurements.function.inputs import draw
from wardmote.measurements.function.job import job_of
from wardmote.measurements.function.profile import profile_of
from wardmote.measurements.function.run import MODELS, Emulated
from wardmote.measurements.libraries.builds import BUILDS, SOMETHING_ELSE, Build
from wardmote.measurements.libraries.kinds import PARTS, PRIMITIVES, Primitive
from wardmote.measurements.libraries.measure import ADAPTERS, WrongAnswerError, cycles_of
from wardmote.measurements.libraries.rows import OURS, PrimitiveRow
from wardmote.measurements.libraries.sources import fetch
from wardmote.measurements.libraries.variants import Variant
from wardmote.measurements.slot.provenance import compiler_of
from wardmote.paths import BUILD

FOLDER = ADAPTERS / "primitives"
LIBRARY = {False: "libwardmote.a", True: "libwardmote-small.a"}
PATH = re.compile(r"\S*/(?=[^/\s])")
"""A folder in a message of the compiler."""
Results = Mapping[int | None, Mapping[str, bytes]]
"""Results by size of the message and by parameter."""


@dataclass(frozen=True, slots=True)
class Task:
    """One variant of one build on one CPU."""

    build: Build
    variant: Variant
    cpu: str
    folder: Path | None
    """Folder of the library's files; None for our own."""

    @property
    def name(self) -> str:
        """Names the task in messages."""
        build_, variant = self.build, self.variant
        return f"{build_.primitive.title} of {build_.library} {variant.name} on {self.cpu}"


def primitive_rows(
    cpus: Sequence[str],
    say: Callable[[str], object],
    builds: Sequence[Build] = BUILDS,
    primitives: Iterable[Primitive] = PRIMITIVES,
) -> list[PrimitiveRow]:
    """Rows by CPU and primitive, fastest first. A row without figures has the reason."""
    folders = {b.source: fetch(b.source, say) for b in builds if b.source is not None}
    rows: list[PrimitiveRow] = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for primitive in primitives:
            say(f"libraries: {primitive.title}")
            tasks = [
                Task(one, variant, cpu, None if one.source is None else folders[one.source])
                for one in builds
                if one.primitive is primitive
                for variant in one.variants
                for cpu in cpus
                if cpu in variant.cpus
            ]
            found = list(pool.map(_measured, tasks))
            rows += _compared(_checked(tasks, found))
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


def _checked(
    tasks: Sequence[Task], found: Sequence[tuple[PrimitiveRow, Results | None]]
) -> list[PrimitiveRow]:
    """Compares all results with those of our first variant. A build that computes something else has
    no figures if its record says so; else WrongAnswerError is raised."""
    ours = next(
        results
        for task, (_, results) in zip(tasks, found, strict=True)
        if task.build.library == OURS
    )
    assert ours is not None
    rows: list[PrimitiveRow] = []
    for task, (row, results) in zip(tasks, found, strict=True):
        expected = task.build.fails.get(task.cpu) == SOMETHING_ELSE
        different = None if results is None else _difference(results, ours)
        if (different is None) == expected:
            raise WrongAnswerError(
                f"{task.name}: {different or 'computes the right thing after all'}"
            )
        rows.append(row if different is None else _without_figures(task, SOMETHING_ELSE))
    return rows


def _difference(results: Results, ours: Results) -> str | None:
    """The first output that differs from ours; None if there is none."""
    for size, outputs in results.items():
        for name, octets in outputs.items():
            if octets != ours[size][name]:
                return f"{name} is {octets.hex()} and not {ours[size][name].hex()}"
    return None


def _compared(rows: Sequence[PrimitiveRow]) -> list[PrimitiveRow]:
    """Adds the ratio to our fastest variant on that CPU, for a long message or for a block."""
    best = {
        cpu: min(row.cycles[-1] for row in rows if row.cpu == cpu and row.library == OURS)
        for cpu in {row.cpu for row in rows}
    }
    return [
        dataclasses.replace(row, ratio=row.cycles[-1] / best[row.cpu]) if row.cycles else row
        for row in rows
    ]


def _measured(task: Task) -> tuple[PrimitiveRow, Results | None]:
    """The row and the results. A known failure gives a row without figures."""
    reason = task.build.fails.get(task.cpu)
    try:
        row, results = _row(task)
    except BuildError as error:
        said = PATH.sub("", str(error).split("failed: ", 1)[-1])
        if reason is None or reason not in said:
            raise WardmoteError(f"{task.name}: {said}") from error
        return _without_figures(task, said), None
    if reason not in (None, SOMETHING_ELSE):
        raise WardmoteError(
            f"{task.name} can be had after all, though it is said to fail: {reason}"
        )
    return row, results


def _row(task: Task) -> tuple[PrimitiveRow, Results]:
    primitive, kind = task.build.primitive, task.build.primitive.kind
    flags = " ".join(part for part in (task.build.flags, task.variant.flags, "-w") if part)
    results: dict[int | None, dict[str, bytes]] = {}
    cycles: list[int] = []
    flash = stack = 0
    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        built = None
        for size in kind.sizes or (None,):
            job = job_of(
                files_of(task),
                kind.call,
                {
                    "args": primitive.arguments(size),
                    "cpus": task.cpu,
                    "flags": flags,
                    "include": include_of(task),
                },
            )
            built = built or build(task.cpu, job.order, Path(folder))
            plan = job.plans[0]
            emulated = Emulated(task.cpu, built.path, plan, job.cycle_limit)
            inputs = draw(plan, MODELS[task.cpu], f"{primitive.title}/{size}")
            measured = emulated.measure([inputs])
            results[size] = measured.answers[0].buffers
            if size is None:
                profile = profile_of(emulated, inputs)
                cycles = [cycles_of(profile, part) for part in PARTS]
            else:
                cycles.append(measured.cycles[0])
            flash = measured.sizes[0] if measured.sizes else 0
            stack = max(stack, measured.stack_octets or 0)
        assert built is not None
        compiler = compiler_of(built.path.read_bytes())
    empty = _without_figures(task, "")
    return dataclasses.replace(
        empty, cycles=tuple(cycles), flash_octets=flash, stack_octets=stack, compiler=compiler
    ), results


def files_of(task: Task) -> list[Path]:
    """The adapter, all that it needs, and the files or the archive of the library."""
    build_ = task.build
    files = [FOLDER / "primitives.h", FOLDER / build_.adapter]
    if not build_.primitive.kind.sizes:
        files.append(FOLDER / "block.c")
    if build_.memory:
        files.append(FOLDER / "memory.c")
    if task.folder is None:
        return [*files, BUILD / "stack" / task.cpu / LIBRARY[task.variant.small]]
    found = [path for pattern in build_.patterns for path in sorted(task.folder.glob(pattern))]
    return files + found


def include_of(task: Task) -> list[Path]:
    """Folders of headers: the adapter's, those that replace a C library's, the library's own."""
    folders = [(FOLDER / task.build.adapter).parent, ADAPTERS / "include"]
    return folders + [task.folder / name for name in task.build.include if task.folder is not None]


def _without_figures(task: Task, why: str) -> PrimitiveRow:
    source = task.build.source
    return PrimitiveRow(
        cpu=task.cpu,
        primitive=task.build.primitive.title,
        library=task.build.library,
        version=source.version if source else __version__,
        variant=task.variant.name,
        of=task.build.primitive.kind.figures,
        cycles=(),
        ratio=None,
        flash_octets=None,
        stack_octets=None,
        why=why,
        compiler="",
        source=source.origin if source else "this repository",
    )
