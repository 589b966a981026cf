# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote.measure`: from a C function to a row for every CPU; `wardmote.profile`: to where its
cycles go."""

import hashlib
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from wardmote import __version__
from wardmote.call import Host, StepError
from wardmote.cpus import CPUS
from wardmote.errors import UsageError
from wardmote.measurements.function.build import Built, build_all, missing
from wardmote.measurements.function.files import HOSTS
from wardmote.measurements.function.inputs import Inputs, Plan, draw, draw_secrets
from wardmote.measurements.function.job import Asked, Job, job_of
from wardmote.measurements.function.leak import Verdicts, judge, text_of
from wardmote.measurements.function.profile import Profile, profile_of
from wardmote.measurements.function.rows import MeasureRow
from wardmote.measurements.function.run import (
    MODELS,
    TIMING_MODELS,
    Answer,
    Emulated,
    Measured,
    measure_host32,
)
from wardmote.measurements.function.stepped import Stepped, followed
from wardmote.measurements.slot.provenance import commit, compiler_of


def measure(
    files: str | Path | Sequence[str | Path], call: str, **asked: Unpack[Asked]
) -> list[MeasureRow]:
    """What the function with prototype `call` costs on every CPU, for every size. Options are those
    of the command line. Raises WardmoteError with one line if it cannot be measured."""
    return measure_and_profile(files, call, profiled=False, **asked)[0]


def profile(
    files: str | Path | Sequence[str | Path], call: str, **asked: Unpack[Asked]
) -> list[Profile]:
    """Where the cycles of one call go on every CPU that counts them: by function and by line,
    callers included."""
    job = job_of(files, call, asked)
    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        return _profiles(job, build_all(job.cpus, job.order, Path(folder)))


def measure_and_profile(
    files: str | Path | Sequence[str | Path], call: str, *, profiled: bool, **asked: Unpack[Asked]
) -> tuple[list[MeasureRow], list[Profile]]:
    """Both, built once; the profile is of the first input, at the last size."""
    job = job_of(files, call, asked)
    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        built = build_all(job.cpus, job.order, Path(folder))
        found = [_rows(job, plan, built) for plan in job.plans]
        profiles = _profiles(job, built) if profiled else []
    # CPU by CPU, so that what a size does to each of them stands together.
    return [rows[n] for n in range(len(built)) for rows in found], profiles


def _profiles(job: Job, built: Sequence[Built]) -> list[Profile]:
    """One for each CPU that counts."""
    plan, counted = job.plans[-1], [one for one in built if one.cpu not in HOSTS]
    if not counted:
        raise UsageError(
            f"no profile of {', '.join(job.cpus)}, which counts no cycles: name {' or '.join(CPUS)}"
        )
    return [
        profile_of(_emulated(job, one, plan), draw(plan, MODELS[one.cpu], f"{job.seed}/0"))
        for one in counted
    ]


def _emulated(job: Job, built: Built, plan: Plan) -> Emulated:
    """The executable, on an emulated CPU."""
    emulated = Emulated(built.cpu, built.path, plan, job.cycle_limit)
    if job.function not in (symbols := emulated.target(None).program.symbols()):
        present = [name for name, (_, _, code) in symbols.items() if code]
        raise UsageError(missing(job.function, built.path.name, present))
    return emulated


def _rows(job: Job, plan: Plan, built: Sequence[Built]) -> list[MeasureRow]:
    """One size on all CPUs."""
    rows: list[MeasureRow] = []
    answers: dict[str, tuple[Answer, ...]] = {}
    for one in built:
        inputs = [draw(plan, MODELS[one.cpu], f"{job.seed}/{run}") for run in range(job.runs)]
        found = _found(job, plan, one, inputs)
        answers[one.cpu] = found.measured.answers
        faults = (
            _unexpected(job, found.measured, inputs),
            _disagreement(plan, answers, one.cpu, inputs),
        )
        rows.append(_row(job, plan, one, found, faults))
    return rows


@dataclass(frozen=True, slots=True)
class _Found:
    """What calls on one CPU gave."""

    measured: Measured
    verdicts: Verdicts | None = None
    unstepped: str | None = None


def _found(job: Job, plan: Plan, one: Built, inputs: Sequence[Inputs]) -> _Found:
    """Calls on one CPU, and what its traces show."""
    if one.cpu == "host32":
        return _Found(measure_host32(one.path, plan, inputs))
    secrets = draw_secrets(plan, MODELS[one.cpu], job.seed, job.runs) if plan.secrets else []
    if one.cpu == "host":
        return _found_on_host(job, plan, one, inputs, secrets)
    emulated = _emulated(job, one, plan)
    measured = emulated.measure(inputs)
    return _Found(measured, judge(emulated, secrets) if secrets else None)


def _found_on_host(
    job: Job, plan: Plan, one: Built, inputs: Sequence[Inputs], secrets: Sequence[Inputs]
) -> _Found:
    """The same on this machine, where the verdicts stay open if nothing can be followed."""
    with Host(one.path, plan.call.prototypes) as host:
        stepped = Stepped(
            host, one.path, plan, job.cycle_limit, followed(len(inputs) + len(secrets))
        )
        measured = stepped.measure(inputs)
        try:
            verdicts = judge(stepped, secrets) if secrets and stepped.unstepped is None else None
        except StepError as error:
            return _Found(measured, None, str(error))
    return _Found(measured, verdicts, stepped.unstepped)


def _disagreement(
    plan: Plan, answers: Mapping[str, tuple[Answer, ...]], cpu: str, inputs: Sequence[Inputs]
) -> str | None:
    """How this CPU's outputs differ from the first one's."""
    other = next(iter(answers))
    for mine, theirs, given in zip(answers[cpu], answers[other], inputs, strict=True):
        for name in mine.buffers:
            if plan.alike(name) and mine.buffers[name] != theirs.buffers[name]:
                ends = (
                    f"{theirs.buffers[name].hex()} on {other}, {mine.buffers[name].hex()} on {cpu}"
                )
                return f"{name} is {ends}, with {_named(given)}"
        if mine.value != theirs.value:
            return (
                f"the result is {theirs.value} on {other}, {mine.value} on {cpu}, "
                "with "
                f"{_named(given)}"
            )
    return None


def _unexpected(job: Job, measured: Measured, inputs: Sequence[Inputs]) -> str | None:
    """The first output that is not the one expected."""
    for answer, given in zip(measured.answers, inputs, strict=True):
        for name, want in job.expected.items():
            have = answer.value if name == "return" else answer.buffers[name]
            if have != want:
                return f"{name} is {text_of(have)} and not {text_of(want)}, with {_named(given)}"
    return None


def _named(inputs: Inputs) -> str:
    return " ".join(f"{name}={text_of(value)}" for name, value in inputs.items()) or "no argument"


def _row(
    job: Job,
    plan: Plan,
    built: Built,
    found: _Found,
    faults: tuple[str | None, str | None],
) -> MeasureRow:
    measured, verdicts = found.measured, found.verdicts
    primitive, _, variant = job.files.given[0].stem.partition("_")
    contents = [file.read_bytes() for file in job.files.given]
    cycles = _spread(measured.cycles, verdicts.cycles if verdicts else ())
    low = _spread(measured.cycles_low, verdicts.cycles_low if verdicts else ())
    board = job.boards.get(built.cpu)
    median, median_low = cycles[1], low[1]
    return MeasureRow(
        cpu=built.cpu,
        primitive=primitive,
        variant=variant,
        operation=job.function,
        octets=plan.work_octets(),
        cycles_min=cycles[0],
        cycles_median=median,
        cycles_max=cycles[2],
        cycles_min_low=low[0],
        cycles_median_low=median_low,
        cycles_max_low=low[2],
        instructions=_spread(measured.instructions)[1],
        unstepped=found.unstepped,
        board=board.name if board else None,
        clock_hz=board.clock_hz if board else None,
        supply_v=board.supply_v if board else None,
        current_ma=board.current_ma if board else None,
        current_source=board.source if board else None,
        time_us=board.time_us(median) if board and median is not None else None,
        time_us_low=board.time_us(median_low) if board and median_low is not None else None,
        energy_uj=board.energy_uj(median) if board and median is not None else None,
        energy_uj_low=board.energy_uj(median_low) if board and median_low is not None else None,
        flash_octets=measured.sizes[0] if measured.sizes else None,
        ram_octets=measured.sizes[1] if measured.sizes else None,
        stack_octets=measured.stack_octets,
        constant_time=verdicts.constant_time if verdicts else None,
        constant_cycles=verdicts.constant_cycles if verdicts else None,
        no_secret_branch=verdicts.no_secret_branch if verdicts else None,
        no_secret_address=verdicts.no_secret_address if verdicts else None,
        leaks=verdicts.leaks if verdicts else (),
        secrets=plan.secrets,
        expected=faults[0] is None if job.expected else None,
        unexpected=faults[0],
        disagreement=faults[1],
        runs=job.runs,
        seed=job.seed,
        prototype=plan.call.text,
        arguments=(
            *job.arguments,
            *(f"{name}={size}" for name, size in ([plan.varied] if plan.varied else [])),
        ),
        compiler=compiler_of(built.path.read_bytes()),
        flags=built.flags,
        timing_model=TIMING_MODELS[built.cpu],
        wardmote=__version__,
        commit=commit(),
        files=", ".join(file.name for file in job.files.given),
        file_sha256=hashlib.sha256(b"".join(contents)).hexdigest(),
    )


def _spread(
    cycles: Sequence[int], others: Sequence[int] = ()
) -> tuple[int, int, int] | tuple[None, None, None]:
    """Least, median and most: each a number of cycles that was met. The most is also over `others`,
    the runs that looked for leaks."""
    if not cycles:
        return None, None, None
    return min(cycles), statistics.median_low(cycles), max(*cycles, *others, cycles[0])
