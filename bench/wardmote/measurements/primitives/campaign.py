# SPDX-License-Identifier: BSD-3-Clause
"""All primitives that are asked for, on several cores, and kept: what did not change is not
measured again."""

import dataclasses
import hashlib
import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wardmote import __version__, _motes
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.linked import archive, digest_of, linked, parts_of
from wardmote.measurements.function.board import BoardAtClock
from wardmote.measurements.primitives import flash, host32, run
from wardmote.measurements.primitives.entry import Primitive, cases_of
from wardmote.measurements.primitives.host32_rows import Host32Row, clock_source, processor
from wardmote.measurements.primitives.printed import CLOCKS_HZ, CPU, SOURCE, printed_ms, ratio
from wardmote.measurements.primitives.rows import Missing, PrimitiveRow, Result
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.slot.provenance import commit
from wardmote.paths import BUILD, ROOT, write_atomically
from wardmote.prototypes import public_headers

KEPT = BUILD / "primitives"
BENCH = ROOT / "bench" / "wardmote"
CODE = (
    *(
        f"measurements/primitives/{name}.py"
        for name in ("campaign", "entry", "flash", "host32", "run", "table/*")
    ),
    *("call/**/*.py", "prototypes/*.py", "elf.py", "linked.py"),
    "measurements/function/build.py",
)
"""What a figure depends on, of the bench."""
FIGURES = {"flash_octets", "static_ram_octets", "ram_octets", "costs"}
"""What is kept of a primitive."""
HOST32_FIGURES = {"ram_octets", "costs"}
PLACES = (*CPU_NAMES, host32.CPU)
"""Those that are emulated, and this machine."""
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be measured, and how."""

    cpus: tuple[str, ...]
    primitives: tuple[Primitive, ...]
    sizes: tuple[int, ...]
    boards: Mapping[str, BoardAtClock]
    runs: int
    seed: int
    jobs: int
    kept: Path = KEPT
    timed: bool = True
    """Time is measured where it is this machine's."""
    operations: tuple[str, ...] = ()
    """Names of those to be measured; all of them if there is none."""


@dataclass(frozen=True, slots=True)
class Task:
    """One primitive on one CPU."""

    cpu: str
    primitive: str
    variant: str
    sizes: tuple[int, ...]
    runs: int
    seed: int
    timed: bool = True
    operations: tuple[str, ...] = ()


def measure(plan: Plan, told: Told = lambda _: None) -> Result:
    """Measures what is not known yet; `told` hears of each primitive that is done."""
    _require(plan.cpus)
    tasks = [
        Task(
            cpu,
            one.name,
            one.variant,
            plan.sizes,
            plan.runs,
            plan.seed,
            plan.timed,
            plan.operations,
        )
        for cpu in plan.cpus
        for one in plan.primitives
    ]
    missing = [lack for cpu in plan.cpus for one in plan.primitives if (lack := _missing(cpu, one))]
    absent = {(lack.cpu, lack.primitive) for lack in missing}
    tasks = [task for task in tasks if (task.cpu, entry_of(task).label) not in absent]
    places = {task: plan.kept / f"{task.cpu}-{identity(task)}.json" for task in tasks}
    figures = {
        task: known
        for task, place in places.items()
        if (known := _known(place, task.cpu)) is not None
    }
    for task in figures:
        told(_name(task))
    reused = len(figures)
    for task, found in _fresh([task for task in tasks if task not in figures], plan.jobs, told):
        figures[task] = found
        write_atomically(places[task], json.dumps(found).encode())
    emulated = [task for task in tasks if task.cpu != host32.CPU]
    rows = [row for task in emulated for row in _rows(task, figures[task], plan.boards[task.cpu])]
    hosts = [
        _host32_row(task, figures[task], cost)
        for task in tasks
        if task.cpu == host32.CPU
        for cost in figures[task]["costs"]
    ]
    return Result(tuple(rows), tuple(missing), reused, len(tasks) - reused, tuple(hosts))


def entry_of(task: Task) -> Primitive:
    """The entry of the table that a task names."""
    return next(
        one for one in PRIMITIVES if (one.name, one.variant) == (task.primitive, task.variant)
    )


