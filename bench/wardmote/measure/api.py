# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote.measure`: from a C function to a row for every CPU."""

import hashlib
import shlex
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote import __version__
from wardmote.errors import UsageError
from wardmote.measure.arguments import read_arguments, read_expected
from wardmote.measure.build import CPUS, Built, build, check_prototype, cpu_of, missing
from wardmote.measure.inputs import Inputs, Plan, draw, draw_secrets, plan
from wardmote.measure.leak import Verdicts, judge, text_of
from wardmote.measure.prototype import read_call
from wardmote.measure.rows import MeasureRow
from wardmote.measure.run import MODELS, TIMING_MODELS, Answer, Emulated, Measured, measure_host
from wardmote.slot.provenance import commit, compiler_of

RUNS = 16
MOST_RUNS = 10_000
CYCLE_LIMIT = 100_000_000


@dataclass(frozen=True, slots=True)
class _Job:
    """What was asked for, checked."""

    files: tuple[Path, ...]
    plan: Plan
    expected: Mapping[str, int | bytes]
    arguments: tuple[str, ...]
    flags: tuple[str, ...]
    include: tuple[Path, ...]
    runs: int
    seed: int
    cycle_limit: int

    @property
    def function(self) -> str:
        return self.plan.call.function.name


def measure(
    files: str | Path | Sequence[str | Path],
    call: str,
    *,
    args: Sequence[str] | Mapping[str, str] = (),
    expect: Sequence[str] | Mapping[str, str] = (),
    cpus: Sequence[str] | str = "all",
    runs: int = RUNS,
    seed: int = 1,
    flags: str = "",
    include: Sequence[str | Path] = (),
    cycle_limit: int = CYCLE_LIMIT,
) -> list[MeasureRow]:
    """What the function with prototype `call` costs on every CPU; `args` and `expect` are written as on the command
    line, `NAME=VALUE` or a mapping. Raises WardmoteError with one line if it cannot be measured."""
    paths = tuple(Path(file) for file in ([files] if isinstance(files, str | Path) else files))
    chosen = _cpus(cpus, paths)
    for what, number, most in (("number of runs", runs, MOST_RUNS), ("cycle limit", cycle_limit, 10**12)):
        if not 1 <= number <= most:
            raise UsageError(f"no {what} {number}: possible are 1 to {most}")
    if gone := next((path for path in paths if not path.is_file()), None):
        raise UsageError(f"{gone}: no such file")
    folders = tuple(Path(folder) for folder in include)
    texts, wanted = _pairs(args), _pairs(expect)
    given, expected = read_arguments(texts), read_expected(wanted)
    prototype = read_call(call, paths[0], folders)
    planned = plan(prototype, given)
    if stray := next((name for name in expected if name not in (*planned.outputs, "return")), None):
        raise UsageError(f"no output {stray!r}: possible are {', '.join((*planned.outputs, 'return'))}")
    words = tuple(_split(flags))
    job = _Job(paths, planned, expected, texts, words, folders, runs, seed, cycle_limit)
    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        return _rows(job, chosen, Path(folder))


