# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote.measure` gives the costs of a C function, `wardmote.profile` shows where its cycles go."""

import hashlib
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Unpack

from wardmote import __version__
from wardmote.call import Host, StepError
from wardmote.cpus import MEASURED
from wardmote.errors import UsageError, WardmoteError
from wardmote.measurements.function.board import BoardAtClock
from wardmote.measurements.function.build import (
    Built,
    Failed,
    build_all,
    compiled_with,
    missing,
)
from wardmote.measurements.function.debug import check_debug
from wardmote.measurements.function.files import HOSTS
from wardmote.measurements.function.inputs import Assignment, Inputs, draw, draw_secrets
from wardmote.measurements.function.leak import Verdicts, judge, text_of
from wardmote.measurements.function.profile import Profile, profile_of
from wardmote.measurements.function.question import Asked, Question, question_of
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
from wardmote.measurements.function.taint import Followed, follow
from wardmote.measurements.slot.provenance import commit, compiler_of

VERDICTS = ("constant_time", "constant_cycles", "no_secret_branch", "no_secret_address")


def measure(
    files: str | Path | Sequence[str | Path], call: str | Sequence[str], **asked: Unpack[Asked]
) -> list[MeasureRow]:
    """Measures the function with prototype `call` on every CPU, for every size. Of several
    prototypes all are called in order, on the same memory, and the last is measured.

    The options are those of the command line. Raises WardmoteError, whose text is one line, if the
    function cannot be measured.
    """
    return measure_and_profile(files, call, profiled=False, **asked)[0]


def profile(
    files: str | Path | Sequence[str | Path], call: str | Sequence[str], **asked: Unpack[Asked]
) -> list[Profile]:
    """Profiles one call on every CPU that counts cycles, by function and by line, with callers."""
    question = question_of(files, call, asked)
    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        built = build_all(question.cpus, question.order, Path(folder))
        return _profiles(question, [one for one in built if isinstance(one, Built)])


def measure_and_profile(
    files: str | Path | Sequence[str | Path],
    call: str | Sequence[str],
    *,
    profiled: bool,
    **asked: Unpack[Asked],
) -> tuple[list[MeasureRow], list[Profile]]:
    """Builds once, measures and profiles. The profile is of the first input at the last size."""
    question = question_of(files, call, asked)
    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        built = build_all(question.cpus, question.order, Path(folder))
        _check_debug(question, built)
        found = [_rows(question, assignment, built) for assignment in question.assignments]
        rows = [row for rows in zip(*found, strict=True) for row in rows]
        profiles = _profiles(question, _working(built, rows)) if profiled else []
    # All sizes of one CPU stand together.
    return rows, profiles


def _check_debug(question: Question, built: Sequence[Built | Failed]) -> None:
    """Compares the prototypes with the debug information of what the C compiler here did not see."""
    files = question.files
    foreign = [p for p in files.given if p.suffix in (".elf", ".a", ".o", ".cpp")]
    assignment = question.assignments[0]
    names = ", ".join(path.name for path in foreign)
    for one in built if foreign else ():
        if isinstance(one, Built):
            for call in (*assignment.before, assignment.call):
                check_debug(one.path, call, MODELS[one.cpu], names)


def _working(built: Sequence[Built | Failed], rows: Sequence[MeasureRow]) -> list[Built]:
    """The CPUs on which nothing failed."""
    failed = {row.cpu for row in rows if row.failure is not None}
    return [one for one in built if isinstance(one, Built) and one.cpu not in failed]


def _profiles(question: Question, built: Sequence[Built]) -> list[Profile]:
    """One profile for each CPU that counts cycles."""
    assignment, counted = question.assignments[-1], [one for one in built if one.cpu not in HOSTS]
    if not counted:
        raise UsageError(
            f"no profile of {', '.join(question.cpus)}, which counts no cycles: name {' or '.join(MEASURED)}"
        )
    return [
        profile_of(
            _emulated(question, one, assignment),
            draw(assignment, MODELS[one.cpu], f"{question.seed}/0"),
        )
        for one in counted
    ]


def _emulated(question: Question, built: Built, assignment: Assignment) -> Emulated:
    """Loads the executable on its emulated CPU; raises UsageError if it lacks the function."""
    emulated = Emulated(built.cpu, built.path, assignment, question.cycle_limit)
    symbols = emulated.target(None).program.symbols()
    for function in question.order.functions:
        if function not in symbols:
            present = [name for name, (_, _, code) in symbols.items() if code]
            raise UsageError(missing(function, built.path.name, present))
    return emulated