def measured_of(task: Task) -> Primitive:
    """The entry with the operations that are to be measured."""
    primitive = entry_of(task)
    chosen = tuple(
        one for one in primitive.operations if not task.operations or one.name in task.operations
    )
    return dataclasses.replace(primitive, operations=chosen)


def identity(task: Task) -> str:
    """Changes with anything that a figure depends on."""
    primitive = entry_of(task)
    parts = repr((dataclasses.astuple(task), primitive, __version__, _code()))
    if task.cpu == host32.CPU:
        paths = [*host32.programs(primitive), host32.FOLDER / "options.txt"]
        parts += processor() + clock_source()
    else:
        paths = list(parts_of(task.cpu, primitive.form))
    for path in paths:
        parts += digest_of(path)
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


@cache
def _code() -> str:
    """Digest of the code that measures, and of the records' layouts."""
    files = [path for pattern in CODE for path in sorted(BENCH.glob(pattern))]
    files += [Path(str(_motes.__file__)), *public_headers(ROOT)]
    return hashlib.sha256("".join(digest_of(path) for path in files).encode()).hexdigest()


def _require(cpus: Sequence[str]) -> None:
    """What is linked must be there before anything is measured."""
    for cpu in cpus:
        if cpu == host32.CPU:
            _require_host32()
            continue
        for form in dict.fromkeys(one.form for one in PRIMITIVES):
            parts_of(cpu, form)


def _require_host32() -> None:
    for path in dict.fromkeys(path for one in PRIMITIVES for path in host32.programs(one)):
        if not (BUILD / "stack" / host32.CPU / path.name).is_file():
            raise UsageError(f"no build/stack/{host32.CPU}/{path.name}: build it with `make stack`")


def _missing(cpu: str, primitive: Primitive) -> Missing | None:
    if cpu == host32.CPU:
        lacks = host32.lacking(primitive)
        return (
            Missing(cpu, primitive.label, host32.programs(primitive)[0].name, lacks)
            if lacks
            else None
        )
    symbols = run.lacking(cpu, primitive)
    name = archive(cpu, primitive.form).name
    return Missing(cpu, primitive.label, name, symbols) if symbols else None


def _known(place: Path, cpu: str) -> dict[str, Any] | None:
    """What was measured before; a file that cannot be read is measured again."""
    try:
        found: dict[str, Any] = json.loads(place.read_bytes())
    except (OSError, ValueError):
        return None
    wanted = HOST32_FIGURES if cpu == host32.CPU else FIGURES
    return found if isinstance(found, dict) and set(found) == wanted else None