def _pairs(texts: Sequence[str] | Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{k}={v}" for k, v in texts.items()) if isinstance(texts, Mapping) else tuple(texts)


def _split(flags: str) -> list[str]:
    try:
        return shlex.split(flags)
    except ValueError as error:
        raise UsageError(f"no flags {flags!r}: {error}") from error


def _cpus(asked: Sequence[str] | str, files: Sequence[Path]) -> tuple[str, ...]:
    """The CPUs in the order of the report; an executable has its own."""
    if not files:
        raise UsageError("no file to measure: give a .c, .S or .elf file")
    texts = asked.split(",") if isinstance(asked, str) else [part for text in asked for part in text.split(",")]
    named = {text.strip() for text in texts}
    if wrong := sorted(named - {"all", *CPUS}):
        raise UsageError(f"no cpu {wrong[0]!r}: possible are all, {', '.join(CPUS)} (avr is not there yet)")
    chosen = tuple(cpu for cpu in CPUS if "all" in named or cpu in named)
    if files[0].suffix != ".elf":
        return chosen
    if len(files) > 1:
        raise UsageError(f"{files[0]} is linked already: give it alone")
    own = cpu_of(files[0])
    if own not in chosen:
        raise UsageError(f"{files[0]} is for {own}, not for {', '.join(chosen)}")
    return (own,)


def _rows(job: _Job, cpus: Sequence[str], folder: Path) -> list[MeasureRow]:
    rows: list[MeasureRow] = []
    answers: dict[str, tuple[Answer, ...]] = {}
    for cpu in cpus:
        built = _executable(job, cpu, folder, first=cpu == cpus[0])
        inputs = [draw(job.plan, MODELS[cpu], f"{job.seed}/{run}") for run in range(job.runs)]
        verdicts: Verdicts | None = None
        if cpu == "host":
            measured = measure_host(built.path, job.plan, inputs)
        else:
            emulated = Emulated(cpu, built.path, job.plan, job.cycle_limit)
            if job.function not in (symbols := emulated.target(None).program.symbols()):
                present = [name for name, (_, _, code) in symbols.items() if code]
                raise UsageError(missing(job.function, built.path.name, present))
            measured = emulated.measure(inputs)
            if job.plan.secrets:
                verdicts = judge(emulated, draw_secrets(job.plan, MODELS[cpu], job.seed, job.runs))
        answers[cpu] = measured.answers
        faults = (_unexpected(job, measured, inputs), _disagreement(job.plan, answers, cpu, inputs))
        rows.append(_row(job, built, measured, verdicts, faults))
    return rows


def _executable(job: _Job, cpu: str, folder: Path, *, first: bool) -> Built:
    if job.files[0].suffix == ".elf":
        return Built(cpu, job.files[0], "of the executable")
    built = build(cpu, job.files, job.function, job.flags, job.include, folder / cpu)
    if first and job.files[0].suffix == ".c":
        check_prototype(cpu, job.files[0], job.plan.call.plain, job.flags, job.include)
    return built


def _disagreement(
    plan: Plan, answers: Mapping[str, tuple[Answer, ...]], cpu: str, inputs: Sequence[Inputs]
) -> str | None:
    """How this CPU's outputs differ from the first one's."""
    other = next(iter(answers))
    for mine, theirs, given in zip(answers[cpu], answers[other], inputs, strict=True):
        for name in mine.buffers:
            if plan.alike(name) and mine.buffers[name] != theirs.buffers[name]:
                ends = f"{theirs.buffers[name].hex()} on {other}, {mine.buffers[name].hex()} on {cpu}"
                return f"{name} is {ends}, with {_named(given)}"
        if mine.value != theirs.value:
            return f"the result is {theirs.value} on {other}, {mine.value} on {cpu}, with {_named(given)}"
    return None


def _unexpected(job: _Job, measured: Measured, inputs: Sequence[Inputs]) -> str | None:
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
    job: _Job, built: Built, measured: Measured, verdicts: Verdicts | None, faults: tuple[str | None, str | None]
) -> MeasureRow:
    primitive, _, variant = job.files[0].stem.partition("_")
    contents = [file.read_bytes() for file in job.files]
    cycles, low = _spread(measured.cycles), _spread(measured.cycles_low)
    return MeasureRow(
        cpu=built.cpu,
        primitive=primitive,
        variant=variant,
        operation=job.function,
        octets=job.plan.work_octets(),
        cycles_min=cycles[0],
        cycles_median=cycles[1],
        cycles_max=cycles[2],
        cycles_min_low=low[0],
        cycles_median_low=low[1],
        cycles_max_low=low[2],
        flash_octets=measured.sizes[0] if measured.sizes else None,
        ram_octets=measured.sizes[1] if measured.sizes else None,
        stack_octets=measured.stack_octets,
        constant_time=verdicts.constant_time if verdicts else None,
        constant_cycles=verdicts.constant_cycles if verdicts else None,
        no_secret_branch=verdicts.no_secret_branch if verdicts else None,
        no_secret_address=verdicts.no_secret_address if verdicts else None,
        leaks=verdicts.leaks if verdicts else (),
        secrets=job.plan.secrets,
        expected=faults[0] is None if job.expected else None,
        unexpected=faults[0],
        disagreement=faults[1],
        runs=job.runs,
        seed=job.seed,
        prototype=job.plan.call.text,
        arguments=job.arguments,
        compiler=compiler_of(built.path.read_bytes()),
        flags=built.flags,
        timing_model=TIMING_MODELS[built.cpu],
        wardmote=__version__,
        commit=commit(),
        files=", ".join(file.name for file in job.files),
        file_sha256=hashlib.sha256(b"".join(contents)).hexdigest(),
    )


def _spread(cycles: Sequence[int]) -> tuple[int, int, int] | tuple[None, None, None]:
    """Least, median and most: each a number of cycles that was met."""
    return (min(cycles), statistics.median_low(cycles), max(cycles)) if cycles else (None, None, None)