def _rows(
    question: Question, assignment: Assignment, built: Sequence[Built | Failed]
) -> list[MeasureRow]:
    """Rows of one size on all CPUs. A CPU that fails has a row with the reason; if all fail, the
    first failure is raised."""
    rows: list[MeasureRow] = []
    answers: dict[str, tuple[Answer, ...]] = {}
    failed: list[WardmoteError] = []
    for one in built:
        if isinstance(one, Failed):
            failed.append(one.reason)
            rows.append(_failed_row(question, assignment, one))
            continue
        inputs = [
            draw(assignment, MODELS[one.cpu], f"{question.seed}/{run}")
            for run in range(question.runs)
        ]
        try:
            found = _found(question, assignment, one, inputs)
        except WardmoteError as error:
            failed.append(error)
            rows.append(_failed_row(question, assignment, Failed(one.cpu, error)))
            continue
        answers[one.cpu] = found.measured.answers
        faults = (
            _unexpected(question, found.measured, inputs),
            _disagreement(assignment, answers, one.cpu, inputs),
        )
        rows.append(_row(question, assignment, one, found, faults))
    if len(failed) == len(rows):
        raise failed[0]
    return rows


@dataclass(frozen=True, slots=True)
class _Found:
    """Results of the calls on one CPU."""

    measured: Measured
    verdicts: Verdicts | None = None
    unstepped: str | None = None
    followed: Followed | None = None


def _found(
    question: Question, assignment: Assignment, one: Built, inputs: Sequence[Inputs]
) -> _Found:
    """Calls the function on one CPU and compares the traces of runs with different secrets."""
    if one.cpu == "host32":
        return _Found(measure_host32(one.path, assignment, inputs))
    secrets = (
        draw_secrets(assignment, MODELS[one.cpu], question.seed, question.runs)
        if assignment.secrets
        else []
    )
    if one.cpu == "host":
        return _found_on_host(question, assignment, one, inputs, secrets)
    emulated = _emulated(question, one, assignment)
    measured = emulated.measure(inputs)
    verdicts = judge(emulated, secrets) if secrets else None
    followed = follow(emulated, [*inputs, *secrets], question.published)
    return _Found(measured, verdicts, followed=followed)


def _found_on_host(
    question: Question,
    assignment: Assignment,
    one: Built,
    inputs: Sequence[Inputs],
    secrets: Sequence[Inputs],
) -> _Found:
    """Does the same on this machine; without single steps there are no verdicts."""
    with Host(one.path, assignment.call.prototypes) as host:
        stepped = Stepped(
            host, one.path, assignment, question.cycle_limit, followed(len(inputs) + len(secrets))
        )
        measured = stepped.measure(inputs)
        try:
            verdicts = judge(stepped, secrets) if secrets and stepped.unstepped is None else None
        except StepError as error:
            return _Found(measured, None, str(error))
    return _Found(measured, verdicts, stepped.unstepped)


def _disagreement(
    assignment: Assignment,
    answers: Mapping[str, tuple[Answer, ...]],
    cpu: str,
    inputs: Sequence[Inputs],
) -> str | None:
    """How the outputs of this CPU differ from those of the first; None if they do not."""
    other = next(iter(answers))
    for mine, theirs, given in zip(answers[cpu], answers[other], inputs, strict=True):
        for name in mine.buffers:
            if assignment.alike(name) and mine.buffers[name] != theirs.buffers[name]:
                ends = (
                    f"{theirs.buffers[name].hex()} on {other}, {mine.buffers[name].hex()} on {cpu}"
                )
                return f"{name} is {ends}, with {_named(given)}"
        if mine.value != theirs.value:
            values = f"{theirs.value} on {other}, {mine.value} on {cpu}"
            return f"the result is {values}, with {_named(given)}"
    return None


def _unexpected(question: Question, measured: Measured, inputs: Sequence[Inputs]) -> str | None:
    """The first output that differs from the expected one; None if there is none."""
    for answer, given in zip(measured.answers, inputs, strict=True):
        for name, want in question.expected.items():
            have = answer.value if name == "return" else answer.buffers[name]
            if have != want:
                return f"{name} is {text_of(have)} and not {text_of(want)}, with {_named(given)}"
    return None


def _named(inputs: Inputs) -> str:
    return " ".join(f"{name}={text_of(value)}" for name, value in inputs.items()) or "no argument"