def _fresh(tasks: Sequence[Task], jobs: int, told: Told) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Measures tasks, several at a time, as they are done; the first failure ends it. What is timed
    on this machine comes last, one at a time."""
    timed = [task for task in tasks if task.cpu == host32.CPU and task.timed]
    yield from _in_turn([task for task in tasks if task not in timed], jobs, told)
    yield from _in_turn(timed, 1, told)


def _in_turn(tasks: Sequence[Task], jobs: int, told: Told) -> Iterator[tuple[Task, dict[str, Any]]]:
    if min(jobs, len(tasks)) <= 1:
        for task in tasks:
            yield task, figures_of(task)
            told(_name(task))
        return
    # Processes that begin anew: this one may have threads, such as that of a bar.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=context) as pool:
        futures = {pool.submit(figures_of, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
                told(_name(futures[future]))
        finally:
            for future in futures:
                future.cancel()


def figures_of(task: Task) -> dict[str, Any]:
    """Measures one primitive on one CPU; plain values, as they are kept."""
    primitive = entry_of(task)
    if task.cpu == host32.CPU:
        return _host32_figures(task, primitive)
    flash_octets, static_ram_octets = flash.octets(task.cpu, primitive)
    return {
        "flash_octets": flash_octets,
        "static_ram_octets": static_ram_octets,
        "ram_octets": run.context_octets(task.cpu, primitive),
        "costs": [
            {"octets": case.octets, "a_octets": case.a_octets, **dataclasses.asdict(cost)}
            for case in cases_of(measured_of(task), task.sizes)
            for cost in run.measure(task.cpu, case, task.runs, task.seed)
        ],
    }


def _host32_figures(task: Task, primitive: Primitive) -> dict[str, Any]:
    measured = measured_of(task)
    costs = host32.measure(
        measured, cases_of(measured, task.sizes), task.runs, task.seed, timed=task.timed
    )
    return {
        "ram_octets": host32.context_octets(primitive),
        "costs": [
            {"octets": case.octets, "a_octets": case.a_octets, **dataclasses.asdict(cost)}
            for case, cost in costs
        ],
    }


def _name(task: Task) -> str:
    return f"{task.cpu} {entry_of(task).label}"


def _rows(task: Task, figures: Mapping[str, Any], board: BoardAtClock) -> list[PrimitiveRow]:
    primitive = entry_of(task)
    executable = linked(task.cpu, primitive.symbols, primitive.form)
    return [_row(task, figures, cost, board, executable) for cost in figures["costs"]]


def _row(
    task: Task,
    figures: Mapping[str, Any],
    cost: Mapping[str, Any],
    board: BoardAtClock,
    executable: Path,
) -> PrimitiveRow:
    primitive = entry_of(task)
    operation = next(one for one in primitive.operations if one.name == cost["operation"])
    lengths = (cost["octets"], cost["a_octets"]) if operation.per_size else (0, 0)
    cycles, low = cost["cycles"], cost["cycles_low"]
    ms = printed_ms(primitive, operation.name, *lengths) if task.cpu == CPU else None
    verdicts = {
        name: cost[name] for name in ("constant_cycles", "no_secret_branch", "no_secret_address")
    }
    return PrimitiveRow(
        cpu=task.cpu,
        primitive=task.primitive,
        variant=task.variant,
        operation=operation.name,
        functions=" + ".join(operation.functions),
        octets=lengths[0],
        a_octets=lengths[1],
        cycles=cycles,
        cycles_min=cost["cycles_min"],
        cycles_low=low,
        board=board.name,
        clock_hz=board.clock_hz,
        supply_v=board.supply_v,
        current_ma=board.current_ma,
        current_source=board.source,
        time_us=board.time_us(cycles),
        time_us_low=None if low is None else board.time_us(low),
        energy_uj=board.energy_uj(cycles),
        energy_uj_low=None if low is None else board.energy_uj(low),
        **{name: figures[name] for name in ("flash_octets", "static_ram_octets", "ram_octets")},
        stack_octets=cost["stack_octets"],
        constant_time=all(verdicts.values()),
        **verdicts,
        published_ms=ms,
        published_ratio_8mhz=ratio(ms, cycles, CLOCKS_HZ[0]),
        published_ratio_4_19mhz=ratio(ms, cycles, CLOCKS_HZ[1]),
        published_source=SOURCE if ms is not None else None,
        runs=task.runs,
        seed=task.seed,
        executable=str(executable.relative_to(ROOT)),
        executable_sha256=digest_of(executable),
        wardmote=__version__,
        commit=commit(),
    )


def _host32_row(task: Task, figures: Mapping[str, Any], cost: Mapping[str, Any]) -> Host32Row:
    primitive = entry_of(task)
    operation = next(one for one in primitive.operations if one.name == cost["operation"])
    lengths = (cost["octets"], cost["a_octets"]) if operation.per_size else (0, 0)
    compiler, options = host32.compiled_with(primitive)
    executable = host32.programs(primitive)[0]
    times = {
        name.replace("ns", "us"): None
        if cost[name] is None
        else max(0.0, round(cost[name] / 1000, 5))
        for name in ("time_ns", "time_ns_low", "time_ns_high")
    }
    names = (
        "instructions",
        "instructions_min",
        "calls",
        "batches",
        "stack_octets",
        "no_secret_branch",
    )
    measured: dict[str, Any] = {name: cost[name] for name in names} | times
    return Host32Row(
        cpu=task.cpu,
        primitive=task.primitive,
        variant=task.variant,
        operation=operation.name,
        functions=" + ".join(operation.functions),
        octets=lengths[0],
        a_octets=lengths[1],
        **measured,
        processor=processor(),
        clock_source=clock_source(),
        compiler=compiler,
        options=options,
        ram_octets=figures["ram_octets"],
        runs=task.runs,
        seed=task.seed,
        executable=f"build/stack/{task.cpu}/{executable.name}",
        executable_sha256=digest_of(executable),
        wardmote=__version__,
        commit=commit(),
    )


def jobs_of(asked: int | None) -> int:
    """Primitives that are measured at a time: one a core if it is not said."""
    return asked or os.cpu_count() or 1
