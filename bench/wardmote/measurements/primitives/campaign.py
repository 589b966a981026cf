# SPDX-License-Identifier: BSD-3-Clause
"""The campaign of `wardmote primitives`: primitives on CPUs, and rows of what they cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wardmote import __version__
from wardmote.campaign.cases import Campaign, Figures
from wardmote.campaign.runner import Answers, Runner
from wardmote.cpus import CPU_NAMES
from wardmote.linked import archive, digest_of
from wardmote.measurements.function.board import BoardAtClock
from wardmote.measurements.primitives import host32, run
from wardmote.measurements.primitives.cases import (
    CountedCase,
    EmulatedCase,
    PlainCase,
    PrimitiveCase,
    figures_of,
    is_timed,
)
from wardmote.measurements.primitives.entry import Lengths, Primitive, lengths_of
from wardmote.measurements.primitives.host32_rows import Host32Row, clock_source, processor
from wardmote.measurements.primitives.printed import CLOCKS_HZ, CPU, SOURCE, printed_ms, ratio
from wardmote.measurements.primitives.rows import Missing, PrimitiveRow, Result
from wardmote.measurements.slot.provenance import commit
from wardmote.paths import ROOT

PLACES = (*CPU_NAMES, host32.CPU)
"""Those that are emulated, and this machine."""
VERDICTS = ("constant_cycles", "no_secret_branch", "no_secret_address")


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user selected."""

    cpus: tuple[str, ...]
    primitives: tuple[Primitive, ...]
    sizes: tuple[int, ...]
    boards: Mapping[str, BoardAtClock]
    runs: int
    seed: int
    timed: bool = True
    """Time is measured where it is this machine's."""
    operations: tuple[str, ...] = ()
    """Names of those to be measured; all of them if there is none."""


def measure(selection: Selection, runner: Runner) -> Result:
    """Measures what can be had; the rows are in the order of the table."""
    places = [(cpu, one) for cpu in selection.cpus for one in selection.primitives]
    lacks = [_missing(cpu, primitive) for cpu, primitive in places]
    groups = [
        (primitive, _cases(selection, cpu, primitive))
        for (cpu, primitive), lack in zip(places, lacks, strict=True)
        if lack is None
    ]
    answers = run_cases([case for _, cases in groups for case in cases], runner)
    figures = iter(answers.figures)
    rows: list[PrimitiveRow] = []
    hosts: list[Host32Row] = []
    for primitive, cases in groups:
        first, found = cases[0], [next(figures) for _ in cases]
        if isinstance(first, EmulatedCase):
            rows += _rows(primitive, first, found[0], selection.boards[first.cpu])
        else:
            hosts += _host32_rows(primitive, selection, *found)
    missing = tuple(lack for lack in lacks if lack is not None)
    fresh = len(answers.figures) - answers.reused
    return Result(tuple(rows), missing, answers.reused, fresh, tuple(hosts))


def run_cases(cases: Sequence[PrimitiveCase], runner: Runner) -> Answers:
    """Figures of these cases."""
    return runner.run(Campaign(figures_of, cases, lambda case: case.artefacts(), is_timed))


def emulated_case(
    selection: Selection, cpu: str, primitive: Primitive, lengths: tuple[Lengths, ...]
) -> EmulatedCase:
    """The primitive with the operations that were selected, at these lengths."""
    chosen = _chosen(selection, primitive)
    return EmulatedCase(cpu, chosen, lengths, selection.seed, primitive.symbols, selection.runs)


def _chosen(selection: Selection, primitive: Primitive) -> Primitive:
    """The primitive with the operations that were selected."""
    names = selection.operations or tuple(one.name for one in primitive.operations)
    return replace(
        primitive, operations=tuple(one for one in primitive.operations if one.name in names)
    )


def _cases(selection: Selection, cpu: str, primitive: Primitive) -> tuple[PrimitiveCase, ...]:
    lengths, seed = lengths_of(primitive, selection.sizes), selection.seed
    if cpu != host32.CPU:
        return (emulated_case(selection, cpu, primitive, lengths),)
    chosen = _chosen(selection, primitive)
    clock = f"{processor()}, {clock_source()}" if selection.timed else ""
    return (
        CountedCase(cpu, chosen, lengths, seed, selection.runs),
        PlainCase(cpu, chosen, lengths, seed, clock),
    )