def _row(
    question: Question,
    assignment: Assignment,
    built: Built,
    found: _Found,
    faults: tuple[str | None, str | None],
) -> MeasureRow:
    measured, verdicts = found.measured, found.verdicts
    primitive, _, variant = question.files.given[0].stem.partition("_")
    cycles = _spread(measured.cycles, verdicts.cycles if verdicts else ())
    low = _spread(measured.cycles_low, verdicts.cycles_low if verdicts else ())
    flash, ram = measured.sizes or (None, None)
    said: dict[str, Any] = {name: getattr(verdicts, name, None) for name in VERDICTS}
    return MeasureRow(
        cpu=built.cpu,
        primitive=primitive,
        variant=variant,
        operation=question.function,
        failure=None,
        octets=assignment.work_octets(),
        cycles_min=cycles[0],
        cycles_median=cycles[1],
        cycles_max=cycles[2],
        cycles_min_low=low[0],
        cycles_median_low=low[1],
        cycles_max_low=low[2],
        instructions=_spread(measured.instructions)[1],
        unstepped=found.unstepped,
        **_on_board(question.boards.get(built.cpu), cycles[1], low[1]),
        flash_octets=flash,
        ram_octets=ram,
        stack_octets=measured.stack_octets,
        **said,
        leaks=verdicts.leaks if verdicts else (),
        **_proved(question, assignment, found.followed),
        secrets=assignment.secrets,
        expected=faults[0] is None if question.expected else None,
        unexpected=faults[0],
        disagreement=faults[1],
        compiler=compiler_of(built.path.read_bytes()),
        flags=built.flags,
        **_asked(question, assignment, built.cpu),
    )


def _asked(question: Question, assignment: Assignment, cpu: str) -> dict[str, Any]:
    """What a row says of the question, whatever comes out."""
    return {
        "runs": question.runs,
        "seed": question.seed,
        "prototype": "; ".join(one.text for one in (*assignment.before, assignment.call)),
        "arguments": (
            *question.arguments,
            *(["{}={}".format(*assignment.varied)] if assignment.varied else []),
        ),
        "timing_model": TIMING_MODELS[cpu],
        "wardmote": __version__,
        "commit": commit(),
        "files": ", ".join(file.name for file in question.files.given),
        "file_sha256": hashlib.sha256(
            b"".join(file.read_bytes() for file in question.files.given)
        ).hexdigest(),
    }


def _failed_row(question: Question, assignment: Assignment, failed: Failed) -> MeasureRow:
    """The row of a CPU that could not be measured."""
    primitive, _, variant = question.files.given[0].stem.partition("_")
    said: dict[str, Any] = dict.fromkeys(field.name for field in fields(MeasureRow))
    said |= _asked(question, assignment, failed.cpu)
    return MeasureRow(
        **said
        | {
            "cpu": failed.cpu,
            "primitive": primitive,
            "variant": variant,
            "operation": question.function,
            "failure": str(failed.reason).removeprefix(f"{failed.cpu}: "),
            "octets": assignment.work_octets(),
            "leaks": (),
            **_proved(question, assignment, None),
            "secrets": assignment.secrets,
            "compiler": "",
            "flags": compiled_with(failed.cpu, question.order),
        }
    )


def _proved(question: Question, assignment: Assignment, found: Followed | None) -> dict[str, Any]:
    """What following the secrets has shown."""
    clean = not found.dependences if found and assignment.secrets else None
    return {
        "no_dependence": clean,
        "dependences": found.dependences if found else (),
        "paths": found.paths if found else None,
        "inputs": found.inputs if found else None,
        "uncovered": found.uncovered if found else (),
        "published": question.published,
    }


def _on_board(
    board: BoardAtClock | None, cycles: int | None, cycles_low: int | None
) -> dict[str, Any]:
    """Time and energy on a board, with their conditions; None where there is no board."""
    found: dict[str, Any] = {
        "board": board.name if board else None,
        "clock_hz": board.clock_hz if board else None,
        "supply_v": board.supply_v if board else None,
        "current_ma": board.current_ma if board else None,
        "current_source": board.source if board else None,
    }
    for end, number in (("", cycles), ("_low", cycles_low)):
        found[f"time_us{end}"] = board.time_us(number) if board and number is not None else None
        found[f"energy_uj{end}"] = board.energy_uj(number) if board and number is not None else None
    return found


def _spread(
    cycles: Sequence[int], others: Sequence[int] = ()
) -> tuple[int, int, int] | tuple[None, None, None]:
    """Least, median and most of the measured cycles. The most includes `others`, the runs that looked
    for leaks."""
    if not cycles:
        return None, None, None
    return min(cycles), statistics.median_low(cycles), max(*cycles, *others, cycles[0])