def _missing(cpu: str, primitive: Primitive) -> Missing | None:
    """The symbols of a primitive that one CPU lacks. Raises UsageError if nothing was built for
    it."""
    if cpu == host32.CPU:
        host32.compiled_with(primitive)
        symbols, holder = host32.lacking(primitive), host32.programs(primitive)[0]
    else:
        symbols, holder = run.lacking(cpu, primitive), archive(cpu, primitive.form)
    return Missing(cpu, primitive.label, holder.name, symbols) if symbols else None


def _rows(
    primitive: Primitive, case: EmulatedCase, figures: Figures, board: BoardAtClock
) -> list[PrimitiveRow]:
    octets = ("flash_octets", "static_ram_octets", "ram_octets")
    alike = {name: figures[name] for name in octets} | {
        "board": board.name,
        "clock_hz": board.clock_hz,
        "supply_v": board.supply_v,
        "current_ma": board.current_ma,
        "current_source": board.source,
        "runs": case.runs,
        "seed": case.seed,
        "executable": str(case.executable.relative_to(ROOT)),
        "executable_sha256": digest_of(case.executable),
        "wardmote": __version__,
        "commit": commit(),
    }
    return [
        PrimitiveRow(
            cpu=case.cpu,
            **_named(primitive, cost),
            **_costs(primitive, case.cpu, cost, board),
            **alike,
        )
        for cost in figures["costs"]
    ]


def _named(primitive: Primitive, cost: Mapping[str, Any]) -> dict[str, Any]:
    """What a row is about; lengths are 0 where they do not matter."""
    operation = next(one for one in primitive.operations if one.name == cost["operation"])
    return {
        "primitive": primitive.name,
        "variant": primitive.variant,
        "operation": operation.name,
        "functions": " + ".join(operation.functions),
        "octets": cost["octets"] if operation.per_size else 0,
        "a_octets": cost["a_octets"] if operation.per_size else 0,
    }


def _costs(
    primitive: Primitive, cpu: str, cost: Mapping[str, Any], board: BoardAtClock
) -> dict[str, Any]:
    """Costs of one operation, with time and energy on a board and what the paper printed."""
    named = _named(primitive, cost)
    cycles, low = cost["cycles"], cost["cycles_low"]
    lengths = (named["octets"], named["a_octets"])
    ms = printed_ms(primitive, named["operation"], *lengths) if cpu == CPU else None
    taken = ("cycles", "cycles_min", "cycles_low", "stack_octets", *VERDICTS)
    return {name: cost[name] for name in taken} | {
        "time_us": board.time_us(cycles),
        "time_us_low": None if low is None else board.time_us(low),
        "energy_uj": board.energy_uj(cycles),
        "energy_uj_low": None if low is None else board.energy_uj(low),
        "constant_time": all(cost[name] for name in VERDICTS) and not cost["dependences"],
        "no_dependence": not cost["dependences"],
        "dependences": len(cost["dependences"]),
        "dependence": next(iter(cost["dependences"]), None),
        "published_ms": ms,
        "published_ratio_8mhz": ratio(ms, cycles, CLOCKS_HZ[0]),
        "published_ratio_4_19mhz": ratio(ms, cycles, CLOCKS_HZ[1]),
        "published_source": SOURCE if ms is not None else None,
    }


def _host32_rows(
    primitive: Primitive, selection: Selection, counted: Figures, plain: Figures
) -> list[Host32Row]:
    compiler, options = host32.compiled_with(primitive)
    program = host32.programs(primitive)[0]
    alike: dict[str, Any] = {
        "cpu": host32.CPU,
        "processor": processor(),
        "clock_source": clock_source(),
        "compiler": compiler,
        "options": options,
        "ram_octets": counted["ram_octets"],
        "runs": selection.runs,
        "seed": selection.seed,
        "executable": str(program.relative_to(ROOT)),
        "executable_sha256": digest_of(program),
        "wardmote": __version__,
        "commit": commit(),
    }
    rows = []
    for counts, times in zip(counted["costs"], plain["costs"], strict=True):
        costs = counts | times | _named(primitive, counts)
        for name in ("time_ns", "time_ns_low", "time_ns_high"):
            ns = costs.pop(name)
            costs[name.replace("ns", "us")] = None if ns is None else max(0.0, round(ns / 1000, 5))
        rows.append(Host32Row(**costs, **alike))
    return rows
